"""Legal holds: whatever is done through whatever door, nothing under a hold is gone."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance, User
from instances.tiers import Tier
from memoryapp import tools
from memoryapp.assistant.submission import retry
from memoryapp.documents.writing import NewDocument, put
from memoryapp.forgetting.archive import archive, forget_overdue, unarchive
from memoryapp.forgetting.deletion import forget
from memoryapp.forgetting.holds import OnHold, lift, set_hold
from memoryapp.models import (
    Activity,
    ArchivedMemory,
    Erasure,
    LegalHold,
    Memory,
    Origin,
    StoredDocument,
)
from memoryapp.people.erasure import ask_for_erasure, carry_out
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.tools import ToolContext
from memoryapp.trust.conversation_deletion import forget_conversation
from tests.api.conftest import Program, key_of

pytestmark = pytest.mark.django_db

ME = Actor(via="test")
CASE = "Case 17"


class Said:
    """A memory of Ana's, the message that it was learned from, and their conversation."""

    def __init__(self, instance: Instance) -> None:
        self.talk = Conversation.objects.create(instance=instance, title="Boats", end_user="ana")
        (self.message,) = append(self.talk, [NewMessage("user", "I row on the lake.")]).added
        candidate = Candidate(
            "Ana rows on the lake.",
            end_user="ana",
            conversation_id=self.talk.pk,
            message_id=self.message.pk,
        )
        (outcome,) = remember(instance, [candidate], Writer(Origin.CONVERSATION, ME))
        self.memory = outcome.memory

    def is_there(self) -> bool:
        """True if all of it is."""
        self.message.refresh_from_db()
        return (
            self.message.content == "I row on the lake."
            and Memory.objects.filter(pk=self.memory.pk).exists()
        )


@pytest.fixture
def said(instance: Instance) -> Said:
    return Said(instance)


def scopes(said: Said) -> dict[str, dict[str, Any]]:
    today = timezone.now().date()
    return {
        "person": {"end_user": "ana"},
        "conversation": {"conversation": said.talk},
        "period": {"period": (today - timedelta(days=1), today + timedelta(days=1))},
        "instance": {},
    }


SCOPES = ("person", "conversation", "period", "instance")


def on_screen(path: str, **data: Any) -> Callable[[Said, Client, Program], None]:
    def act(said: Said, screen: Client, program: Program) -> None:
        names = {"memory": said.memory.pk, "talk": said.talk.pk}
        filled = {key: str(value).format(**names) for key, value in data.items()}
        response = screen.post(path.format(**names), filled)
        assert response.status_code == 409
        assert CASE in response.content.decode()

    return act


def by_program(
    method: str, path: str, body: dict[str, Any] | None = None, error: str = "detail"
) -> Callable[[Said, Client, Program], None]:
    def act(said: Said, screen: Client, program: Program) -> None:
        names = {"memory": said.memory.pk, "talk": said.talk.pk}
        sent = {
            key: [value[0] and names["memory"]] if isinstance(value, list) else value
            for key, value in (body or {}).items()
        }
        answer = program.send(method, path.format(**names), sent or None, status=409)
        assert CASE in str(answer[error])

    return act


#: What would delete the memory, the message or the conversation.
DOORS: dict[str, Callable[[Said, Client, Program], None]] = {
    "screen": on_screen("/memory/delete?instance=desk", id="{memory}", confirmed="yes"),
    "screen, all": on_screen(
        "/memory/delete?instance=desk", all="yes", until="{memory}", confirmed="yes"
    ),
    "conversation on the screen": on_screen("/conversations/{talk}/delete", memories="keep"),
    "conversation with its memories": on_screen("/conversations/{talk}/delete", memories="delete"),
    "REST": by_program("DELETE", "memories/{memory}"),
    "REST, several": by_program("POST", "memories/delete", {"ids": [1]}),
    "REST, conversation": by_program("DELETE", "conversations/{talk}?memories=keep"),
    "mem0": by_program("DELETE", "/v1/memories/{memory}/"),
    "mem0, person": by_program("DELETE", "/v1/memories/?user_id=ana"),
    "erasure": by_program("POST", "people/erasures", {"user_id": "ana", "confirm": "ana"}),
}


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("door", DOORS)
def test_no_door_deletes_what_is_on_hold(
    door: str, scope: str, said: Said, instance: Instance, as_alice: Client
) -> None:
    program = key_of(instance, ("read", "write", "delete", "forget", "people"))[1]
    hold = set_hold(instance, CASE, by=ME, **scopes(said)[scope])
    DOORS[door](said, as_alice, program)
    assert said.is_there()
    assert not instance.archived.exists()
    assert not Erasure.objects.exists()
    assert lift(hold, by=ME)
    assert not lift(hold, by=ME)
    forget_conversation(said.talk, with_memories=True, by=ME)
    assert not Memory.objects.exists()


