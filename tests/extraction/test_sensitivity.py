"""The area that the model sees in a fact counts, also if no word of it names one."""

from typing import Any

import pytest

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.extraction.parse import ExtractedFacts
from memoryapp.extraction.prompt import AREAS
from memoryapp.models import HeldStatement, Memory
from memoryapp.policy.sensitivity import SensitiveArea, areas_of
from tests.extraction.runs import exchange, work
from tests.provider_fixtures import fact, prompt_of
from tests.scripted_provider import ScriptedProvider

#: Implies something about health, and says nothing of it.
INJECTS = "The user keeps a pen with 100 units in the fridge."


def told(instance: Instance, talk: Conversation, reader: ScriptedProvider, area: Any) -> None:
    """Have the model read INJECTS, and say that it is about *area*."""
    assert not areas_of(INJECTS)
    reader.reply_with({"memories": [fact(1, INJECTS, area=area)]})
    exchange(talk, "I keep a pen with 100 units in the fridge.")
    work(talk)


@pytest.mark.parametrize("area", ["health", " Health "])
def test_implied_area_is_refused(
    area: str, instance: Instance, talk: Conversation, reader: ScriptedProvider
) -> None:
    Instance.objects.update(health_handling="refuse")
    told(instance, talk, reader, area)
    assert not Memory.objects.exists()
    assert not HeldStatement.objects.exists()


def test_implied_area_waits_for_review(
    instance: Instance, talk: Conversation, reader: ScriptedProvider
) -> None:
    Instance.objects.update(health_handling="hold")
    told(instance, talk, reader, "health")
    assert not Memory.objects.exists()
    assert HeldStatement.objects.get().content == INJECTS


@pytest.mark.parametrize("area", ["religion", None, "gardening", 7, ["health"]])
def test_other_areas_are_kept(
    area: Any, instance: Instance, talk: Conversation, reader: ScriptedProvider
) -> None:
    Instance.objects.update(health_handling="refuse")
    told(instance, talk, reader, area)
    assert Memory.objects.get().content == INJECTS


@pytest.mark.parametrize(
    ("handling", "asked"), [("keep", False), ("local", False), ("hold", True), ("refuse", True)]
)
def test_model_is_asked_only_where_it_matters(
    handling: str, asked: bool, instance: Instance, talk: Conversation, reader: ScriptedProvider
) -> None:
    Instance.objects.update(health_handling=handling)
    told(instance, talk, reader, None)
    body = reader.requests[0].body
    item = body["response_format"]["json_schema"]["schema"]["properties"]["memories"]["items"]
    assert ("area" in item["properties"], "area" in item["required"]) == (asked, asked)
    assert (AREAS in prompt_of(body)) is asked


@pytest.mark.parametrize(("handling", "held"), [("refuse", []), ("hold", [INJECTS])])
def test_words_of_an_own_area_count_and_the_model_is_not_asked(
    handling: str,
    held: list[str],
    instance: Instance,
    talk: Conversation,
    reader: ScriptedProvider,
) -> None:
    own = {"name": "Doses", "words": ["unit in the fridge"], "handling": handling}
    Instance.objects.update(own_areas=[own])
    told(instance, talk, reader, None)
    assert not Memory.objects.exists()
    assert [each.content for each in HeldStatement.objects.all()] == held
    assert AREAS not in prompt_of(reader.requests[0].body)


def test_question_names_every_area() -> None:
    assert all(f"- {area.value}: " in AREAS for area in SensitiveArea)
    assert "area" not in str(ExtractedFacts.json_schema())
