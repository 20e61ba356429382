"""Slow, broken and restarted servers: what the caller gets, and what is stored."""

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import openai
import pytest
from django.db import connection, connections
from openai import AsyncOpenAI, OpenAI

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.api.v1 import chat_wire, proxy, worker_threads
from memoryapp.api.v1 import relay as api
from memoryapp.models import Answer, Usage
from memoryapp.providers.stream_chunks import complete_answer, stream_chunks
from tests.api.v1.test_clients import HELLO, transcript
from tests.api.v1.test_errors import ask, code_and_type
from tests.provider_fixtures import end_all_sessions, eventually
from tests.scripted_provider import Says, ScriptedProvider

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = [("user", "What should I not cook?")]


@pytest.mark.parametrize("streams", [False, True])
def test_slow_provider_times_out(
    streams: bool, client: OpenAI, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_wire, "complete_answer", partial(complete_answer, timeout=0.3))
    monkeypatch.setattr(chat_wire, "stream_chunks", partial(stream_chunks, silence=0.3))
    provider.fail_next("hang")
    with pytest.raises(openai.APIStatusError, match="did not answer in time") as raised:
        ask(client, streams)
    assert raised.value.status_code == 504
    assert code_and_type(raised.value)[0] == "timeout"


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("cut_stream", "closed the connection in the middle"),
        ("end_stream", "closed the connection in the middle"),
        ("error_stream", "Upstream is overloaded."),
        ("hang_stream", "stopped sending in the middle"),
        ("garbage_stream", "broken JSON"),
    ],
)
def test_error_in_the_middle_of_a_stream(
    fault: str,
    words: str,
    client: OpenAI,
    provider: ScriptedProvider,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chat_wire, "stream_chunks", partial(stream_chunks, silence=0.3))
    provider.reply_with("one two three four five six seven eight")
    provider.fail_next(fault)
    received = ""
    with (
        pytest.raises(openai.APIError, match=words),
        client.chat.completions.create(model="keepsake", messages=HELLO, stream=True) as stream,
    ):
        for chunk in stream:
            received += chunk.choices[0].delta.content or ""
    assert received.startswith("one two")
    assert transcript() == [*QUESTION, ("assistant", received)]
    assert Answer.objects.get().state == Answer.State.FAILED


def test_server_without_streaming(client: OpenAI, provider: ScriptedProvider) -> None:
    provider.fail_next("no_stream")
    provider.reply_with("Soup.")
    (chunk,) = ask(client, streams=True)
    assert chunk.choices[0].delta.content == "Soup."
    assert transcript()[-1] == ("assistant", "Soup.")


def test_reply_is_returned_even_if_storing_fails(
    client: OpenAI, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*args: Any) -> Any:
        raise OSError("The disk is full.")

    with monkeypatch.context() as patched:
        patched.setattr(proxy, "store_reply", fail)
        reply = ask(client)
    assert reply.choices[0].message.content == "You said: What should I not cook?"
    assert "was not stored" in caplog.text
    going_on = [*HELLO, {"role": "assistant", "content": "You said: What should I not cook?"}]
    client.chat.completions.create(
        model="keepsake", messages=[*going_on, {"role": "user", "content": "Go on"}]
    )
    assert [role for role, _ in transcript()] == ["user", "assistant", "user", "assistant"]


def test_stopping_server_stores_the_partial_reply(
    client: OpenAI, provider: ScriptedProvider
) -> None:
    go_on = threading.Event()

    def before(number: int) -> None:
        if number == 3:
            assert go_on.wait(30)

    provider.reply_with(Says("One two three four five", before=before))
    with client.chat.completions.create(model="keepsake", messages=HELLO, stream=True) as stream:
        received = next(stream).choices[0].delta.content or ""
        while "two" not in received:
            received += next(stream).choices[0].delta.content or ""
        worker_threads.stop_all()
        with pytest.raises(openai.APIError, match="shutting down"):
            next(stream)
    go_on.set()
    assert transcript()[-1] == ("assistant", "One two")
    assert Answer.objects.get().state == Answer.State.STOPPED


