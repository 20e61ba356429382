"""Proposals to forget: who decides, once, and about what they have seen."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from conversations.messages import NewMessage, append
from conversations.models import Conversation, ConversationOrigin, Message
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import Activity, Answer, Memory, ProposedDeletion
from memoryapp.pipeline import Changes, revise
from memoryapp.web.version_token import version_token
from tests.web.page_text import text_of

pytestmark = pytest.mark.django_db
Store = Callable[..., Memory]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def nuts(store_memory: Store) -> Memory:
    return store_memory("The user is allergic to peanuts.")


@pytest.fixture
def goat(store_memory: Store) -> Memory:
    return store_memory("The user once had a goat in Lyon.")


@pytest.fixture
def answer(instance: Instance, nuts: Memory) -> Answer:
    """An answer in a chat, which proposes to forget the allergy."""
    chat = Conversation.objects.create(
        instance=instance, title="Dinner", origin=ConversationOrigin.CHAT
    )
    asked, reply = append(
        chat, [NewMessage("user", "Cook a satay."), NewMessage("assistant", "I would forget it.")]
    ).added
    answer = Answer.objects.create(
        instance=instance, conversation=chat, message=asked, reply=reply, state="done"
    )
    ProposedDeletion.objects.propose(answer, [nuts, nuts])
    return answer


def address(answer: Answer) -> str:
    return f"/memory/proposals/{answer.pk}"


def decide(client: Client, answer: Answer, decision: str, *memories: Memory) -> Any:
    tokens = [version_token(memory) for memory in memories]
    return client.post(address(answer), {"decision": decision, "memory": tokens}, headers=HTMX)


def chat_page(client: Client, answer: Answer) -> str:
    return text_of(client.get(f"/chat/{answer.conversation_id}").content.decode())


def decisions() -> list[str]:
    return list(ProposedDeletion.objects.values_list("decision", flat=True))


def test_proposal_stands_under_the_reply(as_alice: Client, answer: Answer) -> None:
    for _ in range(2):
        shown = chat_page(as_alice, answer)
        assert "Forget this memory? The user is allergic to peanuts. Said by the user · " in shown
        assert "Nothing is forgotten unless you say so." in shown
    assert Memory.objects.count() == 1


def test_forget_forgets_for_ten_seconds_of_undo(
    as_alice: Client, alice: User, answer: Answer, nuts: Memory, instance: Instance
) -> None:
    html = decide(as_alice, answer, "forget", nuts).content.decode()
    assert not Memory.objects.exists()
    assert not instance.archived.exists()
    assert "Deleted 1 memory" in text_of(html)
    assert "Forgotten · by alice" in text_of(html)
    line = Activity.objects.latest("pk")
    assert (line.action, line.by, line.memory_id) == ("deleted", alice, nuts.pk)
    assert Message.objects.get(pk=answer.message_id).content == ""

    (undo,) = re.findall(r'action="(/memory/undo[^"]*)"', html)
    fields = dict(re.findall(r'name="(name|key|next)" value="([^"]*)"', html))
    back = as_alice.post(undo, fields)
    chat = f"/chat/{answer.conversation_id}?turn=1#t1"
    assert back["Location"].replace("&amp;", "&") == chat
    assert Memory.objects.get() == nuts
    assert Message.objects.get(pk=answer.message_id).content == "Cook a satay."
    assert "Forgotten, then restored · by alice" in chat_page(as_alice, answer)


def test_keep_dismisses_it(as_alice: Client, answer: Answer, nuts: Memory) -> None:
    assert "Kept 1 memory." in text_of(decide(as_alice, answer, "keep", nuts).content.decode())
    assert Memory.objects.get() == nuts
    shown = chat_page(as_alice, answer)
    assert "Kept · by alice" in shown
    assert "Forget this memory?" not in shown


def test_buttons_work_without_javascript(
    as_alice: Client, answer: Answer, nuts: Memory, goat: Memory
) -> None:
    ProposedDeletion.objects.propose(answer, [goat])
    body = {"decision": "keep", "memory": version_token(goat)}
    kept = as_alice.post(address(answer), body)
    assert kept["Location"] == f"/chat/{answer.conversation_id}?turn=1#t1"
    forgotten = as_alice.post(
        address(answer), {"decision": "forget", "memory": version_token(nuts)}
    )
    # The key to the undo is in this page only.
    assert forgotten.status_code == 200
    page = forgotten.content.decode()
    assert "<html" in page and "Undo" in page
    assert Memory.objects.get() == goat


def test_it_is_decided_once(
    as_alice: Client, bob: User, answer: Answer, nuts: Memory, goat: Memory
) -> None:
    ProposedDeletion.objects.propose(answer, [goat])
    as_bob = Client()
    as_bob.force_login(bob)
    decide(as_alice, answer, "keep", nuts)
    for decision in ("forget", "keep"):
        late = text_of(decide(as_bob, answer, decision, nuts).content.decode())
        assert "This was decided already." in late
        assert "Kept · by alice" in late
    decide(as_alice, answer, "forget", goat)
    late = text_of(decide(as_bob, answer, "keep", goat).content.decode())
    assert "This was decided already." in late
    assert Memory.objects.get() == nuts
    assert decisions() == ["kept", "forgotten"]


def test_only_members_decide(
    client: Client, vera: User, charlie: User, bob: User, answer: Answer, nuts: Memory
) -> None:
    client.force_login(vera)
    shown = chat_page(client, answer)
    assert "The user is allergic to peanuts." in shown
    assert "nothing is forgotten yet. alice, bob can decide." in shown
    assert "Keep" not in shown.replace("Keepsake", "")
    assert decide(client, answer, "forget", nuts).status_code == 403
    client.force_login(charlie)
    assert client.get(address(answer)).status_code == 404
    assert decide(client, answer, "forget", nuts).status_code == 404
    assert Memory.objects.get() == nuts
    assert decisions() == [""]


def test_csrf_is_required(alice: User, answer: Answer, nuts: Memory) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    assert decide(browser, answer, "forget", nuts).status_code == 403
    assert Memory.objects.exists()


def test_changed_memory_is_shown_as_it_is_now(
    as_alice: Client, alice: User, answer: Answer, nuts: Memory
) -> None:
    revise(nuts, Changes("The user eats peanuts.", "fact", 5, []), by=Actor(alice))
    now = Memory.objects.get()
    stale = text_of(decide(as_alice, answer, "forget", nuts).content.decode())
    assert "Nothing was forgotten: the memory has changed" in stale
    assert "The user eats peanuts." in stale
    assert "It has been changed since the assistant proposed this." in stale
    assert decisions() == [""]
    decide(as_alice, answer, "forget", now)
    assert not Memory.objects.exists()


def test_deleted_memory_leaves_nothing_to_decide(
    as_alice: Client, answer: Answer, nuts: Memory
) -> None:
    nuts.delete()
    shown = chat_page(as_alice, answer)
    assert "The assistant proposed to forget: It has been deleted in the meantime." in shown
    assert "Forget this memory?" not in shown


def test_several_are_decided_together_or_one_by_one(
    as_alice: Client, answer: Answer, nuts: Memory, goat: Memory
) -> None:
    ProposedDeletion.objects.propose(answer, [goat])
    page = as_alice.get(address(answer)).content.decode()
    assert "Forget these 2 memories?" in text_of(page)
    assert page.count('type="checkbox" name="memory"') == 2
    empty = as_alice.post(address(answer), {"decision": "forget"}, headers=HTMX)
    assert "Select at least one memory" in text_of(empty.content.decode())
    decide(as_alice, answer, "forget", nuts)
    assert decisions() == ["forgotten", ""]
    assert "Forget this memory?" in chat_page(as_alice, answer)
    assert Memory.objects.get() == goat


def test_only_what_is_proposed_can_be_forgotten_here(
    as_alice: Client, answer: Answer, nuts: Memory, goat: Memory
) -> None:
    decide(as_alice, answer, "forget", goat)
    decide(as_alice, answer, "forget", goat, nuts)
    assert Memory.objects.get() == goat
    for wrong in ("x", "", "1@2@3", f"{goat.pk}@{10**30}"):
        body = {"decision": "forget", "memory": wrong}
        assert as_alice.post(address(answer), body, headers=HTMX).status_code == 200
    assert Memory.objects.get() == goat


def test_it_goes_with_its_conversation(as_alice: Client, answer: Answer) -> None:
    as_alice.post(f"/conversations/{answer.conversation_id}/delete", {"memories": "keep"})
    assert not ProposedDeletion.objects.exists()
    assert as_alice.get(address(answer)).status_code == 404
    assert Memory.objects.exists()


def test_transcript_leads_to_it(as_alice: Client, answer: Answer, nuts: Memory) -> None:
    """A client of the OpenAI API has no chat here."""
    Conversation.objects.update(origin=ConversationOrigin.OPENAI)
    transcript = as_alice.get(f"/conversations/{answer.conversation_id}").content.decode()
    assert f'href="{address(answer)}"' in transcript
    kept = as_alice.post(address(answer), {"decision": "keep", "memory": version_token(nuts)})
    assert kept["Location"] == answer.message.get_absolute_url()


def test_answer_without_a_proposal_has_no_page(as_alice: Client, answer: Answer) -> None:
    ProposedDeletion.objects.all().delete()
    assert as_alice.get(address(answer)).status_code == 404
