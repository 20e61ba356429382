"""Information that a server gives of itself and of a model: no standard has it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2

from conversations.bounded_json import parse
from instances.outgoing.client import Client
from instances.outgoing.current_policy import allowed_addresses, stored_policy
from instances.outgoing.limits import Limits
from instances.outgoing.policy import Address, AddressKind, RefusedAddress, kind_of
from instances.outgoing.resolving import resolve
from instances.outgoing.transport import AddressFilter
from instances.provider_urls import server_of
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError
from memoryapp.providers.stream_chunks import list_models

#: Seconds for each of these questions.
SECONDS = 5.0
#: The same for servers that may not be there, while a page waits.
FIND_SECONDS = 0.5
OLLAMA_PORT = 11434
#: Listed addresses that are tried, and models that are offered, at most.
MAX_OLLAMAS, MAX_MODELS = 3, 50
#: Names for the context in a list of models.
_CONTEXT_FIELDS = ("max_model_len", "context_length", "context_window")
_MAX_CONTEXT = 100_000_000
_OLLAMA_CONTEXT = re.compile(r"(?m)^num_ctx\s{1,40}([0-9]{1,9})$")


def context_of(endpoint: Endpoint) -> int | None:
    """Return the tokens that a request to *endpoint* may have with its answer; None if its server
    does not say.
    """
    return next((size for size in _sizes(endpoint) if 0 < size < _MAX_CONTEXT), None)


def is_local(base_url: str) -> bool:
    """True if the server at *base_url* is on this machine or in a private network."""
    url = urlsplit(server_of(base_url))
    try:
        addresses = resolve(url.hostname or "", url.port or 80, seconds=SECONDS)
    except OSError:
        return False
    return any(kind_of(each) is not AddressKind.PUBLIC for each in addresses)


def model_names(endpoint: Endpoint) -> list[str]:
    """Return the names of the models of the server. Raises `ProviderError`."""
    return sorted(str(each["id"]) for each in list_models(endpoint))


@dataclass(frozen=True)
class FoundOllama:
    """An Ollama server that answers: its address as settings name it, and its models."""

    address: str
    models: tuple[str, ...]


def find_ollama(*, on_this_machine: bool) -> FoundOllama | None:
    """Look for Ollama at the allowed addresses with its port, and *on_this_machine* even if that is
    not allowed yet: for people who may allow it.
    """
    policy = stored_policy()
    listed = [
        str(entry)
        for entry in policy.entries
        if entry.port == OLLAMA_PORT
        and (isinstance(entry.place, str) or entry.place.num_addresses == 1)
    ]
    local = f"127.0.0.1:{OLLAMA_PORT}"
    for place in dict.fromkeys([local, *listed[:MAX_OLLAMAS]]):
        allowed = _this_machine if place == local and on_this_machine else allowed_addresses
        tags = _get(f"http://{place}/api/tags", allowed=allowed, seconds=FIND_SECONDS)
        names = [each.get("name") for each in _list(tags, "models")[:MAX_MODELS]]
        models = tuple(name for name in names if isinstance(name, str) and 0 < len(name) <= 200)
        if models:
            return FoundOllama("" if place == local else f"http://{place}/v1", models)
    return None


def _this_machine(
    _host: str, _port: int, addresses: Sequence[Address]
) -> list[Address] | RefusedAddress:
    return list(addresses)


def _sizes(endpoint: Endpoint) -> Iterator[int]:
    server, name = server_of(endpoint.base_url), endpoint.model
    # llama.cpp
    props = _ask(endpoint, f"{server}/props")
    yield _whole(_inside(props, "default_generation_settings").get("n_ctx"))
    # Ollama: as the model's file says, or as it is loaded
    shown = _ask(endpoint, f"{server}/api/show", {"model": name})
    parameters = shown.get("parameters")
    if isinstance(parameters, str) and (found := _OLLAMA_CONTEXT.search(parameters[:10_000])):
        yield int(found[1])
    for loaded in _list(_ask(endpoint, f"{server}/api/ps") if shown else {}, "models"):
        if loaded.get("name") in (name, f"{name}:latest"):
            yield _whole(loaded.get("context_length"))
    # vLLM, OpenRouter and others
    try:
        models = list_models(endpoint, timeout=SECONDS)
    except ProviderError:
        return
    for described in models:
        if described.get("id") == name:
            yield from (_whole(described.get(field)) for field in _CONTEXT_FIELDS)


def _ask(endpoint: Endpoint, url: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the JSON object at *url*, on the server of *endpoint*; empty if there is none."""
    headers = {"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
    return _get(url, body, headers=headers)


def _get(
    url: str,
    body: Mapping[str, Any] | None = None,
    *,
    headers: Mapping[str, str] | None = None,
    allowed: AddressFilter = allowed_addresses,
    seconds: float = SECONDS,
) -> dict[str, Any]:
    limits = Limits(silence_seconds=seconds, total_seconds=seconds, connect_seconds=seconds)
    try:
        with Client(allowed) as client:
            answer = client.request(
                "POST" if body else "GET",
                url,
                json=body,
                headers=headers,
                extensions={"limits": limits},
            )
        value = parse(answer.content) if answer.is_success else {}
    except (httpx2.HTTPError, ValueError, RecursionError, OSError):
        return {}
    return value if isinstance(value, dict) else {}


def _inside(value: Mapping[str, Any], name: str) -> dict[str, Any]:
    inside = value.get(name)
    return inside if isinstance(inside, dict) else {}


def _list(value: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    inside = value.get(name)
    return [each for each in inside if isinstance(each, dict)] if isinstance(inside, list) else []


def _whole(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
