"""The list prices that come with Keepsake, and which call has one."""

from datetime import date
from decimal import Decimal

import pytest

from instances.presets import PRESETS
from memoryapp.providers import list_prices
from memoryapp.providers.list_prices import FREE, list_price, price_at

OPENAI = "https://api.openai.com/v1"


def test_each_listed_price_is_one() -> None:
    assert date(2026, 1, 1) < list_prices.as_of() <= date.today()
    for model, found in list_prices.listed().items():
        assert model == model.lower()
        assert 0 < found.prompt <= 30, model
        is_embedder = "embed" in model
        assert (found.completion == 0) if is_embedder else (found.prompt <= found.completion), model


@pytest.mark.parametrize("provider", ["openai", "openrouter", "anthropic"])
def test_usual_models_are_listed(provider: str) -> None:
    preset = PRESETS[provider]
    assert list_price(preset.chat_model)
    assert not preset.embedding_model or list_price(preset.embedding_model)


@pytest.mark.parametrize(
    ("model", "prompt"),
    [
        ("gpt-4o", "2.50"),
        ("GPT-4o", "2.50"),
        ("openai/gpt-4o", "2.50"),
        ("gpt-4o-2024-08-06", "2.50"),
        ("gpt-4o-2024-05-13", "5"),
        ("claude-haiku-4-5-20251001", "1"),
        ("openai@api.openai.com/text-embedding-3-small/1536", "0.02"),
        ("gpt-4o-mini", "0.15"),
        ("gpt-4o-of-mine", None),
        ("my-gpt-4o", None),
        ("gpt-4o-2024", None),
        ("", None),
    ],
)
def test_model_is_found_by_its_name(model: str, prompt: str | None) -> None:
    found = list_price(model)
    assert (found.prompt if found else None) == (Decimal(prompt) if prompt else None)


@pytest.mark.parametrize(
    ("provider", "address", "is_free"),
    [
        ("ollama", "http://gpu.example.com:11434/v1", True),
        ("custom", "http://localhost:8080/v1", True),
        ("custom", "http://127.0.0.1:8080/v1", True),
        ("custom", "http://[::1]:8080/v1", True),
        ("custom", "http://192.168.3.4/v1", True),
        ("custom", "http://8.8.8.8/v1", False),
        ("custom", "https://localhost.example.com/v1", False),
        ("custom", "http://169.254.169.254/v1", False),
        ("openai", OPENAI, False),
        ("", "", False),
    ],
)
def test_own_server_costs_nothing(provider: str, address: str, is_free: bool) -> None:
    assert price_at(provider, address, "tiny") == (FREE if is_free else None)
    # It passes on what it cannot run itself.
    assert price_at(provider, address, "gpt-4o") == list_price("gpt-4o")
