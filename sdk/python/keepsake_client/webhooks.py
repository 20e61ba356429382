"""Webhooks: the check of what a server sent, by Standard Webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ValidationError

from keepsake_client.errors import InvalidSignature


class Event(BaseModel):
    """An event. It may arrive twice, with the same `id`."""

    id: str
    type: str
    created_at: datetime
    instance: str
    data: dict[str, Any]


def verify(
    secret: str, headers: Mapping[str, str], body: bytes, *, tolerance_seconds: float = 300
) -> Event:
    """Return the event in *body*, the bytes as they came; raise `InvalidSignature` unless they were
    signed with *secret* (``whsec_…``) in the last *tolerance_seconds*.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, timestamp = given["webhook-id"], given["webhook-timestamp"]
        signatures = given["webhook-signature"].split(" ")
        age = abs(time.time() - int(timestamp))
    except (KeyError, ValueError):
        raise InvalidSignature("The headers of a signature are missing.") from None
    if age > tolerance_seconds:
        raise InvalidSignature("The request was signed too long ago.")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.digest(key, signed, hashlib.sha256)
    expected = b"v1," + base64.b64encode(digest)
    if not any(hmac.compare_digest(expected, each.encode()) for each in signatures):
        raise InvalidSignature("The signature is another one.")
    try:
        return Event.model_validate_json(body)
    except ValidationError as error:
        raise InvalidSignature("The body is no event.") from error
