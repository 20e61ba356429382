"""Resolves host names."""

import socket
import threading
from functools import partial
from ipaddress import ip_address
from queue import Empty, SimpleQueue
from typing import Any

from instances.outgoing.policy import Address

#: The most addresses of one host that are tried.
MAX_ADDRESSES = 8
#: How long a name server may take.
RESOLVE_SECONDS = 5.0


def resolve(host: str, port: int, *, seconds: float = RESOLVE_SECONDS) -> list[Address]:
    """Return the addresses of *host* in the order in which to try them. Raises `TimeoutError` if
    there was no answer within *seconds*, `OSError` if the host does not exist.
    """
    answers: SimpleQueue[list[Any] | OSError] = SimpleQueue()
    # The system's resolver cannot be interrupted, so it runs in a thread of its own.
    look_up = partial(_look_up, host, port, answers)
    threading.Thread(target=look_up, name="resolve", daemon=True).start()
    try:
        entries = answers.get(timeout=seconds)
    except Empty:
        raise TimeoutError(f"no address was found within {seconds:.3g} seconds") from None
    if isinstance(entries, OSError):
        raise entries
    addresses = dict.fromkeys(ip_address(sockaddr[0]) for *_, sockaddr in entries)
    return list(addresses)[:MAX_ADDRESSES]


def _look_up(host: str, port: int, answers: "SimpleQueue[list[Any] | OSError]") -> None:
    try:
        answers.put(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    except OSError as error:
        answers.put(error)
    except UnicodeError:  # A label that is empty or too long.
        answers.put(socket.gaierror(socket.EAI_NONAME, "Name or service not known"))
