"""Decay of memories: marking as stale, removal of marks, and locked rows."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from instances.actor import Actor
from instances.models import Instance
from memoryapp.health.decay import mark_stale
from memoryapp.models import Activity, Memory
from memoryapp.pipeline import Changes, revise
from memoryapp.tasks import decay

Remember = Callable[..., Memory]


def aged(instance: Instance, content: str = "The user sails.", **days: int | None) -> Memory:
    """Create a memory with these timestamps, given as days ago."""
    now = timezone.now()
    created = days.get("made") or 0
    recalled, until, verified = days.get("recalled"), days.get("until"), days.get("verified")
    return Memory.objects.create(
        instance=instance,
        content=content,
        created_at=now - timedelta(days=created),
        updated_at=now - timedelta(days=days.get("changed") or created),
        last_recalled_at=None if recalled is None else now - timedelta(days=recalled),
        verified_at=None if verified is None else now - timedelta(days=verified),
        valid_until=None if until is None else now.date() - timedelta(days=until),
    )


@pytest.mark.parametrize(
    ("days", "stale"),
    [
        ({"made": 0}, False),
        ({"made": 89}, False),
        ({"made": 91}, True),
        ({"made": 400, "changed": 10}, False),
        ({"made": 400, "changed": 91}, True),
        ({"made": 400, "recalled": 1}, False),
        ({"made": 400, "recalled": 91}, True),
        ({"made": 400, "changed": 200, "recalled": 89}, False),
        ({"made": 400, "verified": 89}, False),
        ({"made": 400, "verified": 91}, True),
        # If there is an expiry date, only that date decides.
        ({"made": 400, "until": -30}, False),
        ({"made": 400, "until": 0}, False),
        ({"made": 1, "until": 1}, True),
        ({"made": 1, "recalled": 0, "until": 1}, True),
    ],
)
def test_stale_memories(days: dict[str, int], stale: bool, instance: Instance) -> None:
    memory = aged(instance, "The user sails.", **days)
    assert mark_stale(instance) == stale
    memory.refresh_from_db()
    assert (memory.stale_since is not None) == stale
    assert mark_stale(instance) == 0, "a second run marked rows again"


def test_marks_are_recorded_once_a_night(instance: Instance, private: Instance) -> None:
    for number in range(3):
        aged(instance, f"The user sails {number}.", made=200)
    mark_stale(instance)
    mark_stale(instance)
    line = Activity.objects.get()
    assert (line.action, line.via, line.by, line.count) == ("marked_stale", "decay", None, 3)
    assert line.memory_id is None
    instance.decay_days = None
    instance.save()
    mark_stale(instance)
    line = Activity.objects.exclude(pk=line.pk).get()
    assert (line.action, line.count) == ("marked_fresh", 3)


@pytest.mark.parametrize(
    ("window", "stale"), [(90, True), (100, True), (102, False), (None, False)]
)
def test_decay_window_is_a_setting(window: int | None, stale: bool, instance: Instance) -> None:
    aged(instance, made=101)
    instance.decay_days = window
    assert mark_stale(instance) == stale


def test_expiry_date_counts_without_a_window(instance: Instance) -> None:
    aged(instance, until=2)
    instance.decay_days = None
    assert mark_stale(instance) == 1


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_days_use_the_time_zone_of_the_instance(zone: str, instance: Instance) -> None:
    instance.time_zone = zone
    today = timezone.now().astimezone(ZoneInfo(zone)).date()
    Memory.objects.create(instance=instance, content="Ends today.", valid_until=today)
    ended = Memory.objects.create(
        instance=instance, content="Ended.", valid_until=today - timedelta(days=1)
    )
    mark_stale(instance)
    assert list(Memory.objects.stale()) == [ended]


def test_wider_window_removes_marks(instance: Instance) -> None:
    aged(instance, made=101)
    mark_stale(instance)
    instance.decay_days = 365
    mark_stale(instance)
    assert not Memory.objects.stale().exists()


def test_changed_memory_is_fresh_at_once(instance: Instance, store_memory: Remember) -> None:
    memory = store_memory("The user sails.")
    long_ago = timezone.now() - timedelta(days=200)
    Memory.objects.update(created_at=long_ago, updated_at=long_ago)
    mark_stale(instance)
    memory.refresh_from_db()
    assert memory.stale_since is not None
    revise(memory, Changes("The user sails.", "fact", 7), by=Actor())
    assert not Memory.objects.stale().exists()


def test_confirmed_fact_is_fresh_at_once(instance: Instance, store_memory: Remember) -> None:
    lives = "The user lives in Lyon."
    store_memory(lives, category="fact", key="home_city", value="Lyon")
    long_ago = timezone.now() - timedelta(days=200)
    Memory.objects.update(created_at=long_ago, updated_at=long_ago, verified_at=None)
    assert mark_stale(instance) == 1
    store_memory(lives, category="fact", key="home_city", value="Lyon")
    assert not Memory.objects.stale().exists()
    assert mark_stale(instance) == 0


def test_nightly_task_uses_the_settings_of_each_instance(
    instance: Instance, private: Instance
) -> None:
    aged(instance, made=50)
    mine = aged(private, made=50)
    private.decay_days = 30
    private.save()
    decay()
    assert list(Memory.objects.stale()) == [mine]


def test_decay_takes_two_updates(instance: Instance) -> None:
    for number in range(30):
        aged(instance, f"Fact {number}.", made=100)
    with CaptureQueriesContext(connection) as captured:
        assert mark_stale(instance) == 30
    assert len([q for q in captured.captured_queries if q["sql"].startswith("UPDATE")]) == 2


@pytest.mark.django_db(transaction=True)
def test_locked_rows_are_skipped(instance: Instance) -> None:
    held = aged(instance, "Held.", made=100)
    free = aged(instance, "Free.", made=100)

    def night() -> int:
        try:
            return mark_stale(instance)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as elsewhere, transaction.atomic():
        held.locked()
        assert elsewhere.submit(night).result(timeout=30) == 1
    assert list(Memory.objects.stale()) == [free]
    assert mark_stale(instance) == 1


def test_list_and_panel_show_the_date(as_alice: Client, instance: Instance) -> None:
    memory = aged(instance, made=100, recalled=95)
    aged(instance, "Fresh.", made=1)
    mark_stale(instance)
    since = timezone.localtime(memory.last_recalled_at).strftime("%-d %b %Y")
    page = as_alice.get("/memory?instance=desk&state=stale").content.decode()
    assert f"not used since {since}" in page
    assert "Fresh." not in page
    panel = as_alice.get(f"/memory/{memory.pk}?instance=desk").content.decode()
    assert f"Not used since {since}." in panel
