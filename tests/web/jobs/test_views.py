"""The screen of long jobs: what runs, what has ended, and the mark in the navigation."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from conversations.models import Conversation, Import
from instances.models import Instance
from memoryapp.models import EmbeddingJob, Run
from tests.web.page_text import text_of

HTMX = {"HX-Request": "true"}
URL = "/status/jobs?instance=desk"


def jobs(client: Client) -> str:
    """The text of the list."""
    return text_of(client.get(URL, headers=HTMX).content.decode())


def rail(client: Client) -> str:
    return text_of(client.get(URL).content.decode().partition('<nav class="rail"')[2])


@pytest.fixture
def running(instance: Instance) -> Import:
    """An import that has done a quarter in a minute."""
    now = timezone.now()
    return Import.objects.create(
        instance=instance,
        filename="talks.jsonl",
        state="running",
        bytes_total=400,
        bytes_read=100,
        started_at=now - timedelta(minutes=1),
        heartbeat_at=now,
    )


def runs(instance: Instance, *states: str, kind: str = "extraction") -> None:
    created = timezone.now() - timedelta(minutes=2)
    for state in states:
        Run.objects.create(
            instance=instance,
            conversation=Conversation.objects.create(instance=instance),
            kind=kind,
            state=state,
            created_at=created,
            finished_at=timezone.now() if state in ("succeeded", "failed") else None,
            stored=2,
            filed=3,
        )


def test_empty_list_says_what_appears_there(as_alice: Client, instance: Instance) -> None:
    assert "No jobs yet" in jobs(as_alice)
    assert "running" not in rail(as_alice).partition("Memory")[0]


def test_running_import_has_a_bar_with_the_time_left(
    as_alice: Client, instance: Instance, running: Import
) -> None:
    said = jobs(as_alice)
    assert "Import of talks.jsonl Importing 25% 25% done about 3 min left" in said
    assert "1 job running" in rail(as_alice)
    page = as_alice.get(URL).content.decode()
    assert f'href="{running.get_absolute_url()}"' in page
    assert 'hx-trigger="every 2s"' in page


def test_import_measures_what_is_done_by_what_was_counted(
    as_alice: Client, instance: Instance, running: Import
) -> None:
    # A small file is read at once, long before its rows are stored.
    Import.objects.update(
        bytes_read=400, items_total=2_000, kind="memories", lines_done=500, memories_new=450
    )
    assert "25% done about 3 min left" in jobs(as_alice)
    Import.objects.update(kind="conversations", messages_added=800, messages_known=200)
    assert "50% done about 1 min left" in jobs(as_alice)
    # Until they are counted, the bytes count.
    Import.objects.update(state="checking")
    assert "100% done" in jobs(as_alice)


def test_file_that_waits_for_a_person_is_named_in_the_rail_and_in_the_list(
    as_alice: Client, instance: Instance, running: Import
) -> None:
    Import.objects.update(state="ready", bytes_read=400)
    said = jobs(as_alice)
    assert "Import of talks.jsonl Waits for you" in said
    assert "Open the preview" in said
    assert "% done" not in said
    assert "1 import waits for you" in rail(as_alice)
    assert "running" not in rail(as_alice).partition("Memory")[0]
    instance.membership_set.update(role="viewer")
    assert "waits for you" not in rail(as_alice)


def test_end_of_a_job_brings_the_numbers_of_the_rail(
    as_alice: Client, instance: Instance, running: Import
) -> None:
    Conversation.objects.create(instance=instance)
    for url in (running.get_absolute_url(), "/status/jobs?instance=desk"):
        page = as_alice.get(url, headers=HTMX).content.decode()
        assert "1 job running" in page.partition('id="rail-jobs"')[2]
        begun = page.partition("announced=")[2].partition('"')[0]
        again = as_alice.get(url, {"instance": "desk", "announced": begun}, headers=HTMX)
        assert 'id="rail-jobs"' not in again.content.decode()
        Import.objects.update(state="succeeded", finished_at=timezone.now())
        ended = as_alice.get(url, {"instance": "desk", "announced": begun}, headers=HTMX)
        rest = ended.content.decode().partition('id="rail-jobs" hx-swap-oob="true"')[2]
        assert rest and "job running" not in rest
        assert '<i class="n" id="number-memory" hx-swap-oob="true">0</i>' in rest
        assert '<i class="n" id="number-conversations" hx-swap-oob="true">1</i>' in rest
        Import.objects.update(state="running", finished_at=None)


def test_there_is_no_estimate_before_there_is_a_speed(
    as_alice: Client, instance: Instance, running: Import
) -> None:
    Import.objects.update(started_at=timezone.now(), heartbeat_at=timezone.now())
    said = jobs(as_alice)
    assert "25% done" in said
    assert "left" not in said


def test_ended_import_has_a_summary(as_alice: Client, instance: Instance, running: Import) -> None:
    Import.objects.update(
        state="succeeded",
        finished_at=timezone.now(),
        messages_added=2_760,
        skipped_count=90,
        reasons={"hidden messages": 60, "system messages": 30},
    )
    said = jobs(as_alice)
    assert "In progress" not in said
    assert "2,760 new messages." in said
    assert ("90 items are skipped: hidden messages (60), system messages (30).") in said


def test_reading_and_filing_count_conversations(as_alice: Client, instance: Instance) -> None:
    runs(instance, "succeeded", "succeeded", "succeeded", *["queued"] * 4, "running")
    said = jobs(as_alice)
    assert "Reading for facts: 5 conversations left 37% 37% done about 3 min left" in said
    assert "Reading for facts just now 3 conversations read. 6 new memories." in said
    assert "1 job running" in rail(as_alice)
    runs(instance, "failed", "queued", kind="mining")
    said = jobs(as_alice)
    assert "Filing in Palace: 1 conversation left" in said
    assert "1 conversation failed." in said
    # One waiting conversation is nothing to announce.
    assert "1 job running" in rail(as_alice)


def test_vectors_link_to_the_settings_of_managers(as_alice: Client, instance: Instance) -> None:
    EmbeddingJob.objects.create(instance=instance, kind="fill_in", total=10, done=5)
    assert "Missing vectors 50% 50% done" in jobs(as_alice)
    page = as_alice.get(URL, headers=HTMX).content.decode()
    assert "/instances/desk/settings/models#embeddings" in page
    instance.membership_set.update(role="viewer")
    page = as_alice.get(URL, headers=HTMX).content.decode()
    assert "Missing vectors" in page
    assert "/settings/models" not in page


def test_poll_announces_only_changes(as_alice: Client, instance: Instance, running: Import) -> None:
    fragment = as_alice.get(f"{URL}&announced=1-1", headers=HTMX).content.decode()
    assert "announcer" not in fragment
    fragment = as_alice.get(f"{URL}&announced=2", headers=HTMX).content.decode()
    assert 'id="announcer" hx-swap-oob' in fragment

    poll = f"{running.get_absolute_url()}?announced="
    assert "announcer" not in as_alice.get(f"{poll}running-1", headers=HTMX).content.decode()
    assert "Importing, 25%" in text_of(
        as_alice.get(f"{poll}checking-3", headers=HTMX).content.decode()
    )
