"""Arguments that several methods take, and what they are called on the way to the service."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any, Mapping, Sequence, TypedDict

from .types import RunStatus


class PageArguments(TypedDict, total=False):
    page_size: int | None
    after: str | None


class ListArguments(PageArguments, total=False):
    organization_id: str | None


class FlowRunsArguments(PageArguments, total=False):
    status: Sequence[RunStatus] | None
    tag: Sequence[str] | None
    created_from: datetime | str | None
    created_to: datetime | str | None
    period: str | None
    is_test: bool | None


class RunsArguments(FlowRunsArguments, total=False):
    organization_id: str | None
    flow_id: str | None
    version: Sequence[str] | None


class TriggerArguments(TypedDict, total=False):
    organization_id: str | None
    data: Mapping[str, Any] | None
    inputs: Mapping[str, Any] | None
    idempotency_key: str | None
    delay: str | None
    tags: Sequence[str] | None
    max_attempts: int | None
    max_duration: float | None
    is_test: bool | None


QUERY = {
    "organization_id": "organizationId",
    "flow_id": "filter[flowId]",
    "status": "filter[status]",
    "tag": "filter[tag]",
    "created_from": "filter[createdAt][from]",
    "created_to": "filter[createdAt][to]",
    "period": "filter[createdAt][period]",
    "is_test": "filter[isTest]",
    "version": "filter[version]",
    "page_size": "page[size]",
    "after": "page[after]",
}
PAYLOAD = {"organization_id": "organizationId", "data": "data", "inputs": "inputs"}
TRIGGER = {
    "idempotency_key": "idempotencyKey",
    "delay": "delay",
    "tags": "tags",
    "max_attempts": "maxAttempts",
    "max_duration": "maxDuration",
    "is_test": "isTest",
}


def query_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """The query of a list."""
    _refuse_others(given, QUERY)
    return {QUERY[name]: value for name, value in given.items()}


def trigger_request(flow_id: str, body: Any, given: Mapping[str, Any]) -> Any:
    """Of the arguments of `trigger`."""
    _refuse_others(given, {**PAYLOAD, **TRIGGER})
    payload = {"flowId": flow_id, **_renamed(given, PAYLOAD)}
    if body is not None:
        payload["trigger"] = {"body": body}
    return {"payload": payload, **_renamed(given, TRIGGER)}


def with_key(request: Any) -> Any:
    """A request that may be sent again and still starts one run."""
    return {**request, "idempotencyKey": request.get("idempotencyKey") or f"client-{secrets.token_hex(16)}"}


def present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _renamed(given: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {names[name]: value for name, value in given.items() if name in names and value is not None}


def _refuse_others(given: Mapping[str, Any], names: Mapping[str, str]) -> None:
    for name in given:
        if name not in names:
            raise TypeError(f"got an unexpected keyword argument {name!r}")
