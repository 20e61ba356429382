"""The chat without a language model: what the search finds is the answer."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from conversations.messages import NewMessage, append
from conversations.models import Conversation, ConversationOrigin
from instances.actor import Actor
from instances.models import Instance
from memoryapp.assistant import answer_threads
from memoryapp.models import Answer, Memory, Origin, Run
from memoryapp.pipeline import Candidate, Writer, remember
from tests.provider_fixtures import eventually, provider, read_with
from tests.scripted_answers import said
from tests.scripted_provider import ScriptedProvider
from tests.web.chat.chatting import Store, answered, page, send
from tests.web.page_text import text_of

__all__ = ["provider"]

# Answers run in threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def talk(instance: Instance) -> Iterator[Conversation]:
    """A conversation in an instance without a language model, with memory on."""
    Instance.objects.update(memory_enabled=True)
    instance.refresh_from_db()
    assert not instance.has_language_model
    yield Conversation.objects.create(
        instance=instance, title="Dinner", origin=ConversationOrigin.CHAT
    )
    eventually(lambda: not answer_threads.threads.running, "every answer has come to its end")


def test_search_results_are_the_answer(
    as_alice: Client, talk: Conversation, store_memory: Store
) -> None:
    memory = store_memory("The user is allergic to peanuts.")
    stream = send(as_alice, f"/chat/{talk.pk}", "Are peanuts good for me?")
    assert [name for name, _ in stream][:1] == ["begin"]
    for html in (stream[-1][1]["html"], page(as_alice, f"/chat/{talk.pk}")):
        shown = text_of(html)
        assert "This is what I remember about that: The user is allergic to peanuts." in shown
        asked = f"/memory/{memory.pk}?instance=desk&amp;list=ask&amp;q=Are+peanuts+good+for+me%3F"
        assert f'<a class="cite" href="{asked}">m{memory.pk}</a>' in html
        assert "No language model is connected, so this is what the search found." in shown
        assert 'href="/instances/desk/settings/models#language-model"' in html
        assert "similar meaning · contains “peanuts”" in shown
        assert "The model was given this" not in shown
    assert Answer.objects.get().is_searched


def test_it_works_without_javascript(
    as_alice: Client, instance: Instance, talk: Conversation, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts.")
    response = as_alice.post("/chat?instance=desk", {"message": "Are peanuts good for me?"})
    assert response.status_code == 302
    begun = Conversation.objects.exclude(pk=talk.pk).get()
    eventually(lambda: answered(begun), "the answer is there")
    assert "The user is allergic to peanuts." in text_of(page(as_alice, f"/chat/{begun.pk}"))


def test_nothing_remembered_is_said(as_alice: Client, talk: Conversation) -> None:
    stream = send(as_alice, f"/chat/{talk.pk}", "Where is the zebra crossing?")
    shown = text_of(stream[-1][1]["html"])
    assert "I remember nothing about that. What you write is read for facts." in shown
    Instance.objects.update(recall_enabled=False)
    stream = send(as_alice, f"/chat/{talk.pk}", "And now?")
    assert "Recall is off, so nothing was looked up." in text_of(stream[-1][1]["html"])


def test_message_is_read_and_the_answer_is_never_stored_as_said(
    as_alice: Client, talk: Conversation, store_memory: Store
) -> None:
    """The answer repeats what is remembered: it is no message that could be read or recalled."""
    store_memory("The user is allergic to peanuts.")
    send(as_alice, f"/chat/{talk.pk}", "Are peanuts good for me? I live in Gent.")
    (message,) = talk.messages.all()
    assert message.role == "user"
    assert "allergic" not in message.content
    assert Run.objects.extractions().get().conversation == talk


def test_what_was_said_earlier_in_this_chat_is_found(as_alice: Client, talk: Conversation) -> None:
    send(as_alice, f"/chat/{talk.pk}", "The berth in Kiel has the number 17.")
    stream = send(as_alice, f"/chat/{talk.pk}", "Which berth in Kiel?")
    shown = text_of(stream[-1][1]["html"])
    assert "“The berth in Kiel has the number 17.”" in shown
    assert "“Which berth in Kiel?”" not in shown


def test_forgotten_memory_is_gone_from_the_answer(
    as_alice: Client, talk: Conversation, store_memory: Store
) -> None:
    memory = store_memory("The user is allergic to peanuts.")
    send(as_alice, f"/chat/{talk.pk}", "Are peanuts good for me?")
    Memory.objects.filter(pk=memory.pk).delete()
    shown = text_of(page(as_alice, f"/chat/{talk.pk}"))
    assert "allergic" not in shown
    assert "This is what I remember about that: Deleted since." in shown


def test_model_that_is_connected_later_is_not_told_it_said_so(
    as_alice: Client, talk: Conversation, provider: ScriptedProvider, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts.")
    send(as_alice, f"/chat/{talk.pk}", "Are peanuts good for me?")
    read_with(provider, talk.instance)
    Instance.objects.update(recall_enabled=False)
    html = page(as_alice, f"/chat/{talk.pk}")
    assert "Try again" in text_of(html)
    assert "No language model is connected" not in text_of(html)
    send(as_alice, f"/chat/{talk.pk}", "And walnuts?")
    sent = provider.requests[-1].body["messages"]
    assert [message["role"] for message in sent] == ["system", "user"]
    assert "allergic" not in str(sent)
    assert "Are peanuts good for me?" in said(sent[1]["content"])


def test_queries_do_not_grow_with_the_answers(
    as_alice: Client, talk: Conversation, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts.")

    def queries() -> int:
        with CaptureQueriesContext(connection) as caught:
            page(as_alice, f"/chat/{talk.pk}")
        return len(caught)

    for question in ("Are peanuts good for me?", "Are peanuts good for you?"):
        send(as_alice, f"/chat/{talk.pk}", question)
    few = queries()
    for number in range(3):
        send(as_alice, f"/chat/{talk.pk}", f"Are peanuts good for {number} people?")
    assert queries() <= few


def test_statement_is_noted_and_not_answered_with_what_is_unlike_it(
    as_alice: Client, talk: Conversation, store_memory: Store
) -> None:
    Instance.objects.update(builtin_reader=True)
    for content in ("The user likes tahini.", "The user's sister keeps bees in Bern."):
        store_memory(content)
    stream = send(as_alice, f"/chat/{talk.pk}", "My brother drives a Volvo.")
    shown = text_of(stream[-1][1]["html"])
    assert "Noted. What you write is read for facts" in shown
    assert "tahini" not in shown and "bees" not in shown
    assert "I remember nothing" not in shown
    Instance.objects.update(memory_enabled=False)
    shown = text_of(page(as_alice, f"/chat/{talk.pk}"))
    assert "Kept as a message. No facts are learned from this chat." in shown


def test_statement_lists_what_is_clearly_about_the_same_thing(
    as_alice: Client, talk: Conversation, store_memory: Store
) -> None:
    store_memory("The user's brother drives a red Volvo.")
    stream = send(as_alice, f"/chat/{talk.pk}", "My brother drives a Volvo.")
    assert "The user's brother drives a red Volvo." in text_of(stream[-1][1]["html"])


def test_memory_and_its_message_are_one_result(
    as_alice: Client, talk: Conversation, instance: Instance
) -> None:
    said = "I like tahini and eat tahini with bread from Bern."
    append(talk, [NewMessage("user", said)])
    message = talk.messages.get()
    candidate = Candidate("The user likes tahini.", conversation_id=talk.pk, message_id=message.pk)
    remember(instance, [candidate], Writer(Origin.CONVERSATION, Actor(via="extraction")))
    stream = send(as_alice, f"/chat/{talk.pk}", "Which bread from Bern do I eat with tahini?")
    shown = text_of(stream[-1][1]["html"]).partition("What memory did")[0]
    assert shown.count("The user likes tahini.") == 1
    assert said not in shown
