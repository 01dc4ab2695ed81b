"""Events that the service sends, signed by Standard Webhooks 1.0."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Mapping, Sequence, cast

from .types import MillraceEvent

__all__ = ["WebhookVerificationError", "sign", "unwrap"]


class WebhookVerificationError(Exception):
    """A request that does not come from the service, or too late."""


def unwrap(
    body: str | bytes,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance: float = 300,
    now: float | None = None,
) -> MillraceEvent:
    """The event of a request, once its signature and time are checked.

    `body` must be as it arrived. While a secret is rotated, either of the two will do: give both.
    """
    given = {name.lower(): value for name, value in headers.items()}
    event_id, timestamp, signatures = (
        _header(given, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    moment = time.time() if now is None else now
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(moment - int(timestamp)) > tolerance:
        raise WebhookVerificationError(f"The request was signed at {timestamp}, not now")
    expected = [
        _signature(one, event_id, timestamp, body) for one in ([secret] if isinstance(secret, str) else secret)
    ]
    for signature in signatures.split(" "):
        for one in expected:
            if hmac.compare_digest(signature.encode(), one.encode()):
                return cast(MillraceEvent, json.loads(body))
    raise WebhookVerificationError("No signature fits the secret and the body")


def sign(body: str | bytes, *, secret: str, id: str, timestamp: float) -> dict[str, str]:
    """The headers of a signed request, to test a receiver with."""
    seconds = str(int(timestamp))
    return {
        "webhook-id": id,
        "webhook-timestamp": seconds,
        "webhook-signature": _signature(secret, id, seconds, body),
    }


def _signature(secret: str, event_id: str, timestamp: str, body: str | bytes) -> str:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise WebhookVerificationError("The secret is not one of an event endpoint")
    content = body.encode() if isinstance(body, str) else body
    digest = hmac.new(key, f"{event_id}.{timestamp}.".encode() + content, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookVerificationError(f"The header {name} is missing")
    return value
