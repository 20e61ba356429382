"""Property test: whatever happened before, no table, cache or door tells what was forgotten."""

from collections.abc import Iterator

import pytest
import redis
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pytest_django import Settings

from instances.models import Instance, Membership, User
from tests.forgetting.world import PETS, ProxiedWorld, World
from tests.leak_scanner import tables, values
from tests.scripted_provider import ScriptedProvider

#: The tables that may hold what is forgotten: for people alone, and for a while.
FOR_PEOPLE = {"memoryapp_mutedmessage", "memoryapp_archivedmemory", "memoryapp_mutednote"}

which = st.integers(0, len(PETS) - 1)
doors = st.integers(0, 6)
steps = st.tuples(
    st.sampled_from(
        "tell tell echo learn learn write correct merge file sum_up send_again forget forget "
        "restore note save_filter".split()
    ),
    which,
    doors,
)

LONG_WAY: list[tuple[str, int, int]] = [
    *(("tell", 0, 0), ("echo", 0, 0), ("learn", 0, 0), ("file", 0, 0), ("sum_up", 0, 0)),
    *(("tell", 1, 3), ("learn", 1, 0), ("merge", 0, 1), ("correct", 1, 1)),
    *(("note", 0, 1), ("note", 1, 0), ("save_filter", 0, 0)),
    *(("forget", 0, 3), ("send_again", 0, 0), ("echo", 0, 0), ("send_again", 0, 2)),
]


def check(world: World, server: "redis.Redis") -> None:
    rows = {
        name: text.decode(errors="replace").casefold()
        for name, text in (tables() | values(server)).items()
        if name not in FOR_PEOPLE
    }
    for pet in world.forgotten:
        assert not {name for name, text in rows.items() if pet in text}, pet
    if world.forgotten:
        for door, answer in world.answers().items():
            for pet in world.forgotten:
                assert pet not in answer.casefold(), (door, pet)


def run(world: World, server: "redis.Redis", todo: list[tuple[str, int, int]]) -> None:
    server.flushdb()
    for verb, number, door in todo:
        getattr(world, verb)(PETS[number], door)
    check(world, server)


def run_and_roll_back(
    instance: Instance, screen: Client, server: "redis.Redis", todo: list[tuple[str, int, int]]
) -> None:
    with transaction.atomic():
        run(World(Instance.objects.get(pk=instance.pk), screen), server, todo)
        transaction.set_rollback(True)


@pytest.fixture
def server(settings: Settings) -> Iterator["redis.Redis"]:
    with redis.Redis.from_url(settings.REDIS_URL) as server:
        yield server


same_fixtures = HealthCheck.function_scoped_fixture


@settings(max_examples=10, suppress_health_check=[same_fixtures])
@example(todo=LONG_WAY)
@given(todo=st.lists(steps, min_size=5, max_size=20))
def test_what_is_forgotten_is_told_nowhere(
    as_alice: Client, instance: Instance, server: "redis.Redis", todo: list[tuple[str, int, int]]
) -> None:
    run_and_roll_back(instance, as_alice, server, todo)


@pytest.mark.soak
@settings(max_examples=300, suppress_health_check=[same_fixtures])
@given(todo=st.lists(steps, min_size=10, max_size=50))
def test_what_is_forgotten_is_told_nowhere_for_long(
    as_alice: Client, instance: Instance, server: "redis.Redis", todo: list[tuple[str, int, int]]
) -> None:
    run_and_roll_back(instance, as_alice, server, todo)


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_what_is_forgotten_is_told_nowhere_over_v1(
    as_alice: Client,
    alice: User,
    assisted: Instance,
    address: str,
    provider: ScriptedProvider,
    server: "redis.Redis",
) -> None:
    @settings(max_examples=60)
    @example(todo=LONG_WAY)
    @given(todo=st.lists(steps, min_size=5, max_size=30))
    def run_and_delete(todo: list[tuple[str, int, int]]) -> None:
        instance = Instance.objects.create(**fields)
        Membership.objects.create(instance=instance, user=alice, role="manager")
        try:
            run(ProxiedWorld(instance, as_alice, address, provider), server, todo)
        finally:
            instance.delete()

    # Rows that others see are not rolled back: each example has an instance of its own.
    fields = {
        field.attname: getattr(assisted, field.attname)
        for field in Instance._meta.concrete_fields
        if not field.primary_key
    }
    assisted.delete()
    run_and_delete()
