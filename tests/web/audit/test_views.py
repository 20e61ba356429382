"""The screens of the audit log."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.audit.archive import verify_archive
from memoryapp.audit.chaining import chain
from memoryapp.models import AuditRecord, Memory
from memoryapp.web.audit.lines import LABELS


def sentences(response: Any) -> list[str]:
    """Words of the lines of the page, without markup."""
    return [strip_tags(line.sentence) for line in response.context["lines"]]


@pytest.fixture
def as_dana(dana: User) -> Client:
    client = Client()
    client.force_login(dana)
    return client


@pytest.fixture
def records(instance: Instance, private: Instance, alice: User) -> None:
    """Records of a shared and of a private instance."""
    by = Actor(alice)
    instance.activity.record(by, "settings", about="Time zone")
    instance.activity.record(by, "rated", memory_id=77, end_user="ana")
    private.activity.record(by, "settings", about="Diary of Alice")
    chain()


def test_superadmin_sees_all_but_private_instances(as_dana: Client, records: None) -> None:
    page = as_dana.get("/server/audit").content.decode()
    assert "Time zone" in page
    assert "Memory 77" in page
    assert "Diary" not in page
    assert "diary" not in page


def test_manager_sees_the_own_instance(
    as_alice: Client, instance: Instance, private: Instance, records: None
) -> None:
    page = as_alice.get("/activity/audit?instance=desk").content.decode()
    assert "Time zone" in page
    assert "Diary of Alice" not in page
    assert "Diary of Alice" in as_alice.get("/activity/audit?instance=diary").content.decode()
    assert 'href="/activity/audit?instance=desk"' in (
        as_alice.get("/activity?instance=desk").content.decode()
    )


def test_member_needs_to_be_a_manager(bob: User, charlie: User, records: None) -> None:
    for user, status in ((bob, 403), (charlie, 404)):
        client = Client()
        client.force_login(user)
        assert client.get("/activity/audit?instance=desk").status_code == status


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("who=alice&where=desk", 2),
        ("who=bob", 0),
        ("action=rated", 1),
        ("action=nonsense&where=desk", 2),
        ("person=ana", 1),
        ("memory=77", 1),
        ("where=other", 0),
        ("until=2001-01-01", 0),
        ("since=2001-01-01&where=desk", 2),
    ],
)
def test_filters(as_dana: Client, records: None, query: str, number: int) -> None:
    response = as_dana.get(f"/server/audit?{query}")
    assert sum(len(line.entries) for line in response.context["lines"]) == number


def test_check_says_whether_it_is_whole(as_dana: Client, records: None) -> None:
    response = as_dana.post("/server/audit/verify")
    assert response.context["result"].is_whole
    last = AuditRecord.objects.chained().last()
    assert last is not None
    assert last.digest in response.content.decode()
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("DELETE FROM memoryapp_auditrecord WHERE number = 2")
        cursor.execute("SET session_replication_role = DEFAULT")
    page = as_dana.post("/server/audit/verify").content.decode()
    assert "The log is broken." in page
    assert "Records are missing from 2 to before 3." in page


def test_export_is_an_archive_without_what_is_private(as_dana: Client, records: None) -> None:
    day = timezone.localdate().isoformat()
    response = as_dana.get("/server/audit/export", {"since": day, "until": day})
    sent = BytesIO(b"".join(response))
    assert response["Content-Disposition"].startswith("attachment")
    assert verify_archive(sent).is_whole
    assert b"Diary" not in sent.getvalue()


def test_export_asks_for_its_days(as_dana: Client) -> None:
    response = as_dana.get("/server/audit/export", {"since": "x"}, follow=True)
    assert "Choose the first and the last day of the export." in response.content.decode()


def test_each_action_has_words(as_dana: Client, instance: Instance, alice: User) -> None:
    for action in LABELS:
        AuditRecord.objects.record(Actor(alice), action, instance=instance, detail="Boat")
    said = sentences(as_dana.get("/server/audit?where=desk"))

    assert len(said) == len(LABELS)
    assert all(sentence.startswith("alice") and "%(" not in sentence for sentence in said)


def test_what_is_not_named_is_not_quoted(as_alice: Client, instance: Instance, alice: User) -> None:
    for action in LABELS:
        AuditRecord.objects.record(Actor(alice), action, instance=instance)
    said = sentences(as_alice.get("/activity/audit?instance=desk"))

    assert len(said) == len(LABELS)
    assert not [each for each in said if "“”" in each or each.endswith((": ", "with ", "  "))]


def test_records_of_one_actor_and_act_are_one_line(
    as_alice: Client,
    instance: Instance,
    alice: User,
    bob: User,
    store_memory: Callable[..., Memory],
) -> None:
    boat = store_memory("The user has a boat.")
    for by in (alice, alice, alice, bob):
        AuditRecord.objects.record(
            Actor(by), "created", instance=instance, kind="memory", object_id=boat.pk
        )
    AuditRecord.objects.record(
        Actor(alice), "created", instance=instance, kind="memory", object_id=10**9
    )
    chain()
    response = as_alice.get("/activity/audit?instance=desk")

    assert sentences(response)[:3] == [
        "alice added a memory",
        "bob added a memory",
        "alice added 3 memories",
    ]
    newest = AuditRecord.objects.chained().last()
    assert newest is not None and newest.number is not None
    assert response.context["lines"][2].numbers == f"#{newest.number - 4} – #{newest.number - 2}"
    page = response.content.decode()
    # It links what still exists, each record by itself; the first one is that of the fixture.
    assert page.count(f'href="/memory/{boat.pk}"') == 5
    assert "Memory 1000000000" in page
    assert 'href="/memory/1000000000"' not in page


def test_looks_are_one_line_with_the_address_of_each(
    as_dana: Client, instance: Instance, bob: User
) -> None:
    for path in ("GET /memory", "GET /memory/graph"):
        AuditRecord.objects.record(Actor(bob), "looked", instance=instance, detail=path)
    response = as_dana.get("/server/audit?where=desk")

    assert sentences(response) == ["bob looked at what is remembered 2 times"]
    assert "GET /memory/graph" in response.content.decode()


def test_memory_of_another_person_is_named_but_not_linked(
    as_dana: Client, private: Instance, alice: User, store_memory: Callable[..., Memory]
) -> None:
    own = store_memory("The user keeps a diary.", into=private)
    AuditRecord.objects.record(Actor(alice), "created", kind="memory", object_id=own.pk)
    page = as_dana.get("/server/audit").content.decode()

    assert f"Memory {own.pk}" in page
    assert f'href="/memory/{own.pk}"' not in page


def test_rollback_is_one_line_that_says_so(
    as_alice: Client, instance: Instance, alice: User
) -> None:
    instance.activity.record(Actor(alice), "rolled_back", count=4, about="the file mine.json")
    response = as_alice.get("/activity/audit?instance=desk")

    assert sentences(response) == ["alice rolled back a source: 4 memories"]
    assert "mine.json" not in response.content.decode()
