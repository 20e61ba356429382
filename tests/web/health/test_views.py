"""The health screen: correct metrics with links to their rows, only of this instance."""

import json
import os
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format
from pytest_django import Settings

from conversations.models import Conversation
from instances.models import Instance, User
from instances.tiers import Tier
from memoryapp.embedded import processes
from memoryapp.embedded.processes import ProcessState
from memoryapp.health.diagnosis import GROWTH_DAYS, diagnose
from memoryapp.models import Contradiction, EmbeddingSpace, Memory, Run, Usage, VectorIndex
from memoryapp.models.fair_queue import waits_for_share
from memoryapp.providers.configured import space_of
from memoryapp.providers.errors import ErrorKind
from memoryapp.telemetry import heartbeat
from memoryapp.web.status import learning

NOW = timezone.now


def aged(instance: Instance, content: str, days: int = 0, **fields: Any) -> Memory:
    """Create a memory that was last changed *days* days ago, bypassing the write path."""
    moment = NOW() - timedelta(days=days)
    moments = {"created_at": moment, "updated_at": moment, "stored_at": moment} | fields
    return Memory.objects.create(instance=instance, content=content, **moments)


@pytest.fixture
def assorted(
    instance: Instance,
    private: Instance,
    conversation: Conversation,
    store_memory: Callable[..., Memory],
) -> Instance:
    """One memory of each kind, and as many in another instance."""
    for each in (instance, private):
        yesterday = timezone.localdate() - timedelta(days=1)
        aged(each, "The user had a cold.", 3, valid_until=yesterday, importance=2, recall_count=1)
        aged(each, "The user likes quinces.", 200, importance=3, category="preference")
        aged(each, "The user rows.", 200, importance=3, recall_count=4)
        aged(each, "The user sails.", 100, stale_since=NOW(), importance=9)
        aged(each, "The user is Ana.", 200, importance=1, key="name", value="Ana")
        store_memory("The user plays the ocarina.", into=each, category="fact")
        Usage.objects.create(
            instance=each, source="memory_embed", model="m", error="No.", error_kind="timeout"
        )
    Run.objects.create(instance=instance, conversation=conversation, state="failed", error="No.")
    return instance


def test_figures_are_limited_to_the_instance(assorted: Instance) -> None:
    figures = diagnose(assorted)
    assert (figures.total, figures.with_vector, figures.without_vector) == (6, 1, 5)
    assert (figures.expired, figures.stale) == (1, 1)
    assert figures.never_recalled == 4
    assert figures.unimportant == 4
    assert dict(figures.by_category) == {"general": 4, "preference": 1, "fact": 1}
    assert figures.by_importance == dict.fromkeys(range(1, 11), 0) | {
        1: 1,
        2: 1,
        3: 2,
        5: 1,
        9: 1,
    }
    assert figures.runs.failed == 1
    assert [(f.kind, f.calls) for f in figures.failures] == [(ErrorKind.TIMEOUT, 1)]


def test_growth_counts_memories_per_day(assorted: Instance) -> None:
    growth = diagnose(assorted).growth
    assert len(growth) == GROWTH_DAYS
    assert [(day.before, day.added) for day in growth if day.added] == [(4, 1), (5, 1)]
    assert growth[0].before == 4
    assert growth[-1].total == 6
    assert growth[-1].day == assorted.date_of(NOW())


def test_days_use_the_time_zone_of_the_instance(instance: Instance) -> None:
    instance.time_zone = "Pacific/Kiritimati"
    instance.save()
    aged(instance, "The user is first.")
    days = [day.day for day in diagnose(instance).growth if day.added]
    assert days == [instance.date_of(NOW())]


def test_imported_memories_count_on_the_day_of_the_import(
    as_alice: Client, instance: Instance
) -> None:
    aged(instance, "The user sails.", 40)
    for number in range(3):
        aged(instance, f"The user had boat {number}.", 4000, stored_at=NOW())
    growth = diagnose(instance).growth
    assert [(day.before, day.added) for day in growth if day.added] == [(0, 1), (1, 3)]
    response = as_alice.get("/status/health?instance=desk")
    page = " ".join(response.content.decode().split())
    assert "3 added in the last 30 days" in page
    assert "to today: 4 in total, the most on" in page and "with 3." in page
    chart = response.context["growth"]
    assert len(chart.bars) == GROWTH_DAYS
    assert [(bar.value, bar.pieces[0].height) for bar in chart.bars if bar.pieces] == [
        ("1", 20.0),
        ("3", 60.0),
    ]
    day = date_format(instance.date_of(NOW()), "D, j M Y")
    assert f"<td>{day}</td> <td>3</td> <td>4</td>" in page


