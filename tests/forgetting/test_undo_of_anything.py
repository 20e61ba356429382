"""Property test: undoing any changes in reverse order restores the initial state."""

import re
from collections import Counter
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.forgetting.deletion import forget, forget_undoably
from memoryapp.forgetting.undo_buffer import restore_deleted
from memoryapp.models import (
    Memory,
    MemoryEmbedding,
    MemoryRevision,
    MemorySource,
    Origin,
    RevisionEmbedding,
)
from memoryapp.pipeline import Candidate, Changes, Writer, remember, restore, revise, undo
from memoryapp.pipeline.suppression import Suppressed
from memoryapp.policy.dedup import Action
from tests.provider_fixtures import read_with
from tests.scripted_provider import Request, ScriptedProvider

Undo = Callable[[], object]

#: Some of these texts are versions of each other.
SENTENCES = [
    "The user has three cats.",
    "The user has four cats.",
    "The user has 5 cats.",
    "The user lives in Oslo.",
    "The user lives in Bergen.",
    "由紀子は京都に住んでいる。",
]
WRITER = Writer(
    Origin.CONVERSATION, Actor(via="extraction"), reason=MemoryRevision.Reason.EXTRACTED
)

fields = st.fixed_dictionaries(
    {
        "category": st.sampled_from(["general", "fact", "event"]),
        "importance": st.integers(1, 10),
        "tags": st.lists(st.sampled_from(["a", "b", "c"]), unique=True),
        "valid_until": st.none() | st.dates(date(2026, 1, 1), date(2030, 1, 1)),
    }
)
which = st.integers(0, 9)
steps = st.one_of(
    st.tuples(st.just("edit"), which, st.sampled_from(SENTENCES), fields),
    st.tuples(
        st.just("say"), st.none() | which, st.sampled_from(SENTENCES), fields, st.none() | which
    ),
    st.tuples(st.just("restore"), which),
    st.tuples(st.just("delete"), st.sets(which, min_size=1, max_size=4)),
)

_fields = {"category": "fact", "importance": 7, "tags": ["a"], "valid_until": date(2027, 1, 1)}
#: Steps that are always included: merge, new memory, edit, restore and deletion.
ONE_OF_EACH = [
    ("say", 0, SENTENCES[1], _fields, None),
    ("say", None, SENTENCES[5], _fields, 3),
    ("edit", 1, SENTENCES[4], _fields),
    ("restore", 0),
    ("delete", {0, 1}),
]


def everything() -> dict[str, Any]:
    """Return everything stored: vectors without row ids, source links without those that are kept
    as a record of undone changes, and memories without the date of their last repetition.
    """
    links = MemorySource.objects.exclude(action="undone")
    return {
        "memories": _rows(Memory),
        "revisions": _rows(MemoryRevision),
        "links": sorted(links.values_list("memory", "via", "action", "created_at")),
        "vectors": sorted(MemoryEmbedding.objects.values_list("memory", "space", "embedding")),
        "old vectors": sorted(
            RevisionEmbedding.objects.values_list("revision", "space", "embedding")
        ),
    }


def _rows(model: type[Memory] | type[MemoryRevision]) -> list[dict[str, Any]]:
    columns = [field.name for field in model._meta.concrete_fields if field.name != "said_at"]
    return list(model._default_manager.order_by("pk").values(*columns))


