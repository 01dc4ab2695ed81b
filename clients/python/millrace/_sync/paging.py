"""Lists: a page, and as an iteration every item of every page after it."""

from __future__ import annotations

from typing import Any, Generic, Iterator, Mapping, TypeVar

from .._call import Call, CallOptions
from .transport import Transport

Item = TypeVar("Item")


class Page(Generic[Item]):
    """One page; as an iteration its items and those of all pages after it."""

    def __init__(
        self,
        transport: Transport,
        path: str,
        query: Mapping[str, Any],
        options: CallOptions,
    ) -> None:
        self._transport = transport
        self._path = path
        self._query = query
        self._options = options
        answer = transport.whole(Call("GET", path, query), options)
        # Lists of the contract are either bare, with the cursors beside them, or one object.
        inner: Any = answer["data"] if isinstance(answer["data"], dict) else answer
        self.data: list[Item] = inner["data"]
        self.pagination: Mapping[str, str] = inner.get("pagination") or {}

    def next_page(self) -> Page[Item] | None:
        after = self.pagination.get("next")
        if after is None:
            return None
        query = {**self._query, "page[after]": after, "page[before]": None}
        return Page(self._transport, self._path, query, self._options)

    def __iter__(self) -> Iterator[Item]:
        page: Page[Item] | None = self
        while page is not None:
            yield from page.data
            page = page.next_page()


Pager = Page
"""What a list returns: its first page."""
