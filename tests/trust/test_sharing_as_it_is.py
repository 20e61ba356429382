"""Sharing a conversation or a note with a group: told where it is, as long as it is shared."""

import json
from collections.abc import Callable

import pytest
from django.db import transaction
from django.test import Client

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Agent, ApiKey, Group, Instance, Reach, User
from memoryapp import tools
from memoryapp.context.builder import build_context
from memoryapp.forgetting.holds import OnHold, set_hold
from memoryapp.mining.run import mine_here
from memoryapp.models import Activity, Drawer, HeldStatement, Memory, Origin
from memoryapp.palace.notes import NewNote, add_note
from memoryapp.people.erasure import ask_for_erasure, work_on
from memoryapp.people.groups import GroupMembers, create_group, remove_group
from memoryapp.pipeline import Rejected, Writer
from memoryapp.recall import RecallOptions, recall
from memoryapp.trust.conversation_deletion import forget_conversation
from memoryapp.trust.review import DecidedAlready, approve_all, approve_sharing, reject
from memoryapp.trust.sharing import (
    Shareable,
    groups_to_tell,
    propose_to_tell,
    share,
    stop_sharing,
)
from tests.api.conftest import key_of

ME = Actor(via="test")
QUESTION = "Which colour has the boat?"
Make = Callable[[Instance, str], Shareable]


@pytest.fixture
def family(instance: Instance) -> Group:
    return create_group(instance, "Family", GroupMembers(["mara", "jonas"]), by=ME)


def filed_talk(instance: Instance, person: str) -> Conversation:
    """A conversation whose messages are in the palace."""
    talk = unfiled_talk(instance, person)
    mine_here(talk, with_model=False)
    return talk


def unfiled_talk(instance: Instance, person: str) -> Conversation:
    talk = Conversation.objects.create(instance=instance, title="Boats", end_user=person)
    append(talk, [NewMessage("user", "I painted the old boat red in the yard.")])
    return talk


def note(instance: Instance, person: str) -> Drawer:
    text = "The old boat in the yard is red."
    return add_note(instance, NewNote(text, wing="Boat", end_user=person), by=ME)


EACH = pytest.mark.parametrize("make", [filed_talk, unfiled_talk, note])


def is_told(instance: Instance, person: str, **limits: object) -> bool:
    """True if *person* is told of the boat; each way of telling must agree."""
    instance.top_k = 20
    agent = limits.get("agent")
    assert agent is None or isinstance(agent, Agent)
    reach = Reach(str(limits.get("reach", Reach.ALL)))
    options = RecallOptions(
        limit=20, end_user=person, agent=agent, reach=reach, only_relevant=False
    )
    context = tools.ToolContext(instance, Writer(Origin.API, ME), person, agent=agent, reach=reach)
    texts = [
        "\n".join(hit.content for hit in recall(instance, QUESTION, options).hits),
        build_context(instance, QUESTION, end_user=person, agent=agent, options=options).text,
        *(
            tools.run(name, json.dumps({"query": QUESTION}), context, allowed=tools.TOOLS).text
            for name in ("search_memory",)
        ),
    ]
    (told,) = {" red" in text for text in texts}
    return told


@EACH
def test_members_are_told_as_long_as_it_is_shared(
    instance: Instance, family: Group, make: Make
) -> None:
    row = make(instance, "mara")
    assert is_told(instance, "mara") and not is_told(instance, "jonas")
    share(row, family, by=ME)
    assert is_told(instance, "mara") and is_told(instance, "jonas")
    # The group itself, such as a speaker in a kitchen.
    assert is_told(instance, "family")
    assert not is_told(instance, "peer") and not is_told(instance, "")
    assert not is_told(instance, "jonas", reach=Reach.OWN)
    nora = Agent.objects.create(instance=instance, slug="nora", name="Nora", reach=Reach.OWN)
    assert not is_told(instance, "jonas", agent=nora)
    assert not Memory.objects.exists()
    assert stop_sharing(row, by=ME)
    assert not stop_sharing(row, by=ME)
    assert is_told(instance, "mara") and not is_told(instance, "jonas")
    actions = list(Activity.objects.order_by("pk").values_list("action", "about"))[-2:]
    begun = "note_shared" if isinstance(row, Drawer) else "conversation_shared"
    assert actions == [(begun, "Family"), ("sharing_ended", "Family")]


def test_conversation_is_told_as_it_goes_on(instance: Instance, family: Group) -> None:
    talk = Conversation.objects.create(instance=instance, end_user="mara")
    share(talk, family, by=ME)
    append(talk, [NewMessage("user", "I painted the old boat red in the yard.")])
    assert is_told(instance, "jonas")
    mine_here(talk, with_model=False)
    assert is_told(instance, "jonas")


@EACH
def test_what_nobody_has_named_is_not_shared_with_nobody(
    instance: Instance, family: Group, make: Make
) -> None:
    """No row is shared with the user without a name by having no group."""
    make(instance, "mara")
    assert not is_told(instance, "")


