# Written by unasync.py from millrace/_async; do not edit.
"""Streams that go on over as many connections as it takes."""

from __future__ import annotations

from typing import Any, Iterator, Callable, NamedTuple

from .._errors import ConnectionFailedError, MillraceError, Repeat, may_repeat, pause_seconds
from .._http11 import Message
from .connection import sleep


class Taken(NamedTuple):
    event: Any
    is_last: bool


def follow(
    open_stream: Callable[[str | None], Iterator[Message]],
    take: Callable[[Message], Taken | None],
    *,
    repeat: Repeat,
    max_reopenings: int,
    last_event_id: str | None = None,
    may_be_empty: bool = False,
) -> Iterator[Any]:
    """Every event up to the last one, each once."""
    has_heard = last_event_id is not None
    reopened = 0
    while True:
        fault: MillraceError | None = None
        is_empty = True
        stream = open_stream(last_event_id)
        try:
            for message in stream:
                is_empty = False
                if message.id is not None:
                    last_event_id, has_heard = message.id, True
                taken = take(message)
                if taken is None:
                    continue
                # Only what could not be repeated shows that it goes on.
                if message.is_numbered:
                    reopened = 0
                yield taken.event
                if taken.is_last:
                    return
            if is_empty and may_be_empty:
                return
        except MillraceError as error:
            fault = error
        finally:
            stream.close()  # type: ignore[attr-defined]
        rule: Repeat = "always" if has_heard else repeat
        may_go_on = may_repeat(fault, rule) if fault else rule == "always"
        if not may_go_on or reopened >= max_reopenings:
            raise fault or ConnectionFailedError("The stream ended before its last event")
        sleep(pause_seconds(reopened, fault))
        reopened += 1
