"""Concurrent ingestion and deletion on separate connections."""

import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta

import pytest
from django.db import connection

from conversations.models import Message
from instances.models import Instance
from memoryapp.graph.ingestion import EntityMention, NamedEntity, StatementIn, ingest
from memoryapp.models import Entity, Relation, Statement
from tests.graph.conftest import Filed, at

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 12


def together(*workers: Callable[[int], object]) -> None:
    """Run all workers concurrently in each round."""
    barrier = threading.Barrier(len(workers), timeout=60)

    def work(worker: Callable[[int], object]) -> None:
        try:
            for number in range(ROUNDS):
                barrier.wait()
                worker(number)
        except BaseException:
            barrier.abort()
            raise
        finally:
            connection.close()

    with ThreadPoolExecutor(len(workers)) as pool:
        list(pool.map(work, workers))


def test_single_valued_relation_never_has_two_open_values(instance: Instance, filed: Filed) -> None:
    turns = [[filed(f"{w} {n}") for n in range(ROUNDS)] for w in range(3)]
    seen: list[int] = []

    def moves(worker: int) -> Callable[[int], object]:
        days = random.Random(worker)  # noqa: S311 - Any order of days will do.

        def learn_one(number: int) -> None:
            statement = StatementIn(
                NamedEntity("Anna", "person"),
                "lives_in",
                NamedEntity(f"City {worker}-{number % 4}", "place"),
                at(2024, 1, 1 + number),
                valid_from=date(2020, 1, 1) + timedelta(days.randrange(60)),
                drawer_id=turns[worker][number].pk,
            )
            ingest(instance, "", [statement])

        return learn_one

    def forgets(number: int) -> None:
        """Also withdraws what other workers have just stored."""
        deleted = Message.objects.filter(drawer__statements__isnull=False).order_by("?")[:1]
        for message in deleted:
            message.delete()

    def looks(number: int) -> None:
        still = Relation.objects.filter(valid_to=None, subject__slug="anna")
        seen.append(still.count())

    together(moves(0), moves(1), moves(2), forgets, looks)
    assert set(seen) <= {0, 1}
    assert 1 in seen
    assert Relation.objects.filter(valid_to=None).count() == 1
    assert Entity.objects.filter(slug="anna").count() == 1


def test_concurrent_workers_create_an_entity_once(instance: Instance, filed: Filed) -> None:
    turns = [filed(str(number)) for number in range(2)]

    def meets(worker: int) -> Callable[[int], object]:
        return lambda number: ingest(
            instance,
            f"person {number}",
            [],
            [
                EntityMention(NamedEntity(name, "person"), turns[worker].pk)
                for name in (["Zoë", "由紀子"] if worker else ["由紀子", "ZOË"])
            ],
        )

    together(meets(0), meets(1))
    assert Entity.objects.count() == 2 * ROUNDS


def test_entity_survives_losing_its_last_mention_while_getting_another(
    instance: Instance, filed: Filed
) -> None:
    old = [filed(f"old {number}") for number in range(ROUNDS)]
    new = [filed(f"new {number}") for number in range(ROUNDS)]
    for number, drawer in enumerate(old):
        ingest(instance, "", [], [EntityMention(NamedEntity(f"Thing {number}"), drawer.pk)])

    def forgets(number: int) -> None:
        Message.objects.filter(drawer=old[number]).first().delete()  # type: ignore[union-attr]

    def hears(number: int) -> None:
        statement = StatementIn(
            NamedEntity(f"Thing {number}"), "status", "new", at(2024), drawer_id=new[number].pk
        )
        ingest(instance, "", [statement])

    together(forgets, hears)
    assert Entity.objects.count() == Statement.objects.count() == ROUNDS
    assert set(Entity.objects.values_list("mentions__drawer", flat=True)) == {d.pk for d in new}