@EACH
def test_model_does_not_take_the_user_for_who_said_it(
    instance: Instance, family: Group, make: Make
) -> None:
    share(make(instance, "mara"), family, by=ME)
    (line,) = [
        line
        for line in build_context(instance, QUESTION, end_user="jonas").text.splitlines()
        if " red" in line
    ]
    assert 'user "mara"' in line and "shared with Family" in line


@EACH
def test_proposal_is_decided_under_review(instance: Instance, family: Group, make: Make) -> None:
    row = make(instance, "mara")
    held = propose_to_tell(row, family, by=ME)
    assert propose_to_tell(row, family, by=ME) == held
    assert not is_told(instance, "jonas")
    assert approve_sharing(held, by=ME) == family
    assert is_told(instance, "jonas")
    with pytest.raises(DecidedAlready), transaction.atomic():
        approve_sharing(held, by=ME)
    row.refresh_from_db()
    assert not groups_to_tell(row)
    for act in (propose_to_tell, share):
        with pytest.raises(Rejected, match="shared already"):
            act(row, family, by=ME)
    stop_sharing(row, by=ME)
    again = propose_to_tell(row, family, by=ME)
    reject(instance, [again.pk], by=ME)
    with pytest.raises(Rejected, match="rejected this before"):
        propose_to_tell(row, family, by=ME)


@EACH
def test_sharing_at_once_settles_what_was_proposed(
    instance: Instance, alice: User, family: Group, make: Make
) -> None:
    row = make(instance, "mara")
    propose_to_tell(row, family, by=ME)
    share(row, family, by=ME)
    assert not HeldStatement.objects.exists()


def test_all_of_a_source_are_approved(instance: Instance, alice: User, family: Group) -> None:

    rows = [make(instance, "mara") for make in (filed_talk, note)]
    for row in rows:
        propose_to_tell(row, family, by=ME)
    result = approve_all(instance, HeldStatement.objects.order_by("pk"), by=alice)
    assert (result.count, list(result.problems)) == (2, [])
    assert not HeldStatement.objects.exists()


@EACH
def test_sharing_ends_with_the_group(instance: Instance, family: Group, make: Make) -> None:
    row = make(instance, "mara")
    share(row, family, by=ME)
    remove_group(family, by=ME)
    instance.refresh_from_db()
    again = create_group(instance, "Family", GroupMembers(["jonas"]), end_user="family", by=ME)
    assert again.shared_id == "family"
    assert not is_told(instance, "jonas")


@EACH
def test_erasure_takes_it_and_its_proposal(instance: Instance, family: Group, make: Make) -> None:
    share(make(instance, "mara"), family, by=ME)
    propose_to_tell(make(instance, "mara"), family, by=ME)
    work_on(ask_for_erasure(instance, "mara", by=ME, typed="mara", with_rules=True))
    assert not is_told(instance, "jonas")
    assert not Conversation.objects.exists() and not Drawer.objects.exists()
    assert not HeldStatement.objects.exists()


@EACH
def test_erased_group_is_told_nothing_any_more(
    instance: Instance, family: Group, make: Make
) -> None:
    share(make(instance, "mara"), family, by=ME)
    unfiled_talk(instance, "family").messages.update(content="We have a boat.")
    work_on(ask_for_erasure(instance, "family", by=ME, typed="family", with_rules=True))
    assert is_told(instance, "mara") and not is_told(instance, "jonas")


@pytest.mark.parametrize("held_for", ["mara", "family"])
def test_holds_on_the_person_and_on_the_group_keep_it(
    instance: Instance, family: Group, held_for: str
) -> None:
    talk, written = filed_talk(instance, "mara"), note(instance, "mara")
    for row in (talk, written):
        share(row, family, by=ME)
    set_hold(instance, "Case 17", by=ME, end_user=held_for)
    with pytest.raises(OnHold, match="Case 17"), transaction.atomic():
        forget_conversation(talk, with_memories=False, by=ME)
    with pytest.raises(OnHold, match="Case 17"), transaction.atomic():
        talk.messages.get().delete()
    with pytest.raises(OnHold, match="Case 17"), transaction.atomic():
        written.delete()


def test_what_cannot_be_shared(instance: Instance, family: Group) -> None:
    silent = Conversation.objects.create(instance=instance, end_user="mara", without_memory=True)
    of_group = unfiled_talk(instance, "family")
    filed = filed_talk(instance, "mara").messages.get().drawer
    for row in (silent, of_group, filed):
        assert not groups_to_tell(row)
        with pytest.raises(Rejected):
            share(row, family, by=ME)


def address_of(row: Shareable, act: str) -> str:
    kind = "palace/notes/" if isinstance(row, Drawer) else ""
    return f"/conversations/{kind}{row.pk}/{act}?instance=desk"