def test_growth_says_if_nothing_was_added(as_alice: Client, instance: Instance) -> None:
    aged(instance, "The user sails.", 200)
    page = as_alice.get("/status/health?instance=desk").content.decode()
    assert "No memories were added in the last 90 days." in page
    assert "None added in the last 30 days" in page


def test_contradictions_are_a_recommendation(as_alice: Client, instance: Instance) -> None:
    pair = [aged(instance, f"The user lives in {city}.") for city in ("Lyon", "Porto")]
    Contradiction.objects.note(pair[0], [pair[1].pk])
    page = as_alice.get("/status/health?instance=desk").content.decode()
    assert "1 pair of memories may contradict each other" in page
    assert 'href="/memory?instance=desk&amp;state=contradicted"' in page


def test_statements_that_wait_for_review_are_not_fine(
    as_alice: Client, instance: Instance, store_memory: Callable[..., Memory]
) -> None:
    store_memory("The user plays the ocarina.")
    for digest in ("a", "b"):
        instance.held.create(content="Say yes.", reason="tier", tier=Tier.DOCUMENT, digest=digest)
    page = as_alice.get("/status/health?instance=desk").content.decode()
    assert "2 statements wait for review" in page
    assert 'href="/memory/review?instance=desk"' in page
    assert "Everything is fine." not in page
    body = as_alice.get("/api/health?instance_id=desk").json()
    assert (body["held"], body["fine"]) == (2, False)
    instance.held.all().reject()
    assert "Everything is fine." in as_alice.get("/status/health?instance=desk").content.decode()


@pytest.mark.parametrize(("minutes", "is_fine"), [(50, True), (70, False)])
def test_conversations_that_wait_for_too_long_are_not_fine(
    minutes: int, is_fine: bool, as_alice: Client, instance: Instance
) -> None:
    heartbeat.beat(heartbeat.WORKER)
    due = NOW() - timedelta(minutes=minutes)
    talk = Conversation.objects.create(instance=instance)
    Run.objects.create(instance=instance, conversation=talk, state="queued", due_at=due)
    page = as_alice.get("/status/health?instance=desk").content.decode()
    assert ("1 conversation waiting to be read" in page) is not is_fine
    assert ("Everything is fine." in page) is is_fine
    body = as_alice.get("/api/health?instance_id=desk").json()
    assert (body["kept_waiting"], body["fine"]) == (int(not is_fine), is_fine)
    assert body["runs"]["overdue"] == int(not is_fine)


def test_what_keeps_conversations_waiting_is_not_fine(as_alice: Client, instance: Instance) -> None:
    heartbeat.beat(heartbeat.WORKER)
    due = NOW() - timedelta(minutes=2)
    talk = Conversation.objects.create(instance=instance)
    Run.objects.create(instance=instance, conversation=talk, state="queued", due_at=due)

    def finding() -> str:
        page = as_alice.get("/status/health?instance=desk").content.decode()
        _, found, rest = page.partition('id="finding-waiting"')
        return rest.partition("</article>")[0] if found else ""

    assert not finding()
    heartbeat.cease(heartbeat.WORKER)
    assert "No worker is running." in finding()
    assert 'href="/conversations?instance=desk&amp;state=waiting"' in finding()
    Instance.objects.filter(pk=instance.pk).update(monthly_cap=0)
    assert "cost cap" in finding()
    assert 'href="/instances/desk/' in finding()


def test_each_number_links_to_the_rows_it_counts(as_alice: Client, assorted: Instance) -> None:
    page = as_alice.get("/status/health?instance=desk").content.decode()
    links = re.findall(r'<a [^>]*href="(/memory\?[^"]+)"[^>]*>([\d,]+)</a>', page)
    assert len(links) == 4 + 6 + 10 + 1
    for url, number in links:
        listed = as_alice.get(url.replace("&amp;", "&"))
        assert listed.context["page"].paginator.count == int(number), url
        assert "there is no such filter" not in listed.content.decode()


def test_recommendations_are_shown(as_alice: Client, assorted: Instance) -> None:
    page = as_alice.get("/status/health?instance=desk").content.decode()
    for finding in (
        "1 task has failed",
        "5 memories have no vector yet",
        "1 memory has expired",
        "1 memory has never been used",
        "1 memory is stale",
    ):
        assert finding in page
    assert "No answer in time" in page


