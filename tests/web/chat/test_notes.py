"""Notes on a reply: what was recalled, which tools ran, what was learned."""

from datetime import date

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.actor import Actor
from instances.models import User
from memoryapp.graph.corrections import NewRelation, add_relation
from memoryapp.graph.ingestion import NamedEntity
from memoryapp.models import Answer, Entity, Origin, RecallLog, Relation, Run, Statement, ToolRun
from memoryapp.palace.filing import PlacedMessage, file_messages
from memoryapp.palace.notes import NewNote, add_note
from memoryapp.pipeline import Candidate, Writer, remember
from tests.provider_fixtures import provider
from tests.scripted_provider import Says, ScriptedProvider
from tests.web.chat.chatting import HTMX, Store, assisted, chat, page, rendered_reply, send
from tests.web.page_text import text_of

__all__ = ["assisted", "chat", "provider"]

# Answers run in threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)


def test_notes_show_recalled_memories_with_reasons_and_deleted_ones(
    as_alice: Client, chat: Conversation, store_memory: Store
) -> None:
    memory = store_memory("The user is allergic to peanuts.")
    deleted = store_memory("The user once had a goat.")
    send(as_alice, f"/chat/{chat.pk}", "Are peanuts good for a goat?")
    deleted.delete()
    notes = text_of(page(as_alice, f"/chat/{chat.pk}", headers=HTMX))
    assert "The user is allergic to peanuts. similar meaning · contains “peanuts”" in notes
    assert "Similarity (cosine)" in notes
    assert "Deleted since." in notes
    assert "goat" not in notes
    asked = f"/memory/{memory.pk}?instance=desk&amp;list=ask&amp;q=Are+peanuts+good+for+a+goat%3F"
    assert f'href="{asked}"' in page(as_alice, f"/chat/{chat.pk}")


def test_wrong_answer_becomes_a_golden_question(
    as_alice: Client, chat: Conversation, store_memory: Store
) -> None:
    right = store_memory("The user is allergic to peanuts.")
    send(as_alice, f"/chat/{chat.pk}", "What must I avoid & why?")
    notes = page(as_alice, f"/chat/{chat.pk}", headers=HTMX)
    search = "/memory?instance=desk&amp;q=What%20must%20I%20avoid%20%26%20why%3F"
    assert f'href="{search}"' in notes
    found = as_alice.get(search.replace("&amp;", "&"))
    assert found.status_code == 200
    panel = page(as_alice, f"/memory/{right.pk}?{search.partition('?')[2].replace('&amp;', '&')}")
    assert "This is the answer" in panel
    kept = {"q": "What must I avoid & why?", "memory": right.pk, "back": "/memory"}
    as_alice.post("/status/golden/keep?instance=desk", kept)
    assert chat.instance.golden_questions.get().memories == [right.pk]


def test_notes_show_tool_calls(
    as_alice: Client, chat: Conversation, provider: ScriptedProvider
) -> None:
    calls = [("save_memory", {"content": "The user is called Ines."}), ("search_memory", {})]
    provider.reply_with(Says(calls=calls), times=1)
    stream = send(as_alice, f"/chat/{chat.pk}", "I am Ines, remember that.")
    assert ("doing", {"text": "Saving a memory"}) in stream or (
        "doing",
        {"text": "Searching memory"},
    ) in stream
    notes = text_of(page(as_alice, f"/chat/{chat.pk}", headers=HTMX))
    assert "save_memory saved a memory Remembered · " in notes
    assert "search_memory searched the memory again The model called it wrongly" in notes
    assert "The user is called Ines. learned here" in notes


def test_notes_follow_the_extraction_until_it_ends(as_alice: Client, chat: Conversation) -> None:
    send(as_alice, f"/chat/{chat.pk}", "I live in Gent.")
    url = f"/chat/{chat.pk}?turn=1"
    waiting = page(as_alice, url, headers=HTMX)
    assert "Waiting to be read." in waiting
    assert 'hx-trigger="every 1s"' in waiting
    message = chat.messages.get(role="user")
    candidate = Candidate("The user lives in Gent.", conversation_id=chat.pk, message_id=message.pk)
    remember(chat.instance, [candidate], Writer(Origin.CONVERSATION, Actor(via="test")))
    Run.objects.update(state=Run.State.SUCCEEDED)
    Conversation.objects.update(watermark=2)
    over = page(as_alice, url, headers=HTMX)
    assert "The user lives in Gent." in over
    assert "every 1s" not in over


def test_failed_extraction_is_shown_and_the_retry_returns_here(
    as_alice: Client, chat: Conversation
) -> None:
    send(as_alice, f"/chat/{chat.pk}", "I live in Gent.")
    Run.objects.update(state=Run.State.FAILED, error="The key was refused (401).")
    notes = page(as_alice, f"/chat/{chat.pk}", headers=HTMX)
    assert "Failed: The key was refused (401)." in notes
    back = f"/chat/{chat.pk}?turn=1"
    assert f'name="next" value="{back}"' in notes
    read = as_alice.post(f"/conversations/{chat.pk}/read", {"next": back})
    assert read["Location"] == back
    elsewhere = {"next": "https://evil.example/"}
    read = as_alice.post(f"/conversations/{chat.pk}/read", elsewhere)
    assert read["Location"] == f"/conversations/{chat.pk}"


