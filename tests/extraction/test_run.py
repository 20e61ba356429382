"""Runs: when they are queued, what they read, and how they end."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from instances.models import Instance, Secret, SecretName
from instances.provider_urls import server_of
from memoryapp.extraction.run import queue, read
from memoryapp.llm.structured import NO_MODEL
from memoryapp.models import Activity, Memory, MemorySource, Run, Usage
from memoryapp.tasks import sweep
from tests.provider_fixtures import (
    asked,
    eventually,
    fact,
    keep_everything,
    numbered,
    read_with,
    unaccounted,
)
from tests.scripted_provider import ScriptedProvider

CHAT = "chat/completions"


@pytest.fixture
def reader(instance: Instance, provider: ScriptedProvider) -> ScriptedProvider:
    """The model that reads the instance's conversations, and keeps every line."""
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    return provider


@pytest.fixture
def talk(instance: Instance) -> Conversation:
    """A conversation in which nothing has been said yet."""
    return Conversation.objects.create(instance=instance, end_user="alice")


def exchange(conversation: Conversation, said: str, reply: str = "I see.") -> list[Message]:
    return append(conversation, [NewMessage("user", said), NewMessage("assistant", reply)]).added


def work(conversation: Conversation) -> list[Run]:
    """Read *conversation* as workers would, until nothing waits; the runs, in their order."""
    done = []
    while run := Run.objects.waiting().filter(conversation=conversation).first():
        assert run.claim()
        read(run)
        run.refresh_from_db()
        done.append(run)
    return done


def attempt(run: Run) -> Run:
    """Make one attempt at *run* as it will be when it is due."""
    Run.objects.filter(pk=run.pk).update(due_at=timezone.now())
    run = Run.objects.get(pk=run.pk)
    assert run.claim()
    read(run)
    run.refresh_from_db()
    return run


# When a run is queued


