"""What is tried again, what webhooks are taken, and how bytes are read: without a service."""

from __future__ import annotations

import random
import socket
import threading
import time
import unittest
from email.utils import formatdate
from typing import Any, Callable, Iterator
from unittest import mock

from millrace import CallOptions, ConnectionFailedError, Millrace, MillraceError, RequestTimeoutError, webhooks
from millrace._errors import pause_seconds, to_error
from millrace._http11 import EventParser, ResponseParser

OK = b'{"success": true, "data": {"id": "run_x", "data": []}}'


class FaultyServer:
    """Answers each connection as told, and all others with a success."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.replies: list[Any] = []
        self.requests: list[bytes] = []
        self.retry_after = "0"
        self._held: list[socket.socket] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.requests.append(self._read(connection))
            reply = self.replies.pop(0) if self.replies else 200
            if reply == "silent":
                self._held.append(connection)
                continue
            if reply == "half":
                connection.sendall(self._answer(200)[:-9])
                self._held.append(connection)
                continue
            if reply != "cut":
                connection.sendall(self._answer(reply))
            connection.close()

    def _answer(self, status: int) -> bytes:
        body = OK if status == 200 else b"{}"
        head = f"HTTP/1.1 {status} X\r\ncontent-length: {len(body)}\r\nretry-after: {self.retry_after}\r\n\r\n"
        return head.encode() + body

    @staticmethod
    def _read(connection: socket.socket) -> bytes:
        data = b""
        while b"\r\n\r\n" not in data:
            data += connection.recv(65_536)
        head, _, body = data.partition(b"\r\n\r\n")
        length = next((int(line[15:]) for line in head.split(b"\r\n") if line.startswith(b"content-length:")), 0)
        while len(body) < length:
            body += connection.recv(65_536)
        return head + b"\r\n\r\n" + body

    def close(self) -> None:
        self._listener.close()
        for connection in self._held:
            connection.close()


class RetryTableTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = FaultyServer()
        self.addCleanup(self.server.close)
        patched = mock.patch("millrace._sync.transport.sleep")
        self.sleep = patched.start()
        self.addCleanup(patched.stop)
        self.client = Millrace(self.server.url, "k", timeout=1.0)

    def calls(self) -> Iterator[Callable[[], Any]]:
        yield lambda: self.client.runs.trigger("flow_x")
        yield lambda: self.client.runs.cancel("run_x")
        yield lambda: self.client.flows.list()

    def test_tries_again(self) -> None:
        for fault in (408, 429, 500, 502, 503, 504, "cut"):
            for call in self.calls():
                self.server.requests.clear()
                self.server.replies = [fault, fault]
                call()
                self.assertEqual(len(self.server.requests), 3, fault)
        self.server.requests.clear()
        self.server.replies = ["half", "silent"]
        self.client.runs.trigger("flow_x")
        bodies = {request.partition(b"\r\n\r\n")[2] for request in self.server.requests}
        self.assertEqual((len(self.server.requests), len(bodies)), (3, 1))

    def test_does_not_try_again(self) -> None:
        for status in (400, 401, 403, 404, 409, 413):
            self.server.requests.clear()
            self.server.replies = [status]
            with self.assertRaises(MillraceError):
                self.client.runs.trigger("flow_x")
            self.assertEqual(len(self.server.requests), 1)

    def test_gives_up_after_two_retries(self) -> None:
        self.server.replies = [503] * 4
        with self.assertRaises(MillraceError):
            self.client.runs.trigger("flow_x")
        self.assertEqual(len(self.server.requests), 3)
        self.server.replies = ["silent"]
        with self.assertRaises(RequestTimeoutError):
            self.client.flows.list(options=CallOptions(timeout=0.05, max_retries=0))

    def test_never_sends_a_message_twice(self) -> None:
        options = CallOptions(timeout=1.0)
        for fault in ("cut", "half", "silent", 500, 503):
            self.server.requests.clear()
            self.server.replies = [fault]
            with self.assertRaises(MillraceError):
                self.client.sessions.send("a", "s", "Hi", options=options)
            self.assertEqual(len(self.server.requests), 1, fault)
        self.server.requests.clear()
        self.server.replies = ["cut"]
        with self.assertRaises(ConnectionFailedError):
            next(iter(self.client.sessions.stream("a", "s", "Hi")))
        self.assertEqual(len(self.server.requests), 1)
        self.server.replies = [429]
        self.client.sessions.send("a", "s", "Hi", options=options)

    def test_tries_again_where_nobody_is(self) -> None:
        gone = socket.create_server(("127.0.0.1", 0))
        client = Millrace(f"http://127.0.0.1:{gone.getsockname()[1]}", "k")
        gone.close()
        with self.assertRaises(ConnectionFailedError):
            client.sessions.send("a", "s", "Hi")
        self.assertEqual(self.sleep.call_count, 2)

    def test_listens_to_retry_after(self) -> None:
        self.server.retry_after = "61"
        self.server.replies = [429]
        with self.assertRaises(MillraceError) as refused:
            self.client.runs.trigger("flow_x")
        self.assertEqual((refused.exception.retry_after, refused.exception.code), (61, "too_many_requests"))
        later = to_error(503, {"retry-after": formatdate(time.time() + 3_600, usegmt=True)}, b"<html>")
        self.assertGreater(later.retry_after or 0, 3_000)

    def test_waits_longer_each_time(self) -> None:
        with mock.patch.object(random, "random", return_value=1.0):
            self.assertEqual([pause_seconds(n) for n in (0, 1, 2, 3, 4, 9)], [0.5, 1, 2, 4, 8, 8])
        with mock.patch.object(random, "random", return_value=0.0):
            self.assertEqual([pause_seconds(n) for n in (0, 9)], [0.375, 6])


class WebhookTest(unittest.TestCase):
    secret = "whsec_YSBzZWNyZXQgb2YgdGhpcnR5LXR3byBjaGFyYWN0ZXJz"
    other = "whsec_YiBzZWNyZXQgb2YgdGhpcnR5LXR3byBjaGFyYWN0ZXJz"
    body = '{"id":"evt_1","type":"endpoint.test","data":{"message":"ü"}}'
    now = 1_800_000_000.0

    def test_takes_what_was_signed(self) -> None:
        headers = webhooks.sign(self.body, secret=self.secret, id="evt_1", timestamp=self.now)
        for body in (self.body, self.body.encode()):
            event = webhooks.unwrap(body, headers, [self.other, self.secret], now=self.now)
            self.assertEqual(event["type"], "endpoint.test")
        upper = {name.upper(): value for name, value in headers.items()}
        webhooks.unwrap(self.body, upper, self.secret, now=self.now)

    def test_refuses_everything_else(self) -> None:
        good = webhooks.sign(self.body, secret=self.secret, id="evt_1", timestamp=self.now)
        bad: list[tuple[str, dict[str, str], str, float]] = [
            (self.body, good, self.other, self.now),
            (self.body + " ", good, self.secret, self.now),
            (self.body, {**good, "webhook-id": "evt_2"}, self.secret, self.now),
            (self.body, good, self.secret, self.now + 301),
            (self.body, good, self.secret, self.now - 301),
            (self.body, {**good, "webhook-signature": ""}, self.secret, self.now),
            (self.body, {**good, "webhook-signature": "v1,ü"}, self.secret, self.now),
            (self.body, {**good, "webhook-timestamp": "soon"}, self.secret, self.now),
            (self.body, good, "whsec_*", self.now),
        ]
        for body, headers, secret, now in bad:
            with self.assertRaises(webhooks.WebhookVerificationError):
                webhooks.unwrap(body, headers, secret, now=now)


class ParserTest(unittest.TestCase):
    def test_reads_an_answer_however_it_is_cut(self) -> None:
        chunked = (
            b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"5;x=1\r\nhello\r\n1\r\n \r\n6\r\nworld!\r\n0\r\n\r\n"
        )
        for size in (1, 2, 3, 7, len(chunked)):
            parser = ResponseParser()
            pieces = [chunked[at : at + size] for at in range(0, len(chunked), size)]
            self.assertEqual(b"".join(parser.feed(piece) for piece in pieces), b"hello world!")
            self.assertTrue(parser.is_done)

    def test_reads_events_however_they_are_cut(self) -> None:
        text = 'id: 4\nretry: 2000\n\n: ping\n\nid: 5\r\ndata: {"a":\r\ndata: "ü"}\r\n\r\ndata:{}\n\n'.encode()
        for size in (1, 2, 5, len(text)):
            events = EventParser()
            pieces = [text[at : at + size] for at in range(0, len(text), size)]
            messages = [message for piece in pieces for message in events.feed(piece)]
            self.assertEqual(
                [(message.id, message.is_numbered, message.data) for message in messages],
                [("4", True, None), ("5", True, '{"a":\n"ü"}'), ("5", False, "{}")],
            )


if __name__ == "__main__":
    unittest.main(argv=["test_table"], verbosity=2)
