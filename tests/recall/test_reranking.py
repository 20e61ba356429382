"""Reranking by a model, with the real provider client and Redis."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.conf import settings as django_settings
from django.core.cache import cache
from pytest_django import Settings

from instances.models import Instance
from memoryapp.models import Memory, Usage
from memoryapp.recall import RecallOptions, RecallResult, recall, recall_and_rerank
from memoryapp.recall.reranking import CAPPED, NO_MODEL
from tests.provider_fixtures import end_pause, read_with
from tests.scripted_provider import Request, ScriptedProvider

Remember = Callable[..., Memory]
BOATS = [
    "The user has a boat in Kiel.",
    "The user once sold a boat.",
    "The user's brother builds boats.",
    "The user is afraid of boats.",
]


@pytest.fixture
def boats(store_memory: Remember) -> list[Memory]:
    return [store_memory(text, end_user="") for text in BOATS]


@pytest.fixture
def reader(instance: Instance, provider: ScriptedProvider) -> Instance:
    """The instance with a model for reranking."""
    read_with(provider, instance)
    return instance


def texts(recalled: RecallResult) -> list[str]:
    return [hit.content for hit in recalled.hits]


def rerank_calls(provider: ScriptedProvider) -> list[Request]:
    return [each.body for each in provider.requests if each.path.endswith("completions")]


@pytest.mark.usefixtures("boats")
def test_model_moves_the_best_result_to_the_front(
    reader: Instance, provider: ScriptedProvider
) -> None:
    reader.rerank_model = "judge"
    plain = texts(recall(reader, "Does the user own a boat?", RecallOptions(limit=20)))
    provider.reply_with({"best": [3, 2]})
    reranked = recall_and_rerank(reader, "Does the user own a boat?", RecallOptions(limit=3))
    assert texts(reranked) == [plain[2], plain[1], plain[0]]
    assert (reranked.rerank_problem, reranked.complete) == ("", False)
    (call,) = rerank_calls(provider)
    assert call["model"] == "judge"
    read = call["messages"][-1]["content"]
    assert "Does the user own a boat?" in read
    assert all(text in read for text in BOATS)
    usage = Usage.objects.get()
    assert (usage.source, usage.model, usage.error) == ("memory_rerank", "judge", "")
    assert usage.prompt_tokens > 0


@pytest.mark.usefixtures("boats")
def test_same_question_and_texts_are_cached(
    reader: Instance, provider: ScriptedProvider, store_memory: Remember
) -> None:
    provider.reply_with({"best": [2]})
    first = texts(recall_and_rerank(reader, "Which boat?", RecallOptions(limit=4)))
    assert texts(recall_and_rerank(reader, "Which boat?", RecallOptions(limit=4))) == first
    assert len(rerank_calls(provider)) == 1
    recall_and_rerank(reader, "What boat?", RecallOptions(limit=4))
    assert len(rerank_calls(provider)) == 2
    store_memory("The user painted the boat in Kiel.")
    recall_and_rerank(reader, "Which boat?", RecallOptions(limit=4))
    assert len(rerank_calls(provider)) == 3


@pytest.mark.usefixtures("boats")
def test_cache_contains_no_text(reader: Instance, provider: ScriptedProvider) -> None:
    provider.reply_with({"best": [1]})
    recall_and_rerank(reader, "Which boat is in Kiel?", RecallOptions(limit=4))
    client = cache._cache.get_client()  # type: ignore[attr-defined]
    names = [name for name in client.keys("*rerank:*") if f":{reader.pk}:".encode() in name]
    assert names
    cached = b" ".join(name + client.get(name) for name in names)
    assert b"boat" not in cached
    assert b"Kiel" not in cached
    assert 0 < client.ttl(names[0]) <= 3600


@pytest.mark.usefixtures("boats")
@pytest.mark.parametrize("fault", ["500", "429", "truncated_json", "refusal", "half_content"])
def test_failure_keeps_the_order_and_is_reported(
    reader: Instance, provider: ScriptedProvider, fault: str
) -> None:
    plain = texts(recall(reader, "Which boat?", RecallOptions(limit=4)))
    provider.reply_with({"best": [4]})
    provider.fail_next(fault)
    reranked = recall_and_rerank(reader, "Which boat?", RecallOptions(limit=4))
    assert texts(reranked) == plain
    assert reranked.rerank_problem.startswith("Not reranked: ")
    assert Usage.objects.get(source="memory_rerank").error
    # Not called for a while, then called again.
    assert recall_and_rerank(reader, "Which boat?", RecallOptions(limit=4)).rerank_problem
    assert len(rerank_calls(provider)) == 1
    end_pause()
    reranked = recall_and_rerank(reader, "Which boat?", RecallOptions(limit=4))
    assert (texts(reranked)[0], reranked.rerank_problem) == (plain[3], "")


@pytest.mark.usefixtures("boats")
def test_silent_model_times_out(
    reader: Instance, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoryapp.recall.reranking.TIMEOUT_SECONDS", 0.2)
    provider.fail_next("hang", seconds=30)
    reranked = recall_and_rerank(reader, "Which boat?", RecallOptions(limit=4))
    assert len(reranked.hits) == 4
    assert Usage.objects.get().error_kind == "timeout"


@pytest.mark.usefixtures("boats")
def test_no_model_or_no_budget(instance: Instance, provider: ScriptedProvider) -> None:
    assert (
        recall_and_rerank(instance, "Which boat?", RecallOptions(limit=4)).rerank_problem
        == NO_MODEL
    )
    read_with(provider, instance)
    instance.monthly_cap, instance.prompt_price = Decimal("0"), Decimal("1")
    instance.save()
    assert (
        recall_and_rerank(instance, "Which boat?", RecallOptions(limit=4)).rerank_problem == CAPPED
    )
    assert rerank_calls(provider) == []
    assert not Usage.objects.exists()


def test_single_result_is_not_reranked(
    reader: Instance, provider: ScriptedProvider, store_memory: Remember
) -> None:
    assert recall_and_rerank(reader, "Which boat?", RecallOptions(limit=4)).hits == []
    store_memory(BOATS[0])
    assert texts(recall_and_rerank(reader, "Which boat?", RecallOptions(limit=4))) == [BOATS[0]]
    assert rerank_calls(provider) == []


@pytest.mark.usefixtures("boats")
def test_reranking_works_without_redis(
    reader: Instance, provider: ScriptedProvider, settings: Settings
) -> None:
    nowhere = {"BACKEND": "django.core.cache.backends.redis.RedisCache"}
    there = django_settings.CACHES["default"]
    settings.CACHES = {"default": there | nowhere | {"LOCATION": "redis://127.0.0.1:1/0"}}
    provider.reply_with({"best": [4]})
    reranked = recall_and_rerank(reader, "Which boat?", RecallOptions(limit=4))
    assert reranked.rerank_problem == ""
    assert len(reranked.hits) == 4