def take(step: Any, instance: Instance, said: list[Message], user: User) -> Undo | None:
    """Carry out a step and return its undo; None if it changed nothing."""
    memories = list(Memory.objects.order_by("pk"))
    if step[0] == "edit" and memories:
        outcome = revise(
            memories[step[1] % len(memories)], Changes(step[2], **step[3]), by=Actor(user)
        )
    elif step[0] == "say":
        message = None if step[1] is None else said[step[1] % len(said)]
        candidate = Candidate(
            step[2],
            **step[3],
            confidence=None if step[4] is None else 10 * step[4],
            conversation_id=message.conversation_id if message else None,
            message_id=message.pk if message else None,
        )
        before = MemorySource.objects.count()
        try:
            (outcome,) = remember(instance, [candidate], WRITER)
        except Suppressed:
            return None  # Deleted memories are not relearned from the same message.
        if outcome.action is Action.DUPLICATE and MemorySource.objects.count() > before:
            # Nothing changed; the additional source link is not undone.
            MemorySource.objects.latest("pk").delete()
    elif step[0] == "restore" and (revisions := list(MemoryRevision.objects.order_by("pk"))):
        outcome = restore(revisions[step[1] % len(revisions)], by=Actor(user))
    elif step[0] == "delete" and memories:
        chosen = {memories[number % len(memories)].pk for number in step[1]}
        forgotten = forget_undoably(instance, Memory.objects.filter(pk__in=chosen), by=user)
        assert forgotten.undo_token
        undo_token = forgotten.undo_token
        return lambda: restore_deleted(undo_token, instance, user)
    else:
        return None
    pk = outcome.memory.pk
    if outcome.action is Action.UPDATED:
        return lambda: undo(MemoryRevision.objects.filter(memory=pk)[0], by=Actor(user))
    if outcome.action is Action.STORED:
        return lambda: forget(instance, Memory.objects.filter(pk=pk), by=Actor(user))
    return None


def merges(request: Request) -> Any:
    """Merge half of the new statements with the nearest known one, let a quarter replace it, and
    keep the others separate; the length decides, so that answers are deterministic.
    """
    asked = request["messages"][-1]["content"]
    decisions = []
    for number, new, known in re.findall(r'^NEW (\d+): "(.*)"\n  KNOWN 1: "(.*)"', asked, re.M):
        decision = ["merge", "replace", "merge", "keep_both"][len(known) % 4]
        text = f"{known} {new}" if decision == "merge" else ""
        decisions.append({"new": int(number), "decision": decision, "known": 1, "text": text})
    return {"decisions": decisions}


@pytest.mark.parametrize("examples", [15, pytest.param(60, marks=pytest.mark.soak)])
@pytest.mark.parametrize("by_model", [False, True])
def test_undoing_any_changes_in_reverse_restores_the_initial_state(
    instance: Instance,
    conversation: Conversation,
    alice: User,
    provider: ScriptedProvider,
    by_model: bool,
    examples: int,
) -> None:
    if by_model:
        read_with(provider, instance)
        provider.reply_with(merges)
        instance.merge_with_model = True
        instance.dedup_merge = 0.5
        instance.save()
    said = list(conversation.messages.all())
    taken_back: Counter[str] = Counter()

    @settings(max_examples=examples, suppress_health_check=[HealthCheck.too_slow])
    @given(plan=st.lists(steps, max_size=8))
    @example(plan=ONE_OF_EACH)
    def undone_in_reverse(plan: list[Any]) -> None:
        with transaction.atomic():
            remember(instance, [Candidate(SENTENCES[0]), Candidate(SENTENCES[3])], WRITER)
            done: list[tuple[str, dict[str, Any], Undo]] = []
            for step in plan:
                before = everything()
                take_back = take(step, instance, said, alice)
                if take_back is None:
                    assert everything() == before
                else:
                    done.append((kind_of(step, before), before, take_back))
            for kind, before, take_back in reversed(done):
                take_back()
                assert everything() == before
                taken_back[kind] += 1
            transaction.set_rollback(True)

    undone_in_reverse()
    # Each kind of step occurred.
    merge = "merge by model" if by_model else "merge"
    assert {"edit", "new", merge, "restore", "delete"} <= taken_back.keys(), taken_back


def kind_of(step: Any, before: dict[str, Any]) -> str:
    """Return the kind of a step that changed something."""
    if step[0] != "say":
        return str(step[0])
    if Memory.objects.count() > len(before["memories"]):
        return "new"
    newest = MemoryRevision.objects.latest("pk")
    return "merge by model" if newest.by_model else "merge"
