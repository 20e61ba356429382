"""Whether the latest texts of an instance are in languages that its embedder does not read."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance
from memoryapp.embeddings.language_support import (
    MULTILINGUAL_MODELS,
    SAMPLE_SIZE,
    multilingual_model,
    unread_languages,
)
from memoryapp.mining.run import mine_here
from memoryapp.models import Memory
from tests.embeddings.texts import DUTCH, ENGLISH, GERMAN, JAPANESE
from tests.provider_fixtures import embed_with
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.django_db


def store(instance: Instance, texts: list[str], *, days_ago: int = 0) -> None:
    day = timezone.now() - timedelta(days_ago)
    Memory.objects.bulk_create(
        Memory(instance=instance, content=text, created_at=day) for text in texts
    )


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (ENGLISH, None),
        (GERMAN, "German"),
        (JAPANESE, "Japanese"),
        (DUTCH, "languages other than English"),
        (ENGLISH + GERMAN, "German"),
        (GERMAN + JAPANESE[:5], "German and Japanese"),
        (ENGLISH * 6 + GERMAN, None),
        (GERMAN[:4], None),
        (["Pizza!"] * 20, None),
        ([*["Pizza!"] * 20, *GERMAN], "German"),
        ([], None),
    ],
    ids=[
        *("english", "german", "japanese", "dutch", "english and german", "german and japanese"),
        *("little german", "too few", "too short", "short and german", "nothing"),
    ],
)
def test_languages_of_a_good_part_of_the_texts_are_named(
    texts: list[str], named: str | None, instance: Instance
) -> None:
    store(instance, texts)
    unread = unread_languages(instance)
    assert (str(unread) if unread else None) == named


def test_unknown_language_is_the_usual_one_of_the_instance(instance: Instance) -> None:
    instance.language = "dutch"
    store(instance, DUTCH)
    assert str(unread_languages(instance)) == "Dutch"
    instance.language = "german"
    assert str(unread_languages(instance)) == "languages other than English"


def test_messages_count_as_well(instance: Instance) -> None:
    store(instance, ENGLISH)
    talk = Conversation.objects.create(instance=instance)
    append(talk, [NewMessage("user", text) for text in GERMAN], finished=False)
    mine_here(talk, with_model=False)
    unread = unread_languages(instance)
    assert unread is not None
    assert (unread.names, unread.is_most) == (("german",), False)


def test_only_the_latest_texts_count(instance: Instance) -> None:
    store(instance, GERMAN * 10, days_ago=30)
    store(instance, ENGLISH * (SAMPLE_SIZE // len(ENGLISH) + 1))
    assert unread_languages(instance) is None


def test_other_instances_and_embedders_do_not_count(
    instance: Instance, private: Instance, provider: ScriptedProvider
) -> None:
    store(private, GERMAN)
    assert unread_languages(instance) is None
    store(instance, GERMAN)
    with CaptureQueriesContext(connection) as captured:
        assert unread_languages(instance)
    assert len(captured) == 2
    embed_with(provider, instance)
    with CaptureQueriesContext(connection) as captured:
        assert unread_languages(instance) is None
    assert not captured


@pytest.mark.parametrize(
    ("names", "best"),
    [
        (["gemma3:4b", "nomic-embed-text:latest", "granite-embedding:30m"], None),
        (["paraphrase-multilingual:latest", "bge-m3:latest"], "bge-m3"),
        (["qwen3-embedding:0.6b"], "qwen3-embedding:0.6b"),
        (["granite-embedding:30m", "granite-embedding:278m"], "granite-embedding:278m"),
        (["bge-m3-like:latest", "someone/bge-m3:latest"], None),
        ([], None),
        (MULTILINGUAL_MODELS, MULTILINGUAL_MODELS[0]),
    ],
)
def test_best_multilingual_model_is_chosen(names: list[str], best: str | None) -> None:
    assert multilingual_model(names) == best
