"""Pages of long lists by key."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db.models import QuerySet

from instances import keyset_pages
from instances.keyset_pages import KeysetPage, RowCount, page_of, rows_after
from instances.models import Instance
from memoryapp.models import Memory

pytestmark = pytest.mark.django_db

START = datetime(2026, 3, 1, tzinfo=UTC)
#: Two rows have each importance and each moment, so that the id decides too.
ORDERS = (
    ["-created_at", "-id"],
    ["created_at", "id"],
    ["-importance", "-created_at", "-id"],
)


@pytest.fixture
def rows(instance: Instance) -> QuerySet[Memory]:
    add(instance, 47)
    return Memory.objects.in_instance(instance)


def add(instance: Instance, count: int, *, begin: int = 0) -> None:
    Memory.objects.bulk_create(
        Memory(
            instance=instance,
            content=f"Fact {number}",
            importance=number * 7 % 10 + 1,
            created_at=START + timedelta(minutes=number // 2),
        )
        for number in range(begin, begin + count)
    )


def load(rows: QuerySet[Memory], order: list[str], page: str, **options: Any) -> KeysetPage:
    options.setdefault("count", RowCount(rows.count()))
    return page_of(rows, order, page, per_page=10, **options)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("few", [False, True])
def test_links_lead_through_all_rows_and_back(
    rows: QuerySet[Memory], order: list[str], few: bool
) -> None:
    whole = list(rows.order_by(*order).values_list("pk", flat=True))
    page = load(rows, order, "", few=few)
    seen = list(page)
    pages = [list(seen)]
    while page.has_next():
        page = load(rows, order, page.next_page_number(), few=few)
        assert (page.start_index(), page.end_index()) == (len(seen) + 1, len(seen) + len(page))
        seen += page
        pages.append(list(page))
    assert (seen, page.number) == (whole, 5)
    for number in (4, 3, 2, 1):
        assert page.has_previous()
        page = load(rows, order, page.previous_page_number(), few=few)
        assert (list(page), page.number) == (pages[number - 1], number)
    assert not page.has_previous()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("few", [False, True])
def test_a_number_alone_leads_to_the_same_rows(
    rows: QuerySet[Memory], order: list[str], few: bool
) -> None:
    whole = list(rows.order_by(*order).values_list("pk", flat=True))
    for number in range(1, 6):
        page = load(rows, order, str(number), few=few)
        assert list(page) == whole[number * 10 - 10 : number * 10]
        assert page.has_next() == (number < 5)
    assert list(load(rows, order, "9999", few=few)) == whole[40:]


def test_no_row_comes_twice_or_is_missed_while_others_are_added(
    instance: Instance, rows: QuerySet[Memory]
) -> None:
    whole = list(rows.order_by(*ORDERS[0]).values_list("pk", flat=True))
    page = load(rows, ORDERS[0], "")
    seen = list(page)
    number = 100
    while page.has_next():
        # Newer rows come before the first page, one of the rows to come is deleted.
        add(instance, 15, begin=number)
        number += 15
        rows.filter(pk=whole[-1]).delete()
        page = load(rows, ORDERS[0], page.next_page_number())
        seen += page
    assert seen == whole[:-1]
    back = list(page)
    while page.has_previous() and page.number > 2:
        page = load(rows, ORDERS[0], page.previous_page_number())
        back = [*page, *back]
    assert len(back) == len(set(back))
    assert back == [pk for pk in whole[:-1] if pk in set(back)]


def test_a_page_whose_rows_are_gone_is_the_last_one(rows: QuerySet[Memory]) -> None:
    page = load(rows, ORDERS[1], "4")
    onward = page.next_page_number()
    rows.filter(pk__gt=list(page)[4]).delete()
    page = load(rows, ORDERS[1], onward)
    assert (page.number, len(page), page.has_next()) == (4, 5, False)


def test_going_back_to_the_first_rows_shows_a_whole_page(rows: QuerySet[Memory]) -> None:
    page = load(rows, ORDERS[1], load(rows, ORDERS[1], "2").next_page_number())
    assert page.number == 3
    rows.filter(pk__in=list(load(rows, ORDERS[1], "1"))[:5]).delete()
    page = load(rows, ORDERS[1], page.previous_page_number())
    assert (page.number, len(page), page.has_previous()) == (2, 10, True)
    rows.filter(pk__in=list(load(rows, ORDERS[1], "1"))).delete()
    page = load(rows, ORDERS[1], page.next_page_number().replace("after", "before"))
    assert (page.number, len(page), page.has_previous()) == (1, 10, False)


@pytest.mark.parametrize(
    "text",
    [
        *("x", "-1", "0", "1", "1_after_5_5", "٣", "9" * 30, "2_after", "2_after_5"),
        *("2_after_5_x", "2_after_5_5_5", f"2_after_{'9' * 19}_5", f"2_after_{'9' * 40}_5"),
        *(f"2_before_5_{'9' * 19}", "2_beside_5_5", "2_after__"),
    ],
)
def test_an_address_that_says_nothing_is_one_with_a_number(
    rows: QuerySet[Memory], text: str
) -> None:
    number = 2 if text.startswith("2_") else 5 if text == "9" * 9 else 1
    assert load(rows, ORDERS[0], text).number == number


def test_without_a_count_rows_are_counted_up_to_a_limit(
    rows: QuerySet[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = load(rows, ORDERS[0], "", count=None)
    assert (page.paginator.count, page.is_capped) == (47, False)
    monkeypatch.setattr(keyset_pages, "MAX_COUNT", 20)
    page = load(rows, ORDERS[0], "", count=None)
    assert (page.paginator.count, page.is_capped) == (20, True)
    seen = list(page)
    while page.has_next():
        page = load(rows, ORDERS[0], page.next_page_number(), count=None)
        seen += page
    assert (len(seen), page.number, page.end_index()) == (47, 5, 47)
    # Without a key, it is as far as was counted.
    page = load(rows, ORDERS[0], "9999", count=None)
    assert (page.number, page.has_next()) == (2, True)


def test_no_rows_are_one_empty_page(instance: Instance) -> None:
    page = load(Memory.objects.none(), ORDERS[0], "7", count=RowCount(0))
    assert (list(page), page.number, page.has_previous(), page.has_next()) == ([], 1, False, False)
    assert (page.start_index(), page.end_index()) == (0, 0)


@pytest.mark.parametrize("order", ORDERS)
def test_rows_after_and_before_each_key(rows: QuerySet[Memory], order: list[str]) -> None:
    ordered = rows.order_by(*order)
    keys = list(ordered.values_list(*(name.lstrip("-") for name in order)))
    whole = [key[-1] for key in keys]
    for number in range(0, len(keys), 5):
        key = keys[number]
        # As a cursor holds it.
        plain = [each.isoformat() if isinstance(each, datetime) else each for each in key]
        for one in (key, plain):
            after = rows_after(ordered, order, one).values_list("pk", flat=True)
            assert list(after) == whole[number + 1 :]
        before = rows_after(ordered, order, key, before=True).values_list("pk", flat=True)
        assert list(before) == whole[:number]


def test_all_columns_of_an_order_have_one_direction(rows: QuerySet[Memory]) -> None:
    with pytest.raises(ValueError, match="all descending"):
        load(rows, ["-created_at", "id"], "")
