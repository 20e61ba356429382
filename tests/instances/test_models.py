"""Database constraints, which hold whatever code writes."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from pgvector import HalfVector

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Import, Message
from instances.models import Agent, Instance, Membership, Secret, User
from memoryapp.models import (
    Activity,
    Answer,
    EmbeddingJob,
    EmbeddingSpace,
    Memory,
    MemoryEmbedding,
    MemoryRevision,
    MemorySource,
    Run,
    Usage,
)


@pytest.fixture
def other(dana: User) -> Instance:
    """Another instance, whose rows must not be referenced."""
    return Instance.objects.create(slug="other", name="Other")


def assert_rejected(write: Callable[[], object], constraint: str) -> None:
    """Assert that *write* violates *constraint*, maybe that of a partition."""
    name = rf'"{constraint}(_\d+_of_\d+)?"'
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        write()
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def assert_accepted(write: Callable[[], object]) -> None:
    with transaction.atomic():
        write()
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def insert(model: type[Any], /, **values: Any) -> Callable[[], object]:
    """An INSERT that bypasses forms and model methods."""
    return lambda: model.objects.bulk_create([model(**values)])


MEMORY = {"content": "The user keeps bees.", "category": "fact", "importance": 5}


def test_valid_rows_are_accepted(instance: Instance) -> None:
    assert_accepted(insert(Memory, instance=instance, **MEMORY))
    assert_accepted(
        insert(Memory, instance=instance, **MEMORY | {"importance": 1, "confidence": 0})
    )
    assert_accepted(
        insert(Memory, instance=instance, **MEMORY | {"importance": 10, "confidence": 100})
    )


@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        ({"category": "rumour"}, "memory_category"),
        ({"category": ""}, "memory_category"),
        ({"category": "Fact"}, "memory_category"),
        ({"importance": 0}, "memory_importance"),
        ({"importance": 11}, "memory_importance"),
        ({"importance": -1}, "memoryapp_memory_importance_check"),
        ({"origin": "telepathy"}, "memory_origin"),
        ({"content": ""}, "memory_content_not_empty"),
        ({"confidence": 101}, "memory_confidence"),
    ],
)
def test_memory_out_of_bounds_is_rejected(
    values: dict[str, Any], constraint: str, instance: Instance
) -> None:
    # PostgreSQL names one of the violated constraints; -1 violates both.
    either = constraint if values != {"importance": -1} else f"(memory_importance|{constraint})"
    assert_rejected(insert(Memory, instance=instance, **MEMORY | values), either)


def test_constraints_apply_to_raw_sql(instance: Instance) -> None:
    memory = Memory.objects.create(instance=instance, **MEMORY)

    def update(column: str, value: str | int) -> Callable[[], object]:
        def run() -> None:
            with connection.cursor() as cursor:
                sql = f"UPDATE memoryapp_memory SET {column} = %s WHERE id = %s"  # noqa: S608 - Own names.
                cursor.execute(sql, [value, memory.pk])

        return run

    assert_rejected(update("category", "rumour"), "memory_category")
    assert_rejected(update("importance", 11), "memory_importance")
    assert_accepted(update("importance", 10))


def test_references_to_another_instance_are_rejected(instance: Instance, other: Instance) -> None:
    def create_rows(owner: Instance) -> dict[str, Any]:
        conversation = Conversation.objects.create(instance=owner)
        message = append(conversation, [NewMessage("user", "I keep bees.")]).added[0]
        agent = Agent.objects.create(instance=owner, slug="a", name="A")
        memory = Memory.objects.create(instance=owner, **MEMORY)
        space = EmbeddingSpace.objects.create(instance=owner, name="other/3")
        return {
            "conversation": conversation,
            "message": message,
            "agent": agent,
            "memory": memory,
            "space": space,
            "former_space": space,
        }

    ours, theirs = create_rows(instance), create_rows(other)
    space = EmbeddingSpace.objects.create(instance=instance, name="any/3")
    vector = {"space": space, "embedding": HalfVector([1.0, 0.0, 0.0])}
    message_fields = {"role": "user", "content": "Me too.", "position": 2}
    done = {"kind": "fill_in", "state": "done"}

    for memory in (ours, theirs):
        for conversation in (ours, theirs):
            for message in (ours, theirs):
                source = insert(
                    MemorySource,
                    instance=instance,
                    memory=memory["memory"],
                    conversation=conversation["conversation"],
                    message=message["message"],
                )
                if theirs in (memory, conversation, message):
                    assert_rejected(source, r"memoryapp_memorysource_\w+_same_instance")
                else:
                    assert_accepted(source)
    links: list[tuple[type[Any], str, dict[str, Any], str]] = [
        (MemoryEmbedding, "memory", vector, "memoryapp_memoryembedding_memory_id_same_instance"),
        (Run, "conversation", {}, "memoryapp_run_conversation_id_same_instance"),
        (
            Message,
            "conversation",
            message_fields,
            "conversations_message_conversation_id_same_instance",
        ),
        (Conversation, "agent", {}, "conversations_conversation_agent_id_same_instance"),
        *(
            (EmbeddingJob, key, done, f"memoryapp_embeddingjob_{key}_id_same_instance")
            for key in ("space", "former_space")
        ),
    ]
    for theirs_among in ("conversation", "message", "reply", "replaces"):
        parts = {"conversation": ours["conversation"], "message": ours["message"]}
        key = "conversation" if theirs_among == "conversation" else "message"
        assert_rejected(
            insert(Answer, instance=instance, **parts | {theirs_among: theirs[key]}),
            f"memoryapp_answer_{theirs_among}_id_same_instance",
        )
    for model, key, values, constraint in links:
        assert_rejected(
            insert(model, instance=instance, **{key: theirs[key]}, **values), constraint
        )
        assert_accepted(insert(model, instance=instance, **{key: ours[key]}, **values))


def test_referenced_row_cannot_move_to_another_instance(
    instance: Instance, other: Instance, conversation: Conversation
) -> None:
    def move() -> None:
        Conversation.objects.filter(pk=conversation.pk).update(instance=other)

    assert_rejected(move, "conversations_message_conversation_id_same_instance")


def test_unknown_choices_are_rejected(instance: Instance, conversation: Conversation) -> None:
    memory = Memory.objects.create(instance=instance, **MEMORY)
    revision: dict[str, Any] = {
        "instance": instance,
        "memory": memory,
        "content": "x",
        "category": "fact",
        "importance": 5,
        "valid_from": timezone.now(),
        "reason": "edited",
    }
    message_fields = {"conversation": conversation, "content": "x", "position": 9, "role": "user"}
    message = conversation.messages.earliest("pk")
    at_home: dict[str, Any] = {"instance": instance}
    refusals: list[tuple[type[Any], dict[str, Any], str]] = [
        (Conversation, at_home | {"origin": "telepathy"}, "conversation_origin"),
        (Message, at_home | message_fields | {"role": "narrator"}, "message_role"),
        (Message, at_home | message_fields | {"position": 0}, "message_position_from_1"),
        (MemoryRevision, revision | {"category": "rumour"}, "revision_category"),
        (MemoryRevision, revision | {"importance": 11}, "revision_importance"),
        (Run, at_home | {"conversation": conversation, "state": "asleep"}, "run_state"),
        (
            Answer,
            at_home | {"conversation": conversation, "message": message, "state": "pondering"},
            "answer_state",
        ),
        (Activity, at_home | {"action": "hidden", "via": "x"}, "activity_action"),
        (Usage, at_home | {"source": "gossip", "model": "x"}, "usage_source"),
        (Import, at_home | {"filename": "x", "state": "lost"}, "import_state"),
        (EmbeddingJob, at_home | {"kind": "fill_in", "state": "lost"}, "embedding_job_state"),
        (EmbeddingJob, at_home | {"kind": "reembed"}, "embedding_job_target"),
        (Secret, at_home | {"name": "password", "token": "x"}, "secret_name"),
        (
            MemorySource,
            at_home | {"memory": memory, "conversation": conversation, "action": "guessed"},
            "source_action",
        ),
    ]
    for model, values, constraint in refusals:
        assert_rejected(insert(model, **values), constraint)


@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        ({"extract_when": "never"}, "instance_extract_when"),
        ({"provider": "oracle"}, "instance_provider"),
        ({"embedding_provider": "oracle"}, "instance_embedding_provider"),
        ({"language": "klingon"}, "instance_language"),
        ({"dedup_exact": 1.01}, "instance_dedup_thresholds"),
        ({"dedup_update": 0.49}, "instance_dedup_thresholds"),
        ({"dedup_exact": 0.8, "dedup_update": 0.9}, "instance_dedup_thresholds"),
        ({"dedup_merge": 0.49}, "instance_dedup_merge"),
        ({"dedup_merge": 0.99}, "instance_dedup_merge"),
        ({"top_k": 0}, "instance_top_k"),
        ({"top_k": 21}, "instance_top_k"),
        ({"stale_minutes": 0}, "instance_stale_minutes"),
        ({"stale_minutes": 1441}, "instance_stale_minutes"),
        ({"slug": "desk"}, r"instances_instance_slug_\w+"),
    ],
)
def test_settings_out_of_bounds_are_rejected(
    values: dict[str, Any], constraint: str, instance: Instance
) -> None:
    assert_rejected(insert(Instance, **{"slug": "new-one", "name": "New"} | values), constraint)


def test_duplicates_are_rejected(
    instance: Instance, alice: User, conversation: Conversation
) -> None:
    memory = Memory.objects.create(instance=instance, **MEMORY)
    space = EmbeddingSpace.objects.create(instance=instance, name="any/3")
    at_home: dict[str, Any] = {"instance": instance}
    source = at_home | {"memory": memory, "conversation": conversation}
    vector = at_home | {"memory": memory, "space": space, "embedding": HalfVector([1.0, 0.0])}
    message_fields = at_home | {"conversation": conversation, "role": "user", "content": "x"}
    for model, values, constraint in [
        (MemorySource, source, "source_once"),  # Also without a message
        (MemoryEmbedding, vector, "embedding_once_a_space"),
        (Agent, at_home | {"slug": "nora", "name": "Nora"}, "agent_slug_once"),
        (Secret, at_home | {"name": "chat_api_key", "token": "x"}, "secret_once"),
        (Message, message_fields | {"position": 7}, "message_position"),
        (Conversation, at_home | {"external_id": "mine"}, "conversation_external_id_once"),
        (Run, at_home | {"conversation": conversation, "state": "queued"}, "run_one_queued"),
        (Run, at_home | {"conversation": conversation, "state": "running"}, "run_one_running"),
        (
            Answer,
            at_home | {"conversation": conversation, "message": conversation.messages.first()},
            "answer_one_running",
        ),
        (EmbeddingJob, at_home | {"kind": "fill_in"}, "embedding_job_one_open"),
    ]:
        assert_accepted(insert(model, **values))
        assert_rejected(insert(model, **values), constraint)
    assert_accepted(insert(Message, **message_fields, position=8, external_id="mine"))
    again = insert(Message, **message_fields, position=9, external_id="mine")
    assert_rejected(again, "message_external_id_once")
    assert_rejected(insert(Membership, instance=instance, user=alice), "membership_once")


def test_names_may_repeat_in_different_instances(instance: Instance, other: Instance) -> None:
    for owner in (instance, other):
        assert_accepted(insert(Agent, instance=owner, slug="nora", name="Nora"))
        assert_accepted(insert(Conversation, instance=owner, external_id="mine"))
        assert_accepted(insert(Secret, instance=owner, name="chat_api_key", token="x"))
        assert_accepted(insert(Memory, instance=owner, **MEMORY))


@pytest.mark.parametrize("dimensions", [384, 768, 1024, 1025, 1536, 3072, 4000])
def test_vectors_of_all_common_dimensions_are_stored(dimensions: int, instance: Instance) -> None:
    memory = Memory.objects.create(instance=instance, **MEMORY)
    space = EmbeddingSpace.objects.create(instance=instance, name=f"any/{dimensions}")
    # Irregular numbers, which PostgreSQL cannot compress.
    numbers = [((n * 7919) % 10007) / 10007 for n in range(dimensions)]
    MemoryEmbedding.objects.create(
        memory=memory, instance=instance, space=space, embedding=HalfVector(numbers)
    )
    assert MemoryEmbedding.objects.get().embedding == pytest.approx(numbers, abs=0.001)


def test_usernames_are_unique_case_insensitively(alice: User) -> None:
    with pytest.raises(IntegrityError, match="username_once_in_any_case"):
        User.objects.create_user("ALICE")
