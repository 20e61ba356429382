"""However many memories there are, a page of the list reads as few rows."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.http import QueryDict
from django.utils import timezone
from pgvector import HalfVector

from instances.keyset_pages import KeysetPage
from instances.models import Instance
from memoryapp.models import EmbeddingSpace, Memory, MemoryCount, MemoryEmbedding, MemoryRevision
from memoryapp.providers.configured import space_of
from memoryapp.web.memory.filter_choices import counted
from memoryapp.web.memory.listing import MemoryList, Rows, load
from tests.partitions.plans import nodes

pytestmark = pytest.mark.django_db

FEW, MANY = 500, 5_000
#: Filters with numbers that are kept: by what most memories have, and by what few have.
FILTERS = (
    *("", "category=fact", "category=event", "tag=common", "tag=rare", "user=ana", "user=bert"),
    *("origin=api", "origin=manual", "label=agent:coach", "importance=3", "importance=from-9"),
    *("state=current", "state=stale", "state=unrecalled", "state=unimportant", "state=changed"),
    *("state=waiting", "state=embedded"),
)


def fill(instance: Instance, count: int) -> None:
    """Add memories, of which 1 in 2 has what is common, and 20 have what is rare, the oldest."""
    old = timezone.now() - timedelta(days=300)
    rows = Memory.objects.bulk_create(
        Memory(
            instance=instance,
            content=f"Fact {number}",
            category="fact" if number >= 20 else "event",
            tags=["common"] * (number % 2) + ["rare"] * (number < 20),
            end_user="ana" if number >= 20 else "bert",
            origin="api" if number >= 20 else "manual",
            labels=["agent:coach"] * (number % 2),
            importance=3 if number >= 20 else 9,
            recall_count=number % 2,
            stale_since=old if number % 2 else None,
            valid_until=date(2020, 1, 1) if number % 10 == 5 else None,
            created_at=old + timedelta(minutes=number),
        )
        for number in range(count)
    )
    space = EmbeddingSpace.objects.create(instance=instance, name=space_of(instance.embeddings))
    MemoryEmbedding.objects.bulk_create(
        MemoryEmbedding(
            memory=row, instance=instance, space=space, embedding=HalfVector([0.6, 0.8])
        )
        for row in rows[20:]
    )
    MemoryRevision.objects.bulk_create(
        MemoryRevision(
            instance=instance,
            memory=row,
            content="Before",
            category="fact",
            importance=3,
            valid_from=old,
            reason="edited",
        )
        for row in rows[:20]
    )
    MemoryCount.objects.fold(instance.pk)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def rows_read(instance: Instance, query: str) -> tuple[int, Rows]:
    """How many rows the statements of a page have read from tables and indexes; and the page."""
    statements = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        statements.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        page = load(MemoryList.parse(QueryDict(query), instance=instance))
    read = 0
    with connection.cursor() as cursor:
        for sql, params in statements:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", params)
            plan = cursor.fetchone()[0][0]["Plan"]
            for node in nodes(plan):
                if "Scan" in node["Node Type"]:
                    removed = node.get("Rows Removed by Filter", 0)
                    read += round((node["Actual Rows"] + removed) * node["Actual Loops"])
    return read, page


def test_a_page_reads_as_few_rows_of_many_as_of_few(instance: Instance, private: Instance) -> None:
    fill(private, FEW)
    fill(instance, MANY)
    for query in FILTERS:
        few, _ = rows_read(private, query)
        many, page = rows_read(instance, query)
        assert page.rows, query
        # Of a small table, the rows of the other instance may be read as well.
        assert many <= 1.5 * few + FEW, query
        if not page.page.has_next():
            continue
        query = f"{query}&page={page.page.next_page_number()}"
        next_ones, _ = rows_read(instance, query)
        assert next_ones <= 1.5 * few + FEW, query


def test_the_numbers_are_those_of_the_rows(instance: Instance) -> None:
    fill(instance, 60)
    for query in (*FILTERS, "tag=rare&user=bert", "state=current&tag=common&category=fact"):
        listing = MemoryList.parse(QueryDict(query), instance=instance)
        page = load(listing)
        assert page.page.paginator.count == listing.filtered().count(), query
        assert page.everything.count == listing.but_for_category().count(), query
        by_category = {chip.category: chip.count for chip in page.chips if chip.count}
        assert by_category == {
            category: number
            for category in ("fact", "event")
            if (number := listing.but_for_category().filter(category=category).count())
        }, query


def test_many_matches_of_several_filters_are_not_counted(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(instance, 120)
    monkeypatch.setattr("memoryapp.web.memory.list_counts.MAX_COUNT", 30)
    listing = MemoryList.parse(QueryDict("tag=common&state=current"), instance=instance)
    seen: list[int] = []
    page = load(listing)
    assert isinstance(page.page, KeysetPage)
    assert (page.page.paginator.count, page.page.is_capped) == (30, True)
    assert page.everything.number == "30+"
    assert all(chip.count is None for chip in page.chips)
    while True:
        seen += [row.memory.pk for row in page.rows]
        if not page.page.has_next():
            break
        number = page.page.next_page_number()
        query = QueryDict(f"tag=common&state=current&page={number}")
        page = load(MemoryList.parse(query, instance=instance))
    assert seen == list(listing.filtered().values_list("pk", flat=True))


def test_vectors_of_another_model_do_not_count(instance: Instance) -> None:
    fill(instance, 60)
    former = EmbeddingSpace.objects.create(instance=instance, name="another model")
    waiting = list(
        instance.memories.filter(marks__kind="no_vector")
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    MemoryEmbedding.objects.bulk_create(
        MemoryEmbedding(
            memory_id=pk, instance=instance, space=former, embedding=HalfVector([0.6, 0.8])
        )
        for pk in waiting[:5]
    )
    for state, ids in (("waiting", waiting), ("embedded", None)):
        listing = MemoryList.parse(QueryDict(f"state={state}&per_page=100"), instance=instance)
        page = load(listing)
        shown = {row.memory.pk for row in page.rows}
        assert len(shown) == page.page.paginator.count == (20 if ids else 40)
        assert ids is None or shown == set(ids)


def test_choices_have_no_numbers_where_too_many_match(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(instance, 120)
    query = QueryDict("state=current&tag=common")
    listing = MemoryList.parse(query, instance=instance)

    def numbers() -> dict[str, int | None]:
        return {choice.value: choice.count for choice in counted(listing)["user"].choices}

    exact = listing.filtered()
    assert numbers() == {name: exact.filter(end_user=name).count() for name in ("ana", "bert")}
    monkeypatch.setattr("memoryapp.web.memory.list_counts.MAX_COUNT", 30)
    assert numbers() == {"ana": None, "bert": None}
