"""Bytes to a service and back, with asyncio."""

from __future__ import annotations

import asyncio
import time

from .._errors import ConnectionFailedError, RequestTimeoutError
from .._http11 import Target

sleep = asyncio.sleep


class Connection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @staticmethod
    async def open(target: Target, deadline: float | None) -> Connection:
        try:
            async with asyncio.timeout(_left(deadline)):
                reader, writer = await asyncio.open_connection(target.host, target.port, ssl=target.tls)
        except TimeoutError:
            error = RequestTimeoutError(f"{target.authority} did not answer in time")
            error.was_sent = False
            raise error from None
        except OSError as fault:
            message = f"No connection to {target.authority}: {fault}"
            raise ConnectionFailedError(message, was_sent=False) from fault
        return Connection(reader, writer)

    async def send(self, data: bytes, deadline: float | None) -> None:
        self._writer.write(data)
        try:
            async with asyncio.timeout(_left(deadline)):
                await self._writer.drain()
        except TimeoutError:
            raise RequestTimeoutError("The request could not be sent in time") from None
        except OSError as fault:
            raise ConnectionFailedError(f"The connection was lost: {fault}") from fault

    async def receive(self, deadline: float | None) -> bytes:
        """Empty where the other side has closed the connection."""
        try:
            async with asyncio.timeout(_left(deadline)):
                return await self._reader.read(65_536)
        except TimeoutError:
            raise RequestTimeoutError("The answer did not come in time") from None
        except OSError as fault:
            raise ConnectionFailedError(f"The connection was lost: {fault}") from fault

    async def close(self) -> None:
        self._writer.close()


def _left(deadline: float | None) -> float | None:
    return None if deadline is None else max(0.0, deadline - time.monotonic())
