"""Lists: `await` gives the first page, `async for` every item of every page."""

from __future__ import annotations

from typing import Any, AsyncIterator, Generator, Generic, Mapping, TypeVar

from .._call import Call, CallOptions
from .transport import AsyncTransport

Item = TypeVar("Item")


class AsyncPage(Generic[Item]):
    """One page; as an iteration its items and those of all pages after it."""

    def __init__(self, pager: AsyncPager[Item], data: list[Item], pagination: Mapping[str, str]) -> None:
        self._pager = pager
        self.data = data
        self.pagination = pagination

    async def next_page(self) -> AsyncPage[Item] | None:
        after = self.pagination.get("next")
        return None if after is None else await self._pager.load(after)

    async def __aiter__(self) -> AsyncIterator[Item]:
        page: AsyncPage[Item] | None = self
        while page is not None:
            for item in page.data:
                yield item
            page = await page.next_page()


class AsyncPager(Generic[Item]):
    def __init__(
        self, transport: AsyncTransport, path: str, query: Mapping[str, Any], options: CallOptions
    ) -> None:
        self._transport = transport
        self._path = path
        self._query = query
        self._options = options

    def __await__(self) -> Generator[Any, None, AsyncPage[Item]]:
        return self.load().__await__()

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for item in await self.load():
            yield item

    async def load(self, after: str | None = None) -> AsyncPage[Item]:
        query = dict(self._query)
        if after is not None:
            query.update({"page[after]": after, "page[before]": None})
        answer = await self._transport.whole(Call("GET", self._path, query), self._options)
        # Lists of the contract are either bare, with the cursors beside them, or one object.
        inner: Any = answer["data"] if isinstance(answer["data"], dict) else answer
        return AsyncPage(self, inner["data"], inner.get("pagination") or {})
