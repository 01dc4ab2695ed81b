"""Every failure of a call, by status, and the table of what is tried again."""

from __future__ import annotations

import email.utils
import json
import random
import time
from typing import Any, Literal, Mapping, Sequence, cast

from .types import Issue

Repeat = Literal["always", "unless-sent"]
"""`unless-sent`: only where it is certain that the service has not taken the request, as with a chat message."""

MAX_RETRIES = 2
MAX_REOPENINGS = 8
FIRST_PAUSE_SECONDS = 0.5
MAX_PAUSE_SECONDS = 8.0
MAX_RETRY_AFTER_SECONDS = 60.0
"""Whoever is told to come back later than this decides alone."""


class MillraceError(Exception):
    """`code` is stable and in English (`flow_not_found`); the text is for people."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str = "unexpected_answer",
        body: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        details = body or {}
        self.message = message
        self.status = status
        self.code = code
        self.issues: Sequence[Issue] = details.get("issues") or []
        self.validation_errors: Sequence[str] = details.get("validationErrors") or []
        self.validation_warnings: Sequence[str] = details.get("validationWarnings") or []
        self.message_params: Mapping[str, str] = details.get("messageParams") or {}
        self.data: Mapping[str, Any] = details.get("data") or {}
        self.retry_after = retry_after
        self.request_id = request_id
        """`X-Request-Id`; the service's log knows it."""


class BadRequestError(MillraceError):
    """400: the request, the flow or the documents have faults."""


class AuthenticationError(MillraceError):
    """401: no key, or one that is not valid."""


class PermissionDeniedError(MillraceError):
    """403: the key may not do this."""


class NotFoundError(MillraceError):
    """404: it does not exist, or belongs to somebody else."""


class ConflictError(MillraceError):
    """409: somebody else was faster, or what was named cannot take this now."""


class RateLimitError(MillraceError):
    """429: too many requests, or too many runs wait."""


class ServerError(MillraceError):
    """5xx: the service, or what stands in front of it."""


class ConnectionFailedError(MillraceError):
    """No answer, or one that is not the service's."""

    def __init__(self, message: str, *, code: str = "connection_failed", was_sent: bool = True) -> None:
        super().__init__(message, code=code)
        self.was_sent = was_sent
        """False: the service cannot have seen the request."""


class RequestTimeoutError(ConnectionFailedError):
    """No answer within `timeout`."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="timed_out")


_CLASSES: dict[int, type[MillraceError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
}


def to_error(status: int, headers: Mapping[str, str], text: bytes) -> MillraceError:
    """An answer that is no success, whatever it says: a proxy may have written it."""
    try:
        parsed: Any = json.loads(text)
    except ValueError:
        parsed = {}
    body = cast("dict[str, Any]", parsed) if isinstance(parsed, dict) else {}
    words = ": ".join(str(body[key]) for key in ("error", "message") if body.get(key))
    kind = _CLASSES.get(status) or (ServerError if status >= 500 else MillraceError)
    return kind(
        words or f"The server answered {status}",
        status=status,
        code=body.get("code") or ("too_many_requests" if status == 429 else "unexpected_answer"),
        body=body,
        retry_after=_retry_after(headers.get("retry-after")),
        request_id=headers.get("x-request-id"),
    )


def may_repeat(error: MillraceError, repeat: Repeat) -> bool:
    if (error.retry_after or 0) > MAX_RETRY_AFTER_SECONDS:
        return False
    if repeat == "unless-sent":
        return error.code == "too_many_requests" or (
            isinstance(error, ConnectionFailedError) and not error.was_sent
        )
    if error.status == 0:
        return error.code != "unexpected_answer"
    return error.status in (408, 429) or error.status >= 500


def pause_seconds(attempt: int, error: MillraceError | None = None) -> float:
    """Before the attempt with this number, from 0."""
    if error is not None and error.retry_after is not None:
        return error.retry_after
    return min(MAX_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2**attempt) * (0.75 + random.random() / 4)


def _retry_after(text: str | None) -> float | None:
    """As a number of seconds or as a date."""
    if not text:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None
