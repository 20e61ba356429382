"""Sharing a memory with a group: proposed, decided under Review, and taken back."""

import pytest
from django.db import transaction
from django.test import Client

from instances.actor import Actor
from instances.models import Group, Instance, User
from memoryapp.context.builder import build_context
from memoryapp.forgetting.archive import archive, empty
from memoryapp.forgetting.holds import OnHold, lift, set_hold
from memoryapp.models import ArchivedMemory, HeldStatement, Memory, Origin
from memoryapp.people.erasure import ask_for_erasure, work_on
from memoryapp.people.groups import GroupMembers, create_group
from memoryapp.pipeline import Candidate, Rejected, Writer, remember
from memoryapp.trust.review import approve, reject
from memoryapp.trust.sharing import groups_for, propose, wording
from tests.api.conftest import key_of

ME = Actor(via="test")
QUESTION = "What is Mara allergic to?"


@pytest.fixture
def family(instance: Instance) -> Group:
    return create_group(instance, "Family", GroupMembers(["Mara", "jonas"]), by=ME)


@pytest.fixture
def peanuts(instance: Instance, family: Group) -> Memory:
    said = Candidate(
        "The user is allergic to peanuts.",
        end_user="Mara",
        importance=9,
        tags=["food"],
        key="allergy",
        value="peanuts",
    )
    (outcome,) = remember(instance, [said], Writer(Origin.MANUAL, ME))
    return outcome.memory


def told(instance: Instance, person: str) -> str:
    return build_context(instance, QUESTION, end_user=person).text


def test_approved_proposal_is_told_to_the_group_and_nobody_else(
    instance: Instance, family: Group, peanuts: Memory
) -> None:
    held = propose(peanuts, family, wording(peanuts), by=ME)
    assert held.reason == "shared"
    assert "peanuts" not in told(instance, "jonas")
    shared = approve(held, by=ME).memory
    assert (shared.end_user, shared.shared_by) == ("family", "Mara")
    assert (shared.content, shared.importance, shared.tags, shared.key) == (
        "Mara is allergic to peanuts.",
        9,
        ["food"],
        "",
    )
    assert "peanuts" in told(instance, "jonas")
    assert "peanuts" not in told(instance, "stranger")
    peanuts.refresh_from_db()
    assert (peanuts.end_user, peanuts.content) == ("Mara", "The user is allergic to peanuts.")
    # It is shared, so it is not proposed again.
    assert not groups_for(shared)
    with pytest.raises(Rejected):
        propose(shared, family, shared.content, by=ME)


def test_rejected_proposal_is_not_made_again(
    instance: Instance, family: Group, peanuts: Memory
) -> None:
    held = propose(peanuts, family, wording(peanuts), by=ME)
    assert propose(peanuts, family, wording(peanuts), by=ME) == held
    reject(instance, [held.pk], by=ME)
    with pytest.raises(Rejected, match="rejected this before"):
        propose(peanuts, family, wording(peanuts), by=ME)
    assert Memory.objects.count() == 1


def test_text_passes_the_same_checks_as_any(
    instance: Instance, family: Group, peanuts: Memory
) -> None:
    with pytest.raises(Rejected):
        propose(peanuts, family, "  ", by=ME)
    held = propose(peanuts, family, "Mara pays with 4111 1111 1111 1111.", by=ME)
    assert "4111" not in held.content


@pytest.mark.parametrize("is_in_the_bin", [False, True])
def test_erasing_the_person_takes_what_they_shared(
    instance: Instance, family: Group, peanuts: Memory, is_in_the_bin: bool
) -> None:
    approve(propose(peanuts, family, wording(peanuts), by=ME), by=ME)
    propose(peanuts, family, "Mara eats no nuts.", by=ME)
    if is_in_the_bin:
        archive(instance, Memory.objects.filter(shared_by="Mara"), by=ME)
    theirs = Candidate("The family eats at six.", end_user="family")
    remember(instance, [theirs], Writer(Origin.MANUAL, ME))
    work_on(ask_for_erasure(instance, "Mara", by=ME, typed="Mara", with_rules=True))
    assert [memory.content for memory in Memory.objects.all()] == ["The family eats at six."]
    assert not ArchivedMemory.objects.exists()
    assert not HeldStatement.objects.exists()


