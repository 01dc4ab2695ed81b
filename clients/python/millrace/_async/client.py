"""The API of a Millrace service."""

from __future__ import annotations

import ssl
from types import TracebackType
from typing import Any, Mapping

from .._call import NO_OPTIONS, Call, CallOptions
from .._http11 import Target
from ..types import Identity
from .catalogue import AsyncAgents, AsyncFlows, AsyncQueue
from .manage import AsyncManage
from .runs import AsyncRuns
from .sessions import AsyncSessions
from .transport import AsyncTransport


class AsyncMillrace:
    """Every failure is a `MillraceError`. An API key stays on your server.

    `timeout` is in seconds, of one attempt, up to the end of the answer, of a stream up to its beginning; 0 for none.
    `max_retries` are attempts after the first, 2 unless stated; streams are opened again up to 8 times in a row.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        locale: str | None = None,
        timeout: float = 30.0,
        max_retries: int | None = None,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        target = Target.of(base_url, ssl_context)
        self._transport = AsyncTransport(
            target, api_key, locale=locale, timeout=timeout, max_retries=max_retries
        )
        self.flows = AsyncFlows(self._transport)
        self.runs = AsyncRuns(self._transport)
        self.queue = AsyncQueue(self._transport)
        self.agents = AsyncAgents(self._transport)
        self.sessions = AsyncSessions(self._transport)
        self.manage = AsyncManage(self._transport)

    async def validate(self, *, options: CallOptions = NO_OPTIONS) -> Identity:
        """Whose key it is."""
        return await self._transport.data(Call("GET", "/api/auth/validate"), options)

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Any:
        """`data` of any route, such as one of a newer service."""
        return await self._transport.data(Call(method, path, query or {}, body), options)

    async def __aenter__(self) -> AsyncMillrace:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Nothing is kept open between two calls."""
