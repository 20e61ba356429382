"""Erasure: everything of the person goes, nothing of others, and a crash loses nothing."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from conversations.models import Conversation, CountedTexts, Import, WordCount
from instances.actor import Actor
from instances.models import ApiKey, EndUserAlias, Instance, User
from memoryapp.forgetting import undo_buffer
from memoryapp.forgetting.deletion import forget_undoably
from memoryapp.models import Activity, Erasure, Memory, SuppressionRule, Usage
from memoryapp.people import erasure as erasing
from memoryapp.people.erasure import NotConfirmed, NothingKept, ask_for_erasure, carry_out
from memoryapp.people.inventory import HOLDINGS, ErasureAction, Person, counts_of, inventory_hash
from memoryapp.tasks import erase
from tests.leak_scanner import places_by_text
from tests.people.conftest import work_off
from tests.people.factories import WORDS

ANA = "ana@example.org"


@pytest.fixture
def server(settings: Settings) -> Iterator["redis.Redis"]:
    with redis.Redis.from_url(settings.REDIS_URL) as server:
        server.flushdb()
        yield server
        server.flushdb()


def asked(instance: Instance, alice: User, **kwargs: bool) -> Erasure:
    return ask_for_erasure(
        instance, ANA, by=Actor(alice), typed=ANA, **{"with_rules": False} | kwargs
    )


def test_nothing_of_the_person_is_left(
    instance: Instance, alice: User, ana: Conversation, server: "redis.Redis"
) -> None:
    work_off(asked(instance, alice, with_rules=True))
    assert places_by_text(server, [*WORDS, ANA]) == {}


def test_counts_of_words_go_with_the_person(
    instance: Instance, alice: User, ana: Conversation
) -> None:
    counted = {"instance": instance, "table": "memoryapp_memory", "texts": 100}
    CountedTexts.objects.create(**counted, counted_at=timezone.now())
    WordCount.objects.create(**counted, stem="'quokka'")
    work_off(asked(instance, alice))
    assert not CountedTexts.objects.exists()
    assert not WordCount.objects.exists()


def test_what_is_kept_is_in_the_certificate(
    instance: Instance, alice: User, ana: Conversation
) -> None:
    person = Person.of(instance, ANA)
    before = counts_of(person)
    done = work_off(asked(instance, alice))
    after = counts_of(person)
    kept = {holding.label for holding in HOLDINGS if holding.fate == ErasureAction.KEEP}
    assert after.keys() == kept
    certificate = done.certificate
    tables = {table["table"]: table for table in certificate["tables"]}
    deleted = {label: n["deleted"] for label, n in tables.items() if "deleted" in n}
    fates = {holding.label: holding.fate for holding in HOLDINGS}
    assert deleted == {
        label: n for label, n in before.items() if fates[label] == ErasureAction.DELETE
    }
    assert {label for label, n in tables.items() if "stripped" in n} == {
        label for label, fate in fates.items() if fate == ErasureAction.STRIP
    }
    assert certificate["inventory_sha256"] == inventory_hash()
    remains = {each["what"] for each in certificate["remains"]}
    assert {"never-again rules", "lines of the activity log", "Database backups"} <= remains
    assert (certificate["asked_by"], certificate["asked_via"]) == ("alice", "screen")
    assert not any(word in json.dumps(certificate) for word in (*WORDS, ANA))
    assert done.is_done and done.ids == []


def test_others_keep_everything(
    instance: Instance, alice: User, ana: Conversation, ben: Conversation
) -> None:
    before = counts_of(Person.of(instance, "ben"))
    work_off(asked(instance, alice))
    assert counts_of(Person.of(instance, "ben")) == before
    instance.refresh_from_db()
    assert instance.has_aliases


def test_what_is_stripped_stays_without_the_person(
    instance: Instance, alice: User, ana: Conversation
) -> None:
    lines = Activity.objects.count()
    work_off(asked(instance, alice))
    assert Activity.objects.count() == lines + 2
    assert not Activity.objects.exclude(memory_id=None, conversation=None).exists()
    usage = Usage.objects.get()
    assert (usage.model, usage.run, usage.error) == ("any", None, "")
    key = ApiKey.objects.get()
    # It must not open more than before.
    assert key.end_user == "" and key.revoked_at is not None
    import_ = Import.objects.get()
    assert (import_.filename, import_.titles, import_.skipped) == ("talks.json", [], [])
    assert not EndUserAlias.objects.exists()
    instance.refresh_from_db()
    assert not instance.has_aliases


@pytest.mark.parametrize("typed", ["", "ana", "ANA@EXAMPLE.ORG", "ben"])
def test_the_id_has_to_be_typed(
    typed: str, instance: Instance, alice: User, ana: Conversation
) -> None:
    with pytest.raises(NotConfirmed, match=ANA):
        ask_for_erasure(instance, ANA, by=Actor(alice), typed=typed, with_rules=False)
    assert not Erasure.objects.filter(state="running").exists()


@pytest.mark.parametrize("typed", ["the user", "The user"])
def test_the_person_without_an_id_can_be_erased(
    typed: str, instance: Instance, alice: User
) -> None:
    instance.memories.create(content="The user sails.")
    instance.memories.create(content="Ben sails.", end_user="ben")
    by = Actor(alice)
    work_off(ask_for_erasure(instance, "", by=by, typed=typed, with_rules=False))
    assert instance.memories.get().content == "Ben sails."


def test_a_stranger_is_not_erased(instance: Instance, alice: User, ana: Conversation) -> None:
    with pytest.raises(NothingKept):
        ask_for_erasure(instance, "nobody", by=Actor(alice), typed="nobody", with_rules=False)


def test_asking_twice_gives_one_erasure(instance: Instance, alice: User, ana: Conversation) -> None:
    assert asked(instance, alice) == asked(instance, alice)


def test_a_crash_after_any_transaction_loses_nothing(
    instance: Instance, alice: User, ana: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = Person.of(instance, ANA)
    before = counts_of(person)
    erasure = asked(instance, alice)
    monkeypatch.setattr(erasing, "BATCH_SIZE", 1)
    turns = 0
    while not erasure.is_done:
        assert erasure.claim()
        carry_out(erasure, seconds=0)
        erasure.refresh_from_db()
        turns += 1
        assert turns < 500
    assert turns > len(HOLDINGS) / 2
    deleted = {label: n["deleted"] for label, n in erasure.counts.items() if "deleted" in n}
    fates = {holding.label: holding.fate for holding in HOLDINGS}
    assert deleted == {
        label: n for label, n in before.items() if fates[label] == ErasureAction.DELETE
    }


def test_a_worker_that_lost_its_lease_counts_nothing(
    instance: Instance, alice: User, ana: Conversation
) -> None:
    slow = asked(instance, alice)
    assert slow.claim()
    Erasure.objects.filter(pk=slow.pk).update(lease_until=None)
    work_off(Erasure.objects.get(pk=slow.pk))
    done = Erasure.objects.get(pk=slow.pk)
    assert not carry_out(slow)
    assert Erasure.objects.get(pk=slow.pk).certificate == done.certificate


def test_the_task_finishes_it(instance: Instance, alice: User, ana: Conversation) -> None:
    erasure = asked(instance, alice)
    erase(erasure_id=erasure.pk)
    erasure.refresh_from_db()
    assert erasure.is_done


def test_a_deletion_is_not_undone_after_the_erasure(
    instance: Instance, alice: User, ana: Conversation, server: "redis.Redis"
) -> None:
    memories = Memory.objects.filter(end_user=ANA)
    forgotten = forget_undoably(instance, memories, by=alice)
    assert forgotten.undo_token is not None
    work_off(asked(instance, alice))
    for _ in range(2):
        with pytest.raises(undo_buffer.NothingToUndo):
            undo_buffer.restore_deleted(forgotten.undo_token, instance, alice)
    assert not Memory.objects.filter(end_user=ANA).exists()


def test_never_again_rules_stay_unless_they_are_to_go(
    instance: Instance, alice: User, ana: Conversation
) -> None:
    work_off(asked(instance, alice))
    assert SuppressionRule.objects.filter(end_user=ANA).exists()
    work_off(asked(instance, alice, with_rules=True))
    assert not SuppressionRule.objects.filter(end_user=ANA).exists()


def test_it_waits_for_a_list_that_cannot_be_written(
    instance: Instance, alice: User, ana: Conversation, settings: Settings, tmp_path: Path
) -> None:
    taken = tmp_path / "a file"
    taken.write_text("")
    settings.ERASURES_DIR = str(taken)
    erasure = work_off(asked(instance, alice))
    assert not erasure.is_done
    assert "list of erasures" in erasure.error
    assert not Memory.objects.filter(end_user=ANA).exists()
    settings.ERASURES_DIR = str(tmp_path / "folder")
    Erasure.objects.update(due_at=erasure.asked_at)
    assert work_off(erasure).is_done


def test_each_transaction_is_short(
    instance: Instance, alice: User, ana: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of rows that one transaction deletes does not grow with the person."""
    monkeypatch.setattr(erasing, "BATCH_SIZE", 2)
    Memory.objects.bulk_create(
        Memory(instance=instance, end_user=ANA, content=f"Fact {number}.") for number in range(9)
    )
    erasure = asked(instance, alice)
    counted: list[int] = []
    with connection.execute_wrapper(
        lambda execute, sql, params, many, context: _note(
            counted, sql, execute(sql, params, many, context), context
        )
    ):
        work_off(erasure)
    assert counted and max(counted) <= 2


def _note(counted: list[int], sql: str, result: object, context: dict[str, object]) -> object:
    if sql.startswith('DELETE FROM "memoryapp_memory"'):
        counted.append(context["cursor"].rowcount)  # type: ignore[attr-defined]
    return result
