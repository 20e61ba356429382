"""List prices of the usual models, for calls whose price nobody has entered.

They stand in ``list_prices.toml``, with the day on which they held. A server of one's own
costs nothing, unless its model is one of those: then it only passes the calls on.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from instances.models import Provider
from instances.outgoing.policy import AddressKind, kind_of
from instances.provider_urls import server_of

PRICES = Path(__file__).with_name("list_prices.toml")

#: The day of a version, which ends the name of a model: ``-2025-08-07``, ``-20251001``.
_VERSION = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2})$")


@dataclass(frozen=True)
class ListPrice:
    """Prices of a million tokens of input and output, in US dollars."""

    prompt: Decimal
    completion: Decimal


FREE = ListPrice(Decimal(0), Decimal(0))


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(PRICES.read_text("utf-8"))


def as_of() -> date:
    """Return the day on which the list prices held."""
    day: date = _file()["as_of"]
    return day


@cache
def listed() -> Mapping[str, ListPrice]:
    """Return the list price of each known model, by its name."""
    return {
        model: ListPrice(*map(Decimal, prices))
        for models in _file().values()
        if isinstance(models, Mapping)
        for model, prices in models.items()
    }


def list_price(model: str) -> ListPrice | None:
    """Return the list price of *model*; None if it is not known.

    Gateways write the vendor before the name, and embedding spaces the server before and the length
    of the vectors behind it, all with slashes between. A version costs what its model costs, unless
    it is listed itself.
    """
    prices = listed()
    for part in model.lower().split("/"):
        if found := prices.get(part) or prices.get(_VERSION.sub("", part)):
            return found
    return None


def price_at(provider: str, address: str, model: str) -> ListPrice | None:
    """Return the price of *model* at the *address* of *provider*, if nobody has entered one; None
    if it is not known.
    """
    if found := list_price(model):
        return found
    return FREE if is_own_server(provider, address) else None


@cache
def is_own_server(provider: str, address: str) -> bool:
    """True if the server at *address* runs models of one's own: Ollama, or one on this machine or
    in a private network. A name is not looked up.
    """
    if provider == Provider.OLLAMA:
        return True
    host = urlsplit(server_of(address)).hostname or ""
    try:
        return kind_of(ip_address(host)) in (AddressKind.LOOPBACK, AddressKind.PRIVATE)
    except ValueError:
        return host == "localhost"
