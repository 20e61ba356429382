"""Client of Keepsake, the self-hosted memory for AI assistants."""

from keepsake_client.client import AsyncKeepsake, Keepsake
from keepsake_client.errors import (
    ApiError,
    InvalidSignature,
    KeepsakeError,
    NotFinished,
    Unreachable,
)
from keepsake_client.webhooks import Event, verify

__version__ = "0.1.0"

__all__ = [
    "ApiError",
    "AsyncKeepsake",
    "Event",
    "InvalidSignature",
    "Keepsake",
    "KeepsakeError",
    "NotFinished",
    "Unreachable",
    "verify",
]
