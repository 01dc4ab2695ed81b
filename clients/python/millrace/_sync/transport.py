# Written by unasync.py from millrace/_async; do not edit.
"""The one place that speaks HTTP."""

from __future__ import annotations

import json
import time
from typing import Any, Iterator

from .._call import Call, CallOptions
from .._errors import (
    MAX_REOPENINGS,
    MAX_RETRIES,
    ConnectionFailedError,
    MillraceError,
    Repeat,
    may_repeat,
    pause_seconds,
    to_error,
)
from .._http11 import (
    EventParser,
    Message,
    ProtocolError,
    ResponseParser,
    Target,
    query_text,
    request_bytes,
)
from .connection import Connection, sleep

MAX_SILENCE_SECONDS = 45.0
"""The service sends something at least every 15 s."""


class Transport:
    def __init__(
        self,
        target: Target,
        api_key: str,
        *,
        locale: str | None,
        timeout: float,
        max_retries: int | None,
    ) -> None:
        self._target = target
        self._headers = {"authorization": f"Bearer {api_key}"}
        if locale is not None:
            self._headers["x-locale"] = locale
        self._timeout = timeout
        self._max_retries = max_retries

    def data(self, call: Call, options: CallOptions) -> Any:
        """`data` of a success."""
        return (self.whole(call, options))["data"]

    def text(self, call: Call, options: CallOptions) -> str:
        """The body of a success that is no JSON."""
        return (self._repeat(call, options)).decode()

    def whole(self, call: Call, options: CallOptions) -> Any:
        """The whole body of a success."""
        text = self._repeat(call, options)
        try:
            return json.loads(text)
        except ValueError as fault:
            message = f"{self._target.authority} answered with something else than JSON"
            raise ConnectionFailedError(message, code="unexpected_answer") from fault

    def _repeat(self, call: Call, options: CallOptions) -> bytes:
        is_safe = call.method in ("GET", "PUT", "DELETE")
        repeat: Repeat = call.repeat or ("always" if is_safe else "unless-sent")
        retries = _first(options.max_retries, self._max_retries, MAX_RETRIES)
        retry = 0
        while True:
            try:
                return self._attempt(call, options)
            except MillraceError as error:
                if retry >= retries or not may_repeat(error, repeat):
                    raise
                pause = pause_seconds(retry, error)
            sleep(pause)
            retry += 1

    def stream(self, call: Call, options: CallOptions) -> Iterator[Message]:
        """One connection, without a repetition: its messages, none where there is nothing to stream (204)."""
        deadline = self._deadline(options)
        connection, parser, first = self._open(call, "text/event-stream", deadline)
        try:
            if parser.status != 200:
                first += self._rest(connection, parser, deadline)
                if parser.status == 204:
                    return
                raise to_error(parser.status, parser.headers, first)
            events = EventParser()
            for message in events.feed(first):
                yield message
            while not parser.is_done:
                data = self._more(connection, parser, time.monotonic() + MAX_SILENCE_SECONDS)
                for message in events.feed(data):
                    yield message
        finally:
            connection.close()

    def max_reopenings(self, options: CallOptions) -> int:
        """How often a stream is opened again without a word of it."""
        return _first(options.max_retries, self._max_retries, MAX_REOPENINGS)

    def timeout(self, options: CallOptions) -> float:
        return self._timeout if options.timeout is None else options.timeout

    def _attempt(self, call: Call, options: CallOptions) -> bytes:
        deadline = self._deadline(options)
        connection, parser, text = self._open(call, "application/json", deadline)
        try:
            text += self._rest(connection, parser, deadline)
        finally:
            connection.close()
        if not 200 <= parser.status < 300:
            raise to_error(parser.status, parser.headers, text)
        return text

    def _open(
        self, call: Call, accept: str, deadline: float | None
    ) -> tuple[Connection, ResponseParser, bytes]:
        """Up to the head of the answer, with what of its body came along."""
        headers = {"accept": accept, **self._headers, **call.headers}
        request = request_bytes(
            self._target, call.method, call.path + query_text(call.query), headers, call.body
        )
        connection = Connection.open(self._target, deadline)
        try:
            connection.send(request, deadline)
            parser = ResponseParser()
            data = b""
            while parser.status == 0:
                data += self._more(connection, parser, deadline)
            return connection, parser, data
        except BaseException:
            connection.close()
            raise

    def _rest(self, connection: Connection, parser: ResponseParser, deadline: float | None) -> bytes:
        data = b""
        while not parser.is_done:
            data += self._more(connection, parser, deadline)
        return data

    def _more(self, connection: Connection, parser: ResponseParser, deadline: float | None) -> bytes:
        received = connection.receive(deadline)
        try:
            if received:
                return parser.feed(received)
            parser.end()
            return b""
        except ProtocolError as fault:
            raise ConnectionFailedError(f"The connection was lost: {fault}") from fault

    def _deadline(self, options: CallOptions) -> float | None:
        seconds = self.timeout(options)
        return time.monotonic() + seconds if seconds else None


def _first(*values: int | None) -> int:
    return next(value for value in values if value is not None)
