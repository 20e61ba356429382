"""Looks at what is remembered: recorded where an instance says so, through every door."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import resolve

from conversations.models import Conversation
from instances.models import Instance, User
from memoryapp.audit.looks import ASKED, READ
from memoryapp.models import AuditRecord, Memory
from tests.api.conftest import key_of
from tests.web.access_instances import secluded, shared
from tests.web.access_table import GUARDED, addresses, ask, methods_of, url_of
from tests.web.test_access import leaks, said_by

__all__ = ["secluded", "shared"]

pytestmark = pytest.mark.django_db

#: Addresses that show names, of people, files or tags, and no more of what is remembered; or an
#: answer of a chat that was recorded when it was opened.
SHOW_NAMES = set(
    "chat_follow conversation_delete embedding_offer erasure erasures filters group_edit "
    "import_new instance_audit jobs memory_choices memory_new palace_note_new suppression "
    "webhook_edit api:erase_person api:list_groups api:read_erasure api:read_group api:read_hold "
    "api:read_import api:list_webhooks api:read_webhook api:list_activity".split()
)


def looks() -> list[tuple[str, str, int | None, str | None]]:
    """Who looked at which address, at which row, and about whom, in order."""
    found = AuditRecord.objects.filter(action="looked").order_by("pk")
    return [(row.actor or row.via, row.detail, row.object_id, row.end_user) for row in found]


@pytest.fixture
def recorded(instance: Instance) -> Instance:
    instance.looks_recorded = True
    instance.save()
    return instance


@pytest.fixture
def boat(store_memory: Callable[..., Memory]) -> Memory:
    return store_memory("The user has a boat.", end_user="ana")


def test_nothing_is_recorded_unless_the_instance_says_so(
    as_alice: Client, instance: Instance, boat: Memory
) -> None:
    as_alice.get(f"/memory/{boat.pk}")
    key_of(instance)[1].send("GET", f"memories/{boat.pk}")
    assert looks() == []


def test_screens_record_who_looked_at_what(
    as_alice: Client, recorded: Instance, boat: Memory, conversation: Conversation
) -> None:
    for address in (
        f"/memory/{boat.pk}",
        f"/conversations/{conversation.pk}",
        "/memory?instance=desk&q=boat",
        "/memory/people/file?instance=desk&end_user=ana",
        # None of these shows what is remembered, or is there.
        "/instances/desk/settings/memory",
        "/memory/999999",
        "/memory/status?instance=desk",
    ):
        as_alice.get(address)
    assert looks() == [
        ("alice", "GET /memory/<int:pk>", boat.pk, None),
        ("alice", "GET /conversations/<int:pk>", conversation.pk, None),
        ("alice", "GET /memory", None, None),
        ("alice", "GET /memory/people/file", None, "ana"),
    ]


def test_programs_are_recorded_by_their_key(recorded: Instance, boat: Memory) -> None:
    key, program = key_of(recorded)
    program.send("GET", f"memories/{boat.pk}")
    program.send("POST", "search", {"q": "boat"})
    program.send("GET", "memories?user_id=ana")
    program.send("POST", "memories", {"content": "The user sails."})
    program.send("GET", "/v1/memories/?user_id=ana")
    who = f"api {key.prefix}"
    assert looks() == [
        (who, "GET /api/memories/<memory:memory_id>", boat.pk, None),
        (who, "POST /api/search", None, None),
        (who, "GET /api/memories", None, "ana"),
        (who, "GET /v1/memories/", None, "ana"),
    ]


def test_people_are_recorded_where_they_use_the_api(
    as_alice: Client, recorded: Instance, boat: Memory
) -> None:
    as_alice.get(f"/api/memories/{boat.pk}")
    as_alice.get("/api/memories?instance_id=desk")
    assert [(who, what) for who, what, *_ in looks()] == [
        ("alice", "GET /api/memories/<memory:memory_id>"),
        ("alice", "GET /api/memories"),
    ]


def test_who_may_not_look_leaves_no_look(recorded: Instance, boat: Memory, charlie: User) -> None:
    outsider = Client()
    outsider.force_login(charlie)
    assert outsider.get(f"/memory/{boat.pk}").status_code == 404
    assert Client().get(f"/memory/{boat.pk}").status_code == 302
    assert looks() == []


def test_an_erased_person_is_in_no_look(as_alice: Client, recorded: Instance, boat: Memory) -> None:
    as_alice.get("/memory?instance=desk&user=ana")
    AuditRecord.objects.forget_people(recorded.pk)
    assert looks() == [("alice", "GET /memory", None, None)]
    assert AuditRecord.objects.get(action="looked").person


def test_each_address_that_shows_what_is_remembered_is_a_look(
    alice: User, shared: dict[str, Any]
) -> None:
    """A new address fails here until somebody has decided."""
    client = Client()
    client.force_login(alice)
    showing = set()
    for address in addresses():
        if address.name in GUARDED and "GET" in methods_of(address):
            response = ask(client, address, "GET", shared)
            if response.status_code == 200 and _shows(response, said_by(address, shared)):
                showing.add(resolve(url_of(address, shared).partition("?")[0]).view_name)
    assert len(showing) > 40
    assert showing - READ == SHOW_NAMES
    assert {address.name for address in addresses()} >= READ | ASKED


def _shows(response: Any, asked: str) -> bool:
    """True if *response* is a file, or has words of the instance that the request had not."""
    if response.streaming:
        return True
    return any(word.casefold() not in asked for word in leaks(response))
