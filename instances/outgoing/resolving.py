"""Host names to addresses."""

import socket
from ipaddress import ip_address

from instances.outgoing.policy import Address

#: Addresses of one host that are tried at most.
MAX_ADDRESSES = 8


def resolve(host: str, port: int) -> list[Address]:
    """Return the addresses of *host* in the order in which to try them. Raises `OSError`."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError:  # A label that is empty or too long.
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known") from None
    addresses = dict.fromkeys(ip_address(sockaddr[0]) for *_, sockaddr in found)
    return list(addresses)[:MAX_ADDRESSES]
