# Written by unasync.py from millrace/_async; do not edit.
"""The API of a Millrace service."""

from __future__ import annotations

import json
import secrets
import ssl
from datetime import datetime
from types import TracebackType
from typing import Any, Iterator, Mapping, Sequence

from .._call import Call, CallOptions
from .._http11 import Message, Target, path_of
from ..types import (
    Agent,
    ChatStreamEvent,
    ChatToolEvent,
    Flow,
    FlowRun,
    ForkCreated,
    ForkQueued,
    ForkRequest,
    Identity,
    MessageReply,
    QueueItem,
    QueueItemCanceled,
    QueueItemDetail,
    Run,
    RunCanceled,
    RunComparison,
    RunCreated,
    RunDetail,
    RunNode,
    RunQueued,
    RunResumed,
    RunStatus,
    RunStreamEvent,
    Session,
    TriggerRequest,
    Why,
)
from .connection import sleep
from .follow import Taken, follow
from .paging import Pager
from .transport import Transport

NO_OPTIONS = CallOptions()
TERMINAL = ("COMPLETED", "FAILED", "CANCELED", "CRASHED", "TIMED_OUT")
REPLY_TIMEOUT_SECONDS = 600.0
"""A whole reply takes as long as its model does."""


class Millrace:
    """Every failure is a `MillraceError`. An API key stays on your server.

    `timeout` is in seconds, of one attempt, up to the end of the answer, of a stream up to its beginning; 0 for none.
    `max_retries` are attempts after the first, 2 unless stated; streams are opened again up to 8 times in a row.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        locale: str | None = None,
        timeout: float = 30.0,
        max_retries: int | None = None,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        target = Target.of(base_url, ssl_context)
        self._transport = Transport(
            target, api_key, locale=locale, timeout=timeout, max_retries=max_retries
        )
        self.flows = Flows(self._transport)
        self.runs = Runs(self._transport)
        self.queue = Queue(self._transport)
        self.agents = Agents(self._transport)
        self.sessions = Sessions(self._transport)

    def validate(self, *, options: CallOptions = NO_OPTIONS) -> Identity:
        """Whose key it is."""
        return self._transport.data(Call("GET", "/api/auth/validate"), options)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Any:
        """`data` of any other route, such as `/manage/keys`."""
        return self._transport.data(Call(method, path, query or {}, body), options)

    def __enter__(self) -> Millrace:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Nothing is kept open between two calls."""