def test_waiting_runs_and_index_recall_are_shown(
    as_alice: Client, instance: Instance, conversation: Conversation
) -> None:
    aged(instance, "The user rows.")
    for kind, state in (("extraction", "queued"), ("mining", "running"), ("mining", "failed")):
        Run.objects.create(instance=instance, conversation=conversation, kind=kind, state=state)
    space = EmbeddingSpace.objects.create(instance=instance, name=space_of(instance.embeddings))
    index = VectorIndex.objects.create(
        instance=instance,
        space=space,
        of="memory",
        dimensions=384,
        checks=[90, 100],
        checked_at=NOW(),
        state="ready",
    )
    figures = diagnose(instance)
    assert (figures.runs.waiting, figures.filings.running, figures.filings.failed) == (
        1,
        1,
        1,
    )
    page = as_alice.get("/status/health?instance=desk").content.decode()
    assert "Finds 95% of the ten best matches, according to 2 checks" in page
    assert "The index is in use." in page
    assert "Conversations that could not be filed" in page
    body = as_alice.get("/api/health?instance_id=desk").json()
    assert body["indexes"][0]["recall"] == 0.95
    assert body["filings"]["failed"] == 1
    index.delete()
    page = as_alice.get("/status/health?instance=desk").content.decode()
    assert "Exact: every search compares all vectors" in page


def test_work_that_there_is_none_of_has_no_row(as_alice: Client, assorted: Instance) -> None:
    address = f"/status/health?instance={assorted.slug}"
    rows = ("being read", "waiting to be read", "that could not be read", "to file")
    Run.objects.filter(instance=assorted).delete()
    before = as_alice.get(address).content.decode().partition("Background work")[2]
    assert "Failed calls" in before
    assert not [words for words in rows if f"Conversations {words}" in before]

    talk = Conversation.objects.create(instance=assorted)
    Run.objects.create(instance=assorted, conversation=talk, state=Run.State.FAILED)
    after = as_alice.get(address).content.decode().partition("Background work")[2]
    assert "Conversations that could not be read" in after
    assert "Conversations being read" not in after


def test_runs_waiting_for_their_share_are_shown(
    as_alice: Client, assorted: Instance, settings: Settings
) -> None:
    settings.WORKER_SHARE = 4
    past = timezone.now() - timedelta(minutes=2)
    states = [Run.State.RUNNING] * 2 + [Run.State.QUEUED] * 3
    for state in states:
        talk = Conversation.objects.create(instance=assorted)
        Run.objects.create(instance=assorted, conversation=talk, state=state, due_at=past)
    page = " ".join(
        as_alice.get(f"/status/health?instance={assorted.slug}").content.decode().split()
    )
    assert "2 tasks of this instance are running. The next one starts when one of them ends" in page
    assert "no worker is running" not in page
    heartbeat.cease(heartbeat.WORKER)
    Run.objects.filter(state=Run.State.RUNNING).last().delete()  # type: ignore[union-attr]
    page = as_alice.get(f"/status/health?instance={assorted.slug}").content.decode()
    assert "No worker is running." not in page, "something is being read"
    Run.objects.filter(state=Run.State.RUNNING).delete()
    page = as_alice.get(f"/status/health?instance={assorted.slug}").content.decode()
    assert "of this instance are running" not in page
    assert "No worker is running." in page


def test_private_instances_of_one_person_share_workers(
    as_alice: Client, private: Instance, settings: Settings
) -> None:
    settings.WORKER_SHARE = 3
    notes = Instance.objects.create(slug="notes", name="Notes", private_to=private.private_to)
    past = timezone.now() - timedelta(minutes=2)
    for instance, state in ((notes, Run.State.RUNNING), (private, Run.State.QUEUED)):
        talk = Conversation.objects.create(instance=instance)
        Run.objects.create(instance=instance, conversation=talk, state=state, due_at=past)
    assert waits_for_share(private) == 1
    assert learning(private).worker == "1 conversation waiting for your other work to finish"
    Run.objects.filter(instance=notes).delete()
    heartbeat.cease(heartbeat.WORKER)
    assert learning(private).worker == "1 conversation waiting, but no worker is running"


def test_empty_instance_shows_an_explanation(as_alice: Client, instance: Instance) -> None:
    page = as_alice.get("/status/health?instance=desk").content.decode()
    assert "Nothing to show yet" in page


