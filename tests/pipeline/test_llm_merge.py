"""Merging of similar facts by a language model."""

import json
import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.embeddings.embedder import embed
from memoryapp.models import Activity, Memory, MemoryRevision, MemorySource, Origin, Usage
from memoryapp.pipeline import (
    Candidate,
    Changes,
    NotTheNewest,
    Outcome,
    RememberOptions,
    Writer,
    keep_both,
    remember,
    revise,
    undo,
)
from memoryapp.pipeline.candidates import attributed
from memoryapp.pipeline.llm_merge import judge
from memoryapp.pipeline.plan import Plan
from memoryapp.pipeline.storage import store
from memoryapp.policy.dedup import Action
from memoryapp.policy.fact_signature import keeps_particulars
from tests.provider_fixtures import read_with
from tests.scripted_provider import Request, ScriptedProvider

WRITER = Writer(
    Origin.CONVERSATION, Actor(via="extraction"), reason=MemoryRevision.Reason.EXTRACTED
)
OLD = "The user enjoys hiking in the Alps."
NEW = "The user enjoys hiking in the Alps with Ana."
BOTH = "The user enjoys hiking in the Alps, also with Ana."


@pytest.fixture
def merging(instance: Instance, provider: ScriptedProvider) -> Instance:
    read_with(provider, instance)
    instance.merge_with_model = True
    instance.save()
    return instance


@pytest.fixture
def old(merging: Instance) -> Memory:
    (outcome,) = remember(merging, [Candidate(OLD, importance=4, tags=["sport"])], WRITER)
    return outcome.memory


def decide(decision: str, *, known: object = 1, text: str = "") -> Callable[[Request], Any]:
    """Answer with *decision* for each new statement."""

    def answer(request: Request) -> Any:
        new = re.findall(r"^NEW (\d+): ", request["messages"][-1]["content"], re.MULTILINE)
        return {
            "decisions": [
                {"new": int(n), "decision": decision, "known": known, "text": text} for n in new
            ]
        }

    return answer


def write(instance: Instance, *contents: str, **kwargs: Any) -> list[Outcome]:
    return remember(
        instance, [Candidate(content, importance=6, **kwargs) for content in contents], WRITER
    )


def plain_action(instance: Instance, content: str) -> Action:
    """Return the outcome of *content* without the model, and roll it back."""

    class TakenBack(Exception):
        pass

    actions: list[Action] = []

    def note(outcomes: list[Outcome]) -> None:
        actions.extend(outcome.action for outcome in outcomes)
        raise TakenBack

    with pytest.raises(TakenBack):
        remember(
            instance,
            [Candidate(content)],
            WRITER,
            RememberOptions(ask_model=False),
            in_same_transaction=note,
        )
    return actions[0]


def test_merge_combines_both_and_keeps_the_old_text(
    merging: Instance, old: Memory, provider: ScriptedProvider
) -> None:
    provider.reply_with(decide("merge", text=BOTH))
    (outcome,) = write(merging, NEW, tags=["friends"], category="preference")

    memory = Memory.objects.get()
    assert (outcome.action, memory.pk, memory.content) == (Action.UPDATED, old.pk, BOTH)
    assert (memory.importance, memory.tags) == (6, ["sport", "friends"])
    revision = memory.revisions.get()
    assert (revision.content, revision.statement) == (OLD, NEW)
    assert (revision.reason, revision.by_model) == ("merged", True)
    assert memory.embeddings.count() == 1
    (booked,) = Usage.objects.filter(source="memory_merge")
    assert booked.prompt_tokens and not booked.error


def test_replacement_is_a_new_version(
    merging: Instance, old: Memory, provider: ScriptedProvider
) -> None:
    newer = "The user enjoys hiking and camping in the Alps."
    provider.reply_with(decide("replace"))
    (outcome,) = write(merging, newer)
    memory = Memory.objects.get()
    assert (outcome.action, memory.pk, memory.content) == (Action.UPDATED, old.pk, newer)
    assert memory.revisions.get().reason == "replaced"


def test_keep_both_decision_keeps_both(
    merging: Instance, old: Memory, provider: ScriptedProvider
) -> None:
    assert plain_action(merging, "The user enjoys hiking in the Alps in winter.") is Action.UPDATED
    provider.reply_with(decide("keep_both", known=None))
    (outcome,) = write(merging, "The user enjoys hiking in the Alps in winter.")
    assert outcome.action is Action.STORED
    assert Memory.objects.count() == 2


