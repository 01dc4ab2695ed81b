"""What HTTP/1.1 and Server-Sent Events look like, without any input or output."""

from __future__ import annotations

import json
import ssl
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Iterator, Mapping, cast
from urllib.parse import quote, urlencode, urlsplit

MAX_HEAD_BYTES = 65_536


class ProtocolError(Exception):
    """The other side does not speak HTTP/1.1."""


@dataclass(frozen=True)
class Target:
    """Where the service answers."""

    host: str
    port: int
    prefix: str
    authority: str
    tls: ssl.SSLContext | None

    @staticmethod
    def of(base_url: str, ssl_context: ssl.SSLContext | None) -> Target:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{base_url!r} is not an address such as http://127.0.0.1:4000")
        is_tls = parts.scheme == "https"
        tls = (ssl_context or ssl.create_default_context()) if is_tls else None
        port = parts.port or (443 if is_tls else 80)
        return Target(parts.hostname, port, parts.path.rstrip("/"), parts.netloc.rpartition("@")[2], tls)


def path_of(root: str, *parts: str) -> str:
    return "/".join([root, *(quote(part, safe="") for part in parts)])


def query_text(query: Mapping[str, Any]) -> str:
    pairs = [(name, _query_value(value)) for name, value in query.items() if value is not None]
    return f"?{urlencode(pairs)}" if pairs else ""


def _query_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(str(part) for part in cast("list[Any]", value))
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    return str(value)


def request_bytes(target: Target, method: str, path: str, headers: Mapping[str, str], body: Any) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    all_headers = {"host": target.authority, "connection": "close", **headers}
    if body is not None:
        all_headers["content-type"] = "application/json"
    if body is not None or method not in ("GET", "HEAD"):
        all_headers["content-length"] = str(len(content))
    for value in all_headers.values():
        if "\r" in value or "\n" in value:
            raise ValueError("a header must not contain a line break")
    head = "".join(f"{name}: {value}\r\n" for name, value in all_headers.items())
    return f"{method} {target.prefix}{path} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + content


class ResponseParser:
    """Bytes of one answer go in, bytes of its body come out."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.is_done = False
        self._buffer = b""
        self._left: int | None = None
        self._is_chunked = False

    def feed(self, data: bytes) -> bytes:
        self._buffer += data
        if self.status == 0 and not self._read_head():
            return b""
        return self._read_chunks() if self._is_chunked else self._read_plain()

    def end(self) -> None:
        """The other side has closed the connection."""
        if self.status == 0 or self._is_chunked or self._left is not None:
            if not self.is_done:
                raise ProtocolError("the connection was closed in the middle of an answer")
        self.is_done = True

    def _read_head(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > MAX_HEAD_BYTES:
                raise ProtocolError("the head of the answer is too large")
            return False
        lines = self._buffer[:end].decode("latin-1").split("\r\n")
        self._buffer = self._buffer[end + 4 :]
        version, _, rest = lines[0].partition(" ")
        if not version.startswith("HTTP/1.") or not rest[:3].isdigit():
            raise ProtocolError("the answer is not HTTP/1.1")
        status = int(rest[:3])
        if 100 <= status < 200:
            return self._read_head()
        headers = (line.partition(":") for line in lines[1:])
        self.headers = {name.strip().lower(): value.strip() for name, _, value in headers}
        self.status = status
        self._is_chunked = "chunked" in self.headers.get("transfer-encoding", "").lower()
        length = self.headers.get("content-length")
        if status in (204, 304):
            self._left = 0
        elif not self._is_chunked and length is not None:
            if not length.isdigit():
                raise ProtocolError("the length of the answer is not a number")
            self._left = int(length)
        return True

    def _read_plain(self) -> bytes:
        if self._left is None:
            data, self._buffer = self._buffer, b""
            return data
        data, self._buffer = self._buffer[: self._left], self._buffer[self._left :]
        self._left -= len(data)
        self.is_done = self._left == 0
        return data

    def _read_chunks(self) -> bytes:
        read = b""
        while not self.is_done:
            if not self._left:
                line, found, rest = self._buffer.partition(b"\r\n")
                if not found:
                    break
                try:
                    size = int(line.split(b";")[0], 16)
                except ValueError:
                    raise ProtocolError("a chunk has no size") from None
                self._buffer = rest
                # The line break behind a chunk is part of it; trailers are not read.
                self._left = size + 2
                self.is_done = size == 0
                continue
            piece, self._buffer = self._buffer[: self._left], self._buffer[self._left :]
            read += piece[: max(0, self._left - 2)]
            self._left -= len(piece)
            if self._left > 0:
                break
        return read


@dataclass
class Message:
    """One message of a Server-Sent Events stream; without data it only gives an id."""

    id: str | None
    is_numbered: bool
    data: str | None
    event: str | None = None


@dataclass
class EventParser:
    """Reads Server-Sent Events however they are cut, without comments."""

    _rest: bytes = b""
    _id: str | None = None
    _is_numbered: bool = False
    _event: str | None = None
    _data: list[str] = field(default_factory=list[str])

    def feed(self, data: bytes) -> Iterator[Message]:
        text = self._rest + data
        # A CR at the end may be half of a CR LF.
        held = b"\r" if text.endswith(b"\r") else b""
        lines = (text[: len(text) - len(held)]).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self._rest = lines.pop() + held
        for line in lines:
            message = self._line(line.decode("utf-8", "replace"))
            if message:
                yield message

    def _line(self, line: str) -> Message | None:
        if line == "":
            data = "\n".join(self._data) if self._data else None
            message = Message(self._id, self._is_numbered, data, self._event)
            is_worth = self._is_numbered or data is not None
            self._data, self._is_numbered, self._event = [], False, None
            return message if is_worth else None
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
        elif name == "id":
            self._id, self._is_numbered = value, True
        return None
