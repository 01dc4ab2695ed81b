# Written by unasync.py from millrace/_async; do not edit.
"""All runs of an organization, as they change."""

from __future__ import annotations

import json
from typing import Any, Iterator

from .._call import Call, CallOptions
from .._events import OrganizationEvent
from .._http11 import Message
from .follow import Taken, follow
from .transport import Transport


def follow_organization(
    transport: Transport, path: str, query: dict[str, Any], options: CallOptions
) -> Iterator[OrganizationEvent]:
    def take(message: Message) -> Taken | None:
        if message.data is None:
            return None
        if message.event == "reset":
            return Taken({"type": "reset"}, False)
        return Taken({"type": "run", **json.loads(message.data)}, False)

    def open_stream(last: str | None) -> Iterator[Message]:
        headers = {} if last is None else {"last-event-id": last}
        return transport.stream(Call("GET", path, query, headers=headers), options)

    reopenings = transport.max_reopenings(options)
    for event in follow(open_stream, take, repeat="always", max_reopenings=reopenings):
        yield event
