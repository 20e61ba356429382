"""A client whose connections pass the policy of a test."""

import socket
from collections.abc import Sequence
from typing import Any

import httpx2

from instances.outgoing.limits import Limits
from instances.outgoing.policy import Address, AllowEntry, OutgoingPolicy, RefusedAddress
from tests.outgoing.wire import Wire, request, whole

LOOPBACK = (AllowEntry.parse("127.0.0.1"),)


class Rules:
    """A policy that a test changes."""

    def __init__(self, policy: OutgoingPolicy) -> None:
        self.policy = policy
        self.asked: list[tuple[str, Sequence[Address]]] = []

    def allowed_addresses(
        self, host: str, port: int, addresses: Sequence[Address]
    ) -> list[Address] | RefusedAddress:
        self.asked.append((host, addresses))
        refusals = [self.policy.refusal(host, port, address) for address in addresses]
        allowed = [a for a, refusal in zip(addresses, refusals, strict=True) if refusal is None]
        return allowed or next(filter(None, refusals))


def get(caller: httpx2.Client, url: str, **limits: Any) -> httpx2.Response:
    return caller.get(url, extensions={"limits": Limits(**limits)})


def hello(connection: socket.socket, state: Wire) -> None:
    while request(connection):
        connection.sendall(whole(b"hello"))