def test_one_call_decides_a_whole_batch(merging: Instance, provider: ScriptedProvider) -> None:
    write(merging, OLD, "The user plays the cello in an orchestra.", "The user was born in Oslo.")
    assert provider.requests == [], "the model was called without similar facts"
    provider.reply_with(decide("keep_both", known=None))
    write(
        merging,
        "The user plays the cello in a big orchestra.",
        NEW,
        "The user grows tomatoes.",
        OLD,
    )
    (request,) = provider.requests
    asked = request.body["messages"][-1]["content"]
    assert re.findall(r"^NEW (\d+)", asked, re.MULTILINE) == ["0", "1"]
    assert json.dumps(OLD) in asked


@pytest.mark.parametrize(
    "answer",
    [
        "I would merge them.",
        {"decisions": []},
        {"decisions": ["merge", None, {"new": "0"}, {"new": 7, "decision": "merge"}]},
        {"decisions": [{"new": 0, "decision": "shred", "known": 1, "text": BOTH}]},
        {"decisions": [{"new": 0, "decision": "merge", "known": 9, "text": BOTH}]},
        {"decisions": [{"new": 0, "decision": "replace", "known": None, "text": ""}]},
        {"decisions": [{"new": 0, "decision": "merge", "known": 1, "text": ""}]},
        {"decisions": [{"new": 0, "decision": "merge", "known": 1, "text": "x" * 5000}]},
        # Merged texts that lose a detail or add one.
        {"decisions": [{"new": 0, "decision": "merge", "known": 1, "text": OLD}]},
        {
            "decisions": [
                {"new": 0, "decision": "merge", "known": 1, "text": f"{NEW} It was in 2019."}
            ]
        },
    ],
)
def test_invalid_answer_falls_back_to_the_default_decision(
    merging: Instance, old: Memory, provider: ScriptedProvider, answer: object
) -> None:
    expected = plain_action(merging, NEW)
    provider.reply_with(answer)
    (outcome,) = write(merging, NEW)
    assert (outcome.action, outcome.memory.content) == (expected, NEW)
    assert expected is Action.STORED
    assert Usage.objects.filter(source="memory_merge").count() == 1


@pytest.mark.parametrize("fault", ["500", "429", "half_content", "drop", "refusal"])
def test_model_failure_does_not_fail_the_write(
    merging: Instance, old: Memory, provider: ScriptedProvider, fault: str
) -> None:
    provider.fail_next(fault)
    (outcome,) = write(merging, NEW)
    assert outcome.action is Action.STORED
    assert Usage.objects.get(source="memory_merge").error


def test_model_is_not_called_without_need(
    merging: Instance, old: Memory, provider: ScriptedProvider
) -> None:
    write(merging, OLD)  # identical
    write(merging, "Ana enjoys hiking in the Alps.")  # about another person
    write(merging, NEW, end_user="bob")  # of another end user
    write(merging, NEW, external_id="m-1")  # known by an id
    merging.monthly_cap = 0
    merging.save()
    write(merging, "The user enjoys hiking in the high Alps.")
    merging.monthly_cap, merging.merge_with_model = None, False
    merging.save()
    write(merging, "The user enjoys hiking in the low Alps.")
    assert provider.requests == []


@pytest.mark.parametrize("decision", ["merge", "replace"])
def test_decision_is_discarded_if_the_memory_has_changed(
    merging: Instance, old: Memory, provider: ScriptedProvider, decision: str
) -> None:
    provider.reply_with(decide(decision, text=BOTH))
    candidate = Candidate(NEW, importance=6)
    vectors = embed(merging, [NEW], about=())
    assert vectors.vectors is not None
    plan = Plan(attributed(candidate, WRITER), uuid4(), vectors.space, vectors.vectors[0])
    judge(merging, [plan])
    assert plan.judgement and plan.judgement.existing_id == old.pk

    revise(old, Changes("The user keeps bees.", "fact", 4), by=Actor())
    (outcome,) = store(merging, [plan], WRITER)
    assert (outcome.memory.content, outcome.action) == (NEW, Action.STORED)
    assert Memory.objects.get(pk=old.pk).content == "The user keeps bees."


