"""The IP address of a request."""

from contextvars import ContextVar
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest

#: Used when the server does not know the address, as with a Unix socket.
UNKNOWN = IPv4Address("0.0.0.0")  # noqa: S104 - nothing listens on it

_present: ContextVar[str] = ContextVar("present_address", default="")


def note_present(request: HttpRequest) -> None:
    """Note the address of *request*, which is being answered."""
    _present.set(str(client_address(request)))


def forget_present(*_: object) -> None:
    """Forget the address: the request has been answered."""
    _present.set("")


def present_address() -> str:
    """Return the address of the request that is being answered; empty if none is."""
    return _present.get()


def client_address(request: HttpRequest) -> IPv4Address | IPv6Address:
    """Return the address of the peer, or behind a trusted proxy the one that the proxy saw.

    The proxy adds only the last hop of ``X-Forwarded-For``; the client may have written the others.
    """
    peer = request.META.get("REMOTE_ADDR", "")
    hops = request.headers.get("X-Forwarded-For", "") if settings.TRUST_PROXY else ""
    for candidate in (hops.rpartition(",")[2].strip(), peer):
        try:
            return ip_address(candidate)
        except ValueError:
            continue
    return UNKNOWN


def network_of(address: IPv4Address | IPv6Address) -> str:
    """Return the network of one client: an IPv4 address, or the /64 of an IPv6 address."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(IPv6Network((address, 64), strict=False))
    return str(address)