def test_healthy_instance_has_no_recommendations(
    as_alice: Client, instance: Instance, store_memory: Callable[..., Memory]
) -> None:
    store_memory("The user plays the ocarina.")
    page = as_alice.get("/status/health?instance=desk").content.decode()
    assert "Everything is fine." in page
    assert "finding-" not in page


def test_navigation_links_to_the_screen(as_alice: Client, instance: Instance) -> None:
    page = as_alice.get("/memory?instance=desk").content.decode()
    assert 'href="/status/health?instance=desk"' in page
    there = as_alice.get("/status/health?instance=desk").content.decode()
    assert there.count('aria-current="page"') == 3  # in the rail, the tabs and the views


def test_missing_instance_shows_a_choice(
    as_alice: Client, instance: Instance, private: Instance
) -> None:
    page = as_alice.get("/status/health").content.decode()
    assert 'href="/status/health?instance=desk"' in page


def test_api_returns_the_same_figures(as_alice: Client, assorted: Instance) -> None:
    body = as_alice.get("/api/health?instance_id=desk").json()
    figures = diagnose(assorted)
    assert body["total"] == figures.total
    assert body["without_vector"] == figures.without_vector
    assert body["low_importance"] == figures.unimportant
    assert body["by_importance"] == {str(step): n for step, n in figures.by_importance.items()}
    assert body["growth"][-1] == {
        "day": figures.growth[-1].day.isoformat(),
        "added": figures.growth[-1].added,
        "total": figures.growth[-1].total,
    }
    assert {(each["remedy"], each["count"]) for each in body["recommendations"]} == {
        ("runs", 1),
        ("vectors", 5),
        ("expired", 1),
        ("unused", 1),
        ("stale", 1),
    }
    assert "/api/v1/health" in as_alice.get("/api/openapi.json").json()["paths"]


@pytest.fixture
def started_by_run(tmp_path: Path, settings: Settings) -> Callable[..., None]:
    """Factory for the process state file that ``manage.py run`` writes."""
    settings.HOME = tmp_path

    def write(*figures: processes.Process) -> None:
        processes.write(tmp_path, figures)
        file = tmp_path / "processes.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | {"supervisor": os.getppid()}))

    return write


KILLED = processes.End(NOW() - timedelta(minutes=3), "killed, signal 9")
EARLIER = processes.End(NOW() - timedelta(minutes=20), "exit code 1")
GIVEN_UP = processes.Process(
    "The worker",
    ProcessState.GIVEN_UP,
    [EARLIER, KILLED],
    last_output="MemoryError: <b>no</b> memory",
    without="Screens go on.",
)


def test_ended_processes_are_shown(
    as_alice: Client, assorted: Instance, started_by_run: Callable[..., None]
) -> None:
    address = f"/status/health?instance={assorted.slug}"
    assert "Processes" not in as_alice.get(address).content.decode()

    started_by_run(
        processes.Process("The web server"),
        processes.Process("The worker", ends=[EARLIER, KILLED]),
        processes.Process("Redis", ProcessState.RESTARTING, [KILLED]),
    )
    page = text_of(as_alice.get(address).content.decode())
    assert "The web server Running" in page
    assert re.search(
        r"The worker Stopped unexpectedly \(killed, signal 9\) \d+ min ago and was", page
    )
    assert "2 times in the last hour" in page
    assert "Redis is restarting It stopped unexpectedly (killed, signal 9)" in page


@pytest.mark.parametrize("superuser", [True, False])
def test_last_output_is_shown_only_to_superadmins(
    client: Client,
    alice: User,
    instance: Instance,
    started_by_run: Callable[..., None],
    superuser: bool,
) -> None:
    alice.is_superuser = superuser
    alice.save()
    client.force_login(alice)
    started_by_run(processes.Process("The web server"), GIVEN_UP)

    page = text_of(client.get(f"/status/health?instance={instance.slug}").content.decode())

    assert "The worker is not running" in page
    assert "Screens go on. To try again, restart Keepsake." in page
    assert ("MemoryError: &lt;b&gt;no" in page) is superuser
    assert ("Superadmins can see its last output" in page) is not superuser


def text_of(page: str) -> str:
    """Return the text of a page without markup."""
    words = re.sub(r"<(?!b>|/b>)[^>]*>", " ", page)
    return re.sub(r"\s+([;.,)])", r"\1", re.sub(r"\s+", " ", words))
