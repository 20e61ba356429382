"""The write path: outcomes of candidates, and their records."""

from datetime import date, timedelta

import numpy as np
import pytest
from django.db import IntegrityError, InternalError
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import (
    Activity,
    EmbeddingSpace,
    Memory,
    MemoryEmbedding,
    MemoryRevision,
    MemorySource,
    Origin,
    Usage,
)
from memoryapp.pipeline import Candidate, Outcome, Rejected, Writer, remember
from memoryapp.policy.dedup import Action
from memoryapp.providers.builtin_embedder import SPACE, BuiltinEmbedder
from memoryapp.recall import recall
from tests.provider_fixtures import embed_with
from tests.scripted_provider import ScriptedProvider

WRITER = Writer(Origin.MANUAL, Actor(via="test"))


def save(instance: Instance, content: str, **kwargs: object) -> Outcome:
    (outcome,) = remember(instance, [Candidate(content, **kwargs)], WRITER)  # type: ignore[arg-type]
    return outcome


def cosine_to(memory: Memory, text: str) -> float:
    """Return the similarity of the stored vector of *memory* to the built-in vector of *text*."""
    stored = np.array(memory.embeddings.get().embedding)
    return float(stored @ BuiltinEmbedder().embed([text]).vectors[0])


def rows() -> dict[str, int]:
    models = [Memory, MemoryEmbedding, MemoryRevision, MemorySource, Activity]
    return {model.__name__: model._default_manager.count() for model in models}


def test_new_fact_is_stored_with_a_vector(instance: Instance) -> None:
    outcome = save(
        instance,
        "The user is allergic to peanuts.",
        category="fact",
        importance=9,
        tags=["Health", "allergy"],
        valid_until=date(2030, 1, 1),
        end_user="alice",
        confidence=80,
    )
    memory = Memory.objects.get()
    assert (outcome.action, outcome.memory, outcome.problem) == (Action.STORED, memory, "")
    assert memory.content == "The user is allergic to peanuts."
    assert (memory.category, memory.importance, memory.end_user) == ("fact", 9, "alice")
    assert (memory.tags, memory.confidence) == (["health", "allergy"], 80)
    assert (memory.valid_until, memory.assessed) == (date(2030, 1, 1), True)
    assert memory.embeddings.get().space.name == SPACE
    assert cosine_to(memory, memory.content) > 0.999


def test_unassessed_memory_gets_marked_defaults(instance: Instance) -> None:
    memory = save(instance, "The user has a thermos.").memory
    assert (memory.importance, memory.category, memory.assessed) == (5, "general", False)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The user has three cats.", "The user has four cats."),
        ("The user is allergic to nuts.", "The user is not allergic to nuts."),
        ("The user lives in Rome.", "The user lives in Paris."),
    ],
)
def test_changed_fact_is_a_new_version(instance: Instance, alice: User, old: str, new: str) -> None:
    first = save(instance, old, importance=7, tags=["a"]).memory
    yesterday = timezone.now() - timedelta(days=1)
    Memory.objects.update(created_at=yesterday, updated_at=yesterday)
    writer = Writer(Origin.MANUAL, Actor(alice, "test"))
    (outcome,) = remember(instance, [Candidate(new, category="fact")], writer)

    memory = Memory.objects.get()
    assert (outcome.action, outcome.memory.pk, memory.pk) == (Action.UPDATED, first.pk, first.pk)
    assert (memory.content, memory.category) == (new, "fact")
    assert (memory.importance, memory.tags) == (7, ["a"]), (
        "a value without a new assessment changed"
    )
    assert memory.created_at == yesterday
    assert memory.updated_at > yesterday
    assert cosine_to(memory, new) > 0.999

    revision = MemoryRevision.objects.get()
    assert (revision.memory_id, revision.content, revision.importance) == (memory.pk, old, 7)
    assert (revision.valid_from, revision.replaced_at) == (yesterday, memory.updated_at)
    assert (revision.by, revision.reason) == (alice, "saved")


@pytest.mark.parametrize("again", ["The user has three cats.", "The user has 3 cats."])
def test_repeated_fact_writes_nothing(instance: Instance, again: str) -> None:
    memory = save(instance, "The user has three cats.").memory
    before = rows()
    outcome = save(instance, again, category="event", importance=1)
    assert (outcome.action, outcome.memory.pk) == (Action.DUPLICATE, memory.pk)
    assert rows() == before
    unchanged = Memory.objects.get()
    assert (unchanged.content, unchanged.category) == (memory.content, memory.category)
    assert unchanged.updated_at == memory.updated_at


