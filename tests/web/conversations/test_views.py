"""The list of conversations, and search in their messages."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from conversations.messages import NewMessage, append
from conversations.models import Conversation, ConversationOrigin, Message
from instances.models import Agent, Instance
from memoryapp.models import Run
from memoryapp.web.conversations.views import ORIGINS

Say = Callable[..., Message]


def listed(client: Client, query: str = "") -> str:
    response = client.get(f"/conversations?instance=desk&{query}")
    assert response.status_code == 200
    return response.content.decode()


def titles(client: Client, query: str = "") -> list[str]:
    """Return the titles in the list, in order."""
    response = client.get(f"/conversations?instance=desk&{query}")
    return [row.title for row in response.context["page"].object_list]


def transcript(client: Client, conversation: Conversation, query: str = "") -> str:
    response = client.get(f"/conversations/{conversation.pk}?{query}")
    assert response.status_code == 200
    return response.content.decode()


# List


def test_missing_instance_shows_a_choice(
    as_alice: Client, instance: Instance, private: Instance
) -> None:
    page = as_alice.get("/conversations").content.decode()
    assert "/conversations?instance=desk" in page
    assert "/conversations?instance=diary" in page
    assert as_alice.get("/conversations?instance=nowhere").status_code == 404
    assert as_alice.get("/conversations?instance=%00").status_code == 404


def test_list_is_ordered_by_last_activity(
    as_alice: Client, instance: Instance, conversation: Conversation, store_message: Say
) -> None:
    older = Conversation.objects.create(instance=instance, title="Trip to Lyon", end_user="ana")
    store_message(older, "I leave on Friday.", sent_at=timezone.now() - timedelta(days=2))
    page = listed(as_alice)
    assert titles(as_alice) == ["Dinner for eight", "Trip to Lyon"]
    for said in ("1 message", "2 messages", "with ana", "not read yet", "2 days ago"):
        assert said in strip_tags(page)


def test_list_shows_the_origin_of_each(as_alice: Client, instance: Instance) -> None:
    for origin in ("chat", "api", "import"):
        Conversation.objects.create(instance=instance, title="Talk", origin=origin)
    page = as_alice.get("/conversations?instance=desk").content.decode().partition("<main")[2]
    assert re.findall(r"<span>(Chat|API|Imported)</span>", page) == ["Imported", "API", "Chat"]


def test_untitled_conversation_has_a_number(as_alice: Client, instance: Instance) -> None:
    untitled = Conversation.objects.create(instance=instance)
    assert f"Conversation {untitled.pk}" in listed(as_alice)
    page = transcript(as_alice, untitled)
    assert f'<h1 dir="auto">Conversation {untitled.pk}</h1>' in page
    assert "This conversation has no messages yet." in page


def test_state_filter_selects_conversations(as_alice: Client, instance: Instance) -> None:
    for title, watermark, states in [
        ("new", 0, []),
        ("waiting", 0, ["queued"]),
        ("running", 0, ["running"]),
        ("failed", 0, ["succeeded", "failed"]),
        ("made up for", 1, ["failed", "succeeded"]),
    ]:
        made = Conversation.objects.create(instance=instance, title=title, watermark=watermark)
        for state in states:
            Run.objects.create(instance=instance, conversation=made, state=state)
    assert set(titles(as_alice, "state=read")) == {"made up for"}
    assert set(titles(as_alice, "state=unread")) == {"new", "waiting", "running", "failed"}
    assert set(titles(as_alice, "state=waiting")) == {"waiting", "running"}
    assert set(titles(as_alice, "state=failed")) == {"failed"}
    assert len(titles(as_alice, "state=nonsense")) == 5
    assert len(titles(as_alice, "state=failed%00&page=%00")) == 5
    page = listed(as_alice)
    for words in ("waiting to be read", "being read", "could not be read", "not read yet"):
        assert words in page


def test_list_has_pages_of_twenty(as_alice: Client, instance: Instance) -> None:
    start = timezone.now() - timedelta(days=1)
    Conversation.objects.bulk_create(
        Conversation(
            instance=instance,
            title=f"Talk {n:02}",
            last_activity_at=start + timedelta(minutes=n),
        )
        for n in range(45)
    )
    assert titles(as_alice) == [f"Talk {n:02}" for n in range(44, 24, -1)]
    assert titles(as_alice, "page=3") == [f"Talk {n:02}" for n in range(4, -1, -1)]
    page = listed(as_alice, "state=unread&page=2")
    assert "21–40 of 45" in page
    assert "/conversations?instance=desk&amp;state=unread&amp;page=3" in page


def test_each_kind_of_empty_list_has_its_own_text(as_alice: Client, instance: Instance) -> None:
    empty = listed(as_alice)
    assert "No conversations yet" in empty
    assert 'class="chip' not in empty  # There is nothing to filter.
    assert "No matching conversations" in listed(as_alice, "state=failed")
    assert "No messages found" in listed(as_alice, "q=peanuts")


# Search


def test_search_shows_matching_messages_with_highlights(
    as_alice: Client, conversation: Conversation, store_message: Say
) -> None:
    store_message(conversation, "Shall we walk to the park?")
    page = listed(as_alice, "q=what+about+peanut%3F")
    assert "<mark>peanuts</mark> would put me in hospital" in page
    assert "message 1" in strip_tags(page)
    assert "walk to the park" not in page
    assert f'href="/conversations/{conversation.pk}?at=1#m1"' in page
    # The search box keeps the query.
    assert 'value="what about peanut?"' in page


def test_search_matches_the_author(as_alice: Client, conversation: Conversation) -> None:
    append(conversation, [NewMessage("user", "I am off now.", author="Bartholomew")])
    assert "I am off now." in listed(as_alice, "q=bartholomew")


def test_search_is_limited_to_the_instance(
    as_alice: Client, conversation: Conversation, private: Instance
) -> None:
    diary = Conversation.objects.create(instance=private, title="Private talk")
    append(diary, [NewMessage("user", "I dream of peanuts.")])
    page = listed(as_alice, "q=peanuts")
    assert "I dream" not in page
    assert "Private talk" not in page


def test_messages_are_escaped(as_alice: Client, instance: Instance, store_message: Say) -> None:
    hostile = Conversation.objects.create(
        instance=instance, title="<script>alert('title')</script>", end_user="<script>"
    )
    append(
        hostile,
        [
            NewMessage(
                "user",
                "Look: <script>alert('said')</script> & more",
                author="<script>alert('by')</script>",
                caption="<script>alert('caption')</script>",
            ),
            NewMessage("assistant", "", tool_calls=[{"name": "<script>alert('tool')</script>"}]),
        ],
    )
    pages = [
        listed(as_alice),
        listed(as_alice, "q=look"),
        transcript(as_alice, hostile),
        as_alice.get(f"/conversations/{hostile.pk}/delete").content.decode(),
    ]
    for page in (*pages, listed(as_alice, "q=%3Cscript%3Ealert")):
        assert "<script>alert" not in page
    for page in pages:
        assert "&lt;script&gt;alert(&#x27;title&#x27;)" in page
    for word in ("said", "by", "caption", "tool"):
        assert f"&lt;script&gt;alert(&#x27;{word}&#x27;)" in pages[2]


# Filters


@pytest.fixture
def three(instance: Instance) -> list[Conversation]:
    """A chat with the cook about ana, an API conversation about bo, and an import."""
    cook = Agent.objects.create(instance=instance, slug="cook", name="Cook")
    make = Conversation.objects.create
    chat = make(instance=instance, title="Chat", origin="chat", agent=cook, end_user="ana")
    api = make(instance=instance, title="Program", origin="api", end_user="bo")
    import_ = make(instance=instance, title="Import", origin="import", watermark=1)
    for talk in (chat, api, import_):
        append(talk, [NewMessage("user", f"Lentils, says the {talk.title}.")])
    return [chat, api, import_]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("origin=chat", {"Chat"}),
        ("origin=import", {"Import"}),
        ("agent=cook", {"Chat"}),
        ("agent=nobody", set()),
        ("user=bo", {"Program"}),
        ("user=b", set()),
        ("origin=api&user=ana", set()),
        ("origin=nonsense", {"Chat", "Program", "Import"}),
        ("state=unread&origin=chat&agent=cook&user=ana", {"Chat"}),
    ],
)
def test_list_and_search_can_be_filtered(
    query: str, expected: set[str], as_alice: Client, three: list[Conversation]
) -> None:
    assert set(titles(as_alice, query)) == expected
    found = as_alice.get(f"/conversations?instance=desk&q=lentils&{query}").context["page"]
    assert {row.message.conversation.title for row in found.object_list} == expected


def test_every_origin_can_be_filtered() -> None:
    assert set(ORIGINS) == set(ConversationOrigin.values)


def test_search_keeps_the_state_filter(as_alice: Client, three: list[Conversation]) -> None:
    found = as_alice.get("/conversations?instance=desk&q=lentils&state=read").context["page"]
    assert [row.message.conversation.title for row in found.object_list] == ["Import"]


def test_filter_keeps_the_others_and_resets_the_page(
    as_alice: Client, three: list[Conversation]
) -> None:
    page = listed(as_alice, "q=lentils&origin=chat&user=ana&page=2")
    assert "?instance=desk&amp;q=lentils&amp;origin=chat&amp;agent=cook&amp;user=ana" in page
    assert 'href="/conversations?instance=desk&amp;q=lentils&amp;origin=chat"' in page
    for name, value in (("origin", "chat"), ("user", "ana")):
        assert f'<input type="hidden" name="{name}" value="{value}">' in page
    assert "user=bo" in listed(as_alice)
