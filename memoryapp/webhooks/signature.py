"""Signatures of requests: Standard Webhooks 1.0.0, https://www.standardwebhooks.com."""

import base64
import hashlib
import hmac
from collections.abc import Sequence

_BEGINNING = "whsec_"


def is_secret(text: str) -> bool:
    """True if *text* is a secret to sign with."""
    try:
        return text.startswith(_BEGINNING) and bool(
            base64.b64decode(text.removeprefix(_BEGINNING), validate=True)
        )
    except ValueError:
        return False


def signed_headers(
    secrets: Sequence[str], message_id: str, timestamp: int, body: bytes
) -> dict[str, str]:
    """Return the headers for *body*, signed with each of *secrets* (``whsec_`` and base64) at
    *timestamp*, in seconds since 1970.
    """
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(
            _signature(secret, message_id, timestamp, body) for secret in secrets
        ),
    }


def _signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """``v1,`` and the base64 of the HMAC-SHA256 over id, time and body."""
    key = base64.b64decode(secret.removeprefix(_BEGINNING))
    digest = hmac.digest(key, f"{message_id}.{timestamp}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(digest).decode()}"
