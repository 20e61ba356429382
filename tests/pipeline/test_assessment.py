"""Assessment of unassessed facts by a language model."""

import json
from datetime import date
from typing import Any

import pytest

from instances.actor import Actor
from instances.models import Instance
from memoryapp.models import Activity, Memory, MemoryRevision, Origin, Usage
from memoryapp.pipeline import Candidate, RememberOptions, Writer, remember
from memoryapp.pipeline.assessment import MAX_FACTS, Assessments, assess_waiting
from memoryapp.tasks import assess_instance
from tests.provider_fixtures import read_with
from tests.scripted_provider import Request, ScriptedProvider

WRITER = Writer(Origin.API, Actor(via="test"))
TEXT = "The user flies to Lima on 3 May 2031."
BY_RULES = (5, date(2031, 5, 3), list[str](), False)


@pytest.fixture
def judging(instance: Instance, provider: ScriptedProvider) -> Instance:
    read_with(provider, instance)
    provider.reply_with(judge)
    return instance


def judge(request: Request) -> Any:
    """Rate each statement as important and temporary."""
    lines = str(request["messages"][-1]["content"]).split("\n\n")[1].splitlines()
    item = {"importance": 8, "valid_until": "2031-05-03", "tags": ["Travel", "lima"]}
    return {"assessments": [{"number": number, **item} for number in range(len(lines))]}


def save(instance: Instance, *candidates: Candidate, **options: bool) -> list[Memory]:
    outcomes = remember(instance, candidates, WRITER, RememberOptions(**options))
    return [outcome.memory for outcome in outcomes]


def values_of(memory: Memory) -> tuple[int, date | None, list[str], bool]:
    memory.refresh_from_db()
    return memory.importance, memory.valid_until, memory.tags, memory.assessed


def test_unassessed_candidates_are_assessed_in_one_call(
    judging: Instance, provider: ScriptedProvider
) -> None:
    memories = save(judging, Candidate(TEXT), Candidate("The user grows tomatoes."))
    assert [values_of(memory) for memory in memories] == [
        (8, date(2031, 5, 3), ["travel", "lima"], True),
        # Nobody has said when that ends.
        (8, None, ["travel", "lima"], True),
    ]
    assert {memory.importance_by for memory in memories} == {"model"}
    (request,) = provider.requests
    prompt = str(request.body["messages"][-1]["content"])
    assert "Today is " in prompt
    assert f'0: "{TEXT}"' in prompt
    booked = Usage.objects.get()
    assert (booked.source, booked.error) == ("memory_assess", "")
    assert booked.prompt_tokens


def test_only_missing_values_are_filled(judging: Instance) -> None:
    own = Candidate(TEXT, tags=["mine"], valid_until=date(2032, 1, 1))
    assert values_of(save(judging, own)[0]) == (8, date(2032, 1, 1), ["mine"], True)


def test_model_is_not_called_without_need(judging: Instance, provider: ScriptedProvider) -> None:
    save(judging, Candidate(TEXT, importance=3))
    save(judging, Candidate(TEXT))  # known already
    save(judging, Candidate("The user grows tomatoes."), ask_model=False)
    judging.monthly_cap = 0
    judging.save()
    save(judging, Candidate("The user plays the cello."))
    assert provider.requests == []


@pytest.mark.parametrize("fault", ["500", "drop", "half_content"])
def test_model_failure_does_not_fail_the_write(
    judging: Instance, provider: ScriptedProvider, fault: str
) -> None:
    provider.fail_next(fault)
    assert values_of(save(judging, Candidate(TEXT))[0]) == BY_RULES
    assert Usage.objects.get().error


@pytest.mark.parametrize(
    "answer",
    [
        "Very important.",
        {"assessments": []},
        {"assessments": [None, "8", {"number": 7, "importance": 8}, {"number": "0"}]},
        {"assessments": [{"number": 0, "importance": "high", "valid_until": None, "tags": []}]},
    ],
)
def test_unusable_answer_keeps_what_rules_say_for_a_retry(
    judging: Instance, provider: ScriptedProvider, answer: object
) -> None:
    provider.reply_with(answer)
    assert values_of(save(judging, Candidate(TEXT))[0]) == BY_RULES


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ({"importance": 11}, (10, None, ())),
        ({"importance": "0"}, (1, None, ())),
        ({"importance": 4.6, "valid_until": "soon"}, (5, None, ())),
        ({"importance": 4, "valid_until": "2030-02-03T10:00:00Z"}, (4, date(2030, 2, 3), ())),
        ({"importance": 4, "tags": ["A  b", "a b", "", 3, "c"]}, (4, None, ("a b", "c"))),
        ({"importance": 4, "tags": list("abcdef")}, (4, None, tuple("abcd"))),
        ({"importance": float("nan")}, None),
        ({"importance": None}, None),
        ({}, None),
    ],
)
def test_item_is_validated(item: dict[str, Any], expected: tuple[Any, ...] | None) -> None:
    items = Assessments.from_text(json.dumps([{"number": 0, **item}])).assessments
    read = [(each.importance, each.valid_until, each.tags) for each in items]
    assert read == ([] if expected is None else [expected])


def test_pending_assessments_run_later_in_batches(
    judging: Instance, provider: ScriptedProvider
) -> None:
    texts = [f"The user keeps box {number} on shelf {number}." for number in range(MAX_FACTS + 1)]
    judging.dedup_exact = judging.dedup_update = 1.0
    judging.save()
    memories = save(judging, *map(Candidate, texts), ask_model=False)
    before = {memory.pk: memory.updated_at for memory in memories}
    assess_instance(instance_id=judging.pk)
    assert all(values_of(memory)[0] == 8 and memory.assessed for memory in memories)
    assert {memory.pk: memory.updated_at for memory in memories} == before
    assert provider.count("chat/completions") == 2
    assert Activity.objects.filter(via="assessment").count() == MAX_FACTS + 1
    assert not MemoryRevision.objects.exists()
    assert assess_waiting(judging) == 0
    assert provider.count("chat/completions") == 2


def test_omitted_items_are_retried_a_limited_number_of_times(
    judging: Instance, provider: ScriptedProvider
) -> None:
    (memory,) = save(judging, Candidate(TEXT), ask_model=False)
    provider.reply_with({"assessments": []})
    assert assess_waiting(judging) == 1
    assert values_of(memory) == (*BY_RULES[:3], True)


def test_failed_model_is_not_called_for_a_while(
    judging: Instance, provider: ScriptedProvider
) -> None:
    (memory,) = save(judging, Candidate(TEXT), ask_model=False)
    provider.fail_next("500")
    assert assess_waiting(judging) == assess_waiting(judging) == 0
    assert provider.count("chat/completions") == 1
    Usage.objects.all().delete()
    assert assess_waiting(judging) == 1
    assert values_of(memory)[3]


def test_without_a_model_rules_say_what_they_can(instance: Instance) -> None:
    (memory,) = save(instance, Candidate(TEXT))
    assert assess_waiting(instance) == 0
    assert values_of(memory) == BY_RULES
