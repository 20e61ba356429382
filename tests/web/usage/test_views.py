"""The usage screen: correct sums, days in the right time zone, and isolation."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format
from hypothesis import given
from hypothesis import strategies as st

from instances.models import Instance, User
from memoryapp.models import Usage
from memoryapp.models.usage_report import Period, Total, UsageReport, statement
from memoryapp.web.amounts import price, tokens
from memoryapp.web.charts import HEIGHT, draw, round_up
from tests.web.page_text import definitions

NOON = datetime(2026, 11, 10, 12, tzinfo=UTC)


def call(instance: Instance, source: str = "chat", **fields: Any) -> Usage:
    values = {"model": "small", "prompt_tokens": 100, "completion_tokens": 10} | fields
    return Usage.objects.create(instance=instance, source=source, **values)


def of(instance: Instance, zone: str = "UTC") -> UsageReport:
    """Return the usage of the ten days that end on 10 November 2026."""
    period = Period(date(2026, 11, 1), date(2026, 11, 10), ZoneInfo(zone))
    return statement([instance.pk], period)


# Sums


def test_calls_are_summed_by_day_source_model_and_instance(
    instance: Instance, private: Instance
) -> None:
    call(instance, at=NOON, cost=Decimal("0.5"))
    call(instance, at=NOON, cost=Decimal("0.25"), model="large")
    call(instance, "memory_extract", at=NOON - timedelta(days=2), cost=Decimal(1))
    call(private, at=NOON, cost=Decimal(2))
    period = Period(date(2026, 11, 1), date(2026, 11, 10), ZoneInfo("UTC"))
    books = statement([instance.pk, private.pk], period)
    assert {
        day: {s: t.cost for s, t in sources.items()} for day, sources in books.by_day.items()
    } == {
        date(2026, 11, 10): {"chat": Decimal("2.75")},
        date(2026, 11, 8): {"memory_extract": Decimal(1)},
    }
    assert {m: t.calls for m, t in books.by_model.items()} == {"small": 3, "large": 1}
    assert {i: t.cost for i, t in books.by_instance.items()} == {
        instance.pk: Decimal("1.75"),
        private.pk: Decimal(2),
    }
    assert {s: t.calls for s, t in books.by_source.items()} == {"chat": 3, "memory_extract": 1}
    assert books.total == Total(4, 0, 400, 40, Decimal("3.75"), 0)


@pytest.mark.parametrize(
    ("at", "day"),
    [
        # The day begins at 23:00 UTC of the previous day.
        (datetime(2026, 11, 4, 22, 59, 59, tzinfo=UTC), 4),
        (datetime(2026, 11, 4, 23, 0, 0, tzinfo=UTC), 5),
        (datetime(2026, 10, 31, 22, 59, 59, tzinfo=UTC), None),
        (datetime(2026, 10, 31, 23, 0, 0, tzinfo=UTC), 1),
        (datetime(2026, 11, 10, 22, 59, 59, tzinfo=UTC), 10),
        (datetime(2026, 11, 10, 23, 0, 0, tzinfo=UTC), None),
    ],
)
def test_days_use_the_time_zone(at: datetime, day: int | None, instance: Instance) -> None:
    call(instance, at=at)
    assert [found.day for found in of(instance, "Europe/Berlin").by_day] == ([day] if day else [])


def test_day_with_a_clock_change_is_complete(instance: Instance) -> None:
    zone = ZoneInfo("Europe/Berlin")
    period = Period(date(2026, 10, 25), date(2026, 10, 25), zone)
    assert period.until - period.since == timedelta(days=1), "the period is not a whole local day"
    assert period.until.astimezone(UTC) - period.since.astimezone(UTC) == timedelta(hours=25)
    call(instance, at=datetime(2026, 10, 25, 22, 30, tzinfo=UTC))
    assert list(statement([instance.pk], period).by_day) == [date(2026, 10, 25)]


def test_unknown_costs_are_counted_and_not_estimated(instance: Instance) -> None:
    call(instance, at=NOON, cost=None)
    assert (of(instance).total.cost, of(instance).total.unpriced) == (None, 1)
    call(instance, at=NOON, cost=Decimal(1))
    # A call without tokens costs nothing.
    call(instance, at=NOON, cost=None, prompt_tokens=0, completion_tokens=0)
    assert (of(instance).total.cost, of(instance).total.unpriced) == (Decimal(1), 1)


def test_failures_are_counted_by_reason_with_the_last_message(instance: Instance) -> None:
    for minute, words in enumerate(["First.", "Last.", "Second."]):
        moment = NOON - timedelta(minutes=[3, 1, 2][minute])
        call(instance, at=moment, error=words, error_kind="timeout")
    early = NOON - timedelta(hours=1)
    call(instance, "memory_extract", at=early, error="Early.", error_kind="timeout")
    call(instance, "memory_embed", at=NOON, error="No.", error_kind="unauthorized")
    call(instance, at=NOON, error="Stopped by hand.")
    call(instance, at=NOON - timedelta(days=20), error="Old.", error_kind="timeout")
    books = of(instance)
    assert [(f.kind, f.sources, f.calls, f.error) for f in books.failures] == [
        ("timeout", frozenset({"chat", "memory_extract"}), 4, "Last."),
        ("unauthorized", frozenset({"memory_embed"}), 1, "No."),
    ]
    assert books.total.failed == 5
    assert books.total.calls == 6


# Chart


@pytest.mark.parametrize(
    ("amount", "top"),
    [
        ("0", "0"),
        ("1", "1"),
        ("1.01", "2"),
        ("4", "5"),
        ("6", "10"),
        ("0.03", "0.05"),
        ("70", "1E2"),
    ],
)
def test_chart_scale_is_a_round_number(amount: str, top: str) -> None:
    assert round_up(Decimal(amount)) == Decimal(top)


@given(
    st.lists(
        st.tuples(st.decimals(0, 10**9, places=4), st.decimals(0, 10**9, places=4)), min_size=1
    )
)
def test_bars_start_at_zero_and_fit_the_chart(
    days: list[tuple[Decimal, Decimal]],
) -> None:
    start = date(2026, 11, 1)
    named = [
        (start + timedelta(n), [("a", below), ("b", above)])
        for n, (below, above) in enumerate(days)
    ]
    chart = draw(named)
    if chart is None:
        assert not any(a or b for a, b in days)
        return
    assert chart.width == 10 * len(days)
    assert all(piece.height >= 1 for bar in chart.bars for piece in bar.pieces), "invisible"
    assert chart.highest.amount == max(a + b for a, b in days)
    for bar in chart.bars:
        ground = float(HEIGHT)
        for piece in bar.pieces:
            assert piece.y + piece.height == pytest.approx(ground, abs=0.02)
            ground = piece.y
        assert ground >= -0.02


@pytest.mark.parametrize(
    ("amount", "written"),
    [("0", "0.00"), ("0.00006", "0.0001"), ("103.428", "103.43"), ("1999.999", "2,000.00")],
)
def test_prices_are_rounded(amount: str, written: str) -> None:
    assert price(Decimal(amount)) == written


@pytest.mark.parametrize(
    ("count", "written"),
    [(850, "850"), (12_499, "12,000"), (1_460_000, "1.5 million")],
)
def test_tokens_are_rounded(count: int, written: str) -> None:
    assert tokens(count) == written


# Screen


def page(client: Client, query: str = "") -> str:
    response = client.get(f"/status/usage?{query}")
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def used(instance: Instance) -> Instance:
    instance.prompt_price, instance.completion_price = Decimal(1), Decimal(1)
    instance.save()
    call(instance, cost=Decimal("1.5"))
    call(instance, "memory_extract", cost=Decimal("0.5"), model="reader")
    call(instance, error="It took too long.", error_kind="timeout", prompt_tokens=0, cost=0)
    return instance


@pytest.mark.usefixtures("used")
def test_screen_shows_the_usage(as_alice: Client) -> None:
    html = page(as_alice, "instance=desk")
    for text in (
        "Cost per day",
        "Reading conversations",
        "reader",
        "No answer in time",
        "It took too long.",
        "1 failed",
        '<rect class="chat"',
        '<rect class="memory"',
        "Cost per day, from",
        "The highest value is 2.00, on",
        "Tokens per day, from",
        "The highest value is 230, on",
    ):
        assert text in html, text
    assert "Enter prices" not in html


@pytest.mark.usefixtures("used")
def test_table_of_days_stands_beneath_the_charts(as_alice: Client) -> None:
    response = as_alice.get("/status/usage?instance=desk")
    ((day, sum_),) = response.context["days"]
    assert day == timezone.localdate()
    assert (sum_.calls, sum_.failed, sum_.tokens, sum_.cost) == (3, 1, 230, Decimal(2))
    html = response.content.decode()
    assert html.index("Tokens per day") < html.index("Show days as table")
    assert date_format(day, "D, j M Y") in html


@pytest.mark.usefixtures("used")
def test_failures_link_to_the_settings_that_can_fix_them(
    as_alice: Client, bob: User, instance: Instance
) -> None:
    assert ">Fix</a>" not in page(as_alice, "instance=desk"), "settings do not mend a timeout"
    call(instance, "memory_embed", error="No.", error_kind="unauthorized")
    fix = '<a class="link small" href="/instances/desk/settings/models#embeddings">Fix</a>'
    assert fix in page(as_alice, "instance=desk")
    as_alice.force_login(bob)
    assert fix not in page(as_alice, "instance=desk"), "only managers open the settings"


def test_missing_prices_show_tokens_and_a_link_to_settings(
    as_alice: Client, bob: User, instance: Instance
) -> None:
    call(instance)
    assert "price of your model" not in page(as_alice, "instance=desk")  # There is none.
    Instance.objects.filter(pk=instance.pk).update(provider="custom", fast_model="one of our own")
    html = page(as_alice, "instance=desk")
    assert "Tokens per day" in html
    assert '<a href="/instances/desk/settings/models#cost">Enter prices</a>' in html
    assert "Cost" not in definitions(html)
    as_alice.force_login(bob)
    assert "Enter prices" not in page(as_alice, "instance=desk")


def test_day_of_the_list_prices_is_told_while_they_count(
    as_alice: Client, instance: Instance
) -> None:
    told = "At list prices of"
    Instance.objects.filter(pk=instance.pk).update(provider="openai", fast_model="gpt-4.1")
    html = page(as_alice, "instance=desk")
    assert told in html
    assert "Enter prices" not in html
    Instance.objects.filter(pk=instance.pk).update(prompt_price=1, completion_price=1)
    assert told not in page(as_alice, "instance=desk")


def test_all_instances_are_limited_to_visible_ones(
    as_alice: Client, bob: User, used: Instance, private: Instance
) -> None:
    call(private, cost=Decimal(40), model="secret-model")
    html = page(as_alice)
    assert "By instance" in html
    assert "Diary" in html.split("<main")[1]
    assert "42.00" in html
    as_alice.force_login(bob)
    html = page(as_alice)
    assert "secret-model" not in html
    assert "Diary" not in html
    assert "42.00" not in html


def test_cap_is_shown_with_its_use(as_alice: Client, used: Instance) -> None:
    assert "There is no cap." in page(as_alice, "instance=desk")
    used.monthly_cap = Decimal(4)
    used.save()
    html = page(as_alice, "instance=desk")
    assert "<b>2.00</b> of 4.00" in html
    assert 'value="2.0' in html
    assert "Monthly caps" in page(as_alice)
    used.monthly_cap = Decimal(2)
    used.save()
    assert "The cap is reached: conversations are not read" in page(as_alice, "instance=desk")
    assert "reached</span>" in page(as_alice)


def test_monthly_forecast_is_shown_once_there_is_enough_data(
    as_alice: Client, used: Instance
) -> None:
    assert "At the pace" not in page(as_alice, "instance=desk")
    call(used, at=timezone.now() - timedelta(days=8), cost=Decimal(100))
    now = timezone.now()
    month_end = (now.replace(day=28) + timedelta(4)).replace(day=1) - timedelta(1)
    spent = Decimal(2) + (Decimal(100) if (now - timedelta(days=8)).month == now.month else 0)
    about = spent + Decimal(2) / 7 * (month_end.date() - now.date()).days
    assert f"about {about:,.2f} by" in page(as_alice, "instance=desk")


@pytest.mark.parametrize(
    ("query", "days"),
    [("", 30), ("range=7", 7), ("range=90", 90), ("range=nonsense", 30), ("range=2026-02", 28)],
)
def test_range_is_in_the_url(query: str, days: int, as_alice: Client) -> None:
    books = as_alice.get(f"/status/usage?{query}").context["books"]
    assert len(books.period.days) == days


@pytest.mark.parametrize("query", ["range=2099-12", "range=2026-13", "range=%00", "show=all"])
def test_invalid_parameters_still_give_a_page(query: str, as_alice: Client) -> None:
    assert "No usage in this period" in page(as_alice, query)


def test_other_instances_are_404(as_alice: Client, charlie: User, used: Instance) -> None:
    as_alice.force_login(charlie)
    assert as_alice.get("/status/usage?instance=desk").status_code == 404
    assert "No usage in this period" in page(as_alice)