def test_second_merge_into_one_memory_is_decided_again(
    merging: Instance, old: Memory, provider: ScriptedProvider
) -> None:
    provider.reply_with(decide("merge", text=BOTH))
    write(merging, NEW, "The user enjoys hiking in the Alps in winter with Ana.")
    said = [MemoryRevision.objects.filter(reason="merged").count(), Memory.objects.count()]
    assert said[0] == 1
    texts = {*Memory.objects.values_list("content", flat=True)} | {
        *MemoryRevision.objects.values_list("content", flat=True)
    }
    assert "The user enjoys hiking in the Alps in winter with Ana." in texts


def test_keeping_both_undoes_the_merge_exactly(
    merging: Instance,
    old: Memory,
    provider: ScriptedProvider,
    conversation: Conversation,
    alice: User,
) -> None:
    before = Memory.objects.filter(pk=old.pk).values().get()
    vector = old.embeddings.get().embedding
    message = conversation.messages.all()[0]
    provider.reply_with(decide("merge", text=BOTH))
    said: dict[str, Any] = {"conversation_id": conversation.pk, "message_id": message.pk}
    write(merging, NEW, tags=["friends"], category="preference", confidence=80, **said)
    revision = MemoryRevision.objects.get()

    was, new = keep_both(revision, by=Actor(alice))
    assert Memory.objects.filter(pk=old.pk).values().get() == before
    assert was.embeddings.get().embedding == vector
    assert not MemoryRevision.objects.exists()
    assert (new.content, new.category, new.importance) == (NEW, "preference", 6)
    assert (new.tags, new.confidence, new.origin) == (["friends"], 80, "conversation")
    assert (new.created_at, new.assessed) == (revision.replaced_at, True)
    assert new.embeddings.count() == 1
    assert {s.memory_id: s.action for s in MemorySource.objects.filter(message=message)} == {
        old.pk: "undone",
        new.pk: "stored_new",
    }
    assert set(Activity.objects.values_list("action", flat=True)[:2]) == {"created", "undone"}

    # Reading the message again does not redo the merge.
    (again,) = write(merging, NEW, **said)
    assert (again.action, again.memory) == (Action.DUPLICATE, new)


def test_both_can_be_kept_only_for_the_latest_change_from_a_message(
    instance: Instance, alice: User
) -> None:
    write(instance, "The user has three cats.")
    (outcome,) = write(instance, "The user has four cats.")
    assert outcome.action is Action.UPDATED
    revision = MemoryRevision.objects.get()
    keep_both(revision, by=Actor(alice))
    assert sorted(Memory.objects.values_list("content", flat=True)) == [
        "The user has four cats.",
        "The user has three cats.",
    ]
    with pytest.raises(NotTheNewest):
        keep_both(revision, by=Actor(alice))
    assert Memory.objects.count() == 2


def test_merge_can_be_undone(
    merging: Instance, old: Memory, provider: ScriptedProvider, alice: User
) -> None:
    before = Memory.objects.filter(pk=old.pk).values().get()
    provider.reply_with(decide("merge", text=BOTH))
    write(merging, NEW)
    undo(MemoryRevision.objects.get(), by=Actor(alice))
    assert Memory.objects.values().get() == before


@pytest.mark.parametrize(
    ("merged", "keeps"),
    [
        ("Ana has 3 cats and 2 dogs.", True),
        ("Ana has three cats and two dogs.", True),
        ("Ana has cats and dogs.", False),
        ("Ana has 3 cats, 2 dogs and 7 birds.", False),
        ("Ana has 3 cats and 2 dogs in Rome.", False),
        ("She has 3 cats and 2 dogs.", False),
        ("Ana does not have 3 cats and 2 dogs.", False),
    ],
)
def test_merge_keeps_all_details_and_adds_none(merged: str, keeps: bool) -> None:
    assert keeps_particulars(merged, "Ana has 3 cats.", "Ana has 2 dogs.") is keeps


def test_merge_keeps_negations() -> None:
    texts = "The user eats no meat.", "The user never eats fish."
    assert keeps_particulars("The user eats no meat and never fish.", *texts)
    assert keeps_particulars("The user eats no meat or fish.", *texts)
    assert not keeps_particulars("The user eats meat and fish.", *texts)


def test_merge_keeps_the_part_of_the_day() -> None:
    texts = "Ana prefers calls in the morning.", "Ana likes her calls in the mornings."
    assert keeps_particulars("Ana likes to have her calls in the mornings.", *texts)
    assert not keeps_particulars("Ana likes to have her calls.", *texts)
    assert not keeps_particulars("Ana likes to have her calls in the evening.", *texts)
