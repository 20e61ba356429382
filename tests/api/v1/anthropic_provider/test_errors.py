"""Errors of the provider, and callers that hang up."""

import threading
from functools import partial
from typing import Any

import anthropic
import pytest
from anthropic import Anthropic

from memoryapp.api.v1 import messages_wire
from memoryapp.models import Answer, Usage
from memoryapp.providers.messages_api import complete_message, stream_events
from tests.api.v1.anthropic_provider.exchange import (
    KEY,
    ask,
)
from tests.api.v1.test_clients import transcript
from tests.api.v1.test_messages import HELLO
from tests.provider_fixtures import eventually
from tests.scripted_provider import Blocks, ScriptedProvider

# Requests are passed on in threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("status", "kind", "raised"),
    [
        (400, "invalid_request_error", anthropic.BadRequestError),
        (413, "request_too_large", anthropic.APIStatusError),
        (500, "api_error", anthropic.InternalServerError),
        (529, "overloaded_error", anthropic.APIStatusError),
    ],
)
@pytest.mark.parametrize("streams", [False, True])
def test_errors_of_the_provider(
    streams: bool,
    status: int,
    kind: str,
    raised: type[anthropic.APIStatusError],
    claude: Anthropic,
    provider: ScriptedProvider,
) -> None:
    error = {"type": kind, "message": "Not now."}
    provider.answer_with("messages", {"type": "error", "error": error}, status=status)
    with pytest.raises(raised) as caught:
        ask(claude, streams=streams)
    assert caught.value.status_code == status
    assert caught.value.body == {"type": "error", "error": error}
    assert transcript() == [("user", "What should I not cook?")]
    assert Usage.objects.get(source=Usage.Source.CHAT).error_kind


def test_refused_key_is_not_shown(claude: Anthropic, provider: ScriptedProvider) -> None:
    provider.fail_next("401")
    with pytest.raises(anthropic.AuthenticationError) as caught:
        ask(claude, streams=True)
    assert "Check the key in Settings" in str(caught.value)
    assert KEY[-4:] not in str(caught.value)


def test_bad_message_is_the_providers_to_refuse(claude: Anthropic) -> None:
    wrong: Any = [{"role": "robot", "content": "Hello."}]
    with pytest.raises(anthropic.BadRequestError, match=r"messages\.0\.role"):
        ask(claude, streams=False, messages=wrong)


@pytest.mark.parametrize("fault", ["error_stream", "cut_stream", "end_stream", "garbage_stream"])
def test_failure_in_the_middle_of_a_stream(
    fault: str, claude: Anthropic, provider: ScriptedProvider
) -> None:
    provider.reply_with(Blocks([{"type": "text", "text": "One two three four five six seven."}]))
    provider.fail_next(fault, path="messages")
    with (
        pytest.raises(anthropic.APIStatusError) as caught,
        claude.messages.stream(model="x", max_tokens=9, messages=HELLO) as stream,
    ):
        stream.get_final_message()
    error = caught.value.body["error"]  # type: ignore[index]  # The error object of the API.
    if fault == "error_stream":
        assert error == {"type": "overloaded_error", "message": "Overloaded"}
    else:
        assert error["type"] == "api_error"
    (_, said) = transcript()
    assert said[1].startswith("One two")
    assert Answer.objects.get().state == Answer.State.FAILED


def test_provider_that_falls_silent(
    claude: Anthropic, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages_wire, "stream_events", partial(stream_events, silence=0.3))
    monkeypatch.setattr(messages_wire, "complete_message", partial(complete_message, timeout=0.3))
    provider.fail_next("hang_stream", path="messages")
    with pytest.raises(anthropic.APIStatusError) as caught:
        ask(claude, streams=True)
    assert caught.value.body["error"]["type"] == "timeout_error"  # type: ignore[index]
    provider.fail_next("hang", path="messages")
    with pytest.raises(anthropic.APIStatusError) as caught:
        ask(claude, streams=False)
    assert caught.value.status_code == 504


def test_caller_that_hangs_up(claude: Anthropic, provider: ScriptedProvider) -> None:
    """What was said until then is stored, and the provider is not listened to any longer."""
    goes_on = threading.Event()

    def before(number: int) -> None:
        if number == 6:
            goes_on.wait(20)

    words = Blocks([{"type": "text", "text": "One two three four five."}], before=before)
    provider.reply_with(words)
    stream = claude.messages.create(
        model="claude-sonnet-5", max_tokens=100, messages=HELLO, stream=True
    )
    for event in stream:
        if event.type == "content_block_delta" and event.delta.type == "text_delta":
            break
    stream.close()
    eventually(lambda: Answer.objects.filter(state=Answer.State.STOPPED).exists(), "it has ended")
    goes_on.set()
    assert transcript()[-1][1].startswith("One two")
    assert Usage.objects.get(source=Usage.Source.CHAT).error == "The caller hung up."
