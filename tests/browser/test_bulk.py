"""Selecting memories across pages, and changing them together."""

import json
from typing import Literal

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.app_client import Person
from tests.browser.pages import rows, tick
from tests.browser.watch import Watch

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 390, "height": 844}


@pytest.fixture
def cellar(admin: Person, request: pytest.FixtureRequest) -> str:
    """An instance for one test, with two pages of facts, and an event."""
    name = request.node.name.removeprefix("test_").replace("_", "-")
    instance = admin.new_instance(f"cellar-{name}"[:50].rstrip("-"))
    admin.remember(instance, "The fair is in May.", category="event")
    for number in range(24):
        admin.remember(instance, f"Box {number} is on shelf {number}.")
    return instance


def test_selection_survives_paging_until_the_filter_changes(page: Page, cellar: str) -> None:
    page.goto(f"/memory?instance={cellar}")
    tick(page, 0)
    tick(page, 3)
    page.get_by_role("link", name="Next").click()
    expect(rows(page)).to_have_count(5)
    expect(page.get_by_text("2 selected")).to_be_visible()
    tick(page, 1)
    expect(page.get_by_role("button", name="Delete 3 memories")).to_be_visible()

    page.get_by_role("link", name="Previous").click()
    expect(rows(page)).to_have_count(20)
    expect(rows(page).nth(3).get_by_role("checkbox")).to_be_checked()
    expect(page.get_by_text("3 selected")).to_be_visible()
    page.get_by_role("button", name="Delete 3 memories").click()
    expect(page.get_by_role("dialog").get_by_role("heading")).to_have_text("Delete 3 memories?")
    page.keyboard.press("Escape")

    page.get_by_role("link", name="event 1").click()
    expect(rows(page)).to_have_count(1)
    expect(page.locator("#selected-bar")).to_be_hidden()


def test_select_none_clears_all_pages(page: Page, cellar: str) -> None:
    page.goto(f"/memory?instance={cellar}")
    tick(page, 0)
    page.get_by_role("link", name="Next").click()
    expect(rows(page)).to_have_count(5)
    page.get_by_role("button", name="Select none").click()
    expect(page.locator("#selected-bar")).to_be_hidden()
    page.get_by_role("link", name="Previous").click()
    expect(rows(page)).to_have_count(20)
    expect(rows(page).nth(0).get_by_role("checkbox")).not_to_be_checked()


def test_all_that_match_are_tagged_and_untagged(
    page: Page, cellar: str, admin: Person, watch: Watch
) -> None:
    watch.forgive("422")
    page.goto(f"/memory?instance={cellar}&category=fact")
    tick(page, 0)
    page.get_by_role("button", name="Select all 24 that match").click()
    page.get_by_role("button", name="Tags", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Tag 24 memories")
    # Nothing to do is said in the dialog.
    dialog.get_by_role("button", name="Change tags").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Enter a tag to add or to remove.")
    dialog.get_by_label("Add tags").fill("cellar")
    dialog.get_by_role("button", name="Change tags").click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#messages")).to_contain_text("Changed 24 memories.")
    assert sum(memory["tags"] == ["cellar"] for memory in admin.memories(cellar)) == 24

    page.keyboard.press("u")
    expect(page.locator("#messages")).to_contain_text("Undone for 24 memories.")
    assert not any(memory["tags"] for memory in admin.memories(cellar))


def test_selection_stays_after_a_change_and_is_exported(page: Page, cellar: str) -> None:
    page.goto(f"/memory?instance={cellar}")
    tick(page, 1)
    page.get_by_role("link", name="Next").click()
    expect(rows(page)).to_have_count(5)
    tick(page, 0)
    page.get_by_role("button", name="Importance").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Importance (1–10)").fill("9")
    dialog.get_by_role("button", name="Set importance").click()
    expect(page.locator("#messages")).to_contain_text("Changed 2 memories.")
    expect(page.get_by_text("2 selected")).to_be_visible()

    with page.expect_download() as downloading:
        page.get_by_role("button", name="Export JSONL").click()
    lines = downloading.value.path().read_text().splitlines()
    assert [json.loads(line)["importance"] for line in lines] == [9, 9]


SIZES: list[ViewportSize] = [{"width": 1440, "height": 900}, PHONE]


def test_bar_is_in_sight_wherever_a_row_is_checked(page: Page, cellar: str) -> None:
    for size in SIZES:
        page.set_viewport_size(size)
        page.goto(f"/memory?instance={cellar}")
        row = rows(page).nth(15)
        row.scroll_into_view_if_needed()
        before = row.bounding_box()
        tick(page, 15)

        bar = page.locator("#selected-bar")
        expect(bar).to_be_in_viewport(ratio=1)
        # Nothing has moved, and the tabs of the phone are not covered.
        assert row.bounding_box() == before
        tabs, box = page.locator(".rail .places").bounding_box(), bar.bounding_box()
        assert box and tabs
        if size == PHONE:
            assert box["y"] + box["height"] <= tabs["y"]
        # It has a ground of its own in both themes: rows do not shine through.
        schemes: list[Literal["light", "dark"]] = ["light", "dark"]
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            ground = bar.evaluate("it => getComputedStyle(it).backgroundColor")
            assert "rgba" not in ground and ground != "transparent"


def test_bar_covers_neither_the_focus_nor_the_last_row(page: Page, cellar: str) -> None:
    for size in SIZES:
        page.set_viewport_size(size)
        page.goto(f"/memory?instance={cellar}")
        tick(page, 0)
        bar = page.locator("#selected-bar")
        expect(bar).to_be_visible()
        for number in range(20):
            box = rows(page).nth(number).get_by_role("checkbox")
            box.focus()
            place, above = box.bounding_box(), bar.bounding_box()
            assert place and above
            assert place["y"] + place["height"] <= above["y"], number
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        last, above = rows(page).last.bounding_box(), bar.bounding_box()
        assert last and above
        assert last["y"] + last["height"] <= above["y"]


def test_actions_fold_into_a_menu_on_a_phone(page: Page, cellar: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/memory?instance={cellar}")
    tick(page, 0)
    expect(page.get_by_role("button", name="Category", exact=True)).to_be_hidden()
    page.locator(".bulk-menu summary").click()
    page.get_by_role("button", name="Category", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Set the category of 1 memory")
    dialog.get_by_label("Event").check()
    dialog.get_by_role("button", name="Set category").click()
    expect(page.locator("#messages")).to_contain_text("Changed 1 memory.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
