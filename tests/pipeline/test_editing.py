"""Manual edits of a memory, and their undo."""

from collections.abc import Callable
from datetime import date

import numpy as np
import pytest

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import Activity, Memory, MemoryRevision
from memoryapp.pipeline import Changes, Rejected, restore, revise
from memoryapp.policy.dedup import Action
from memoryapp.providers.builtin_embedder import BuiltinEmbedder
from tests.provider_fixtures import embed_with
from tests.scripted_provider import ScriptedProvider


@pytest.fixture
def memory(store_memory: Callable[..., Memory]) -> Memory:
    return store_memory(
        "The user has a dog named Rex.", category="fact", importance=4, tags=["pets"]
    )


def cosine_to(memory: Memory, text: str) -> float:
    stored = np.array(memory.embeddings.get().embedding)
    return float(stored @ BuiltinEmbedder().embed([text]).vectors[0])


def test_edit_keeps_the_previous_text(memory: Memory, alice: User) -> None:
    changes = Changes("The user has a cat named Rex.", "general", 6, ["Cats"], date(2031, 2, 3))
    outcome = revise(memory, changes, by=Actor(alice))
    assert (outcome.action, outcome.problem) == (Action.UPDATED, "")

    corrected = Memory.objects.get()
    assert corrected.pk == memory.pk
    assert (corrected.content, corrected.category) == ("The user has a cat named Rex.", "general")
    assert (corrected.importance, corrected.tags) == (6, ["cats"])
    assert (corrected.valid_until, corrected.assessed) == (date(2031, 2, 3), True)
    assert corrected.created_at == memory.created_at
    assert cosine_to(corrected, corrected.content) > 0.999

    revision = MemoryRevision.objects.get()
    assert (revision.content, revision.category) == (memory.content, "fact")
    assert (revision.importance, revision.tags, revision.valid_until) == (4, ["pets"], None)
    assert (revision.reason, revision.by) == ("edited", alice)
    assert (revision.valid_from, revision.replaced_at) == (memory.updated_at, corrected.updated_at)


def test_activity_names_the_editor_without_the_text(memory: Memory, alice: User) -> None:
    revise(memory, Changes("The user has a cat.", "fact", 4), by=Actor(alice))
    line = Activity.objects.order_by("-pk").values()[0]
    assert (line["action"], line["by_id"], line["memory_id"]) == ("updated", alice.pk, memory.pk)
    assert "cat" not in str(line)


def test_unchanged_text_makes_no_call(instance: Instance, provider: ScriptedProvider) -> None:
    embed_with(provider, instance)
    memory = Memory.objects.create(instance=instance, content="The user likes tea.")
    revise(memory, Changes(memory.content, "preference", 8), by=Actor())
    assert provider.requests == []
    memory.refresh_from_db()
    assert (memory.category, memory.importance) == ("preference", 8)


def test_unchanged_text_keeps_its_vector(memory: Memory) -> None:
    revise(memory, Changes(memory.content, "preference", 8), by=Actor())
    assert cosine_to(memory, memory.content) > 0.999


def test_changed_text_without_a_vector_drops_old_vectors(
    instance: Instance, memory: Memory, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    provider.fail_next("500", None)
    memory = Memory.objects.get()
    outcome = revise(memory, Changes("The user has a cat.", "fact", 4), by=Actor())
    assert "failed (500)" in outcome.problem
    assert not memory.embeddings.exists()


def test_concurrently_changed_text_does_not_keep_its_vector(memory: Memory) -> None:
    as_the_form_saw_it = Memory.objects.get()
    revise(memory, Changes("The user plays the cello.", "fact", 4), by=Actor())
    revise(as_the_form_saw_it, Changes(as_the_form_saw_it.content, "fact", 9), by=Actor())
    memory = Memory.objects.get()
    assert memory.content == "The user has a dog named Rex."
    assert not memory.embeddings.exists() or cosine_to(memory, memory.content) > 0.999
    assert [r.content for r in memory.revisions.all()] == [
        "The user plays the cello.",
        "The user has a dog named Rex.",
    ]


@pytest.mark.parametrize("content", ["", " \n", "\x00"])
def test_edit_requires_text(memory: Memory, content: str) -> None:
    with pytest.raises(Rejected):
        revise(memory, Changes(content, "fact", 4), by=Actor())
    assert Memory.objects.get().content == "The user has a dog named Rex."
    assert not MemoryRevision.objects.exists()


def test_revision_can_be_restored_and_the_restore_undone(memory: Memory, bob: User) -> None:
    revise(memory, Changes("The user has a cat.", "general", 6), by=Actor())
    outcome = restore(MemoryRevision.objects.get(), by=Actor(bob))
    restored = Memory.objects.get()
    assert outcome.memory == restored
    assert (restored.content, restored.category) == ("The user has a dog named Rex.", "fact")
    assert (restored.importance, restored.tags) == (4, ["pets"])
    assert cosine_to(restored, restored.content) > 0.999

    latest = MemoryRevision.objects.all()[0]
    assert (latest.content, latest.reason, latest.by) == ("The user has a cat.", "restored", bob)
    assert Activity.objects.all()[0].action == "restored"
    restore(latest, by=Actor(bob))
    assert Memory.objects.get().content == "The user has a cat."


def test_unchanged_edit_creates_no_revision(
    store_memory: Callable[..., Memory], alice: User
) -> None:
    memory = store_memory("The user keeps bees.", category="fact", importance=4, tags=["hobby"])
    same = Changes("The user  keeps bees.", "fact", 4, ["Hobby"])
    assert revise(memory, same, by=Actor(alice)).action is Action.DUPLICATE
    assert not MemoryRevision.objects.exists()
