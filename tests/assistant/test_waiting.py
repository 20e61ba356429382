"""What is waited for, and for how long."""

import time

import pytest

from conversations.models import Conversation
from memoryapp.assistant.answer_threads import RunningAnswer
from memoryapp.assistant.events import Delta, Event, ModelAsked, ToolBegan
from memoryapp.models import Answer
from memoryapp.providers.abilities import ModelAbilities
from tests.assistant.answering import talk
from tests.scripted_provider import ScriptedProvider


@pytest.mark.django_db(transaction=True)
def test_reading_time_follows_from_the_measured_speed(
    chat: Conversation, provider: ScriptedProvider
) -> None:
    def asked() -> list[float]:
        provider.reply_with("Nothing with peanuts.")
        return [event.seconds for event in talk(chat) if isinstance(event, ModelAsked)]

    assert asked() == [0.0]
    instance = chat.instance
    abilities = ModelAbilities(instance.base_url, instance.chat_model, read=2.0, written=1.0)
    instance.model_abilities = {instance.chat_model: abilities.as_dict()}
    instance.save()
    (seconds,) = asked()
    assert 20 < seconds < 300
    # A slow model gets few words and no tools.
    assert "tools" not in provider.requests[-1].body
    assert sum(len(each["content"]) for each in provider.requests[-1].body["messages"]) < 1_500


@pytest.mark.parametrize(
    ("events", "after", "words"),
    [
        ([], 0, "Answering"),
        ([], 12, "Answering (10 s so far)"),
        ([ModelAsked(0.0)], 31, "Answering (30 s so far)"),
        ([ModelAsked(41.0)], 3, "Reading the prompt, about 40 s"),
        ([ModelAsked(41.0)], 47, "Reading the prompt, about 40 s (45 s so far)"),
        ([ModelAsked(41.0), Delta("Nothing")], 47, ""),
        ([ModelAsked(41.0), ToolBegan("search_memory")], 0, "Searching memory"),
    ],
)
def test_words_of_waiting(
    events: list[Event], after: float, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = RunningAnswer(Answer())
    for event in events:
        running.apply(event)
    now = time.monotonic() + after
    monkeypatch.setattr(time, "monotonic", lambda: now)
    assert running.snapshot().doing == words
