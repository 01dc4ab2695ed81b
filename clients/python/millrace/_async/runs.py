"""Runs: started, watched, answered, ended."""

from __future__ import annotations

import json
from typing import Any, AsyncIterator, Mapping, Sequence, Unpack

from .._arguments import RunsArguments, TriggerArguments, present, query_of, trigger_request, with_key
from .._call import NO_OPTIONS, Call, CallOptions
from .._http11 import Message, path_of
from ..types import (
    ForkCreated,
    ForkQueued,
    ForkRequest,
    Run,
    RunCanceled,
    RunComparison,
    RunCreated,
    RunDetail,
    RunNode,
    RunQueued,
    RunResumed,
    RunStreamEvent,
    TriggerRequest,
    Why,
)
from .connection import sleep
from .follow import Taken, follow
from .paging import AsyncPager
from .transport import AsyncTransport

TERMINAL = ("COMPLETED", "FAILED", "CANCELED", "CRASHED", "TIMED_OUT")


class AsyncRuns:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def trigger(
        self,
        flow_id: str,
        body: Any = None,
        *,
        options: CallOptions = NO_OPTIONS,
        **given: Unpack[TriggerArguments],
    ) -> RunCreated | RunQueued:
        """Starts a run; `body` is what the flow takes.

        Every trigger has an idempotency key, so it is repeated after a lost connection and still starts one run.
        """
        return await self.trigger_request(trigger_request(flow_id, body, given), options=options)

    async def trigger_request(
        self, request: TriggerRequest, *, options: CallOptions = NO_OPTIONS
    ) -> RunCreated | RunQueued:
        """The same with the request as the API has it."""
        call = Call("POST", "/api/runs", body=with_key(request), repeat="always")
        return await self._transport.data(call, options)

    async def trigger_and_wait(
        self,
        flow_id: str,
        body: Any = None,
        *,
        options: CallOptions = NO_OPTIONS,
        **given: Unpack[TriggerArguments],
    ) -> RunDetail:
        """Starts a run and waits until it has ended, however it ends, also where it has to queue first."""
        request = with_key(trigger_request(flow_id, body, given))
        seconds = self._transport.timeout(options) or 90
        query = {"wait": f"{max(1, min(60, int(seconds / 1.5)))}s"}
        call = Call("POST", "/api/runs", query, request, repeat="always")
        started: Any = await self._transport.data(call, options)
        if "updatedAt" in started:
            return started
        run_id = started["id"] if "id" in started else started["queueId"].replace("queue_", "run_", 1)
        return await self.wait(run_id, options=options)

    def list(
        self, *, options: CallOptions = NO_OPTIONS, **given: Unpack[RunsArguments]
    ) -> AsyncPager[Run]:
        """Runs of every flow that the key reaches, newest first."""
        return AsyncPager(self._transport, "/api/runs", query_of(given), options)

    async def get(self, run_id: str, *, options: CallOptions = NO_OPTIONS) -> RunDetail:
        return await self._transport.data(Call("GET", _run_path(run_id)), options)

    async def nodes(self, run_id: str, *, options: CallOptions = NO_OPTIONS) -> Sequence[RunNode]:
        """What the nodes of a run did, those that have ended so far."""
        return await self._transport.data(Call("GET", _run_path(run_id, "nodes")), options)

    async def why(self, run_id: str, *, options: CallOptions = NO_OPTIONS) -> Why:
        """Why a run waits, and what can be done."""
        return await self._transport.data(Call("GET", _run_path(run_id, "why")), options)

    async def cancel(
        self, run_id: str, *, paused: bool = False, options: CallOptions = NO_OPTIONS
    ) -> RunCanceled:
        """WAITING and EXECUTING runs can be canceled, with `paused` also PAUSED ones."""
        query = {"paused": True if paused else None}
        return await self._transport.data(
            Call("POST", _run_path(run_id, "cancel"), query, repeat="always"), options
        )

    async def fork(
        self, run_id: str, request: ForkRequest | None = None, *, options: CallOptions = NO_OPTIONS
    ) -> ForkCreated | ForkQueued:
        """Starts a run that goes on from what an ended one has done; without a request it is a retry."""
        call = Call("POST", _run_path(run_id, "fork"), body=with_key(request or {}), repeat="always")
        return await self._transport.data(call, options)

    async def compare(
        self, run_id: str, other_run_id: str, *, options: CallOptions = NO_OPTIONS
    ) -> RunComparison:
        """What two runs did, node by node."""
        return await self._transport.data(Call("GET", _run_path(run_id, "compare", other_run_id)), options)

    async def resume(
        self,
        run_id: str,
        decision: str,
        *,
        node_id: str | None = None,
        data: Mapping[str, Any] | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> RunResumed:
        """Answers the approval that a PAUSED run waits for: `approved` or `rejected`."""
        body = present({"decision": decision, "nodeId": node_id, "data": data})
        return await self._transport.data(Call("POST", _run_path(run_id, "resume"), body=body), options)

    async def stream(
        self, run_id: str, *, nodes: bool = False, options: CallOptions = NO_OPTIONS
    ) -> AsyncIterator[RunStreamEvent]:
        """Every change of a run up to its end. A lost connection is made again, and nothing is told twice."""
        call = Call("GET", _run_path(run_id, "stream"), {"include": "nodes" if nodes else None})
        seen: set[str] = set()
        update: str | None = None

        def take(message: Message) -> Taken | None:
            nonlocal update
            event: Any = {} if message.data is None else json.loads(message.data)
            kind = event.get("type")
            # The service gives a stream up after a long silence: it is opened again.
            if message.data is None or kind == "error":
                return None
            if kind == "update":
                if message.data == update:
                    return None
                update = message.data
            else:
                key = json.dumps(event["data"]) if kind == "node" else str(kind)
                if key in seen:
                    return None
                seen.add(key)
            return Taken(event, kind == "completed")

        events = follow(
            lambda _: self._transport.stream(call, options),
            take,
            repeat="always",
            max_reopenings=self._transport.max_reopenings(options),
        )
        async for event in events:
            yield event

    async def wait(self, run_id: str, *, options: CallOptions = NO_OPTIONS) -> RunDetail:
        """Waits until the run has ended, however it ends, and returns all of it."""
        while True:
            async for _ in self.stream(run_id, options=options):
                pass
            run = await self.get(run_id, options=options)
            if run["status"] in TERMINAL:
                return run
            await sleep(0.5)


def _run_path(run_id: str, *rest: str) -> str:
    return path_of("/api/runs", run_id, *rest)