class Flows:
    """Metadata of flows; their graphs never leave the service."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        organization_id: str | None = None,
        page_size: int | None = None,
        after: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[Flow]:
        query = {"organizationId": organization_id, "page[size]": page_size, "page[after]": after}
        return Pager(self._transport, "/api/flows", query, options)

    def get(self, flow_id: str, *, options: CallOptions = NO_OPTIONS) -> Flow:
        return self._transport.data(Call("GET", path_of("/api/flows", flow_id)), options)

    def runs(
        self,
        flow_id: str,
        *,
        status: Sequence[RunStatus] | None = None,
        tag: Sequence[str] | None = None,
        created_from: datetime | str | None = None,
        created_to: datetime | str | None = None,
        period: str | None = None,
        is_test: bool | None = None,
        page_size: int | None = None,
        after: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[FlowRun]:
        """The runs of one flow, newest first."""
        query = _run_filter(status, tag, created_from, created_to, period, is_test)
        query.update({"page[size]": page_size, "page[after]": after})
        return Pager(self._transport, path_of("/api/flows", flow_id, "runs"), query, options)


class Runs:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def trigger(
        self,
        flow_id: str,
        body: Any = None,
        *,
        organization_id: str | None = None,
        data: Mapping[str, Any] | None = None,
        inputs: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        delay: str | None = None,
        tags: Sequence[str] | None = None,
        max_attempts: int | None = None,
        max_duration: float | None = None,
        is_test: bool | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> RunCreated | RunQueued:
        """Starts a run; `body` is what the flow takes.

        Every trigger has an idempotency key, so it is repeated after a lost connection and still starts one run.
        """
        request = _trigger_request(locals())
        return self.trigger_request(request, options=options)

    def trigger_request(
        self, request: TriggerRequest, *, options: CallOptions = NO_OPTIONS
    ) -> RunCreated | RunQueued:
        """The same with the request as the API has it."""
        call = Call("POST", "/api/runs", body=_with_key(request), repeat="always")
        return self._transport.data(call, options)

    def trigger_and_wait(
        self,
        flow_id: str,
        body: Any = None,
        *,
        organization_id: str | None = None,
        data: Mapping[str, Any] | None = None,
        inputs: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        delay: str | None = None,
        tags: Sequence[str] | None = None,
        max_attempts: int | None = None,
        max_duration: float | None = None,
        is_test: bool | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> RunDetail:
        """Starts a run and waits until it has ended, however it ends, also where it has to queue first."""
        request = _with_key(_trigger_request(locals()))
        seconds = self._transport.timeout(options) or 90
        query = {"wait": f"{max(1, min(60, int(seconds / 1.5)))}s"}
        call = Call("POST", "/api/runs", query, request, repeat="always")
        started: Any = self._transport.data(call, options)
        if "updatedAt" in started:
            return started
        run_id = started["id"] if "id" in started else started["queueId"].replace("queue_", "run_", 1)
        return self.wait(run_id, options=options)

    def list(
        self,
        *,
        organization_id: str | None = None,
        flow_id: str | None = None,
        status: Sequence[RunStatus] | None = None,
        tag: Sequence[str] | None = None,
        created_from: datetime | str | None = None,
        created_to: datetime | str | None = None,
        period: str | None = None,
        is_test: bool | None = None,
        version: Sequence[str] | None = None,
        page_size: int | None = None,
        after: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[Run]:
        """Runs of every flow that the key reaches, newest first."""
        query = _run_filter(status, tag, created_from, created_to, period, is_test)
        query.update({"organizationId": organization_id, "filter[flowId]": flow_id, "filter[version]": version})
        query.update({"page[size]": page_size, "page[after]": after})
        return Pager(self._transport, "/api/runs", query, options)

    def get(self, run_id: str, *, options: CallOptions = NO_OPTIONS) -> RunDetail:
        return self._transport.data(Call("GET", _run_path(run_id)), options)

    def nodes(self, run_id: str, *, options: CallOptions = NO_OPTIONS) -> Sequence[RunNode]:
        """What the nodes of a run did, those that have ended so far."""
        return self._transport.data(Call("GET", _run_path(run_id, "nodes")), options)

    def why(self, run_id: str, *, options: CallOptions = NO_OPTIONS) -> Why:
        """Why a run waits, and what can be done."""
        return self._transport.data(Call("GET", _run_path(run_id, "why")), options)

    def cancel(
        self, run_id: str, *, paused: bool = False, options: CallOptions = NO_OPTIONS
    ) -> RunCanceled:
        """WAITING and EXECUTING runs can be canceled, with `paused` also PAUSED ones."""
        query = {"paused": True if paused else None}
        return self._transport.data(
            Call("POST", _run_path(run_id, "cancel"), query, repeat="always"), options
        )

    def fork(
        self, run_id: str, request: ForkRequest | None = None, *, options: CallOptions = NO_OPTIONS
    ) -> ForkCreated | ForkQueued:
        """Starts a run that goes on from what an ended one has done; without a request it is a retry."""
        call = Call("POST", _run_path(run_id, "fork"), body=_with_key(request or {}), repeat="always")
        return self._transport.data(call, options)

    def compare(
        self, run_id: str, other_run_id: str, *, options: CallOptions = NO_OPTIONS
    ) -> RunComparison:
        """What two runs did, node by node."""
        return self._transport.data(Call("GET", _run_path(run_id, "compare", other_run_id)), options)

    def resume(
        self,
        run_id: str,
        decision: str,
        *,
        node_id: str | None = None,
        data: Mapping[str, Any] | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> RunResumed:
        """Answers the approval that a PAUSED run waits for: `approved` or `rejected`."""
        body = _present({"decision": decision, "nodeId": node_id, "data": data})
        return self._transport.data(Call("POST", _run_path(run_id, "resume"), body=body), options)

    def stream(
        self, run_id: str, *, nodes: bool = False, options: CallOptions = NO_OPTIONS
    ) -> Iterator[RunStreamEvent]:
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
        for event in events:
            yield event

    def wait(self, run_id: str, *, options: CallOptions = NO_OPTIONS) -> RunDetail:
        """Waits until the run has ended, however it ends, and returns all of it."""
        while True:
            for _ in self.stream(run_id, options=options):
                pass
            run = self.get(run_id, options=options)
            if run["status"] in TERMINAL:
                return run
            sleep(0.5)


class Queue:
    """Runs that wait for a free slot. Every call names the organization."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self, organization_id: str, *, options: CallOptions = NO_OPTIONS
    ) -> Sequence[QueueItem]:
        """Oldest first."""
        query = {"filter[organizationId]": organization_id}
        return self._transport.data(Call("GET", "/api/runs/queue", query), options)

    def get(
        self, organization_id: str, queue_id: str, *, options: CallOptions = NO_OPTIONS
    ) -> QueueItemDetail:
        query = {"filter[organizationId]": organization_id}
        return self._transport.data(Call("GET", path_of("/api/runs/queue", queue_id), query), options)

    def cancel(
        self, organization_id: str, queue_id: str, *, options: CallOptions = NO_OPTIONS
    ) -> QueueItemCanceled:
        query = {"filter[organizationId]": organization_id}
        return self._transport.data(
            Call("DELETE", path_of("/api/runs/queue", queue_id), query), options
        )


