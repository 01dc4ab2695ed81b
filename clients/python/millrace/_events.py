"""Events of streams that are not in the JSON of the service as they stand here."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

from .types import RunChange


class RunChanged(RunChange):
    """A run as it is now."""

    type: Literal["run"]


class Reset(TypedDict):
    """So much was missed that lists have to be read again."""

    type: Literal["reset"]


OrganizationEvent: TypeAlias = RunChanged | Reset