def test_earlier_message_has_its_own_notes(
    as_alice: Client, chat: Conversation, store_memory: Store
) -> None:
    send(as_alice, f"/chat/{chat.pk}", "Hello")
    store_memory("The user is allergic to peanuts.")
    send(as_alice, f"/chat/{chat.pk}", "peanuts?")
    first = page(as_alice, f"/chat/{chat.pk}?turn=1")
    assert 'data-turn="t1"' in first
    assert "No memory is about this message." in first
    assert 'data-turn="t3"' in page(as_alice, f"/chat/{chat.pk}?turn=99999999999")
    assert "allergic to peanuts" in page(as_alice, f"/chat/{chat.pk}?turn=3")


def test_texts_are_escaped(
    as_alice: Client, chat: Conversation, provider: ScriptedProvider
) -> None:
    provider.reply_with("<img src=x onerror=alert(1)> & [x](javascript:alert(1))")
    stream = send(as_alice, f"/chat/{chat.pk}", "<script>alert(1)</script>")
    for html in (rendered_reply(stream), stream[-1][1]["html"], page(as_alice, f"/chat/{chat.pk}")):
        assert "<script>alert" not in html
        assert "<img" not in html
        assert 'href="javascript' not in html


def test_stored_answer_contains_no_memory_text(
    as_alice: Client, chat: Conversation, store_memory: Store, provider: ScriptedProvider
) -> None:
    """Deleted text must not remain in stored answers."""
    store_memory("The user hides heliotrope.")
    calls = [
        ("search_memory", {"query": "heliotrope"}),
        ("save_memory", {"content": "The user loves heliotrope."}),
        ("save_memory", {"content": "heliotrope", "importance": 99}),
        ("heliotrope", {}),
    ]
    provider.reply_with(Says(calls=calls), times=1)
    provider.reply_with("I see.")
    send(as_alice, f"/chat/{chat.pk}", "What do I hide?")
    for model in (Answer, RecallLog, ToolRun):
        rows = list(model._default_manager.values())
        assert rows
        assert "heliotrope" not in str(rows)


def test_messages_and_relations_are_shown_and_citations_are_links(
    as_alice: Client, alice: User, chat: Conversation, provider: ScriptedProvider
) -> None:
    earlier = Conversation.objects.create(instance=chat.instance, title="Boats")
    turn = append(
        earlier, [NewMessage("user", "Jette keeps her boat in Kiel.", author="Ana")]
    ).added[0]
    jette = NamedEntity("Jette", "person")
    add_relation(
        chat.instance,
        "",
        NewRelation(jette, "works_at", "the harbour", since=date(2024, 5, 1)),
        by=Actor(alice),
    )
    entity, relation = Entity.objects.get(), Relation.objects.get()
    provider.reply_with(f"In Kiel [s{turn.pk}], at the harbour [r{relation.pk}], not [s999].")
    send(as_alice, f"/chat/{chat.pk}", "Where does Jette keep the boat?")
    html = page(as_alice, f"/chat/{chat.pk}")
    address = turn.get_absolute_url()
    assert f'<a class="cite" href="{address}">s{turn.pk}</a>' in html
    assert f'<a class="cite" href="/memory/graph/{entity.pk}">r{relation.pk}</a>' in html
    assert "not [s999]" in html
    assert "“Jette keeps her boat in Kiel.” Ana, " in text_of(html)
    assert "Jette works at the harbour (since 2024-05-01)" in text_of(html)
    asked = provider.requests[0].body["messages"][1]["content"]
    assert (
        f"[r{relation.pk}] (2024-05-01, relation, entered by a person): Jette works at the harbour"
        in asked
    )
    assert f'[s{turn.pk}] ({timezone.now():%Y-%m-%d}, said by user "Ana"): Jette keeps' in asked
    turn.delete()
    Statement.objects.all().delete()
    html = page(as_alice, f"/chat/{chat.pk}")
    assert "In Kiel [s" in html
    assert "Deleted since." in html
    assert "Jette works" not in html


def test_cited_pointer_links_to_the_palace(
    as_alice: Client, alice: User, chat: Conversation, provider: ScriptedProvider
) -> None:
    earlier = Conversation.objects.create(instance=chat.instance, title="Boats")
    turn = append(earlier, [NewMessage("user", "Jette keeps her boat in Kiel.")]).added[0]
    with transaction.atomic():
        (drawer,) = file_messages(earlier, [PlacedMessage(turn.pk, "Jette")])
    note = add_note(chat.instance, NewNote("Jette sold her boat.", wing="Jette"), by=Actor(alice))
    provider.reply_with(f"In Kiel [{drawer}], and sold {str(note).replace('§ ', '[')}].")
    send(as_alice, f"/chat/{chat.pk}", "Where is the boat of Jette?")
    html = page(as_alice, f"/chat/{chat.pk}")
    for each in (drawer, note):
        address = f"/conversations/palace/drawers/{each.pk}"
        assert f'<a class="cite" href="{address}">{each}</a>' in html
    assert "Jette sold her boat. " in text_of(html)
    asked = provider.requests[0].body["messages"][1]["content"]
    assert f"[{drawer}] (" in asked
    assert ", note): Jette sold her boat." in asked
    drawer.delete()
    html = page(as_alice, f"/chat/{chat.pk}")
    assert f"/conversations/palace/drawers/{drawer.pk}" not in html
    assert "In Kiel" in html