@pytest.mark.parametrize("scope", SCOPES)
def test_tool_says_why_it_forgets_nothing(scope: str, said: Said, instance: Instance) -> None:
    set_hold(instance, CASE, by=ME, **scopes(said)[scope])
    context = ToolContext(
        instance, Writer(Origin.USER_EXPLICIT, ME, tier=Tier.USER), end_user="ana"
    )
    call = f'{{"id": "m{said.memory.pk}"}}'
    result = tools.run("forget_memory", call, context, allowed=["forget_memory"])
    assert not result.ok
    assert CASE in result.text
    assert said.is_there()


@pytest.mark.parametrize("scope", SCOPES)
def test_instance_with_a_hold_is_not_deleted(
    scope: str, said: Said, instance: Instance, as_alice: Client
) -> None:
    set_hold(instance, CASE, by=ME, **scopes(said)[scope])
    page = as_alice.post(f"/instances/{instance.slug}/delete", {"slug": instance.slug})
    assert page.status_code == 409
    assert CASE in page.content.decode()
    assert said.is_there()
    LegalHold.objects.update(lifted_at=timezone.now())
    instance.delete()
    assert not Message.objects.exists()


def test_other_rows_are_free(said: Said, instance: Instance) -> None:
    """A hold on one person, conversation or period keeps nothing else."""
    other = Conversation.objects.create(instance=instance, end_user="bo")
    set_hold(instance, "A", by=ME, end_user="bo")
    set_hold(instance, "B", by=ME, conversation=other)
    set_hold(instance, "C", by=ME, period=(date(2001, 1, 1), date(2001, 1, 31)))
    lift(set_hold(instance, "D", by=ME), by=ME)
    forget_conversation(said.talk, with_memories=True, by=ME)
    assert not Memory.objects.exists()
    with pytest.raises(OnHold, match=r"[AB]"), transaction.atomic():
        forget_conversation(other, with_memories=False, by=ME)


def test_period_has_its_last_day_in_the_time_zone_of_the_instance(instance: Instance) -> None:
    instance.time_zone = "Asia/Tokyo"
    instance.save()
    hold = set_hold(instance, CASE, by=ME, period=(date(2026, 3, 1), date(2026, 3, 2)))
    assert hold.begins_at == datetime(2026, 2, 28, 15, tzinfo=UTC)
    assert hold.ends_at == datetime(2026, 3, 2, 15, tzinfo=UTC)


@pytest.mark.parametrize("scope", SCOPES)
def test_bin_keeps_what_is_on_hold(scope: str, said: Said, instance: Instance) -> None:
    remember(instance, [Candidate("Bo sails.", end_user="bo")], Writer(Origin.MANUAL, ME))
    archive(instance, Memory.objects.all(), by=ME)
    long_ago = timezone.now() - timedelta(days=31)
    ArchivedMemory.objects.update(archived_at=long_ago)
    set_hold(instance, CASE, by=ME, **scopes(said)[scope])
    gone = 0 if scope in ("period", "instance") else 1
    assert forget_overdue() == gone
    assert instance.archived.filter(memory_id=said.memory.pk).exists()
    # Restoring is no deletion.
    assert unarchive(instance, instance.archived.all(), by=ME) == 2 - gone
    assert said.is_there()


def test_erasure_waits_for_a_hold_that_is_set_meanwhile(said: Said, instance: Instance) -> None:
    erasure = ask_for_erasure(instance, "ana", by=ME, with_rules=False)
    hold = set_hold(instance, CASE, by=ME, end_user="ana")
    assert erasure.claim()
    assert not carry_out(erasure)
    erasure.refresh_from_db()
    assert CASE in erasure.error
    assert said.is_there()
    lift(hold, by=ME)
    Erasure.objects.update(due_at=timezone.now())
    assert erasure.claim()
    assert carry_out(erasure)
    assert not Message.objects.exists()
    assert LegalHold.objects.get().end_user == ""


def test_documents_and_notes_are_kept(instance: Instance) -> None:
    put(instance, NewDocument(("boats",), "one", {"name": "Argo"}), by=ME)
    set_hold(instance, CASE, by=ME)
    with pytest.raises(OnHold), transaction.atomic():
        StoredDocument.objects.all().delete()
    assert StoredDocument.objects.count() == 1


def test_texts_may_grow_but_not_go(said: Said, instance: Instance) -> None:
    set_hold(instance, CASE, by=ME, conversation=said.talk)
    messages = Message.objects.filter(pk=said.message.pk)
    assert messages.update(content="I row on the lake. And sail.") == 1
    for text in ("", "I row.", "Something else"):
        with pytest.raises(OnHold), transaction.atomic():
            messages.update(content=text)


