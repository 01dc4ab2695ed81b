"""One request, and how long and how often it is tried."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from ._errors import Repeat


@dataclass(frozen=True)
class CallOptions:
    """Of one call: seconds of one attempt (0 for none), and attempts after the first."""

    timeout: float | None = None
    max_retries: int | None = None


NO_OPTIONS = CallOptions()


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    repeat: Repeat | None = None
    """Without it: always for GET, PUT and DELETE, otherwise unless it may have been sent."""
