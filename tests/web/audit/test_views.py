"""The screens of the audit log."""

from io import BytesIO

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.audit.archive import verify_archive
from memoryapp.audit.chaining import chain
from memoryapp.models import AuditRecord


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
    assert "memory 77" in page
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
    assert len(response.context["records"]) == number


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
