"""The transcript of a conversation: its messages, their states, and renaming."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags
from pytest_django import DjangoCaptureOnCommitCallbacks

from conversations.messages import NewMessage, append
from conversations.models import MESSAGES_PER_PAGE, Conversation, Message
from instances.actor import Actor
from instances.models import Agent, Instance, Provider
from memoryapp.models import Origin, Run
from memoryapp.pipeline import Candidate, Writer, remember
from tests.web.conversations.test_views import titles, transcript

Say = Callable[..., Message]


def test_memory_off_is_shown_once(
    as_alice: Client, instance: Instance, conversation: Conversation, store_message: Say
) -> None:
    for number in range(5):
        store_message(conversation, f"Line {number}.")
    page = transcript(as_alice, conversation)
    assert page.count("Memory is off for Support desk: 7 messages here have not been read") == 1
    assert "Not read" not in page.partition('id="transcript"')[2]
    instance.memory_enabled = True
    instance.save()
    page = transcript(as_alice, conversation)
    assert "Memory is off" not in page
    assert page.count("Not read yet.") == 7


def test_conversation_can_be_renamed(as_alice: Client, conversation: Conversation) -> None:
    address = f"/conversations/{conversation.pk}/rename"
    response = as_alice.post(address, {"title": "  Supper \x00 for\n ten "}, follow=True)
    assert "The conversation is now called “Supper for ten”." in response.content.decode()
    as_alice.post(address, {"title": "x" * 301})
    assert titles(as_alice) == ["Supper for ten"]
    as_alice.post(address, {"title": " "})
    assert f"Conversation {conversation.pk}" in transcript(as_alice, conversation)
    assert as_alice.get(address).status_code == 405


def test_head_offers_one_button_and_a_menu(as_alice: Client, conversation: Conversation) -> None:
    Conversation.objects.filter(pk=conversation.pk).update(origin="chat")
    head, _, menu = transcript(as_alice, conversation).partition("<h1")[2].partition("data-menu")
    menu = menu.partition("</details>")[0]
    actions = [f"/conversations/{conversation.pk}/{verb}" for verb in ("rename", "delete")]
    assert f'href="/chat/{conversation.pk}"' in head
    assert all(action in menu and action not in head for action in actions)
    assert "/memory/removed/rollback?" in menu


def test_long_transcript_links_to_its_ends(
    as_alice: Client, conversation: Conversation, instance: Instance
) -> None:
    append(conversation, [NewMessage("user", f"Line {n}.") for n in range(MESSAGES_PER_PAGE * 2)])
    assert 'href="?page=3">Last page</a>' in transcript(as_alice, conversation)
    page = transcript(as_alice, conversation, "page=3")
    assert f'href="/conversations/{conversation.pk}">First page</a>' in page
    assert "Last page" not in page


def test_each_message_has_a_status(
    as_alice: Client, instance: Instance, conversation: Conversation, store_message: Say
) -> None:
    instance.memory_enabled = True
    instance.save()
    store_message(conversation, "Be kind.", role="system")
    learned_from = conversation.messages.get(position=1)
    candidate = Candidate(
        "The user is allergic to peanuts.",
        conversation_id=conversation.pk,
        message_id=learned_from.pk,
    )
    (outcome,) = remember(
        instance, [candidate], Writer(Origin.CONVERSATION, Actor(via="extraction"))
    )
    Conversation.objects.filter(pk=conversation.pk).update(watermark=3)
    store_message(conversation, "Good morning.")
    page = transcript(as_alice, conversation)
    turns = [part.split("</article>")[0] for part in page.split('<article class="turn ')[1:]]
    assert len(turns) == 4
    assert f'href="/memory/{outcome.memory.pk}"' in turns[0]
    assert "1 memory" in turns[0]
    assert "learned here" in turns[0]
    assert "Read for context only." in turns[1]
    assert "Not read: system message." in turns[2]
    assert "Not read yet." in turns[3]
    assert all(turn.count("<summary>") == 1 for turn in turns)


def test_failed_extraction_shows_the_reason_and_a_retry(
    as_alice: Client, instance: Instance, conversation: Conversation
) -> None:
    Run.objects.create(
        instance=instance, conversation=conversation, state="failed", error="The key is wrong."
    )
    page = transcript(as_alice, conversation)
    assert "2 messages could not be read: The key is wrong." in page
    assert "Failed: The key is wrong." in page
    # A retry is offered once there is something that reads.
    assert f'action="/conversations/{conversation.pk}/read"' not in page
    Instance.objects.update(builtin_reader=True)
    page = transcript(as_alice, conversation)
    assert page.count(f'action="/conversations/{conversation.pk}/read"') == 3
    assert page.count('<details class="fate error" open>') == 2
    assert "/instances/desk/settings/models#language-model" in page


def test_transcript_is_paginated(
    as_alice: Client, conversation: Conversation, instance: Instance
) -> None:
    extra = [NewMessage("user", f"Line {n}.") for n in range(3, MESSAGES_PER_PAGE + 6)]
    append(conversation, extra)
    first, second = (transcript(as_alice, conversation, f"page={n}") for n in (1, 2))
    assert first.count("<article") == MESSAGES_PER_PAGE
    assert second.count("<article") == 5
    assert f'id="m{MESSAGES_PER_PAGE}"' in first
    assert f'id="m{MESSAGES_PER_PAGE + 1}"' in second
    assert f'href="/conversations/{conversation.pk}?page=2"' in first


def test_transcript_names_the_agent(
    as_alice: Client, instance: Instance, conversation: Conversation
) -> None:
    conversation.agent = Agent.objects.create(instance=instance, slug="nora", name="Nora")
    conversation.save()
    assert "with Nora" in transcript(as_alice, conversation)


# Manual extraction


def test_nothing_is_queued_without_a_language_model(
    as_alice: Client, conversation: Conversation
) -> None:
    page = as_alice.post(f"/conversations/{conversation.pk}/read", follow=True).content.decode()
    assert "No language model is set up, and" in page
    assert not Run.objects.exists()


@pytest.fixture
def with_model(instance: Instance) -> None:
    instance.provider, instance.base_url = Provider.CUSTOM, "http://127.0.0.1:9/v1"
    instance.fast_model = "any"
    instance.save()


def test_manual_extraction_queues_one_run(
    as_alice: Client,
    conversation: Conversation,
    with_model: None,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    url = f"/conversations/{conversation.pk}/read"
    with django_capture_on_commit_callbacks() as callbacks:
        page = as_alice.post(url, follow=True).content.decode()
    assert "The conversation is being read." in page
    assert len(callbacks) == 1
    as_alice.post(url)
    assert Run.objects.get().state == "queued"
    assert as_alice.get(url).status_code == 405


def test_retry_reuses_the_failed_run(
    as_alice: Client, instance: Instance, conversation: Conversation, with_model: None
) -> None:
    failed = Run.objects.create(
        instance=instance, conversation=conversation, state="failed", attempts=5, error="Broken."
    )
    as_alice.post(f"/conversations/{conversation.pk}/read")
    failed.refresh_from_db()
    assert (failed.state, failed.attempts, failed.error) == ("queued", 0, "")
    assert Run.objects.count() == 1


def test_transcript_shows_when_it_will_be_read(
    as_alice: Client, instance: Instance, conversation: Conversation
) -> None:
    said = "Without new messages, that is at about"
    assert said not in transcript(as_alice, conversation)
    Instance.objects.update(memory_enabled=True, extract_when="stale", stale_minutes=90)
    at = timezone.localtime(conversation.last_activity_at + timedelta(minutes=90))
    page = transcript(as_alice, conversation)
    assert f"{said} {at:%H:%M}." in " ".join(strip_tags(page).split())
    old = timezone.now() - timedelta(minutes=91)
    Conversation.objects.update(last_activity_at=old)
    assert "This conversation is idle and is about to be read." in transcript(
        as_alice, conversation
    )
    Run.objects.create(instance=instance, conversation=conversation)
    assert "about to be read" not in transcript(as_alice, conversation)


def test_link_to_a_message_opens_its_page_when_earlier_ones_are_gone(
    as_alice: Client, conversation: Conversation
) -> None:
    extra = [NewMessage("user", f"Line {n}.") for n in range(3, MESSAGES_PER_PAGE * 3)]
    append(conversation, extra)
    conversation.messages.filter(position__lte=MESSAGES_PER_PAGE + 10).delete()
    said = conversation.messages.get(position=MESSAGES_PER_PAGE * 2)
    page = as_alice.get(said.get_absolute_url()).content.decode()
    assert f'id="m{said.position}"' in page
    for beyond in ("999999999999999999", "0", "x"):
        assert as_alice.get(f"/conversations/{conversation.pk}?at={beyond}").status_code == 200
