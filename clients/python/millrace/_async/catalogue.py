"""Flows, agents, and what waits for a free slot."""

from __future__ import annotations

from typing import Sequence, Unpack

from .._arguments import FlowRunsArguments, ListArguments, query_of
from .._call import NO_OPTIONS, Call, CallOptions
from .._http11 import path_of
from ..types import Agent, Flow, FlowRun, QueueItem, QueueItemCanceled, QueueItemDetail
from .paging import AsyncPager
from .transport import AsyncTransport


class AsyncFlows:
    """Metadata of flows; their graphs never leave the service."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self, *, options: CallOptions = NO_OPTIONS, **given: Unpack[ListArguments]
    ) -> AsyncPager[Flow]:
        return AsyncPager(self._transport, "/api/flows", query_of(given), options)

    async def get(self, flow_id: str, *, options: CallOptions = NO_OPTIONS) -> Flow:
        return await self._transport.data(Call("GET", path_of("/api/flows", flow_id)), options)

    def runs(
        self, flow_id: str, *, options: CallOptions = NO_OPTIONS, **given: Unpack[FlowRunsArguments]
    ) -> AsyncPager[FlowRun]:
        """The runs of one flow, newest first."""
        return AsyncPager(self._transport, path_of("/api/flows", flow_id, "runs"), query_of(given), options)


class AsyncQueue:
    """Runs that wait for a free slot. Every call names the organization."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self, organization_id: str, *, options: CallOptions = NO_OPTIONS
    ) -> Sequence[QueueItem]:
        """Oldest first."""
        query = {"filter[organizationId]": organization_id}
        return await self._transport.data(Call("GET", "/api/runs/queue", query), options)

    async def get(
        self, organization_id: str, queue_id: str, *, options: CallOptions = NO_OPTIONS
    ) -> QueueItemDetail:
        query = {"filter[organizationId]": organization_id}
        return await self._transport.data(Call("GET", path_of("/api/runs/queue", queue_id), query), options)

    async def cancel(
        self, organization_id: str, queue_id: str, *, options: CallOptions = NO_OPTIONS
    ) -> QueueItemCanceled:
        query = {"filter[organizationId]": organization_id}
        return await self._transport.data(
            Call("DELETE", path_of("/api/runs/queue", queue_id), query), options
        )


class AsyncAgents:
    """Metadata of agents; how they are designed never leaves the service."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self, *, options: CallOptions = NO_OPTIONS, **given: Unpack[ListArguments]
    ) -> AsyncPager[Agent]:
        return AsyncPager(self._transport, "/api/agents", query_of(given), options)

    async def get(
        self, agent_id: str, *, organization_id: str | None = None, options: CallOptions = NO_OPTIONS
    ) -> Agent:
        query = {"organizationId": organization_id}
        return await self._transport.data(Call("GET", path_of("/api/agents", agent_id), query), options)
