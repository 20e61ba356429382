"""What filing records in the activity log: a line for each conversation and day."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance
from memoryapp.mining.queue import queue
from memoryapp.models import Activity, Relation
from tests.mining.conftest import work
from tests.mining.test_with_model import answer
from tests.provider_fixtures import read_with
from tests.scripted_provider import ScriptedProvider

RELATIONS = [
    {"turn": 1, "subject": "Ana", "predicate": "lives in", "object": "Lisbon"},
    {"turn": 1, "subject": "Ana", "predicate": "keeps", "object": "bees"},
]


def lines() -> list[tuple[str, str, int, int | None]]:
    rows = Activity.objects.order_by("pk")
    return list(rows.values_list("action", "via", "count", "conversation"))


def say(talk: Conversation, *texts: str) -> None:
    append(talk, [NewMessage("user", text) for text in texts])
    queue(talk)


def test_filing_is_one_line_for_a_conversation(talk: Conversation) -> None:
    say(talk, "We need tiles.", "And paint.", "And a door.")
    assert len(work()) == 1
    assert lines() == [("filed", "mining", 3, talk.pk)]


def test_filing_more_on_the_same_day_counts_up(house: Instance, talk: Conversation) -> None:
    say(talk, "We need tiles.", "And paint.")
    work()
    (first,) = Activity.objects.all()
    say(talk, "And a door.")
    work()
    (line,) = Activity.objects.all()
    assert (line.pk, line.count) == (first.pk, 3)
    assert line.at > first.at
    other = Conversation.objects.create(instance=house)
    say(other, "I sail.")
    work()
    Activity.objects.update(at=timezone.now() - timedelta(days=1))
    say(talk, "And a lamp.")
    work()
    assert lines() == [
        ("filed", "mining", 3, talk.pk),
        ("filed", "mining", 1, other.pk),
        ("filed", "mining", 1, talk.pk),
    ]


def test_learned_relations_are_a_line_of_their_own(
    house: Instance, talk: Conversation, provider: ScriptedProvider
) -> None:
    read_with(provider, house)
    provider.reply_with(answer([{"turn": 1, "topic": "home"}], relations=RELATIONS))
    say(talk, "Ana lives in Lisbon. Ana keeps bees.")
    work()
    assert Relation.objects.count() == 2
    assert lines() == [
        ("filed", "mining", 1, talk.pk),
        ("relations_learned", "mining", 2, talk.pk),
    ]


def test_nothing_is_recorded_when_filing_fails(
    talk: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(talk, "We need tiles.")
    monkeypatch.setattr("memoryapp.mining.run.Unfiled.objects", None)
    work()
    assert not Activity.objects.exists(), "the line was not in the transaction of the filing"


def test_recording_takes_two_statements(talk: Conversation) -> None:
    say(talk, "We need tiles.", "And paint.")
    with CaptureQueriesContext(
        connection,
    ) as captured:
        work()
    of_activity = [q["sql"] for q in captured.captured_queries if "memoryapp_activity" in q["sql"]]
    assert [sql.split()[0] for sql in of_activity] == ["UPDATE", "INSERT"]
    say(talk, "And a door.")
    with CaptureQueriesContext(connection) as captured:
        work()
    of_activity = [q["sql"] for q in captured.captured_queries if "memoryapp_activity" in q["sql"]]
    assert [sql.split()[0] for sql in of_activity] == ["UPDATE"]
