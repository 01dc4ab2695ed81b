"""Chats with agents."""

from __future__ import annotations

import json
from typing import Any, AsyncIterator

from .._arguments import present
from .._call import NO_OPTIONS, Call, CallOptions
from .._http11 import Message, path_of
from ..types import ChatStreamEvent, ChatToolEvent, MessageReply, Session
from .follow import Taken, follow
from .transport import AsyncTransport

REPLY_TIMEOUT_SECONDS = 600.0
"""A whole reply takes as long as its model does."""


class AsyncSessions:
    """Chats with an agent. A reply goes on in the service even when nobody listens."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        agent_id: str,
        *,
        organization_id: str | None = None,
        end_user_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Session:
        """Each call makes a new session."""
        body = present({"organizationId": organization_id, "endUserId": end_user_id})
        # One that nobody has heard of does no harm.
        call = Call("POST", path_of("/api/agents", agent_id, "sessions"), body=body, repeat="always")
        return await self._transport.data(call, options)

    async def send(
        self,
        agent_id: str,
        session_id: str,
        message: str,
        *,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> MessageReply:
        """Sends a message and waits for the whole reply."""
        if options.timeout is None:
            options = CallOptions(REPLY_TIMEOUT_SECONDS, options.max_retries)
        body = present({"organizationId": organization_id, "message": message})
        return await self._transport.data(
            Call("POST", _session_path(agent_id, session_id, "messages"), body=body), options
        )

    def stream(
        self,
        agent_id: str,
        session_id: str,
        message: str,
        *,
        tools: bool = False,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncIterator[ChatStreamEvent | ChatToolEvent]:
        """Sends a message and returns the reply piece by piece, up to `done` or `error`.

        A lost connection is made again behind the last piece; the message itself is never sent twice. With `tools` also
        the calls of tools, and what they answered.
        """
        return self._follow(agent_id, session_id, organization_id, None, message, tools, options)

    def resume(
        self,
        agent_id: str,
        session_id: str,
        *,
        last_event_id: str | None = None,
        tools: bool = False,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> AsyncIterator[ChatStreamEvent | ChatToolEvent]:
        """What came after `last_event_id`; without it the reply that is under way, from its start."""
        return self._follow(agent_id, session_id, organization_id, last_event_id, None, tools, options)

    async def _follow(
        self,
        agent_id: str,
        session_id: str,
        organization_id: str | None,
        last_event_id: str | None,
        message: str | None,
        tools: bool,
        options: CallOptions,
    ) -> AsyncIterator[ChatStreamEvent | ChatToolEvent]:
        include = "tools" if tools else None
        highest = int(last_event_id) if last_event_id and last_event_id.isdigit() else -1

        def take(received: Message) -> Taken | None:
            nonlocal highest
            if received.is_numbered and received.id is not None and received.id.isdigit():
                if int(received.id) <= highest:
                    return None
                highest = int(received.id)
            if received.data is None:
                return None
            event: Any = {**json.loads(received.data), "id": received.id}
            return Taken(event, event["type"] in ("done", "error"))

        def open_stream(last: str | None) -> AsyncIterator[Message]:
            if message is not None and last is None:
                body = present({"organizationId": organization_id, "message": message})
                call = Call("POST", _session_path(agent_id, session_id, "messages"), {"include": include}, body)
                return self._transport.stream(call, options)
            headers = {} if last is None else {"last-event-id": last}
            query = {"organizationId": organization_id, "include": include}
            call = Call("GET", _session_path(agent_id, session_id, "stream"), query, headers=headers)
            return self._transport.stream(call, options)

        events = follow(
            open_stream,
            take,
            repeat="always" if message is None else "unless-sent",
            max_reopenings=self._transport.max_reopenings(options),
            last_event_id=last_event_id,
            may_be_empty=message is None,
        )
        async for event in events:
            yield event


def _session_path(agent_id: str, session_id: str, verb: str) -> str:
    return path_of("/api/agents", agent_id, "sessions", session_id, verb)