def test_a_reply_queues_a_run_and_a_question_alone_does_not(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    append(talk, [NewMessage("user", "Hello?")])
    assert not Run.objects.exists()
    append(talk, [NewMessage("assistant", "Hello!")])
    assert Run.objects.get().state == Run.State.QUEUED


def test_without_memory_no_run_is_queued(
    reader: ScriptedProvider, instance: Instance, talk: Conversation
) -> None:
    Instance.objects.update(memory_enabled=False)
    exchange(talk, "I play the cello.")
    assert not Run.objects.exists()


def test_by_hand_means_only_when_somebody_asks(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    Instance.objects.update(extract_when="by_hand")
    exchange(talk, "I play the cello.")
    assert not Run.objects.exists()
    assert queue(talk) is not None
    assert [run.stored for run in work(talk)] == [1]


def test_the_run_is_kept_or_lost_with_the_reply(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    with pytest.raises(RuntimeError), transaction.atomic():
        exchange(talk, "I play the cello.")
        assert Run.objects.exists()
        raise RuntimeError
    assert not talk.messages.exists()
    assert not Run.objects.exists()


def test_one_waiting_run_reads_all_that_came_meanwhile(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    exchange(talk, "My sister is a nurse.")
    assert queue(talk) is None
    assert [run.stored for run in work(talk)] == [2]
    assert reader.count(CHAT) == 1


def test_a_turn_that_ends_while_a_run_is_reading_queues_another(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    running = Run.objects.get()
    assert running.claim()
    exchange(talk, "My sister is a nurse.")
    waiting = Run.objects.get(state=Run.State.QUEUED)
    assert not waiting.claim(), "two at once would read the same messages"
    read(running)
    work(talk)
    assert Memory.objects.count() == 2
    assert unaccounted(talk) == {}


# What it reads


def test_a_run_makes_one_call_and_says_what_it_did(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    said, _ = exchange(talk, "I play the cello.")
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
    assert (source.conversation, source.message, source.action) == (talk, said, "stored_new")
    assert Activity.objects.get().via == "extraction"


def test_the_call_carries_the_schema_the_dates_and_the_lines(
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
    assert "[2 · 2025-01-01 Wed 08:30] User (Ana): Tomorrow I fly to Rome." in asked(request)
    assert "Safe travels!" in asked(request)
    assert "(Asia/Tokyo)" in asked(request)
    assert "pirate" not in str(request)


def test_what_recall_put_in_is_not_read_again(reader: ScriptedProvider, talk: Conversation) -> None:
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
    assert numbered(request) == {1: "I play the cello."}
    assert "stamps" not in str(request)
    assert "yacht" not in str(request)
    assert unaccounted(talk) == {}


def test_only_new_messages_may_yield(reader: ScriptedProvider, talk: Conversation) -> None:
    exchange(talk, "I play the cello.")
    work(talk)
    exchange(talk, "Lovely day.")
    reader.reply_with({"memories": [fact(1, "The user loves the opera.")]})
    (run,) = work(talk)
    request = reader.requests[-1].body
    assert "I play the cello." in asked(request), "as context"
    assert list(numbered(request)) == [3]
    assert (run.first_position, run.last_position, run.stored) == (3, 4, 0)
    assert run.rejected == [{"position": 0, "reason": "names no new message"}]
    assert Memory.objects.get().content == "I play the cello."


@pytest.mark.parametrize(("position", "stored"), [(1, 1), (2, 1), (3, 0), (4, 0), (5, 0), (99, 0)])
def test_only_what_people_and_tools_said_may_yield(
    reader: ScriptedProvider, talk: Conversation, position: int, stored: int
) -> None:
    append(
        talk,
        [
            NewMessage("user", "Where do I live?"),
            NewMessage("tool", "Lyon", tool_name="address_book"),
            NewMessage("tool", "Lyon", tool_name="search_memory"),
            NewMessage("system", "Be brief."),
            NewMessage("assistant", "In Lyon."),
        ],
    )
    reader.reply_with({"memories": [fact(position, "The user lives in Lyon.")]})
    (run,) = work(talk)
    assert (run.stored, len(run.rejected)) == (stored, 1 - stored)
    assert unaccounted(talk) == {}


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
def test_where_nobody_said_anything_no_model_is_asked(
    reader: ScriptedProvider, talk: Conversation, turns: list[NewMessage]
) -> None:
    append(talk, turns)
    (run,) = work(talk)
    assert reader.requests == []
    assert run.state == Run.State.SUCCEEDED
    talk.refresh_from_db()
    assert talk.watermark == len(turns)
    assert unaccounted(talk) == {}


def test_the_good_items_are_kept_and_the_bad_ones_counted(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    long = "x" * 3_000
    reader.reply_with(
        {"memories": [fact(1, ""), "tea", fact(1, "Plays the cello."), fact(1, long)]}
    )
    (run,) = work(talk)
    assert run.stored == 1
    assert run.rejected == [
        {"position": 1, "reason": "has no text"},
        {"position": 0, "reason": "not an object"},
        {"position": 1, "reason": "is longer than 2,000 characters"},
    ]


def test_a_long_conversation_is_read_window_by_window(
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
    assert "Place 9!" in asked(reader.requests[1].body), "what was said before, as context"

    read_lines = [number for r in reader.requests for number in numbered(r.body)]
    assert read_lines == list(range(1, 61, 2)), "each once"
    assert Memory.objects.count() == 30
    assert unaccounted(talk) == {}
    talk.refresh_from_db()
    assert talk.watermark == 60


def test_the_next_window_is_queued_with_the_end_of_the_last(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    append(
        talk, [*(NewMessage("user", f"{n}") for n in range(25)), NewMessage("assistant", "Yes?")]
    )
    first = attempt(Run.objects.get())
    assert first.last_position == 20
    # A worker that died right here would leave a run behind that the sweeper finds.
    assert Run.objects.unsent().get().pk != first.pk
    work(talk)
    assert unaccounted(talk) == {}


def test_messages_too_long_for_one_call_are_read_in_several(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    append(talk, [NewMessage("user", f"<{n}> " + "x" * 7_000) for n in range(3)], finished=True)
    reader.reply_with({"memories": []})
    runs = work(talk)
    assert [(run.first_position, run.last_position) for run in runs] == [(1, 1), (2, 2), (3, 3)]
    for number, recorded in enumerate(reader.requests):
        assert f"<{number}> " + "x" * 7_000 in asked(recorded.body)


def test_reading_again_creates_nothing_twice(reader: ScriptedProvider, talk: Conversation) -> None:
    for said in ("I play the cello.", "My sister is a nurse.", "I moved to Lyon."):
        exchange(talk, said)
    work(talk)
    before = list(Memory.objects.values_list("content", "updated_at"))
    links = MemorySource.objects.count()
    Conversation.objects.update(watermark=0)
    queue(talk)
    (run,) = work(talk)
    assert (run.stored, run.updated, run.repeated) == (0, 0, 3)
    assert list(Memory.objects.values_list("content", "updated_at")) == before
    assert MemorySource.objects.count() == links == 3


def test_a_changed_fact_becomes_a_new_version_of_the_old_one(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I have three cats.")
    exchange(talk, "I have four cats.")
    reader.reply_with(
        {"memories": [fact(1, "The user has three cats."), fact(3, "The user has four cats.")]}
    )
    (run,) = work(talk)
    assert (run.stored, run.updated) == (1, 1)
    memory = Memory.objects.get()
    assert memory.content == "The user has four cats."
    assert memory.revisions.get().content == "The user has three cats."
    assert memory.revisions.get().reason == "extracted"


# How it ends


def test_without_a_model_the_run_fails_and_says_what_to_do(
    instance: Instance, talk: Conversation
) -> None:
    Instance.objects.update(memory_enabled=True)
    exchange(talk, "I play the cello.")
    (run,) = work(talk)
    assert (run.state, run.error, run.attempts) == (Run.State.FAILED, NO_MODEL, 1)
    assert unaccounted(talk) == {}
    assert talk.messages.count() == 2


@pytest.mark.parametrize(
    "fault", ["500", "drop", "html", "empty", "truncated_json", "half_content", "length", "refusal"]
)
def test_a_failure_is_tried_again_later_and_later_and_then_given_up(
    reader: ScriptedProvider, talk: Conversation, fault: str
) -> None:
    exchange(talk, "I play the cello.")
    reader.fail_next(fault, None, CHAT)
    run = Run.objects.get()
    waits = []
    for number in range(1, Run.MAX_ATTEMPTS):
        started = timezone.now()
        run = attempt(run)
        assert (run.state, run.attempts) == (Run.State.QUEUED, number)
        assert run.error
        assert (run.lease_until, run.sent_at) == (None, None)
        waits.append((run.due_at - started).total_seconds() / 10)
    for number, wait in enumerate(waits):
        assert 0.8 * 2**number <= wait <= 1.2 * 2**number + 0.5

    run = attempt(run)
    assert (run.state, run.attempts) == (Run.State.FAILED, Run.MAX_ATTEMPTS)
    assert run.finished_at is not None
    assert reader.count(CHAT) == Run.MAX_ATTEMPTS
    assert not Memory.objects.exists()
    assert unaccounted(talk) == {}


def test_nobody_claims_a_run_before_it_is_due(reader: ScriptedProvider, talk: Conversation) -> None:
    exchange(talk, "I play the cello.")
    reader.fail_next("500", 1, CHAT)
    run = attempt(Run.objects.get())
    assert run.due_at > timezone.now()
    assert not run.claim()
    assert not Run.objects.waiting().exists()
    assert attempt(run).state == Run.State.SUCCEEDED


def test_the_provider_may_ask_for_more_patience(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    reader.fail_next("429", 1, CHAT, retry_after=90)
    started = timezone.now()
    run = attempt(Run.objects.get())
    assert timedelta(seconds=89) < run.due_at - started < timedelta(seconds=95)
    assert "429" in run.error


def test_nobody_waits_for_a_day_because_a_provider_says_so(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    reader.fail_next("429", 1, CHAT, retry_after=86_400)
    run = attempt(Run.objects.get())
    assert run.due_at < timezone.now() + timedelta(minutes=11)


def test_a_failed_run_can_be_retried_by_hand(reader: ScriptedProvider, talk: Conversation) -> None:
    exchange(talk, "I play the cello.")
    Run.objects.update(attempts=Run.MAX_ATTEMPTS - 1, sent_at=timezone.now())
    reader.fail_next("500", 1, CHAT)
    run = attempt(Run.objects.get())
    assert run.state == Run.State.FAILED
    assert run.retry()
    assert Run.objects.unsent().get() == run
    (again,) = work(talk)
    assert (again.pk, again.state, again.attempts) == (run.pk, Run.State.SUCCEEDED, 1)
    assert again.error == ""
    assert not again.retry(), "there is nothing to retry any more"


def test_a_run_is_not_retried_when_a_newer_one_waits(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    Run.objects.update(state=Run.State.FAILED)
    failed = Run.objects.get()
    exchange(talk, "My sister is a nurse.")
    assert not failed.retry()
    assert [run.stored for run in work(talk)] == [2], "the newer one reads what was left"
    assert unaccounted(talk) == {}


KEY = "sk-test-4f2aQ9zLk31VbXw7Yp0C"


def test_a_refused_key_fails_at_once_and_is_told_to_nobody(
    instance: Instance, talk: Conversation, caplog: pytest.LogCaptureFixture
) -> None:
    with ScriptedProvider(api_key="sk-another") as provider:
        read_with(provider, instance)
        secret = Secret(instance=instance, name=SecretName.CHAT_API_KEY)
        secret.seal(KEY, provider.base_url)
        secret.save()
        exchange(talk, "I play the cello.")
        (run,) = work(talk)
        assert provider.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert (run.state, run.attempts) == (Run.State.FAILED, 1)
    assert "Check the key in Settings." in run.error
    told = f"{run.error} {Usage.objects.get().error} {caplog.text}"
    assert KEY not in told
    assert KEY[-4:] not in told
    assert KEY[:7] not in told


def test_a_key_that_cannot_be_decrypted_fails_at_once(
    reader: ScriptedProvider, instance: Instance, talk: Conversation
) -> None:
    Secret.objects.create(
        instance=instance,
        name=SecretName.CHAT_API_KEY,
        token="garbage",
        server=server_of(reader.base_url),
    )
    exchange(talk, "I play the cello.")
    (run,) = work(talk)
    assert (run.state, run.attempts) == (Run.State.FAILED, 1)
    assert run.error
    assert reader.requests == []


def test_a_server_without_structured_output_is_asked_in_words(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    reader.fail_next("reject_response_format", None, CHAT)
    (run,) = work(talk)
    assert (run.state, run.attempts, run.stored) == (Run.State.SUCCEEDED, 1, 1)
    assert reader.count(CHAT) == 2
    exchange(talk, "My sister is a nurse.")
    work(talk)
    assert reader.count(CHAT) == 3, "the refusal is remembered"


def test_every_attempt_is_on_the_books(reader: ScriptedProvider, talk: Conversation) -> None:
    exchange(talk, "I play the cello.")
    reader.fail_next("500", 1, CHAT)
    run = attempt(attempt(Run.objects.get()))
    good, bad = Usage.objects.filter(source="memory_extract")
    assert (bad.run, good.run) == (run, run)
    assert "500" in bad.error
    assert (good.error, bad.prompt_tokens) == ("", 0)
    assert good.prompt_tokens > 100
    assert good.completion_tokens > 0


# Workers that die, and workers that come back


def test_a_run_whose_worker_died_is_put_back(reader: ScriptedProvider, talk: Conversation) -> None:
    exchange(talk, "I play the cello.")
    run = Run.objects.get()
    assert run.claim()
    sweep()
    assert Run.objects.get().state == Run.State.RUNNING, "its lease has not ended"
    Run.objects.update(lease_until=timezone.now())
    sweep()
    run.refresh_from_db()
    assert (run.state, run.error) == (Run.State.QUEUED, "The worker died while reading.")
    assert [run.stored for run in work(talk)] == [1]


def test_a_run_whose_workers_die_every_time_is_given_up(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    for _ in range(Run.MAX_ATTEMPTS):
        assert Run.objects.get().claim()
        Run.objects.update(lease_until=timezone.now())
        sweep()
    run = Run.objects.get()
    assert (run.state, run.attempts) == (Run.State.FAILED, Run.MAX_ATTEMPTS)
    assert unaccounted(talk) == {}


def test_a_run_behind_one_whose_worker_died_is_sent_when_that_one_is_out_of_the_way(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    dead = Run.objects.get()
    assert dead.claim()
    exchange(talk, "My sister is a nurse.")
    waiting = Run.objects.get(state=Run.State.QUEUED)
    sweep()
    waiting.refresh_from_db()
    assert waiting.sent_at is None, "a worker would drop it"
    Run.objects.filter(pk=dead.pk).update(lease_until=timezone.now())
    sweep()
    waiting.refresh_from_db()
    assert waiting.sent_at is not None
    assert [run.stored for run in work(talk)] == [2]
    assert unaccounted(talk) == {}


def test_a_worker_that_was_taken_for_dead_stores_nothing(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    slow = Run.objects.get()
    assert slow.claim()
    Run.objects.update(lease_until=timezone.now())
    sweep()
    quick = Run.objects.get()
    assert quick.claim()

    reader.reply_with({"memories": [fact(1, "The user plays the cello badly.")]}, times=1)
    read(slow)
    assert not Memory.objects.exists()
    assert not Activity.objects.exists()
    talk.refresh_from_db()
    assert talk.watermark == 0
    assert Run.objects.get().state == Run.State.RUNNING

    read(quick)
    assert Memory.objects.get().content == "I play the cello."
    assert Run.objects.get().state == Run.State.SUCCEEDED


def test_a_failure_of_a_worker_that_was_taken_for_dead_changes_nothing(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    slow = Run.objects.get()
    assert slow.claim()
    Run.objects.update(attempts=2)
    reader.fail_next("500", 1, CHAT)
    read(slow)
    assert (Run.objects.get().state, Run.objects.get().error) == (Run.State.RUNNING, "")


@pytest.mark.django_db(transaction=True)
def test_a_run_that_is_claimed_while_a_turn_is_being_stored_reads_that_turn_too(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    def read_it() -> None:
        try:
            work(talk)
        finally:
            connection.close()

    exchange(talk, "I play the cello.")
    with ThreadPoolExecutor(1) as worker:
        with transaction.atomic():
            exchange(talk, "My sister is a nurse.")
            assert Run.objects.count() == 1, "the waiting run is to read this turn, too"
            reading = worker.submit(read_it)
            eventually(lambda: reading.done() or waiting_for_a_row(), "nothing happens")
        reading.result(timeout=30)
    assert unaccounted(talk) == {}
    assert Memory.objects.count() == 2


def waiting_for_a_row() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("workers", [2, 4])
def test_of_several_workers_that_are_sent_the_same_run_one_reads_it(
    reader: ScriptedProvider, talk: Conversation, workers: int
) -> None:
    exchange(talk, "I play the cello.")
    barrier = threading.Barrier(workers, timeout=30)
    pk = Run.objects.get().pk

    def take() -> bool:
        try:
            run = Run.objects.get(pk=pk)
            barrier.wait()
            return run.claim()
        finally:
            connection.close()

    with ThreadPoolExecutor(workers) as pool:
        took = [future.result() for future in [pool.submit(take) for _ in range(workers)]]
    assert sorted(took) == [False] * (workers - 1) + [True]


# Facts with keys


def test_facts_keep_their_key_and_who_said_them(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    append(
        talk,
        [
            NewMessage("user", "I live in Munich. Please remember that."),
            NewMessage("tool", "altitude: 519 m", tool_name="atlas"),
            NewMessage("user", "I am 1.80 m tall."),
            NewMessage("assistant", "Noted."),
        ],
    )
    facts = [
        fact(1, "The user lives in Munich.", key="Home City", value="Munich", confidence=None),
        fact(2, "The user’s home is 519 m high.", key="home_altitude", value="519 m"),
        # The message is a person’s, whatever the model says.
        fact(3, "The user is 1.80 m tall.", key="height", value="1.80 m", source="tool_call"),
    ]
    facts[0]["source"] = "user_explicit"
    reader.reply_with({"memories": facts})
    work(talk)
    kept = Memory.objects.order_by("pk").values_list("key", "value", "origin", "confidence")
    assert list(kept) == [
        ("home_city", "Munich", "user_explicit", 90),
        ("home_altitude", "519 m", "tool_call", 90),
        ("height", "1.80 m", "conversation", 90),
    ]


def test_another_value_later_on_becomes_the_fact_and_the_old_one_its_history(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I live in Munich.")
    said = fact(1, "The user lives in Munich.", key="home_city", value="Munich")
    reader.reply_with({"memories": [said]})
    work(talk)
    exchange(talk, "We have moved, to a boat on the canal of Ghent.")
    said = fact(3, "Home is a boat in Ghent.", key="home_city", value="Ghent", confidence=95)
    reader.reply_with({"memories": [said]})
    work(talk)
    memory = Memory.objects.get()
    assert (memory.content, memory.value) == ("Home is a boat in Ghent.", "Ghent")
    assert memory.revisions.get().value == "Munich"
    exchange(talk, "Somebody said I was in Bruges.")
    said = fact(5, "The user lives in Bruges.", key="home_city", value="Bruges", confidence=30)
    reader.reply_with({"memories": [said]})
    (run,) = work(talk)
    assert (run.stored, run.updated, run.repeated) == (0, 0, 1)
    assert not unaccounted(talk)
    memory.refresh_from_db()
    assert memory.value == "Ghent"
