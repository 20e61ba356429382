"""The benchmarks of the screens from end to end, with a few memories."""

import json

import pytest
from django.db import connection

from benchmarks import keystrokes
from benchmarks.screens import Timed, table
from benchmarks.single_tenant_dataset import Size, fill
from instances.models import Instance, User
from memoryapp.models import Memory, MemoryEmbedding, MemoryRevision, MemorySource
from tests.benchmarks.commands import lines_of


@pytest.mark.soak
@pytest.mark.django_db
def test_every_screen_is_timed_against_the_baseline() -> None:
    printed = lines_of(
        "screens",
        *("--json", "--rounds", "1"),
        *("--memories", "60", "--database", "keepsake_benchmark_test"),
    )
    *lines, last = printed
    times = json.loads(last)
    assert len(lines) == len(times) + 1
    assert {"list", "search", "filter by tag", "panel", "conversations"} <= set(times)
    assert all(0 < it["p50_ms"] <= it["p95_ms"] for it in times.values())
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database")
        assert not {"keepsake_benchmark_test", "untouched"} & {name for (name,) in cursor}


@pytest.mark.soak
@pytest.mark.django_db
def test_words_are_typed_until_their_rows_are_drawn() -> None:
    printed = lines_of(
        "keystrokes",
        *("--json", "--rounds", "1"),
        *("--memories", "60", "--database", "keepsake_benchmark_keys_test"),
    )
    times = json.loads(printed[-1])
    assert 0 < times["p50_ms"] <= times["p95_ms"]


@pytest.mark.django_db
def test_generated_instance_is_deterministic() -> None:
    user = User.objects.create_superuser("benchmark")
    size = Size(memories=40, conversations=2, messages_in_longest=30)
    twice = []
    for slug in ("one", "two"):
        instance = Instance.objects.create(slug=slug, name=slug)
        fill(instance, user, size)
        memories = Memory.objects.in_instance(instance).order_by("pk")
        assert MemoryEmbedding.objects.filter(instance=instance).count() == 39
        assert MemoryRevision.objects.filter(memory__in=memories).exists()
        assert MemorySource.objects.filter(instance=instance).exists()
        twice.append(list(memories.values_list("content", "category", "importance", "tags")))
    assert twice[0] == twice[1]
    assert len({content for content, *_ in twice[0]}) == 40


def test_slow_screen_is_flagged() -> None:
    floor, quick = Timed("floor", [2.0] * 20, 0.0), Timed("quick", [20.0] * 20, 41.5)
    slow = Timed("slow", [30.0] * 10 + [150.0] * 10, 41.5)
    lines = table([floor, quick, slow]).splitlines()
    assert lines[2].split() == ["quick", "20.0", "20.0", "10.0", "41.5"]
    assert lines[3].endswith("more than 100 ms")


def test_time_of_a_key_is_taken_apart() -> None:
    typed = [keystrokes.Typed(sent=2.0, answered=82.0, drawn=drawn) for drawn in (112.0, 172.0)]
    lines = keystrokes.table(typed).splitlines()
    assert lines[2].split()[-2:] == ["80.0", "80.0"]
    assert lines[3].split()[-2:] == ["30.0", "90.0"]
    assert lines[4].endswith("172.0   more than 150 ms")
