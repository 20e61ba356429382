"""A reply with a secret while it is being written."""

import threading

import pytest
from django.test import Client

from conversations.models import Conversation
from instances.models import Instance, User
from memoryapp.assistant import answer_threads
from tests.provider_fixtures import eventually, provider
from tests.scripted_provider import Says, ScriptedProvider
from tests.web.chat.chatting import EVENTS, assisted, chat, events
from tests.web.page_text import text_of

__all__ = ["assisted", "chat", "provider"]

# Answers run in threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)


def test_viewer_sees_a_reply_when_it_is_complete_and_masked(
    client: Client,
    instance: Instance,
    chat: Conversation,
    provider: ScriptedProvider,
    alice: User,
    vera: User,
) -> None:
    gate = threading.Event()
    said = "Your password is Zebra-17x indeed."
    provider.reply_with(Says(said, before=lambda n: n < 5 or gate.wait(30)))
    client.force_login(alice)
    client.post(f"/chat/{chat.pk}", {"message": "What was it?"})
    live = next(iter(answer_threads.threads.running))
    eventually(lambda: "Zebra-17x" in live.snapshot().text, "the secret is there")

    client.force_login(vera)
    threading.Timer(0.2, gate.set).start()
    ((name, data),) = events(client.get(f"/chat/{chat.pk}/follow", headers=EVENTS))

    assert name == "end"
    assert "Your password is [REDACTED:PASSWORD] indeed." in text_of(data["html"])
