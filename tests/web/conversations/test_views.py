"""The conversation screens: the list, search in what was said, the transcript, and deleting."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags
from pytest_django import DjangoCaptureOnCommitCallbacks

from conversations.messages import NewMessage, append
from conversations.models import MESSAGES_PER_PAGE, Conversation, ConversationOrigin, Message
from conversations.views import ORIGINS
from instances.actor import Actor
from instances.models import Agent, Instance, Provider
from memoryapp.models import Activity, Memory, MemorySource, Origin, Run
from memoryapp.pipeline import Candidate, Writer, remember

Say = Callable[..., Message]
Store = Callable[..., Memory]


def listed(client: Client, query: str = "") -> str:
    response = client.get(f"/conversations?instance=desk&{query}")
    assert response.status_code == 200
    return response.content.decode()


def titles(client: Client, query: str = "") -> list[str]:
    """The conversations of the list, in order."""
    response = client.get(f"/conversations?instance=desk&{query}")
    return [row.title for row in response.context["page"].object_list]


def transcript(client: Client, conversation: Conversation, query: str = "") -> str:
    response = client.get(f"/conversations/{conversation.pk}?{query}")
    assert response.status_code == 200
    return response.content.decode()


# The list.


def test_without_an_instance_it_asks(
    as_alice: Client, instance: Instance, private: Instance
) -> None:
    page = as_alice.get("/conversations").content.decode()
    assert "/conversations?instance=desk" in page
    assert "/conversations?instance=diary" in page
    assert as_alice.get("/conversations?instance=nowhere").status_code == 404
    assert as_alice.get("/conversations?instance=%00").status_code == 404


def test_the_list_says_what_there_is_and_the_last_spoken_first(
    as_alice: Client, instance: Instance, conversation: Conversation, spoken: Say
) -> None:
    older = Conversation.objects.create(instance=instance, title="Trip to Lyon", end_user="ana")
    spoken(older, "I leave on Friday.", sent_at=timezone.now() - timedelta(days=2))
    page = listed(as_alice)
    assert titles(as_alice) == ["Dinner for eight", "Trip to Lyon"]
    assert "1 message<" in page
    for said in ("2 messages", "with ana", "not read yet", "2 days ago"):
        assert said in strip_tags(page)


def test_the_list_says_through_which_door_each_came_in(
    as_alice: Client, instance: Instance
) -> None:
    for origin in ("chat", "api", "import"):
        Conversation.objects.create(instance=instance, title="Talk", origin=origin)
    page = as_alice.get("/conversations?instance=desk").content.decode()
    assert re.findall(r"<span>(chat|API|import)</span>", page) == ["import", "API", "chat"]


def test_a_conversation_without_a_title_has_a_number(as_alice: Client, instance: Instance) -> None:
    untitled = Conversation.objects.create(instance=instance)
    assert f"Conversation {untitled.pk}" in listed(as_alice)
    page = transcript(as_alice, untitled)
    assert f'<h1 dir="auto">Conversation {untitled.pk}</h1>' in page
    assert "Nothing was said" in page


def test_each_state_shows_its_own(as_alice: Client, instance: Instance) -> None:
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


def test_the_list_has_pages_of_twenty(as_alice: Client, instance: Instance) -> None:
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


def test_each_kind_of_empty_list_has_words_of_its_own(as_alice: Client, instance: Instance) -> None:
    assert "No conversations yet" in listed(as_alice)
    assert "None like this" in listed(as_alice, "state=failed")
    assert "Nothing found" in listed(as_alice, "q=peanuts")


# Search.


def test_search_shows_the_messages_that_hold_the_words_and_marks_them(
    as_alice: Client, conversation: Conversation, spoken: Say
) -> None:
    spoken(conversation, "Shall we walk to the park?")
    page = listed(as_alice, "q=what+about+peanut%3F")
    assert "<mark>peanuts</mark> would put me in hospital" in page
    assert "message 1<" in page
    assert "walk to the park" not in page
    assert f'href="/conversations/{conversation.pk}?page=1#m1"' in page
    # The asker's own words come back in the box.
    assert 'value="what about peanut?"' in page


def test_search_finds_what_the_author_said(as_alice: Client, conversation: Conversation) -> None:
    append(conversation, [NewMessage("user", "I am off now.", author="Bartholomew")])
    assert "I am off now." in listed(as_alice, "q=bartholomew")


def test_search_keeps_to_the_instance(
    as_alice: Client, conversation: Conversation, private: Instance
) -> None:
    diary = Conversation.objects.create(instance=private, title="Private talk")
    append(diary, [NewMessage("user", "I dream of peanuts.")])
    page = listed(as_alice, "q=peanuts")
    assert "I dream" not in page
    assert "Private talk" not in page


def test_what_was_said_is_text_and_never_markup(
    as_alice: Client, instance: Instance, spoken: Say
) -> None:
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


# What narrows the list.


@pytest.fixture
def three(instance: Instance) -> list[Conversation]:
    """A chat with the cook about ana, what a program sent about bo, and an import."""
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
def test_the_list_and_the_search_can_be_narrowed(
    query: str, expected: set[str], as_alice: Client, three: list[Conversation]
) -> None:
    assert set(titles(as_alice, query)) == expected
    found = as_alice.get(f"/conversations?instance=desk&q=lentils&{query}").context["page"]
    assert {row.message.conversation.title for row in found.object_list} == expected


def test_every_way_in_can_be_asked_for() -> None:
    assert set(ORIGINS) == set(ConversationOrigin.values)


def test_a_search_stays_in_its_state(as_alice: Client, three: list[Conversation]) -> None:
    found = as_alice.get("/conversations?instance=desk&q=lentils&state=read").context["page"]
    assert [row.message.conversation.title for row in found.object_list] == ["Import"]


def test_a_choice_keeps_the_others_and_begins_at_page_one(
    as_alice: Client, three: list[Conversation]
) -> None:
    page = listed(as_alice, "q=lentils&origin=chat&user=ana&page=2")
    assert "?instance=desk&amp;q=lentils&amp;origin=chat&amp;agent=cook&amp;user=ana" in page
    assert 'href="/conversations?instance=desk&amp;q=lentils&amp;origin=chat"' in page
    for name, value in (("origin", "chat"), ("user", "ana")):
        assert f'<input type="hidden" name="{name}" value="{value}">' in page
    assert "user=bo" in listed(as_alice)


# The transcript.


def test_memory_being_off_is_said_once(
    as_alice: Client, instance: Instance, conversation: Conversation, spoken: Say
) -> None:
    for number in range(5):
        spoken(conversation, f"Line {number}.")
    page = transcript(as_alice, conversation)
    assert page.count("Memory is off for Support desk: 7 messages here have not been read") == 1
    assert "Not read" not in page.partition('id="transcript"')[2]
    instance.memory_enabled = True
    instance.save()
    page = transcript(as_alice, conversation)
    assert "Memory is off" not in page
    assert page.count("Not read yet.") == 7


def test_a_conversation_can_be_renamed(as_alice: Client, conversation: Conversation) -> None:
    address = f"/conversations/{conversation.pk}/rename"
    response = as_alice.post(address, {"title": "  Supper \x00 for\n ten "}, follow=True)
    assert "The conversation is now called “Supper for ten”." in response.content.decode()
    as_alice.post(address, {"title": "x" * 301})
    assert titles(as_alice) == ["Supper for ten"]
    as_alice.post(address, {"title": " "})
    assert f"Conversation {conversation.pk}" in transcript(as_alice, conversation)
    assert as_alice.get(address).status_code == 405


def test_a_long_transcript_leads_to_its_ends(
    as_alice: Client, conversation: Conversation, instance: Instance
) -> None:
    append(conversation, [NewMessage("user", f"Line {n}.") for n in range(MESSAGES_PER_PAGE * 2)])
    assert 'href="?page=3">the latest</a>' in transcript(as_alice, conversation)
    page = transcript(as_alice, conversation, "page=3")
    assert f'href="/conversations/{conversation.pk}">the beginning</a>' in page
    assert "the latest" not in page


def test_each_message_says_what_became_of_it(
    as_alice: Client, instance: Instance, conversation: Conversation, spoken: Say
) -> None:
    instance.memory_enabled = True
    instance.save()
    spoken(conversation, "Be kind.", role="system")
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
    spoken(conversation, "Good morning.")
    page = transcript(as_alice, conversation)
    turns = [part.split("</article>")[0] for part in page.split('<article class="turn ')[1:]]
    assert len(turns) == 4
    assert f'href="/memory/{outcome.memory.pk}"' in turns[0]
    assert "learned here" in turns[0]
    assert "Read as context." in turns[1]
    assert "Not read: a system message." in turns[2]
    assert "Not read yet." in turns[3]
    assert "Read 1 new message<" in page


def test_a_failed_reading_says_why_and_offers_to_try_again(
    as_alice: Client, instance: Instance, conversation: Conversation
) -> None:
    Run.objects.create(
        instance=instance, conversation=conversation, state="failed", error="The key is wrong."
    )
    page = transcript(as_alice, conversation)
    assert "2 messages could not be read: The key is wrong." in page
    assert "Failed: The key is wrong." in page
    assert "Try again" in page


def test_a_transcript_has_pages(
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


def test_the_transcript_names_the_agent(
    as_alice: Client, instance: Instance, conversation: Conversation
) -> None:
    conversation.agent = Agent.objects.create(instance=instance, slug="nora", name="Nora")
    conversation.save()
    assert "with Nora" in transcript(as_alice, conversation)


# Reading by hand.


def test_without_a_language_model_nothing_is_queued(
    as_alice: Client, conversation: Conversation
) -> None:
    page = as_alice.post(f"/conversations/{conversation.pk}/read", follow=True).content.decode()
    assert "No language model is set up." in page
    assert not Run.objects.exists()


@pytest.fixture
def with_model(instance: Instance) -> None:
    instance.provider, instance.base_url = Provider.CUSTOM, "http://127.0.0.1:9/v1"
    instance.fast_model = "any"
    instance.save()


def test_reading_by_hand_queues_one_run(
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


def test_trying_again_takes_up_the_failed_run(
    as_alice: Client, instance: Instance, conversation: Conversation, with_model: None
) -> None:
    failed = Run.objects.create(
        instance=instance, conversation=conversation, state="failed", attempts=5, error="Broken."
    )
    as_alice.post(f"/conversations/{conversation.pk}/read")
    failed.refresh_from_db()
    assert (failed.state, failed.attempts, failed.error) == ("queued", 0, "")
    assert Run.objects.count() == 1


# Deleting.


@pytest.fixture
def learned(instance: Instance, conversation: Conversation) -> Memory:
    """A memory that came from the conversation, and from nowhere else."""
    candidate = Candidate(
        "The user is severely allergic to peanuts.",
        conversation_id=conversation.pk,
        message_id=conversation.messages.earliest("position").pk,
    )
    (outcome,) = remember(
        instance, [candidate], Writer(Origin.CONVERSATION, Actor(via="extraction"))
    )
    return outcome.memory


@pytest.fixture
def heard_twice(instance: Instance, conversation: Conversation, learned: Memory) -> Memory:
    """A memory that came from another conversation as well."""
    other = Conversation.objects.create(instance=instance, title="Another talk")
    for source in (conversation, other):
        candidate = Candidate("The user keeps bees on the roof.", conversation_id=source.pk)
        (outcome,) = remember(instance, [candidate], Writer(Origin.CONVERSATION, Actor(via="test")))
    return outcome.memory


def test_deleting_asks_what_is_to_become_of_the_memories(
    as_alice: Client, conversation: Conversation, heard_twice: Memory
) -> None:
    page = as_alice.get(f"/conversations/{conversation.pk}/delete").content.decode()
    assert "Delete the conversation “Dinner for eight”?" in page
    assert "2 memories came from it." in page
    assert "1 of them came from nowhere else" in page
    assert "Delete it and 1 memory" in page
    assert Conversation.objects.filter(pk=conversation.pk).exists()


@pytest.mark.parametrize("answer", ["", "all", "yes"])
def test_without_an_answer_nothing_is_deleted(
    answer: str, as_alice: Client, conversation: Conversation
) -> None:
    response = as_alice.post(f"/conversations/{conversation.pk}/delete", {"memories": answer})
    assert response.status_code == 200
    assert Conversation.objects.filter(pk=conversation.pk).exists()


def test_the_memories_can_stay_without_the_link(
    as_alice: Client, conversation: Conversation, learned: Memory
) -> None:
    url = f"/conversations/{conversation.pk}/delete"
    page = as_alice.post(url, {"memories": "keep"}, follow=True).content.decode()
    assert "Deleted the conversation." in page
    assert not Conversation.objects.exists()
    assert not Message.objects.exists()
    assert not MemorySource.objects.exists()
    assert Memory.objects.get() == learned


def test_the_memories_that_came_from_nowhere_else_can_go_too(
    as_alice: Client, conversation: Conversation, learned: Memory, heard_twice: Memory
) -> None:
    url = f"/conversations/{conversation.pk}/delete"
    page = as_alice.post(url, {"memories": "delete"}, follow=True).content.decode()
    assert "Deleted the conversation and 1 of its memories." in page
    assert Memory.objects.get() == heard_twice
    assert heard_twice.sources.count() == 1
    assert Activity.objects.get(action="deleted").memory_id == learned.pk
    assert as_alice.get(url).status_code == 404


def test_a_conversation_with_runs_and_an_agent_can_be_deleted(
    as_alice: Client, instance: Instance, conversation: Conversation
) -> None:
    conversation.agent = Agent.objects.create(instance=instance, slug="nora", name="Nora")
    conversation.save()
    Run.objects.create(instance=instance, conversation=conversation, state="queued")
    as_alice.post(f"/conversations/{conversation.pk}/delete", {"memories": "keep"})
    assert not Run.objects.exists()
    assert Agent.objects.exists()


def test_a_transcript_says_when_it_will_be_read(
    as_alice: Client, instance: Instance, conversation: Conversation
) -> None:
    said = "If nothing more is said, this will be read at about"
    assert said not in transcript(as_alice, conversation)
    Instance.objects.update(memory_enabled=True, extract_when="stale", stale_minutes=90)
    at = timezone.localtime(conversation.last_activity_at + timedelta(minutes=90))
    page = transcript(as_alice, conversation)
    assert f"{said} {at:%H:%M}." in " ".join(strip_tags(page).split())
    assert "Read 2 new messages" in page
    old = timezone.now() - timedelta(minutes=91)
    Conversation.objects.update(last_activity_at=old)
    assert "This is about to be read." in transcript(as_alice, conversation)
    Run.objects.create(instance=instance, conversation=conversation)
    assert "about to be read" not in transcript(as_alice, conversation)
