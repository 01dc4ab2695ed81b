"""Bytes to a service and back, with a socket."""

from __future__ import annotations

import socket
import time

from .._errors import ConnectionFailedError, RequestTimeoutError
from .._http11 import Target

sleep = time.sleep


class Connection:
    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected

    @staticmethod
    def open(target: Target, deadline: float | None) -> Connection:
        try:
            connected = socket.create_connection((target.host, target.port), timeout=_left(deadline))
            if target.tls is not None:
                connected = target.tls.wrap_socket(connected, server_hostname=target.host)
        except TimeoutError:
            error = RequestTimeoutError(f"{target.authority} did not answer in time")
            error.was_sent = False
            raise error from None
        except OSError as fault:
            message = f"No connection to {target.authority}: {fault}"
            raise ConnectionFailedError(message, was_sent=False) from fault
        return Connection(connected)

    def send(self, data: bytes, deadline: float | None) -> None:
        try:
            self._socket.settimeout(_left(deadline))
            self._socket.sendall(data)
        except TimeoutError:
            raise RequestTimeoutError("The request could not be sent in time") from None
        except OSError as fault:
            raise ConnectionFailedError(f"The connection was lost: {fault}") from fault

    def receive(self, deadline: float | None) -> bytes:
        """Empty where the other side has closed the connection."""
        try:
            self._socket.settimeout(_left(deadline))
            return self._socket.recv(65_536)
        except TimeoutError:
            raise RequestTimeoutError("The answer did not come in time") from None
        except OSError as fault:
            raise ConnectionFailedError(f"The connection was lost: {fault}") from fault

    def close(self) -> None:
        self._socket.close()


def _left(deadline: float | None) -> float | None:
    """Zero would mean "do not wait", which is another error."""
    return None if deadline is None else max(0.001, deadline - time.monotonic())
