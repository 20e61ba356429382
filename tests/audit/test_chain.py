"""The audit log: what writes to it, its chain, and what the check finds."""

import hashlib
import json
import threading
import zipfile
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, connections, transaction
from django.test import Client
from django.utils import timezone

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.audit import chaining
from memoryapp.audit.archive import BadArchive, verify_archive, write_archive
from memoryapp.audit.chaining import chain
from memoryapp.audit.verification import Break, BreakKind, still_holds, verify_log
from memoryapp.documents.writing import NewDocument, put
from memoryapp.forgetting.deletion import forget
from memoryapp.models import Activity, AuditRecord, Memory
from memoryapp.models.erasures import hash_of
from memoryapp.people.erasure import ask_for_erasure, work_on
from memoryapp.people.joining import join

Remember = Callable[..., Memory]


def acts(instance: Instance, user: User, number: int = 5) -> list[AuditRecord]:
    """Do something so many times, and return the chained records."""
    for _ in range(number):
        instance.activity.record(Actor(user), Activity.Action.SETTINGS, about="General")
    chain()
    return list(AuditRecord.objects.chained())


def force(statement: str, *parameters: Any) -> None:
    """Change the table as a person with access to the database can: past the triggers."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        try:
            cursor.execute(statement, parameters)
        finally:
            cursor.execute("SET session_replication_role = DEFAULT")


@pytest.fixture
def saved(as_alice: Client, instance: Instance) -> Memory:
    """A memory about Ana, saved by Alice."""
    body = {"instance_id": "desk", "content": "Ana eats no peanuts.", "user_id": "ana"}
    response = as_alice.post("/api/memories", body, content_type="application/json")
    assert response.status_code == 201, response.content
    return Memory.objects.get()


def test_record_names_actor_place_and_person_but_no_text(saved: Memory, alice: User) -> None:
    record = AuditRecord.objects.get(action="created")
    assert (record.actor, record.actor_id, record.via) == ("alice", alice.pk, "api")
    assert (record.kind, record.object_id) == ("memory", saved.pk)
    assert (record.instance_name, record.end_user) == ("desk", "ana")
    assert record.address == "127.0.0.1"
    assert "peanuts" not in str(record.content)


def test_every_entry_of_the_activity_has_a_record(
    instance: Instance, alice: User, saved: Memory
) -> None:
    by = Actor(alice)
    for key in ("first", "second"):
        put(instance, NewDocument(("pets",), key, {"likes": "fish"}), by=by)
    forget(instance, Memory.objects.filter(pk=saved.pk), by=by)
    entries = Activity.objects.values_list("action", "count")
    counted: dict[str, int] = {}
    for action, count in AuditRecord.objects.exclude(instance=None).values_list("action", "count"):
        counted[action] = counted.get(action, 0) + count
    assert counted == dict(entries)
    assert counted["documents_stored"] == 2


def test_record_goes_with_its_transaction(instance: Instance, alice: User) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        instance.activity.record(Actor(alice), "settings")
        raise ZeroDivisionError
    assert not AuditRecord.objects.exists()


def test_names_of_settings_are_kept_and_other_words_are_not(
    instance: Instance, alice: User
) -> None:
    by = Actor(alice)
    instance.activity.record(by, "settings", about="Memory", changes=[["keep_days", 1, 2]])
    instance.activity.record(by, "noted", about="Zanzibar")
    assert [row.detail for row in AuditRecord.objects.order_by("pk")] == ["Memory, keep_days", ""]


def test_whole_chain_is_whole(instance: Instance, alice: User) -> None:
    records = acts(instance, alice)
    assert [record.number for record in records] == [1, 2, 3, 4, 5]
    result = verify_log()
    assert result.is_whole
    assert (result.records, result.last, result.digest) == (5, 5, records[-1].digest)


def test_waiting_records_are_counted(instance: Instance, alice: User) -> None:
    acts(instance, alice)
    instance.activity.record(Actor(alice), "settings")
    assert verify_log().waiting == 1


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("action", "joined"),
        ("actor", "mallory"),
        ("actor_id", 999_999),
        ("via", "api x"),
        ("address", "10.0.0.1"),
        ("instance_id", 999_999),
        ("instance_name", "other"),
        ("is_private", True),
        ("kind", "memory"),
        ("object_id", 7),
        ("count", 3),
        ("detail", "nothing"),
        ("person", "0" * 64),
        ("at", "2001-01-01T00:00:00Z"),
    ],
)
def test_changed_column_is_found(
    instance: Instance, alice: User, column: str, value: object
) -> None:
    third = acts(instance, alice)[2]
    force(f"UPDATE memoryapp_auditrecord SET {column} = %s WHERE id = %s", value, third.pk)  # noqa: S608 - A column above.
    assert verify_log().breaks == [Break(BreakKind.CHANGED, 3)]


def test_every_column_is_covered() -> None:
    """A column that is added is in the digest, or here with the reason in the model."""
    covered = {*AuditRecord().content}
    outside = {"id", "digest", "end_user"}
    assert {field.attname for field in AuditRecord._meta.concrete_fields} == covered | outside


def test_missing_records_are_found(instance: Instance, alice: User) -> None:
    acts(instance, alice)
    force("DELETE FROM memoryapp_auditrecord WHERE number IN (2, 3)")
    result = verify_log()
    assert result.breaks == [Break(BreakKind.MISSING, 4, 2)]
    assert str(result.breaks[0]) == "Records 2 to 3 are missing."


def test_first_record_that_is_missing_is_found(instance: Instance, alice: User) -> None:
    acts(instance, alice)
    force("DELETE FROM memoryapp_auditrecord WHERE number = 1")
    assert verify_log().breaks == [Break(BreakKind.MISSING, 2, 1)]


def test_exchanged_records_are_found(instance: Instance, alice: User) -> None:
    acts(instance, alice)
    for old, new in ((2, 99), (3, 2), (99, 3)):
        force("UPDATE memoryapp_auditrecord SET number = %s WHERE number = %s", new, old)
    numbers = [each.number for each in verify_log().breaks]
    assert numbers[:2] == [2, 3]


def test_closed_gap_is_found(instance: Instance, alice: User) -> None:
    """Numbering the rest anew does not hide what was taken out."""
    acts(instance, alice)
    force("DELETE FROM memoryapp_auditrecord WHERE number = 3")
    for number in (4, 5):
        force("UPDATE memoryapp_auditrecord SET number = number - 1 WHERE number = %s", number)
    assert Break(BreakKind.CHANGED, 3) in verify_log().breaks


def test_record_put_at_the_end_is_found(instance: Instance, alice: User) -> None:
    acts(instance, alice)
    force(
        "INSERT INTO memoryapp_auditrecord (number, digest, at, action, actor, via, address,"
        " instance_name, is_private, kind, count, detail, person)"
        " VALUES (6, repeat('a', 64), now(), 'joined', 'mallory', 'screen', '', '', false, '', 1,"
        " '', '')"
    )
    assert verify_log().breaks == [Break(BreakKind.CHANGED, 6)]


def test_end_that_was_cut_off_is_found_by_what_was_noted(instance: Instance, alice: User) -> None:
    """The rest of the chain is whole: only a digest that was kept elsewhere tells."""
    acts(instance, alice)
    noted = verify_log()
    force("DELETE FROM memoryapp_auditrecord WHERE number > 3")
    assert verify_log().is_whole
    assert not still_holds(noted.last, noted.digest)
    acts(instance, alice, 2)
    assert not still_holds(noted.last, noted.digest)


def test_person_who_is_exchanged_is_found(instance: Instance, alice: User) -> None:
    instance.activity.record(Actor(alice), "rated", memory_id=1, end_user="ana")
    chain()
    force("UPDATE memoryapp_auditrecord SET end_user = 'ben'")
    assert verify_log().breaks == [Break(BreakKind.OTHER_PERSON, 1)]


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM memoryapp_auditrecord",
        "TRUNCATE memoryapp_auditrecord",
        "UPDATE memoryapp_auditrecord SET actor = 'mallory'",
        "UPDATE memoryapp_auditrecord SET end_user = 'ben'",
        "UPDATE memoryapp_auditrecord SET number = number + 100",
        "UPDATE memoryapp_auditrecord SET number = NULL, digest = ''",
        "UPDATE memoryapp_auditrecord SET end_user = NULL, actor = ''",
    ],
)
def test_database_refuses_changes(instance: Instance, alice: User, statement: str) -> None:
    instance.activity.record(Actor(alice), "rated", memory_id=1, end_user="ana")
    chain()
    refused = pytest.raises(DatabaseError, match="neither changed nor deleted")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_erasure_leaves_the_hash_and_the_chain(
    instance: Instance, alice: User, saved: Memory
) -> None:
    chain()
    kept = hash_of(instance.pk, "ana")
    before = AuditRecord.objects.filter(end_user="ana").count()
    erasure = ask_for_erasure(instance, "ana", by=Actor(alice), typed=None, with_rules=False)
    assert work_on(erasure)
    chain()
    assert not AuditRecord.objects.filter(end_user="ana").exists()
    assert AuditRecord.objects.filter(person=kept).count() == before + 1
    assert verify_log().is_whole


def test_joined_ids_keep_their_records(instance: Instance, alice: User) -> None:
    for end_user in ("ana", "ana@example.org"):
        instance.memories.create(content=f"Likes {end_user}.", end_user=end_user)
        instance.activity.record(Actor(alice), "rated", memory_id=1, end_user=end_user)
    join(instance, "ana", "ana@example.org", by=Actor(alice), typed="ana@example.org")
    chain()
    assert verify_log().is_whole
    erasure = ask_for_erasure(instance, "ana", by=Actor(alice), typed=None, with_rules=False)
    assert work_on(erasure)
    assert not AuditRecord.objects.exclude(end_user=None).exists()


def test_records_outlive_their_instance_without_people(
    instance: Instance, alice: User, saved: Memory
) -> None:
    instance.delete()
    chain()
    records = AuditRecord.objects.filter(instance_name="desk")
    assert records.filter(action="created").exists()
    assert not records.exclude(end_user=None).exists()
    assert verify_log().is_whole


def test_archive_is_checked_for_itself(
    instance: Instance, private: Instance, alice: User, dana: User, tmp_path: Path
) -> None:
    acts(instance, alice, 3)
    private.activity.record(Actor(alice), "settings", about="Diary of Alice")
    acts(instance, alice, 2)
    out = BytesIO()
    now = timezone.now()
    manifest = write_archive(out, now - timedelta(days=1), now + timedelta(days=1), reader=dana)
    assert (manifest["records"], manifest["withheld"]) == (6, 1)
    assert b"Diary" not in out.getvalue()
    result = verify_archive(out)
    assert result.is_whole
    assert (result.last, result.digest) == (manifest["last"], manifest["digest"])


def test_archive_of_a_later_part_is_checked(instance: Instance, alice: User) -> None:
    records = acts(instance, alice)
    out = BytesIO()
    write_archive(out, records[2].at, timezone.now())
    result = verify_archive(out)
    assert result.is_whole
    assert result.records == 3


@pytest.mark.parametrize("old", [b'"settings"', b'"alice"', b'"number": 3'])
def test_changed_archive_is_found(instance: Instance, alice: User, old: bytes) -> None:

    acts(instance, alice)
    out, other = BytesIO(), BytesIO()
    write_archive(out, timezone.now() - timedelta(days=1), timezone.now())
    with zipfile.ZipFile(out) as archive:
        lines = archive.read("records.jsonl")
        manifest = json.loads(archive.read("manifest.json"))
    lines = lines.replace(old, b'"number": 4' if b"number" in old else b'"x"', 1)
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("records.jsonl", lines)
        archive.writestr("manifest.json", json.dumps(manifest))
    with pytest.raises(BadArchive, match="SHA-256"):
        verify_archive(other)
    # With a manifest that was made to fit, the chain tells.
    manifest["sha256"] = hashlib.sha256(lines).hexdigest()
    fitted = BytesIO()
    with zipfile.ZipFile(fitted, "w") as archive:
        archive.writestr("records.jsonl", lines)
        archive.writestr("manifest.json", json.dumps(manifest))
    assert not verify_archive(fitted).is_whole


def test_other_files_are_no_archives() -> None:
    with pytest.raises(BadArchive):
        verify_archive(BytesIO(b"no archive"))


def test_commands(instance: Instance, alice: User, tmp_path: Path) -> None:
    acts(instance, alice)
    day, path, out = timezone.localdate().isoformat(), tmp_path / "audit.zip", StringIO()
    call_command("audit", "export", str(path), "--from", day, "--to", day, stdout=out)
    call_command("audit", "verify", stdout=out)
    call_command("audit", "verify", str(path), "--log", stdout=out)
    assert "The audit log is whole: 5 records." in out.getvalue()
    assert "The log still has record 5." in out.getvalue()
    force("DELETE FROM memoryapp_auditrecord WHERE number = 5")
    with pytest.raises(CommandError, match="lost record 5"):
        call_command("audit", "verify", str(path), "--log", stdout=out)
    force("UPDATE memoryapp_auditrecord SET count = 9 WHERE number = 2")
    with pytest.raises(CommandError, match="broken"):
        call_command("audit", "verify", stdout=out)
    assert "Record 2 was changed." in out.getvalue()


@pytest.mark.django_db(transaction=True)
def test_writers_and_chainers_at_once(instance: Instance, alice: User) -> None:
    """No gap, no double, and no writer waits for a chainer."""
    failures: list[BaseException] = []

    def run(work: Callable[[], object]) -> None:
        try:
            for _ in range(25):
                work()
        except BaseException as error:
            failures.append(error)
        finally:
            connections.close_all()

    def write() -> None:
        with transaction.atomic():
            instance.activity.record(Actor(alice), "settings")

    threads = [threading.Thread(target=run, args=(work,)) for work in (write, write, chain, chain)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    chain()
    assert not failures
    assert list(AuditRecord.objects.chained().values_list("number", flat=True)) == [*range(1, 51)]
    assert verify_log().is_whole


@pytest.mark.django_db(transaction=True)
def test_open_transaction_is_chained_when_it_ends(instance: Instance, alice: User) -> None:
    """A record that is committed late comes after those that were chained before."""
    with transaction.atomic():
        instance.activity.record(Actor(alice), "settings", about="late")

        def meanwhile() -> None:
            instance.activity.record(Actor(alice), "settings", about="early")
            chain()
            connections.close_all()

        thread = threading.Thread(target=meanwhile)
        thread.start()
        thread.join(60)
    chain()
    assert [row.detail for row in AuditRecord.objects.chained()] == ["early", "late"]
    assert verify_log().is_whole


def test_crash_between_leaves_all_or_nothing(
    instance: Instance, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chaining, "BATCH_SIZE", 2)
    for _ in range(5):
        instance.activity.record(Actor(alice), "settings")
    monkeypatch.setattr(chaining, "_SET", chaining._SET + "; SELECT 1 / 0")
    with pytest.raises(DatabaseError), transaction.atomic():
        chain()
    assert not AuditRecord.objects.chained().exists()
    monkeypatch.undo()
    assert chain() == 5
    assert verify_log().is_whole
