"""The end of a memory: a day, or a moment on it."""

from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest
from django.db import IntegrityError
from django.utils import timezone

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.health.decay import mark_stale
from memoryapp.models import Memory, Version
from memoryapp.models.end_dates import later_end, split_end
from memoryapp.pipeline import Changes, revise, undo
from memoryapp.recall import recall

Store = Callable[..., Memory]
TODAY = date(2031, 2, 3)
NOON = datetime(2031, 2, 3, 12, tzinfo=timezone.get_default_timezone())


def ending(store: Store, moment: datetime) -> Memory:
    memory = store("The ferry leaves from pier four.")
    memory.valid_until, memory.expires_at = split_end(moment)
    memory.save()
    return memory


@pytest.mark.parametrize(("minutes", "expired"), [(-1, True), (1, False)])
def test_moment_decides_and_not_the_day(
    minutes: int, expired: bool, instance: Instance, store_memory: Store
) -> None:
    now = timezone.now()
    memory = ending(store_memory, now + timedelta(minutes=minutes))
    # Near midnight, the other minute may be on another day.
    today = timezone.localdate(now)
    memories = Memory.objects.in_instance(instance)
    assert memory.is_expired(today) is expired
    assert memories.expired(today).exists() is expired
    assert memories.current(today).exists() is not expired
    assert (mark_stale(instance) == 1) is expired
    (hit,) = recall(instance, "Where does the ferry leave?").hits
    assert ("expired" in hit.parts) is expired


def test_moment_is_part_of_the_history(
    instance: Instance, alice: User, store_memory: Store
) -> None:
    memory = ending(store_memory, NOON)
    day = Changes(memory.content, "fact", 5, [], TODAY)
    revise(memory, day, by=Actor(alice))
    memory.refresh_from_db()
    assert (memory.valid_until, memory.expires_at, memory.end) == (TODAY, None, TODAY)
    assert {version.expires_at for version in Version.objects.all()} == {None, NOON}
    assert undo(memory.revisions.get(), by=Actor(alice)).expires_at == NOON


def test_moment_needs_its_day(store_memory: Store) -> None:
    memory = store_memory("The user sails.")
    memory.expires_at = NOON
    with pytest.raises(IntegrityError):
        memory.save()


@pytest.mark.parametrize(
    ("one", "other", "later"),
    [
        (NOON, TODAY, (TODAY, None)),
        (NOON, NOON + timedelta(hours=1), (TODAY, NOON + timedelta(hours=1))),
        (TODAY - timedelta(1), NOON, (TODAY, NOON)),
        (None, NOON, (None, None)),
    ],
)
def test_later_end(
    one: date | None, other: date | None, later: tuple[date | None, datetime | None]
) -> None:
    assert later_end(split_end(one), split_end(other)) == later
    assert later_end(split_end(other), split_end(one)) == later
