"""Prices of calls to an instance's models: those that a manager has entered, else list prices.

Entered prices are fields of the instance, in a currency of the users' choice. A list price, in US
dollars, stands in for each that is not entered.
"""

from dataclasses import dataclass
from decimal import Decimal

from instances.embedding_choice import EmbeddingChoice
from instances.models import Instance
from instances.presets import PRESETS
from memoryapp.providers.list_prices import FREE, ListPrice, list_price, price_at


@dataclass(frozen=True)
class Prices:
    """Prices of a million tokens; None where one is not known."""

    prompt: Decimal | None
    completion: Decimal | None
    #: True if a list price stands in for one of them; a server of one's own costs nothing.
    costs_list_price: bool = False


def language_model_prices(instance: Instance, model: str = "") -> Prices:
    """Return the prices of *model*, by default the one that reads conversations."""
    preset = PRESETS.get(instance.provider)
    model = model or instance.fast_model or (preset.chat_model if preset else "")
    found = price_at(instance.provider, instance.chat_address, model)
    return _prices(instance.prompt_price, instance.completion_price, found)


def embedding_prices(instance: Instance, choice: EmbeddingChoice | None = None) -> Prices:
    """Return the price of embedding with *choice*, by default the present model."""
    choice = choice or instance.embeddings
    found = price_at(choice.provider, choice.address, choice.model_name)
    return _prices(instance.embedding_price, Decimal(0), FREE if choice.is_builtin else found)


def prices_of_space(instance: Instance, space: str) -> Prices:
    """Return the price of a call that made vectors of *space*."""
    if f"/{instance.embeddings.model_name}/" in space:
        return embedding_prices(instance)
    # That of another model, to which the instance is changing.
    return _prices(instance.embedding_price, Decimal(0), list_price(space))


def _prices(prompt: Decimal | None, completion: Decimal | None, found: ListPrice | None) -> Prices:
    """Return the entered prices, with those that were *found* where none is entered."""
    stands_in = found is not None and (prompt is None or completion is None)
    return Prices(
        found.prompt if found and prompt is None else prompt,
        found.completion if found and completion is None else completion,
        costs_list_price=stands_in and found != FREE,
    )