def test_stream_sends_keepalives_while_waiting(
    client: OpenAI, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    alive = threading.Event()

    def before(number: int) -> None:
        if number == 2:
            assert alive.wait(30)

    monkeypatch.setattr(api, "KEEPALIVE_SECONDS", 0.02)
    provider.reply_with(Says("One two", before=before))
    with client.chat.completions.with_streaming_response.create(
        model="keepsake", messages=HELLO, stream=True
    ) as response:
        lines = []
        for line in response.iter_lines():
            lines.append(line)
            if line == ": still here":
                alive.set()
    assert alive.is_set()
    assert lines[-2:] == ["data: [DONE]", ""]


def test_waiting_requests_hold_no_database_connection(
    with_async_client: Callable[..., Any], provider: ScriptedProvider, address: str
) -> None:
    """Screens need the connections, which are fewer than the requests that may wait."""
    go_on = threading.Event()
    provider.reply_with(Says("Soup.", before=lambda number: go_on.wait(60)))

    # Besides connections of servers that other tests have started.
    def connected() -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            )
            return int(cursor.fetchone()[0])

    async def ask_all(client: AsyncOpenAI) -> int:
        streams_to_open = [
            asyncio.ensure_future(
                client.chat.completions.create(
                    model="keepsake", messages=HELLO, user=str(number), stream=True
                )
            )
            for number in range(10)
        ]
        while provider.count("chat/completions") < 10:
            await asyncio.sleep(0.02)
        waiting = await asyncio.to_thread(settled)
        go_on.set()
        for stream in await asyncio.gather(*streams_to_open):
            async for _ in stream:
                pass
        return waiting

    other_connections = connected() - 1

    def settled() -> int:
        try:
            eventually(
                lambda: connected() <= other_connections + 2, "connections are given back", 10
            )
            return connected()
        finally:
            connections.close_all()

    assert with_async_client(ask_all) <= other_connections + 2
    assert Conversation.objects.count() == 10


@pytest.mark.parametrize("streams", [False, True])
def test_memories_are_merged_into_the_only_system_message(
    streams: bool, client: OpenAI, provider: ScriptedProvider, assisted: Instance
) -> None:
    assisted.instructions = "You are a cook."
    assisted.save()
    brief: Any = {"role": "system", "content": "Be brief."}
    provider.fail_next("second_system", times=None)
    for _ in range(2):
        answer = client.chat.completions.create(
            model="keepsake", messages=[brief, *HELLO], stream=streams
        )
        if streams:
            list(answer)
        system, streams_to_open = provider.requests[-1].body["messages"]
        assert system["content"].startswith("Be brief.\n\nYou are a cook.")
        assert streams_to_open == HELLO[0]
        assert "long-term memory" in system["content"]
    assert provider.count("chat/completions") == 3, "the refusal was not remembered"


def test_model_without_system_messages_gets_the_instructions_in_the_first_message(
    client: OpenAI, provider: ScriptedProvider, assisted: Instance
) -> None:
    assisted.instructions = "You are a cook."
    assisted.save()
    provider.fail_next("no_system", times=None)
    later: list[Any] = [
        {"role": "assistant", "content": "Soup."},
        {"role": "user", "content": "Why?"},
    ]
    for messages in (HELLO, [*HELLO, *later]):
        client.chat.completions.create(model="keepsake", messages=messages)
        first, *rest = provider.requests[-1].body["messages"]
        assert first["role"] == "user"
        assert first["content"].startswith("You are a cook.\n\nYou have a long-term memory")
        assert first["content"].endswith(f"\n\n{HELLO[0]['content']}")
        assert rest == messages[1:]
    assert provider.count("chat/completions") == 3, "the refusal was not remembered"


@pytest.mark.parametrize("streams", [True, False])
def test_database_restart_during_a_reply_loses_nothing(
    streams: bool, client: OpenAI, provider: ScriptedProvider
) -> None:
    def restart(piece: int) -> None:
        if piece == 1:
            end_all_sessions()

    provider.reply_with(Says("Peanuts, of course.", before=restart))
    # The connection of the test was closed, too.
    connection.close()
    ask(client, streams)
    eventually(lambda: not worker_threads.threads.running, "it is not over")
    connection.close()

    assert transcript(Conversation.objects.get()) == [
        *QUESTION,
        ("assistant", "Peanuts, of course."),
    ]
    assert Answer.objects.get().state == Answer.State.DONE
    assert Usage.objects.filter(source=Usage.Source.CHAT, error="").count() == 1