def test_thresholds_of_the_instance_apply(instance: Instance) -> None:
    instance.dedup_update = instance.dedup_exact = 1.0
    instance.save()
    texts = ["The user has a cat.", "The user owns a cat.", "The user owns a cat!"]
    actions = [save(instance, text).action for text in texts]
    assert actions == [Action.STORED, Action.STORED, Action.DUPLICATE]


def test_same_fact_twice_in_one_batch_is_one_row(instance: Instance) -> None:
    first, second = remember(instance, [Candidate("The user likes tea.")] * 2, WRITER)
    assert (first.action, second.action) == (Action.STORED, Action.DUPLICATE)
    assert first.memory == second.memory == Memory.objects.get()


def test_same_fact_about_two_people_is_two_rows(instance: Instance) -> None:
    for person in ("alice", "bob", ""):
        assert save(instance, "The user likes tea.", end_user=person).action is Action.STORED
        assert save(instance, "The user likes tea.", end_user=person).action is Action.DUPLICATE
    assert sorted(Memory.objects.values_list("end_user", flat=True)) == ["", "alice", "bob"]


def test_changed_fact_about_one_person_keeps_the_others(instance: Instance) -> None:
    for person in ("alice", "bob"):
        save(instance, "The user has three cats.", end_user=person)
    save(instance, "The user has four cats.", end_user="bob")
    assert Memory.objects.get(end_user="alice").content == "The user has three cats."


def test_same_fact_in_two_instances_is_two_rows(instance: Instance, private: Instance) -> None:
    for where in (instance, private):
        assert save(where, "The user has three cats.").action is Action.STORED
    assert save(private, "The user has four cats.").action is Action.UPDATED
    assert instance.memories.get().content == "The user has three cats."
    assert MemoryEmbedding.objects.filter(instance=instance).count() == 1


@pytest.mark.parametrize("content", ["", "  \n ", "\x00"])
def test_candidate_without_text_rejects_the_batch(instance: Instance, content: str) -> None:
    with pytest.raises(Rejected):
        remember(instance, [Candidate("The user likes tea."), Candidate(content)], WRITER)
    assert not Memory.objects.exists()


def test_text_and_tags_are_sanitized(instance: Instance) -> None:
    memory = save(
        instance,
        "  The user\x00 likes\n green\ud83d tea. ",
        tags=["Tea ", "tea", "", "a\x00b", *map(str, range(20))],
    ).memory
    memory.refresh_from_db()
    assert memory.content == "The user likes green� tea."
    assert memory.tags[:3] == ["tea", "ab", "0"]
    assert len(memory.tags) == 12


def test_hidden_characters_are_removed(instance: Instance) -> None:
    memory = save(
        instance,
        "The user pays \u202eecila\u202c and likes te\u200ba\U000e006f\U000e0062 ❤️.",
        tags=["te\u200ba"],
        key="home\u200b_city",
        value="Ly\u2060on",
    ).memory
    memory.refresh_from_db()
    assert memory.content == "The user pays ecila and likes tea ❤️."
    assert (memory.tags, memory.key, memory.value) == (["tea"], "home_city", "Lyon")


def test_empty_batch_is_accepted(instance: Instance) -> None:
    assert remember(instance, [], WRITER) == []


# Records


def test_activity_names_actor_and_action_without_the_text(instance: Instance, alice: User) -> None:
    writer = Writer(Origin.MANUAL, Actor(alice))
    texts = ["The user has three cats.", "The user has four cats.", "The user has four cats."]
    for text in texts:
        remember(instance, [Candidate(text, tags=["secretive"])], writer)
    lines = list(Activity.objects.order_by("pk").values())
    assert [line["action"] for line in lines] == ["created", "updated"]
    assert {(line["by_id"], line["via"]) for line in lines} == {(alice.pk, "screen")}
    assert {line["memory_id"] for line in lines} == {Memory.objects.get().pk}
    assert "cats" not in str(lines)
    assert "secretive" not in str(lines)


def test_each_source_message_is_linked_once(instance: Instance, conversation: Conversation) -> None:
    said = append(conversation, [NewMessage("user", f"message {n}") for n in range(3)]).added
    texts = ["The user has three cats.", "The user has 3 cats.", "The user has four cats."]
    for _ in range(2):
        for message, text in zip(said, texts, strict=True):
            save(instance, text, conversation_id=conversation.pk, message_id=message.pk)
    assert list(MemorySource.objects.values_list("message_id", "action", "memory")) == [
        (said[0].pk, "stored_new", Memory.objects.get().pk),
        (said[1].pk, "duplicate_exact", Memory.objects.get().pk),
        (said[2].pk, "updated_existing", Memory.objects.get().pk),
    ]