def test_manager_shares_at_once_and_takes_it_back(
    as_alice: Client, instance: Instance, family: Group, peanuts: Memory
) -> None:
    page = as_alice.get(f"/memory/{peanuts.pk}?instance=desk").content.decode()
    assert "Mara is allergic to peanuts." in page
    given = {"group": family.pk, "text": "Mara must not eat peanuts."}
    address = f"/memory/{peanuts.pk}/share?instance=desk"
    said = as_alice.post(address, given, follow=True).content.decode()
    assert "Shared with Family." in said
    shared = Memory.objects.get(shared_by="Mara")
    assert shared.content == "Mara must not eat peanuts."
    page = as_alice.get(f"/memory/{shared.pk}?instance=desk").content.decode()
    assert "Stop sharing" in page
    as_alice.post(f"/memory/{shared.pk}/unshare?instance=desk")
    assert "peanuts" not in told(instance, "jonas")
    assert Memory.objects.get() == peanuts
    assert as_alice.post(f"/memory/{peanuts.pk}/unshare?instance=desk").status_code == 404
    assert as_alice.post(address, {"group": "x"}).status_code == 404


def test_hold_on_the_person_keeps_what_they_shared(
    instance: Instance, family: Group, peanuts: Memory
) -> None:
    shared = approve(propose(peanuts, family, wording(peanuts), by=ME), by=ME).memory
    hold = set_hold(instance, "Case 17", by=ME, end_user="Mara")
    for memory in (peanuts, shared):
        with pytest.raises(OnHold, match="Case 17"), transaction.atomic():
            archive(instance, Memory.objects.filter(pk=memory.pk), by=ME)
    lift(hold, by=ME)
    archive(instance, Memory.objects.filter(pk=shared.pk), by=ME)
    set_hold(instance, "Case 18", by=ME, end_user="Mara")
    with pytest.raises(OnHold, match="Case 18"), transaction.atomic():
        empty(instance, ArchivedMemory.objects.all(), by=ME)


def test_what_the_user_without_a_name_shares_is_theirs_as_well(
    as_alice: Client, instance: Instance, family: Group
) -> None:
    said = Candidate("The user is allergic to peanuts.")
    (outcome,) = remember(instance, [said], Writer(Origin.CONVERSATION, ME))
    text = "Our host is allergic to peanuts."
    shared = approve(propose(outcome.memory, family, text, by=ME), by=ME).memory
    page = as_alice.get(f"/memory/{shared.pk}?instance=desk").content.decode()
    assert "Stop sharing" in page
    assert "has been deleted" not in page
    work_on(ask_for_erasure(instance, "", by=ME, typed="the user", with_rules=True))
    assert not Memory.objects.exists()


def test_member_proposes_and_review_says_what(
    as_alice: Client, instance: Instance, bob: User, family: Group, peanuts: Memory
) -> None:
    instance.membership_set.update_or_create(user=bob, defaults={"role": "member"})
    as_bob = Client()
    as_bob.force_login(bob)
    given = {"group": family.pk, "text": wording(peanuts)}
    address = f"/memory/{peanuts.pk}/share?instance=desk"
    said = as_bob.post(address, given, follow=True).content.decode()
    assert "A manager decides under Review whether Family is told." in said
    assert not Memory.objects.filter(shared_by="Mara").exists()
    review = " ".join(as_alice.get("/memory/review?instance=desk").content.decode().split())
    assert "from <bdi>Mara</bdi>, for <bdi>family</bdi>" in review
    held = HeldStatement.objects.get()
    as_alice.post(f"/memory/review/{held.pk}?instance=desk", {"decision": "approve"})
    assert Memory.objects.get(shared_by="Mara").end_user == "family"
    # The logs say it as the screen does.
    for address in ("/activity", "/activity/audit"):
        page = as_alice.get(f"{address}?instance=desk").content.decode()
        assert "<bdi>bob</bdi></b> proposed sharing with Family" in page
        assert "<bdi>alice</bdi></b> shared a memory with Family" in page


def test_programs_propose(instance: Instance, family: Group, peanuts: Memory) -> None:
    program = key_of(instance)[1]
    answer = program.ask("POST", f"memories/{peanuts.pk}/share", {"group_id": family.pk})
    assert answer.status_code == 202
    assert answer.json()["content"] == "Mara is allergic to peanuts."
    assert answer.json()["reason"] == "shared"
    assert not Memory.objects.filter(shared_by="Mara").exists()
    missing = program.ask("POST", f"memories/{peanuts.pk}/share", {"group_id": 0})
    assert missing.status_code == 404
