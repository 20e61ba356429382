"""Fields of days and times: typed, chosen in the month, cleared, and without JavaScript."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Locator, Page, StorageState, expect

from tests.browser.app_client import Keepsake
from tests.browser.viewports import PHONE

pytestmark = pytest.mark.browser


@pytest.fixture
def british(
    new_context: Callable[..., BrowserContext], app: Keepsake, signed_in: StorageState
) -> Page:
    """A page of the superadmin in a browser that writes the day before the month."""
    return new_context(base_url=app.address, storage_state=signed_in, locale="en-GB").new_page()


def rollback(page: Page, instance: str) -> Locator:
    """Open the screen with two moments, and return the day of the first."""
    page.goto(f"/memory/removed/rollback?instance={instance}")
    return page.get_by_label("From", exact=True)


def sent(page: Page, name: str = "since") -> str:
    """The value that the form would send."""
    return page.locator(f"input[name={name}]").input_value()


def english(day: date) -> str:
    return f"{day.day} {day:%b %Y}"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("2026-11-29", "29 Nov 2026"),
        ("29.11.2026", "29 Nov 2026"),
        ("3/4/26", "3 Apr 2026"),
        ("nov 29, 2026", "29 Nov 2026"),
        ("29. September 2025", "29 Sep 2025"),
        ("29 Nov 2026, 14:05", "29 Nov 2026"),
    ],
)
def test_typed_day_is_written_as_on_the_page(
    british: Page, shared_instance: str, typed: str, shown: str
) -> None:
    day = rollback(british, shared_instance)
    day.fill(typed)
    day.blur()

    expect(day).to_have_value(shown)
    time = british.get_by_label("From: time")
    expect(time).to_have_value("14:05" if ":" in typed else "00:00")


def test_typed_words_are_days_from_today(british: Page, shared_instance: str) -> None:
    day, today = rollback(british, shared_instance), date.fromisoformat
    now = british.evaluate("new Date().toISOString().slice(0, 10)")
    for typed, distance in (("yesterday", -1), ("in 3 weeks", 21), ("2 days ago", -2)):
        day.fill(typed)
        day.blur()
        expect(day).to_have_value(english(today(now) + timedelta(distance)))
    day.fill("1 jan")
    day.blur()
    expect(day).to_have_value(f"1 Jan {now[:4]}")


def test_month_comes_first_where_the_browser_has_it_so(page: Page, shared_instance: str) -> None:
    day = rollback(page, shared_instance)
    day.fill("3/4/2026")
    day.blur()

    expect(day).to_have_value("4 Mar 2026")


def test_what_is_no_day_is_said_and_not_sent(british: Page, shared_instance: str) -> None:
    day = rollback(british, shared_instance)
    for typed in ("30 Feb 2026", "soon", "31.4.2026", "3 blue weeks"):
        day.fill(typed)
        day.blur()
        expect(british.get_by_text("Write a day, such as")).to_be_visible()
        assert sent(british) == ""
    expect(day).to_have_attribute("aria-invalid", "true")
    british.get_by_role("button", name="Show").click()
    assert "since" not in british.url

    day.fill("29 Nov 2026")
    expect(british.get_by_text("Write a day, such as")).to_be_hidden()
    time = british.get_by_label("From: time")
    time.fill("25:00")
    time.blur()
    expect(british.get_by_text("Write a time, such as")).to_be_visible()
    time.fill("2 pm")
    time.blur()
    expect(time).to_have_value("14:00")
    british.get_by_role("button", name="Show").click()
    expect(british).to_have_url(re.compile("since=2026-11-29T14%3A00"))
    expect(british.get_by_label("From", exact=True)).to_have_value("29 Nov 2026")
    expect(british.get_by_label("From: time")).to_have_value("14:00")


def test_month_is_reached_by_keys(british: Page, shared_instance: str) -> None:
    day = rollback(british, shared_instance)
    day.fill("31 Mar 2026")
    day.press("ArrowDown")
    calendar = british.get_by_role("dialog", name="Choose a day")
    month = calendar.locator("h2")
    expect(month).to_have_text("March 2026")
    focused = calendar.locator("td:focus")
    keys = [
        ("ArrowRight", "1", "April 2026"),
        ("ArrowLeft", "31", "March 2026"),
        ("ArrowUp", "24", "March 2026"),
        ("ArrowDown", "31", "March 2026"),
        ("PageUp", "28", "February 2026"),
        ("PageDown", "28", "March 2026"),
        ("Shift+PageDown", "28", "March 2027"),
        ("Shift+PageUp", "28", "March 2026"),
        ("Home", "23", "March 2026"),
        ("End", "29", "March 2026"),
    ]
    for key, number, name in keys:
        british.keyboard.press(key)
        expect(focused).to_have_text(number)
        expect(month).to_have_text(name)
    # Nothing is chosen before Enter.
    british.keyboard.press("Escape")
    expect(calendar).to_be_hidden()
    expect(day).to_be_focused()
    expect(day).to_have_value("31 Mar 2026")

    day.press("ArrowDown")
    british.keyboard.press("ArrowLeft")
    british.keyboard.press("Enter")
    expect(calendar).to_be_hidden()
    expect(day).to_have_value("30 Mar 2026")
    assert sent(british) == "2026-03-30T00:00"


def test_month_is_turned_and_a_day_chosen_by_pointer(british: Page, shared_instance: str) -> None:
    day = rollback(british, shared_instance)
    opener = british.get_by_role("button", name="From: choose a day")
    opener.click()
    calendar = british.get_by_role("dialog", name="Choose a day")
    today = calendar.locator("[aria-current=date]")
    expect(today).to_be_focused()
    calendar.get_by_role("button", name="Today").click()
    expect(day).to_have_value(english(date.fromisoformat(sent(british)[:10])))
    expect(opener).to_be_focused()

    opener.click()
    calendar.get_by_role("button", name="Next month").click()
    calendar.get_by_role("gridcell", name="15", exact=False).first.click()
    assert sent(british).endswith("-15T00:00")
    opener.click()
    expect(calendar.get_by_role("gridcell", selected=True)).to_have_text("15")
    calendar.get_by_role("button", name="Clear").click()
    expect(day).to_have_value("")
    assert sent(british) == ""
    # Pressed beside it, it closes.
    opener.click()
    british.mouse.click(5, 5)
    expect(calendar).to_be_hidden()


def test_days_beyond_the_bounds_are_refused(british: Page, shared_instance: str) -> None:
    british.goto(f"/memory/past?instance={shared_instance}")
    day = british.get_by_label("Day", exact=True)
    day.fill("tomorrow")
    day.blur()
    expect(british.get_by_text("or an earlier day")).to_be_visible()
    british.get_by_role("button", name="Day: choose a day").click()
    calendar = british.get_by_role("dialog", name="Choose a day")
    # It cannot be left empty, and today is none.
    for name in ("Clear", "Today"):
        expect(calendar.get_by_role("button", name=name)).to_be_hidden()
    calendar.press("ArrowRight")
    british.keyboard.press("Enter")
    expect(calendar).to_be_visible()


def test_week_and_words_are_those_of_the_language(
    new_context: Callable[..., BrowserContext], app: Keepsake, signed_in: StorageState
) -> None:
    first = {"en-US": "Su", "en-GB": "Mo"}
    for region, weekday in first.items():
        page = new_context(base_url=app.address, storage_state=signed_in, locale=region).new_page()
        page.goto("/server/audit")
        page.get_by_text("Export", exact=True).first.click()
        page.get_by_role("button", name="From: choose a day").last.click()
        expect(page.locator("#calendar th").first).to_have_text(weekday)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_control_is_accessible_and_large_enough_on_a_phone(
    british: Page, shared_instance: str, scheme: Literal["light", "dark"]
) -> None:
    british.set_viewport_size(PHONE)
    british.emulate_media(color_scheme=scheme)
    day = rollback(british, shared_instance)
    day.fill("soon")
    day.blur()
    day.fill("29 Nov 2026")
    british.get_by_role("button", name="From: choose a day").click()

    box = british.get_by_role("dialog", name="Choose a day").bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
    for target in british.locator("#calendar :is(button, td[data-date])").all():
        size = target.bounding_box()
        assert size and size["width"] >= 44 and size["height"] >= 44
    british.evaluate(Axe().axe_script)
    found = british.evaluate('axe.run({ resultTypes: ["violations"] })')
    assert [each["id"] for each in found["violations"]] == []


def test_end_of_a_memory_is_chosen_in_the_panel(page: Page, small_instance: str) -> None:
    page.goto(f"/memory?instance={small_instance}")
    page.keyboard.press("n")
    page.get_by_text("More: category").click()
    page.get_by_label("What to remember").fill("The user rows until spring.")
    page.get_by_label("Valid until", exact=True).fill("3 Feb 2031")
    page.get_by_label("Time", exact=True).fill("1830")
    # Sent by keys, while the field still has the focus.
    page.keyboard.press("Control+Enter")
    panel = page.get_by_role("complementary", name="Memory")
    expect(panel).to_contain_text("3 Feb 2031, 18:30")


def test_without_javascript_it_is_the_field_of_the_browser(
    new_context: Callable[..., BrowserContext],
    app: Keepsake,
    signed_in: StorageState,
    shared_instance: str,
) -> None:
    page = new_context(
        base_url=app.address, storage_state=signed_in, java_script_enabled=False
    ).new_page()
    field = rollback(page, shared_instance)
    expect(field).to_have_attribute("type", "datetime-local")
    field.fill("2026-11-29T14:05")
    page.get_by_role("button", name="Show").click()

    expect(page.get_by_label("From", exact=True)).to_have_value("2026-11-29T14:05")
