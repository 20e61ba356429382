"""Extraction runs: windows, calls and stored memories."""

from datetime import UTC, datetime

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance
from memoryapp.extraction.run import queue
from memoryapp.models import Activity, Contradiction, Memory, MemorySource, Run
from tests.extraction.runs import CHAT, attempt, exchange, work
from tests.provider_fixtures import fact, numbered_lines, prompt_of, unfinished_messages
from tests.scripted_provider import ScriptedProvider


def test_run_makes_one_call_and_records_its_results(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    statement, _ = exchange(talk, "I play the cello.")
    (run,) = work(talk)
    assert reader.count(CHAT) == 1
    assert (run.state, run.attempts, run.error) == (Run.State.SUCCEEDED, 1, "")
    assert (run.first_position, run.last_position) == (1, 2)
    assert (run.stored, run.updated, run.repeated, run.rejected) == (1, 0, 0, [])
    assert run.finished_at is not None
    assert run.lease_until is None

    memory = Memory.objects.get()
    assert (memory.content, memory.end_user) == ("I play the cello.", "alice")
    assert (memory.category, memory.importance, memory.tags) == ("fact", 6, ["test"])
    assert (memory.origin, memory.confidence, memory.assessed) == ("conversation", 90, True)
    source = MemorySource.objects.get()
    assert (source.conversation, source.message, source.action) == (talk, statement, "stored_new")
    assert Activity.objects.get().via == "extraction"


def test_call_has_schema_dates_and_lines(
    reader: ScriptedProvider, instance: Instance, talk: Conversation
) -> None:
    Instance.objects.update(time_zone="Asia/Tokyo")
    sent_at = datetime(2024, 12, 31, 23, 30, tzinfo=UTC)
    append(
        talk,
        [
            NewMessage("system", "You are a pirate."),
            NewMessage("user", "Tomorrow I fly to Rome.", author="Ana", sent_at=sent_at),
            NewMessage("assistant", "Safe travels!", sent_at=sent_at),
        ],
    )
    work(talk)
    (request,) = [recorded.body for recorded in reader.requests]
    assert request["model"] == "reader"
    assert request["response_format"]["json_schema"]["strict"] is True
    assert "[2 · 2025-01-01 Wed 08:30] User (Ana): Tomorrow I fly to Rome." in prompt_of(request)
    assert "Safe travels!" in prompt_of(request)
    assert "(Asia/Tokyo)" in prompt_of(request)
    assert "pirate" not in str(request)


def test_recalled_context_is_not_read(reader: ScriptedProvider, talk: Conversation) -> None:
    recalled = "<memory_context>1. The user collects stamps.</memory_context>"
    append(
        talk,
        [
            NewMessage("user", f"{recalled} I play the cello."),
            NewMessage("tool", "2. The user has a yacht.", tool_name="search_memory"),
            NewMessage("assistant", "Nice."),
        ],
    )
    work(talk)
    (request,) = [recorded.body for recorded in reader.requests]
    assert numbered_lines(request) == {1: "I play the cello."}
    assert "stamps" not in str(request)
    assert "yacht" not in str(request)
    assert unfinished_messages(talk) == {}


def test_only_new_messages_yield_memories(reader: ScriptedProvider, talk: Conversation) -> None:
    exchange(talk, "I play the cello.")
    work(talk)
    exchange(talk, "Lovely day.")
    reader.reply_with({"memories": [fact(1, "The user loves the opera.")]})
    (run,) = work(talk)
    request = reader.requests[-1].body
    assert "I play the cello." in prompt_of(request), "the message is not in the context"
    assert list(numbered_lines(request)) == [3]
    assert (run.first_position, run.last_position, run.stored) == (3, 4, 0)
    assert run.rejected == [{"position": 0, "reason": "names no new message"}]
    assert Memory.objects.get().content == "I play the cello."


@pytest.mark.parametrize(("position", "stored"), [(1, 1), (2, 1), (3, 0), (4, 0), (5, 0), (99, 0)])
def test_only_people_and_tools_yield_memories(
    reader: ScriptedProvider, talk: Conversation, position: int, stored: int
) -> None:
    append(
        talk,
        [
            NewMessage("user", "I live in Lyon. Is that right?"),
            NewMessage("tool", "Lyon", tool_name="address_book"),
            NewMessage("tool", "Lyon", tool_name="search_memory"),
            NewMessage("system", "Be brief."),
            NewMessage("assistant", "In Lyon."),
        ],
    )
    reader.reply_with({"memories": [fact(position, "The user lives in Lyon.")]})
    (run,) = work(talk)
    assert (run.stored, len(run.rejected)) == (stored, 1 - stored)
    assert unfinished_messages(talk) == {}


@pytest.mark.parametrize(
    "turns",
    [
        [NewMessage("assistant", "Good morning!")],
        [NewMessage("system", "Be brief."), NewMessage("assistant", "Yes.")],
        [NewMessage("tool", "tea", tool_name="search_memory"), NewMessage("assistant", "Tea.")],
        [
            NewMessage("user", "<memory_context>tea</memory_context>"),
            NewMessage("assistant", "Tea."),
        ],
        [NewMessage("user", ""), NewMessage("assistant", "")],
    ],
)
def test_window_without_user_messages_makes_no_call(
    reader: ScriptedProvider, talk: Conversation, turns: list[NewMessage]
) -> None:
    append(talk, turns)
    (run,) = work(talk)
    assert reader.requests == []
    assert run.state == Run.State.SUCCEEDED
    talk.refresh_from_db()
    assert talk.watermark == len(turns)
    assert unfinished_messages(talk) == {}


def test_valid_items_are_stored_and_invalid_ones_counted(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    long = "x" * 3_000
    reader.reply_with({"memories": [fact(1, ""), 7, fact(1, "Plays the cello."), fact(1, long)]})
    (run,) = work(talk)
    assert run.stored == 1
    assert run.rejected == [
        {"position": 1, "reason": "has no text"},
        {"position": 0, "reason": "not an object"},
        {"position": 1, "reason": "is longer than 2,000 characters"},
    ]


def test_long_conversation_is_read_in_windows(
    reader: ScriptedProvider, instance: Instance, talk: Conversation
) -> None:
    Instance.objects.update(dedup_exact=1.0, dedup_update=1.0)
    turns = []
    for n in range(30):
        turns += [
            NewMessage("user", f"I have been to place {n}."),
            NewMessage("assistant", f"Place {n}!"),
        ]
    append(talk, turns)
    runs = work(talk)
    assert len(runs) == reader.count(CHAT) == 3
    assert [(run.first_position, run.last_position) for run in runs] == [
        (1, 20),
        (21, 40),
        (41, 60),
    ]
    assert {run.state for run in runs} == {Run.State.SUCCEEDED}
    assert "Place 9!" in prompt_of(reader.requests[1].body), "the context lacks earlier messages"

    read_lines = [number for r in reader.requests for number in numbered_lines(r.body)]
    assert read_lines == list(range(1, 61, 2)), "a message was read twice"
    assert Memory.objects.count() == 30
    assert unfinished_messages(talk) == {}
    talk.refresh_from_db()
    assert talk.watermark == 60


def test_next_window_is_queued_when_the_previous_one_ends(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    append(
        talk, [*(NewMessage("user", f"{n}") for n in range(25)), NewMessage("assistant", "Yes?")]
    )
    first = attempt(Run.objects.get())
    assert first.last_position == 20
    # If the worker died here, the sweeper would find a queued run.
    assert Run.objects.unsent().get().pk != first.pk
    work(talk)
    assert unfinished_messages(talk) == {}


def test_long_messages_are_read_in_several_calls(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    append(talk, [NewMessage("user", f"<{n}> " + "x" * 7_000) for n in range(3)], finished=True)
    reader.reply_with({"memories": []})
    runs = work(talk)
    assert [(run.first_position, run.last_position) for run in runs] == [(1, 1), (2, 2), (3, 3)]
    for number, recorded in enumerate(reader.requests):
        assert f"<{number}> " + "x" * 7_000 in prompt_of(recorded.body)


def test_repeated_run_creates_nothing_twice(reader: ScriptedProvider, talk: Conversation) -> None:
    for statement in ("I play the cello.", "My sister is a nurse.", "I moved to Lyon."):
        exchange(talk, statement)
    work(talk)
    before = list(Memory.objects.values_list("content", "updated_at"))
    links = MemorySource.objects.count()
    Conversation.objects.update(watermark=0)
    queue(talk)
    (run,) = work(talk)
    assert (run.stored, run.updated, run.repeated) == (0, 0, 3)
    assert list(Memory.objects.values_list("content", "updated_at")) == before
    assert MemorySource.objects.count() == links == 3


def test_changed_fact_becomes_a_new_version(reader: ScriptedProvider, talk: Conversation) -> None:
    exchange(talk, "I have three cats.")
    reader.reply_with({"memories": [fact(1, "The user has three cats.")]})
    work(talk)
    exchange(talk, "I have four cats.")
    reader.reply_with({"memories": [fact(3, "The user has four cats.")]})
    run = work(talk)[-1]
    assert (run.stored, run.updated) == (0, 1)
    memory = Memory.objects.get()
    assert memory.content == "The user has four cats."
    assert memory.revisions.get().content == "The user has three cats."
    assert memory.revisions.get().reason == "extracted"


def test_later_message_of_a_reading_counts_in_whatever_order_the_model_answers(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I have three cats.")
    exchange(talk, "I have four cats.")
    reader.reply_with(
        {"memories": [fact(3, "The user has four cats."), fact(1, "The user has three cats.")]}
    )
    (run,) = work(talk)
    assert (run.stored, run.updated) == (1, 1)
    assert Memory.objects.get().content == "The user has four cats."


def test_two_facts_of_one_message_do_not_replace_each_other(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I have three cats. I have four cats.")
    reader.reply_with(
        {"memories": [fact(1, "The user has three cats."), fact(1, "The user has four cats.")]}
    )
    (run,) = work(talk)
    assert (run.stored, run.updated) == (2, 0)
    three, four = Memory.objects.order_by("pk")
    assert Contradiction.objects.of(four) == [three]


def test_facts_keep_their_key_and_speaker(reader: ScriptedProvider, talk: Conversation) -> None:
    append(
        talk,
        [
            NewMessage("user", "I live in Munich. Please remember that."),
            NewMessage("tool", "home: 519 m high", tool_name="atlas"),
            NewMessage("user", "I am 1.80 m tall."),
            NewMessage("assistant", "Noted."),
        ],
    )
    facts = [
        fact(1, "The user lives in Munich.", key="Home City", value="Munich", confidence=None),
        fact(2, "The user’s home is 519 m high.", key="home_altitude", value="519 m"),
        # The message is from a person, whatever the model returns.
        fact(3, "The user is 1.80 m tall.", key="height", value="1.80 m", source="tool_call"),
    ]
    facts[0]["source"] = "user_explicit"
    reader.reply_with({"memories": facts})
    work(talk)
    stored = Memory.objects.order_by("pk").values_list("key", "value", "origin", "confidence")
    assert list(stored) == [
        ("home_city", "Munich", "user_explicit", 90),
        ("home_altitude", "519 m", "tool_call", 90),
        ("height", "1.80 m", "conversation", 90),
    ]


def test_later_value_replaces_the_earlier_one_with_history(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I live in Munich.")
    statement = fact(1, "The user lives in Munich.", key="home_city", value="Munich")
    reader.reply_with({"memories": [statement]})
    work(talk)
    exchange(talk, "We have moved, to a boat on the canal of Ghent.")
    statement = fact(3, "Home is a boat in Ghent.", key="home_city", value="Ghent", confidence=95)
    reader.reply_with({"memories": [statement]})
    work(talk)
    memory = Memory.objects.get()
    assert (memory.content, memory.value) == ("Home is a boat in Ghent.", "Ghent")
    assert memory.revisions.get().value == "Munich"
    append(talk, [NewMessage("tool", "Lives in Bruges."), NewMessage("assistant", "Aha.")])
    statement = fact(5, "The user lives in Bruges.", key="home_city", value="Bruges")
    reader.reply_with({"memories": [statement]})
    (run,) = work(talk)
    # What a tool says against the user waits for review.
    assert (run.stored, run.updated, run.repeated) == (0, 0, 0)
    assert [item["reason"] for item in run.rejected] == ["waits for review"]
    memory.refresh_from_db()
    assert memory.value == "Ghent"


def test_what_the_user_only_asked_is_refused(reader: ScriptedProvider, talk: Conversation) -> None:
    append(
        talk,
        [
            NewMessage("user", "My sister Petra is allergic to walnuts."),
            NewMessage("assistant", "I see."),
            NewMessage("user", "What should I never cook for Petra?"),
        ],
    )
    reader.reply_with(
        {
            "memories": [
                fact(1, "The user's sister Petra is allergic to walnuts."),
                fact(3, "The user should never cook walnuts."),
            ]
        }
    )
    (run,) = work(talk)
    assert Memory.objects.get().content == "The user's sister Petra is allergic to walnuts."
    assert run.rejected == [{"position": 3, "reason": "was only asked, not told"}]


def test_what_another_says_is_no_fact_about_the_user(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello. Look:\nLukas 9:15 AM\nI live in Bremen now.")
    wrong, right = "The user lives in Bremen.", "Lukas lives in Bremen."
    reader.reply_with({"memories": [fact(1, wrong), fact(1, right)]})
    (run,) = work(talk)
    assert list(Memory.objects.values_list("content", flat=True)) == [right]
    assert run.rejected == [{"position": 1, "reason": "is about someone else than who said it"}]


def test_an_end_date_that_was_not_said_is_left_out(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    reader.reply_with(
        {"memories": [fact(1, "The user plays the cello.") | {"valid_until": "2031-02-03"}]}
    )
    work(talk)
    assert Memory.objects.get().valid_until is None
