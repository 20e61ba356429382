"""What is about an area for models here only goes to no model elsewhere."""

import json
from collections.abc import Callable

import pytest

from instances.actor import Actor
from instances.models import Instance, Provider
from memoryapp import tools
from memoryapp.context.builder import Omission, build_context, context_for_message, omission
from memoryapp.models import Memory, Origin, Summary
from memoryapp.pipeline import Writer
from memoryapp.recall import recall
from memoryapp.suppression.sending import policy_for_model

ASTHMA, TEA = "The user has asthma and drinks tea.", "The user drinks tea with lemon."


@pytest.fixture(autouse=True)
def memories(instance: Instance, store_memory: Callable[..., Memory]) -> None:
    store_memory(ASTHMA)
    store_memory(TEA)
    instance.health_handling = "local"
    use(instance, "https://models.example.org/v1")


def use(instance: Instance, address: str) -> None:
    instance.provider, instance.base_url = Provider.CUSTOM, address
    instance.save()


def told(instance: Instance) -> str:
    return context_for_message(
        instance, "What tea do I drink?", end_user="", conversation=None
    ).text


@pytest.mark.parametrize(
    ("address", "is_sent"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://192.168.7.5:8000/v1", True),
        ("https://models.example.org/v1", False),
    ],
)
def test_context_depends_on_where_the_model_is(
    address: str, is_sent: bool, instance: Instance
) -> None:
    use(instance, address)
    policy = policy_for_model(instance)
    assert policy.allows_text(ASTHMA) is is_sent
    assert policy.allows_text(TEA)
    assert (ASTHMA in told(instance), TEA in told(instance)) == (is_sent, True)


def test_screen_says_why(instance: Instance) -> None:
    question = "What tea do I drink?"
    hits = {hit.content: hit for hit in recall(instance, question).hits}
    assert set(hits) == {ASTHMA, TEA}
    assert omission(instance, question, hits[ASTHMA]) is Omission.ELSEWHERE
    shown = build_context(instance, question, end_user="").shown.values()
    assert [hit.content for hit in shown] == [TEA]


def test_summary_about_it_is_not_told(instance: Instance) -> None:
    instance.summary_enabled = True
    instance.save()
    Summary.objects.filter(instance=instance).delete()
    summary = Summary.objects.create(instance=instance, text="The user loves mornings.")
    assert "loves mornings" in told(instance)
    Summary.objects.filter(pk=summary.pk).update(text="The user lives with asthma.")
    assert "lives with asthma" not in told(instance)


@pytest.mark.parametrize(
    ("tool", "arguments"), [(tools.SEARCH, {"query": "tea"}), (tools.LIST, {})]
)
def test_tools_leave_it_out(tool: str, arguments: dict[str, str], instance: Instance) -> None:
    context = tools.ToolContext(instance, Writer(Origin.API, Actor(via="api")), end_user="")
    result = tools.run(tool, json.dumps(arguments), context, allowed=[tool])
    assert "asthma" not in result.text and TEA in result.text
    assert len(result.memory_ids) == 1


def test_other_areas_are_sent(instance: Instance) -> None:
    instance.health_handling, instance.religion_handling = "keep", "local"
    instance.save()
    assert ASTHMA in told(instance)


def test_own_area_is_sent_to_models_here_only(instance: Instance) -> None:
    instance.health_handling = "keep"
    own = {"name": "Citrus", "words": ["lemons"], "handling": "local"}
    instance.own_areas = [own]
    use(instance, "https://models.example.org/v1")
    assert (ASTHMA in told(instance), TEA in told(instance)) == (True, False)
    use(instance, "http://127.0.0.1:11434/v1")
    assert TEA in told(instance)