class Agents:
    """Metadata of agents; how they are designed never leaves the service."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        organization_id: str | None = None,
        page_size: int | None = None,
        after: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Pager[Agent]:
        query = {"organizationId": organization_id, "page[size]": page_size, "page[after]": after}
        return Pager(self._transport, "/api/agents", query, options)

    def get(
        self, agent_id: str, *, organization_id: str | None = None, options: CallOptions = NO_OPTIONS
    ) -> Agent:
        query = {"organizationId": organization_id}
        return self._transport.data(Call("GET", path_of("/api/agents", agent_id), query), options)


class Sessions:
    """Chats with an agent. A reply goes on in the service even when nobody listens."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        agent_id: str,
        *,
        organization_id: str | None = None,
        end_user_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Session:
        """Each call makes a new session."""
        body = _present({"organizationId": organization_id, "endUserId": end_user_id})
        # One that nobody has heard of does no harm.
        call = Call("POST", path_of("/api/agents", agent_id, "sessions"), body=body, repeat="always")
        return self._transport.data(call, options)

    def send(
        self,
        agent_id: str,
        session_id: str,
        message: str,
        *,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> MessageReply:
        """Sends a message and waits for the whole reply."""
        if options.timeout is None:
            options = CallOptions(REPLY_TIMEOUT_SECONDS, options.max_retries)
        body = _present({"organizationId": organization_id, "message": message})
        return self._transport.data(
            Call("POST", _session_path(agent_id, session_id, "messages"), body=body), options
        )

    def stream(
        self,
        agent_id: str,
        session_id: str,
        message: str,
        *,
        tools: bool = False,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Iterator[ChatStreamEvent | ChatToolEvent]:
        """Sends a message and returns the reply piece by piece, up to `done` or `error`.

        A lost connection is made again behind the last piece; the message itself is never sent twice. With `tools` also
        the calls of tools, and what they answered.
        """
        return self._follow(agent_id, session_id, organization_id, None, message, tools, options)

    def resume(
        self,
        agent_id: str,
        session_id: str,
        *,
        last_event_id: str | None = None,
        tools: bool = False,
        organization_id: str | None = None,
        options: CallOptions = NO_OPTIONS,
    ) -> Iterator[ChatStreamEvent | ChatToolEvent]:
        """What came after `last_event_id`; without it the reply that is under way, from its start."""
        return self._follow(agent_id, session_id, organization_id, last_event_id, None, tools, options)

    def _follow(
        self,
        agent_id: str,
        session_id: str,
        organization_id: str | None,
        last_event_id: str | None,
        message: str | None,
        tools: bool,
        options: CallOptions,
    ) -> Iterator[ChatStreamEvent | ChatToolEvent]:
        include = "tools" if tools else None
        highest = int(last_event_id) if last_event_id and last_event_id.isdigit() else -1

        def take(received: Message) -> Taken | None:
            nonlocal highest
            if received.is_numbered and received.id is not None and received.id.isdigit():
                if int(received.id) <= highest:
                    return None
                highest = int(received.id)
            if received.data is None:
                return None
            event: Any = {**json.loads(received.data), "id": received.id}
            return Taken(event, event["type"] in ("done", "error"))

        def open_stream(last: str | None) -> Iterator[Message]:
            if message is not None and last is None:
                body = _present({"organizationId": organization_id, "message": message})
                call = Call("POST", _session_path(agent_id, session_id, "messages"), {"include": include}, body)
                return self._transport.stream(call, options)
            headers = {} if last is None else {"last-event-id": last}
            query = {"organizationId": organization_id, "include": include}
            call = Call("GET", _session_path(agent_id, session_id, "stream"), query, headers=headers)
            return self._transport.stream(call, options)

        events = follow(
            open_stream,
            take,
            repeat="always" if message is None else "unless-sent",
            max_reopenings=self._transport.max_reopenings(options),
            last_event_id=last_event_id,
            may_be_empty=message is None,
        )
        for event in events:
            yield event


def _run_path(run_id: str, *rest: str) -> str:
    return path_of("/api/runs", run_id, *rest)


def _session_path(agent_id: str, session_id: str, verb: str) -> str:
    return path_of("/api/agents", agent_id, "sessions", session_id, verb)


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _with_key(request: Any) -> Any:
    return {**request, "idempotencyKey": request.get("idempotencyKey") or f"client-{secrets.token_hex(16)}"}


def _trigger_request(given: Mapping[str, Any]) -> Any:
    """Of the arguments of `trigger`."""
    trigger = None if given["body"] is None else {"body": given["body"]}
    payload = {
        "flowId": given["flow_id"],
        "organizationId": given["organization_id"],
        "data": given["data"],
        "inputs": given["inputs"],
        "trigger": trigger,
    }
    request = {
        "payload": _present(payload),
        "idempotencyKey": given["idempotency_key"],
        "delay": given["delay"],
        "tags": given["tags"],
        "maxAttempts": given["max_attempts"],
        "maxDuration": given["max_duration"],
        "isTest": given["is_test"],
    }
    return _present(request)


def _run_filter(
    status: Sequence[str] | None,
    tag: Sequence[str] | None,
    created_from: datetime | str | None,
    created_to: datetime | str | None,
    period: str | None,
    is_test: bool | None,
) -> dict[str, Any]:
    return {
        "filter[status]": status,
        "filter[tag]": tag,
        "filter[createdAt][from]": created_from,
        "filter[createdAt][to]": created_to,
        "filter[createdAt][period]": period,
        "filter[isTest]": is_test,
    }
