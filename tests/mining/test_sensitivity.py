"""What is about an area that an instance does not keep is neither filed nor recalled as said."""

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from memoryapp.recall import recall
from tests.mining.conftest import palace, work

ASTHMA = "My doctor says that I have asthma, and it got worse in Ghent."
OVEN = "The kitchen fitter from Ghent delivers the oven on Monday."


def say(talk: Conversation) -> None:
    said = [NewMessage("user", ASTHMA), NewMessage("user", OVEN), NewMessage("assistant", "OK.")]
    append(talk, said)


@pytest.mark.parametrize("handling", ["hold", "refuse"])
def test_message_is_not_filed(handling: str, talk: Conversation) -> None:
    talk.instance.health_handling = handling
    talk.instance.save()
    say(talk)
    (run,) = work()
    assert run.state == run.State.SUCCEEDED
    assert {text for *_, text in palace()} == {OVEN, "OK."}


def test_message_about_an_own_area_is_not_filed(talk: Conversation) -> None:
    talk.instance.own_areas = [{"name": "Oven", "words": ["kitchen fitter"], "handling": "refuse"}]
    talk.instance.save()
    say(talk)
    work()
    assert {text for *_, text in palace()} == {ASTHMA, "OK."}


def test_message_that_was_filed_before_is_not_recalled(talk: Conversation) -> None:
    say(talk)
    work()
    assert {hit.content for hit in recall(talk.instance, "Ghent").hits} == {ASTHMA, OVEN}
    talk.instance.health_handling = "refuse"
    talk.instance.save()
    assert {hit.content for hit in recall(talk.instance, "Ghent").hits} == {OVEN}
