"""Events of mem0's API."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conversations.models import Conversation, ConversationOrigin
from instances.models import Instance
from memoryapp.models import Run
from tests.api.conftest import Program
from tests.api.mem0.client_calls import read_waiting
from tests.provider_fixtures import keep_everything, read_with
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.django_db


@pytest.fixture
def said(instance: Instance, provider: ScriptedProvider, program: Program) -> list[str]:
    """The ids of events, the oldest first; the last one waits."""
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    ids = []
    for text in ("I moved to Lyon.", "I keep bees.", "Hello!"):
        added = program.send("POST", "/v3/memories/add/", {"messages": text, "user_id": "ana"})
        ids.append(added["event_id"])
        if text != "Hello!":
            read_waiting()
    return ids


def test_events_are_listed_newest_first(program: Program, said: list[str]) -> None:
    listed = program.send("GET", "/v1/events/")
    assert [one["id"] for one in listed["results"]] == said[::-1]
    assert [one["status"] for one in listed["results"]] == ["PENDING", "SUCCEEDED", "SUCCEEDED"]
    waiting, bees, lyon = listed["results"]
    assert (waiting["results"], waiting["latency"]) == ([], None)
    assert [one["data"] for one in lyon["results"]] == [{"memory": "I moved to Lyon."}]
    assert [(one["memory"], one["user_id"]) for one in bees["results"]] == [("I keep bees.", "ana")]
    assert bees["latency"] > 0
    page = program.send("GET", "/v1/events/?page=2&page_size=2")
    assert ([one["id"] for one in page["results"]], page["count"]) == (said[:1], 3)
    assert program.send("GET", f"/v1/event/{said[0]}/") == lyon


def test_events_of_others_are_not_listed(
    program: Program, said: list[str], instance: Instance, private: Instance
) -> None:
    for owner, origin in ((private, ConversationOrigin.MEM0), (instance, ConversationOrigin.CHAT)):
        talk = Conversation.objects.create(instance=owner, origin=origin)
        Run.objects.queue(talk, Run.Kind.EXTRACTION)
    assert program.send("GET", "/v1/events/")["count"] == len(said)


def test_number_of_queries_does_not_grow(program: Program, said: list[str]) -> None:
    def queries(size: int) -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            program.send("GET", f"/v1/events/?page_size={size}")
        return len(captured)

    queries(1)
    assert queries(3) == queries(2)