def test_message_of_another_conversation_is_not_linked(
    instance: Instance, conversation: Conversation
) -> None:
    other = Conversation.objects.create(instance=instance)
    stranger = append(other, [NewMessage("user", "hello")]).added[0]
    save(instance, "The user likes tea.", conversation_id=conversation.pk, message_id=stranger.pk)
    source = MemorySource.objects.get()
    assert (source.conversation, source.message) == (conversation, None)


@pytest.mark.django_db(transaction=True)
def test_conversation_of_another_instance_is_rejected_as_source(
    conversation: Conversation, private: Instance
) -> None:
    # It is checked at the commit, at which Citus says no more than that a shard refuses.
    with pytest.raises((IntegrityError, InternalError)):
        save(private, "The user likes tea.", conversation_id=conversation.pk)
    assert not Memory.objects.exists()


# All or nothing


def test_failure_in_the_same_transaction_rolls_back_everything(
    instance: Instance, conversation: Conversation
) -> None:
    save(instance, "The user has three cats.")
    before = rows()

    def fail(outcomes: list[Outcome]) -> None:
        assert [outcome.action for outcome in outcomes] == [Action.UPDATED, Action.STORED]
        assert rows() != before
        raise RuntimeError("too late")

    candidates = [
        Candidate("The user has four cats.", conversation_id=conversation.pk),
        Candidate("The user plays the cello."),
    ]
    with pytest.raises(RuntimeError, match="too late"):
        remember(instance, candidates, WRITER, in_same_transaction=fail)
    assert rows() == before
    memory = Memory.objects.get()
    assert memory.content == "The user has three cats."
    assert cosine_to(memory, memory.content) > 0.999


# Providers


@pytest.mark.parametrize("dimensions", [384, 768, 1536])
def test_vectors_of_all_common_dimensions_are_stored_and_found(
    instance: Instance, provider: ScriptedProvider, dimensions: int
) -> None:
    provider.dimensions = dimensions
    embed_with(provider, instance)
    facts = ["The user plays the cello.", "The user collects stamps.", "The user has a sister."]
    assert {save(instance, fact).problem for fact in facts} == {""}
    assert save(instance, "The user plays the cello!").action is Action.DUPLICATE

    instance.refresh_from_db()
    assert instance.embedding_dimensions == dimensions
    assert EmbeddingSpace.objects.get().name.endswith(f"/words/{dimensions}")
    hit = recall(instance, "collecting stamps").hits[0]
    assert (hit.content, hit.ranks["meaning"]) == ("The user collects stamps.", 1)


@pytest.mark.parametrize("fault", ["500", "429", "401", "drop", "html", "nan", "too_few"])
def test_memory_is_stored_without_a_vector(
    instance: Instance, provider: ScriptedProvider, fault: str
) -> None:
    embed_with(provider, instance)
    provider.fail_next(fault, None, "embeddings")
    outcome = save(instance, "The user plays the cello.")
    assert (outcome.action, bool(outcome.problem)) == (Action.STORED, True)
    assert not MemoryEmbedding.objects.exists()
    assert Usage.objects.get().error == outcome.problem
    assert save(instance, "the user plays the cello.").action is Action.DUPLICATE
    assert [hit.content for hit in recall(instance, "cello").hits] == ["The user plays the cello."]


def test_changed_fact_without_vectors_overwrites_nothing(
    instance: Instance, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    save(instance, "The user has three cats.")
    provider.fail_next("500", None, "embeddings")
    assert save(instance, "The user has four cats.").action is Action.STORED
    assert Memory.objects.count() == 2


def test_missing_provider_is_reported(instance: Instance) -> None:
    instance.embedding_provider = "openai"
    instance.save()
    outcome = save(instance, "The user plays the cello.")
    problem = "The embedding model text-embedding-3-small (OpenAI) needs an API key."
    assert outcome.problem == problem
    assert not Usage.objects.exists()


def test_calls_are_recorded_in_the_usage(instance: Instance, provider: ScriptedProvider) -> None:
    embed_with(provider, instance)
    remember(instance, [Candidate("The user plays the cello."), Candidate("Tea.")], WRITER)
    usage = Usage.objects.get()
    assert (usage.source, usage.prompt_tokens, usage.error) == ("memory_embed", 6, "")
    assert provider.count("embeddings") == 1, "more than one call for all candidates"


def test_changed_dimension_of_a_model_is_an_error(
    instance: Instance, provider: ScriptedProvider
) -> None:
    embed_with(provider, instance)
    save(instance, "The user plays the cello.")
    provider.fail_next("wrong_dimension", None, "embeddings")
    assert "1,535 dimensions" in save(instance, "The user collects stamps.").problem
    assert EmbeddingSpace.objects.count() == 1