@EACH
def test_manager_shares_at_once_on_its_screen_and_stops(
    as_alice: Client, instance: Instance, family: Group, make: Make
) -> None:
    row = make(instance, "mara")
    screen = f"{row.get_absolute_url()}?instance=desk"
    assert "Share with" in as_alice.get(screen).content.decode()
    given = {"group": family.pk}
    said = as_alice.post(address_of(row, "share"), given, follow=True).content.decode()
    assert "Shared with Family." in said and "Stop sharing" in said and "Share with" not in said
    assert is_told(instance, "jonas")
    assert as_alice.post(address_of(row, "share"), given).status_code == 404
    said = as_alice.post(address_of(row, "unshare"), follow=True).content.decode()
    assert "No longer shared." in said and "Share with" in said
    assert not is_told(instance, "jonas")


@EACH
def test_member_proposes_and_a_manager_decides(
    as_alice: Client, instance: Instance, bob: User, family: Group, make: Make
) -> None:
    instance.membership_set.update_or_create(user=bob, defaults={"role": "member"})
    as_bob = Client()
    as_bob.force_login(bob)
    row = make(instance, "mara")
    said = as_bob.post(address_of(row, "share"), {"group": family.pk}, follow=True)
    assert "A manager decides under Review whether Family is told." in said.content.decode()
    assert not is_told(instance, "jonas")
    review = " ".join(as_alice.get("/memory/review?instance=desk").content.decode().split())
    assert "from <bdi>mara</bdi>, for <bdi>family</bdi>" in review
    assert ("The old boat in the yard is red." if isinstance(row, Drawer) else "Boats") in review
    decision = f"/memory/review/{HeldStatement.objects.get().pk}?instance=desk"
    said = as_alice.post(decision, {"decision": "approve"}, follow=True)
    assert "Shared with Family." in said.content.decode()
    assert is_told(instance, "jonas")
    assert address_of(row, "unshare") in said.content.decode()
    # Its undo leads back to the review.
    back = as_alice.post(address_of(row, "unshare"), {"next": "/memory/review?instance=desk"})
    assert back["Location"] == "/memory/review?instance=desk"
    assert not is_told(instance, "jonas")


@EACH
def test_programs_propose_and_stop(
    as_alice: Client, instance: Instance, family: Group, make: Make
) -> None:
    row = make(instance, "mara")
    program = key_of(instance)[1]
    kind = "palace/notes" if isinstance(row, Drawer) else "conversations"
    address = f"{kind}/{row.pk}/share"
    held = program.send("POST", address, {"group_id": family.pk}, status=202)
    assert held["reason"] == "shared" and held["content"]
    approved = as_alice.post(f"/api/review/{held['id']}/approve", content_type="application/json")
    assert approved.status_code == 204, approved.content
    assert is_told(instance, "jonas")
    one = f"palace/drawers/{row.pk}" if isinstance(row, Drawer) else f"conversations/{row.pk}"
    assert program.send("GET", one)["shared_with"] == "family"
    assert program.send("POST", address, {"group_id": family.pk}, status=422)
    for _ in range(2):
        program.send("DELETE", address, status=204)
    assert program.send("GET", one)["shared_with"] is None
    assert not is_told(instance, "jonas")


def test_key_of_a_member_reads_what_is_shared_and_changes_nothing(
    instance: Instance, family: Group
) -> None:
    talk = filed_talk(instance, "mara")
    message = talk.messages.get()
    key, program = key_of(instance)
    own = f"conversations/{talk.pk}"
    reads = (own, f"{own}/messages", f"messages/{message.pk}")
    ApiKey.objects.filter(pk=key.pk).update(end_user="jonas")
    for path in reads:
        program.send("GET", path, status=404)
    share(talk, family, by=ME)
    for path in reads:
        program.send("GET", path, status=200)
    # A list by id has what is kept under it.
    assert program.send("GET", "conversations")["items"] == []
    for method, path, body in (
        ("PATCH", own, {"title": "Mine"}),
        ("DELETE", f"{own}?memories=keep", None),
        ("POST", f"{own}/messages", {"messages": [{"role": "user", "content": "Hm."}]}),
        ("POST", f"{own}/share", {"group_id": family.pk}),
        ("DELETE", f"{own}/share", None),
    ):
        assert program.send(method, path, body, status=404)
    ApiKey.objects.filter(pk=key.pk).update(reach=Reach.OWN)
    for path in reads:
        program.send("GET", path, status=404)
    # Whose it is stops sharing it, and proposes it to their own groups alone.
    ApiKey.objects.filter(pk=key.pk).update(end_user="mara")
    program.send("DELETE", f"{own}/share", status=204)
    crew = create_group(instance, "Crew", GroupMembers(["jonas"]), by=ME)
    program.send("POST", f"{own}/share", {"group_id": crew.pk}, status=404)
    program.send("POST", f"{own}/share", {"group_id": family.pk}, status=202)
