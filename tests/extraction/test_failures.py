"""Failed runs: errors, retries and limits."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance, Secret, SecretName
from instances.provider_urls import server_of
from memoryapp.extraction.run import BREAKS_OFF
from memoryapp.llm.structured import NO_MODEL
from memoryapp.models import Memory, MemorySource, Run, Usage
from tests.extraction.runs import CHAT, attempt, exchange, work
from tests.provider_fixtures import keep_everything, read_with, unfinished_messages
from tests.scripted_provider import Request, ScriptedProvider


def test_run_without_a_model_fails_with_instructions(
    instance: Instance, talk: Conversation
) -> None:
    Instance.objects.update(memory_enabled=True)
    exchange(talk, "I play the cello.")
    (run,) = work(talk)
    assert (run.state, run.error, run.attempts) == (Run.State.FAILED, NO_MODEL, 1)
    assert unfinished_messages(talk) == {}
    assert talk.messages.count() == 2


@pytest.mark.parametrize(
    "fault", ["500", "drop", "html", "empty", "truncated_json", "half_content", "length", "refusal"]
)
def test_failure_is_retried_with_backoff_and_given_up(
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
    assert unfinished_messages(talk) == {}


@pytest.mark.parametrize("fault", ["half_content", "length"])
def test_answer_that_breaks_off_is_kept_and_the_rest_asked_for_again(
    reader: ScriptedProvider, talk: Conversation, fault: str
) -> None:
    facts = ["I play the cello.", "My sister is a nurse.", "I moved to Lyon."]
    append(talk, [*(NewMessage("user", fact) for fact in facts), NewMessage("assistant", "I see.")])
    reader.fail_next(fault, None, CHAT)
    run = attempt(Run.objects.get())
    assert (run.state, run.error) == (Run.State.QUEUED, BREAKS_OFF)
    assert [memory.content for memory in Memory.objects.all()] == facts[:1]
    assert Conversation.objects.get().watermark == 0

    with reader.script.lock:
        reader.script.faults.clear()
    run = attempt(run)
    assert (run.state, run.error) == (Run.State.SUCCEEDED, "")
    assert sorted(Memory.objects.values_list("content", flat=True)) == sorted(facts)
    assert MemorySource.objects.count() == len(facts)


def test_a_conversation_with_more_facts_than_an_answer_holds_is_read_in_parts(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    things = "cello kayak loom violin telescope anvil easel piano sewing-machine drum kiln boat"
    facts = [f"I own a {thing}." for thing in things.split()]
    append(talk, [*(NewMessage("user", fact) for fact in facts), NewMessage("assistant", "I see.")])

    def three_facts(request: Request) -> object:
        whole = keep_everything(request)
        text = json.dumps(whole)
        if len(whole["memories"]) <= 3:
            return text
        return text[: text.index(json.dumps(whole["memories"][3]["content"]))]

    reader.reply_with(three_facts)
    while run := Run.objects.filter(state=Run.State.QUEUED).first():
        attempt(run)
    assert {run.state for run in Run.objects.all()} == {Run.State.SUCCEEDED}
    assert sorted(Memory.objects.values_list("content", flat=True)) == sorted(facts)
    assert unfinished_messages(talk) == {}


def test_run_is_not_claimed_before_it_is_due(reader: ScriptedProvider, talk: Conversation) -> None:
    exchange(talk, "I play the cello.")
    reader.fail_next("500", 1, CHAT)
    run = attempt(Run.objects.get())
    assert run.due_at > timezone.now()
    assert not run.claim()
    assert not Run.objects.waiting().exists()
    assert attempt(run).state == Run.State.SUCCEEDED


def test_retry_after_extends_the_delay(reader: ScriptedProvider, talk: Conversation) -> None:
    exchange(talk, "I play the cello.")
    reader.fail_next("429", 1, CHAT, retry_after=90)
    started = timezone.now()
    run = attempt(Run.objects.get())
    assert timedelta(seconds=89) < run.due_at - started < timedelta(seconds=95)
    assert "429" in run.error


def test_retry_after_is_capped(reader: ScriptedProvider, talk: Conversation) -> None:
    exchange(talk, "I play the cello.")
    reader.fail_next("429", 1, CHAT, retry_after=86_400)
    run = attempt(Run.objects.get())
    assert run.due_at < timezone.now() + timedelta(minutes=11)


def test_failed_run_can_be_retried_manually(reader: ScriptedProvider, talk: Conversation) -> None:
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
    assert not again.retry(), "the run was retried again"


def test_run_is_not_retried_if_a_newer_one_is_queued(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    Run.objects.update(state=Run.State.FAILED)
    failed = Run.objects.get()
    exchange(talk, "My sister is a nurse.")
    assert not failed.retry()
    assert [run.stored for run in work(talk)] == [2], "the newer run did not read the rest"
    assert unfinished_messages(talk) == {}


KEY = "sk-test-4f2aQ9zLk31VbXw7Yp0C"


def test_rejected_key_fails_at_once_and_is_not_exposed(
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
    outputs = f"{run.error} {Usage.objects.get().error} {caplog.text}"
    assert KEY not in outputs
    assert KEY[-4:] not in outputs
    assert KEY[:7] not in outputs


def test_undecryptable_key_fails_at_once(
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


def test_server_without_structured_output_gets_plain_instructions(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    reader.fail_next("reject_response_format", None, CHAT)
    (run,) = work(talk)
    assert (run.state, run.attempts, run.stored) == (Run.State.SUCCEEDED, 1, 1)
    assert reader.count(CHAT) == 2
    exchange(talk, "My sister is a nurse.")
    work(talk)
    assert reader.count(CHAT) == 3, "the rejection was not remembered"


def test_every_attempt_is_recorded_in_the_usage(
    reader: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "I play the cello.")
    reader.fail_next("500", 1, CHAT)
    run = attempt(attempt(Run.objects.get()))
    good, bad = Usage.objects.filter(source="memory_extract")
    assert (bad.run, good.run) == (run, run)
    assert "500" in bad.error
    assert (good.error, bad.prompt_tokens) == ("", 0)
    assert good.prompt_tokens > 100
    assert good.completion_tokens > 0