def test_reply_on_hold_is_not_replaced(said: Said, instance: Instance, as_alice: Client) -> None:
    Instance.objects.filter(pk=instance.pk).update(
        provider="custom", base_url="http://127.0.0.1:9", chat_model="m"
    )
    said.talk.refresh_from_db()
    append(said.talk, [NewMessage("assistant", "How far?")])
    talk = Conversation.objects.get(pk=said.talk.pk)
    assert talk.instance.has_language_model
    set_hold(instance, CASE, by=ME, end_user="ana")
    with pytest.raises(OnHold):
        retry(talk)


def test_who_set_and_lifted_it_is_on_record(instance: Instance, alice: User) -> None:
    hold = set_hold(instance, CASE, by=Actor(alice))
    lift(hold, by=Actor(alice))
    lines = list(instance.activity.values_list("action", "about", "by").order_by("pk"))
    assert lines == [
        (Activity.Action.HOLD_SET, CASE, alice.pk),
        (Activity.Action.HOLD_LIFTED, CASE, alice.pk),
    ]
    hold.refresh_from_db()
    assert (hold.set_by_name, hold.lifted_by_name) == ("alice", "alice")


def test_rest_sets_lists_and_lifts(instance: Instance, said: Said) -> None:
    program = key_of(instance, ("people",))[1]
    hold = program.send("POST", "holds", {"name": CASE, "user_id": "ana"}, status=201)
    assert (hold["scope"], hold["user_id"]) == ("person", "ana")
    (listed,) = program.send("GET", "holds?active=true")["items"]
    assert listed == hold
    lifted = program.send("POST", f"holds/{hold['id']}/lift")
    assert lifted["lifted_at"]
    assert program.send("GET", "holds?active=true")["items"] == []
    both = {"name": "X", "user_id": "ana", "conversation_id": said.talk.pk}
    assert "one thing" in program.send("POST", "holds", both, status=422)["detail"]
    half = {"name": "X", "first_day": "2026-01-01"}
    assert "last_day" in program.send("POST", "holds", half, status=422)["detail"]
    late = {"name": "X", "first_day": "2026-01-02", "last_day": "2026-01-01"}
    assert "before the first" in program.send("POST", "holds", late, status=422)["detail"]
    key_of(instance, ("read", "write", "delete"))[1].send("POST", "holds", both, status=403)


def test_screens_of_deletion_lead_to_a_hold(
    said: Said, instance: Instance, as_alice: Client
) -> None:
    for path, value in (
        (f"/conversations/{said.talk.pk}/delete", str(said.talk.pk)),
        ("/memory/people/file?instance=desk&end_user=ana", "ana"),
    ):
        page = as_alice.get(path).content.decode()
        link = (
            page.partition("Set a legal hold instead")[0].rpartition('href="')[2].partition('"')[0]
        )
        form = as_alice.get(unescape(link)).content.decode()
        assert f'value="{value}"' in form.partition('id="holds"')[2], path


def test_screen_sets_and_lifts(instance: Instance, said: Said, as_alice: Client) -> None:
    address = f"/instances/{instance.slug}/holds"
    wrong = as_alice.post(address, {"hold-name": CASE, "hold-scope": "conversation"})
    assert wrong.status_code == 422
    assert "There is no conversation with this number here." in wrong.content.decode()
    given = {"hold-name": CASE, "hold-scope": "period", "hold-first": "2026-01-01"}
    wrong = as_alice.post(address, given)
    assert "Enter the first and the last day." in wrong.content.decode()
    wrong = as_alice.post(address, given | {"hold-last": "2025-12-31"})
    assert wrong.status_code == 422
    assert "must not be before the first" in wrong.content.decode()
    assert not LegalHold.objects.exists()
    given |= {"hold-last": "2026-01-31"}
    page = as_alice.post(address, given, follow=True).content.decode()
    assert "1 Jan 2026 – 31 Jan 2026" in page
    hold = LegalHold.objects.get()
    page = as_alice.post(f"{address}/{hold.pk}/lift", follow=True).content.decode()
    assert "Lifted" in page
    assert not LegalHold.objects.active().exists()


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.sampled_from(["forget", "archive", "talk", "mute", "erase"]), max_size=6))
def test_nothing_on_hold_goes_whatever_is_done(
    said: Said, instance: Instance, steps: list[str]
) -> None:
    with transaction.atomic():
        hold = set_hold(instance, CASE, by=ME, end_user="ana")
        memories = Memory.objects.filter(end_user="ana")
        for step in steps:
            with pytest.raises(OnHold), transaction.atomic():
                match step:
                    case "forget":
                        forget(instance, memories, by=ME)
                    case "archive":
                        archive(instance, memories, by=ME)
                    case "talk":
                        forget_conversation(said.talk, with_memories=True, by=ME)
                    case "mute":
                        Message.objects.filter(conversation=said.talk).update(content="")
                    case _:
                        ask_for_erasure(instance, "ana", by=ME, with_rules=True)
            assert said.is_there()
        lift(hold, by=ME)
