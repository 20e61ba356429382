"""The policy in force: the operator's entries from the environment, and what superadmins set."""

from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import urlsplit

from django.conf import settings

from instances.database import brief_connection
from instances.models import AllowedAddress, OutgoingConnections
from instances.outgoing.policy import Address, AllowEntry, Mode, OutgoingPolicy, RefusedAddress
from instances.outgoing.resolving import resolve
from instances.provider_urls import server_of


def allowed_addresses(
    host: str, port: int, addresses: Sequence[Address]
) -> list[Address] | RefusedAddress:
    """Return those of *addresses*, to which *host* resolves, that may be called; if there are none,
    return the reason.
    """
    listed = OutgoingPolicy(Mode.LISTED, operator_entries())
    if all(listed.refusal(host, port, address) is None for address in addresses):
        return list(addresses)
    policy = stored_policy()
    refusals = [policy.refusal(host, port, address) for address in addresses]
    allowed = [
        address for address, refusal in zip(addresses, refusals, strict=True) if refusal is None
    ]
    return allowed or next(filter(None, refusals))


def refusal_of(base_url: str) -> RefusedAddress | None:
    """Return why the server at *base_url* is not called; None if it is, or does not resolve."""
    url = urlsplit(server_of(base_url))
    port = url.port or (443 if url.scheme == "https" else 80)
    if not url.hostname:
        return None
    try:
        allowed = allowed_addresses(url.hostname, port, resolve(url.hostname, port))
    except OSError:
        return None
    return allowed if isinstance(allowed, RefusedAddress) else None


def stored_policy() -> OutgoingPolicy:
    """Load what superadmins have set, and add the operator's entries."""
    with brief_connection():
        mode = OutgoingConnections.current().mode
        texts = list(AllowedAddress.objects.values_list("address", flat=True))
    return OutgoingPolicy(Mode(mode), (*operator_entries(), *map(AllowEntry.parse, texts)))


def operator_entries() -> tuple[AllowEntry, ...]:
    """Return the entries from the environment. Raises `ValueError` for one that is invalid."""
    return _parsed(tuple(settings.OUTGOING_ALLOW))


@lru_cache(maxsize=8)
def _parsed(texts: tuple[str, ...]) -> tuple[AllowEntry, ...]:
    return tuple(AllowEntry.parse(text) for text in texts if text.strip())
