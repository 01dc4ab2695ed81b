"""Client for a Millrace service: standard library only, with and without asyncio."""

from . import types, webhooks
from ._async.client import AsyncMillrace
from ._async.paging import AsyncPage, AsyncPager
from ._call import CallOptions
from ._errors import (
    AuthenticationError,
    BadRequestError,
    ConflictError,
    ConnectionFailedError,
    MillraceError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    RequestTimeoutError,
    ServerError,
)
from ._events import OrganizationEvent
from ._sync.client import Millrace
from ._sync.paging import Page

__version__ = "0.1.0"

__all__ = [
    "AsyncMillrace",
    "AsyncPage",
    "AsyncPager",
    "AuthenticationError",
    "BadRequestError",
    "CallOptions",
    "ConflictError",
    "ConnectionFailedError",
    "Millrace",
    "MillraceError",
    "NotFoundError",
    "OrganizationEvent",
    "Page",
    "PermissionDeniedError",
    "RateLimitError",
    "RequestTimeoutError",
    "ServerError",
    "types",
    "webhooks",
]
