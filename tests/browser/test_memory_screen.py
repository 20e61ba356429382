"""The memory screen in a browser: panel, history, filters, selection."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_client import THINGS, Person
from tests.browser.pages import is_marked, link, listed_texts, mark_page, panel, rows, tick

pytestmark = pytest.mark.browser


# --- the panel and the history ----------------------------------------------------------------


def test_panel_opens_beside_the_list_with_its_own_url(page: Page, shared_instance: str) -> None:
    page.goto(f"/memory?instance={shared_instance}&category=fact&sort=oldest")
    before = listed_texts(page)
    mark_page(page)

    link(page, "candle").click()

    expect(panel(page).locator(".full")).to_have_text("The user owns a candle.")
    expect(page).to_have_url(re.compile(r"/memory/\d+\?.*category=fact.*sort=oldest"))
    list_box, panel_box = page.locator(".list").bounding_box(), panel(page).bounding_box()
    assert list_box and panel_box
    assert list_box["x"] + list_box["width"] <= panel_box["x"]
    assert is_marked(page)
    page.reload()
    expect(panel(page).locator(".full")).to_have_text("The user owns a candle.")
    assert listed_texts(page) == before


def test_escape_closes_the_panel_and_returns_focus_to_the_row(
    page: Page, shared_instance: str
) -> None:
    page.goto(f"/memory?instance={shared_instance}&sort=oldest")
    mark_page(page)
    link(page, "anvil").click()
    expect(panel(page).locator(".full")).to_be_focused()

    page.keyboard.press("Escape")

    expect(panel(page)).to_be_hidden()
    expect(link(page, "anvil")).to_be_focused()
    expect(page).to_have_url(re.compile(rf"/memory\?instance={shared_instance}&sort=oldest$"))
    assert is_marked(page)


def test_back_closes_the_panel_and_forward_reopens_it(page: Page, shared_instance: str) -> None:
    page.goto(f"/memory?instance={shared_instance}")
    link(page, "violin").click()
    expect(panel(page).locator(".full")).to_have_text("The user owns a violin.")
    link(page, "teapot").click()
    expect(panel(page).locator(".full")).to_have_text("The user owns a teapot.")

    page.go_back()
    expect(panel(page).locator(".full")).to_have_text("The user owns a violin.")
    page.go_back()
    expect(panel(page)).to_be_hidden()
    expect(rows(page)).to_have_count(20)
    page.go_forward()

    expect(panel(page).locator(".full")).to_have_text("The user owns a violin.")
    expect(rows(page).nth(0)).to_have_class(re.compile(r"\bopen\b"))


def test_checked_rows_stay_checked_while_other_memories_are_opened(
    page: Page, shared_instance: str
) -> None:
    page.goto(f"/memory?instance={shared_instance}")
    tick(page, 0)
    tick(page, 2)

    link(page, "sundial").click()

    expect(panel(page).locator(".full")).to_have_text("The user owns a sundial.")
    expect(page.get_by_text("2 selected")).to_be_visible()
    expect(rows(page).nth(2).get_by_role("checkbox")).to_be_checked()


# --- filters, sort and pages --------------------------------------------------------------------


def test_filter_sort_and_page_are_in_the_url_and_survive_a_reload(
    page: Page, shared_instance: str
) -> None:
    page.goto(f"/memory?instance={shared_instance}")
    mark_page(page)

    page.get_by_role("link", name="fact 22").click()
    expect(page).to_have_url(re.compile("category=fact"))
    page.get_by_label("Sort").select_option("important")
    expect(page).to_have_url(re.compile("sort=important"))
    expect(rows(page).first).to_contain_text("The user owns a teapot.")
    page.get_by_role("link", name="Next").click()
    expect(page).to_have_url(re.compile("page=2"))
    expect(page.get_by_text("21–22 of 22 that match")).to_be_visible()

    assert is_marked(page)
    assert re.search(r"category=fact.*sort=important", page.url), page.url
    view = listed_texts(page)
    assert len(view) == 2
    page.reload()
    assert listed_texts(page) == view
    expect(page.get_by_label("Sort")).to_have_value("important")
    expect(page.locator(".chip[aria-current]")).to_have_text("fact 22")
    page.go_back()
    expect(page.get_by_text("1–20 of 22 that match")).to_be_visible()


def test_search_keeps_the_filter_and_omits_empty_parameters(
    page: Page, shared_instance: str
) -> None:
    page.goto(f"/memory?instance={shared_instance}&category=preference")

    page.get_by_role("searchbox").fill("paint")
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile(r"q=paint"))
    assert sorted(re.findall(r"[?&](\w+)=", page.url)) == ["category", "instance", "q"]
    expect(rows(page)).to_have_count(3)
    expect(rows(page).first.locator("mark")).to_have_text("paint")
    expect(page.get_by_role("searchbox")).to_be_focused()


def test_more_filters_narrow_the_list_and_close_with_escape(
    page: Page, shared_instance: str
) -> None:
    page.goto(f"/memory?instance={shared_instance}")
    summary = page.locator("summary", has_text="Filters")

    summary.click()
    expect(page.get_by_label("Tag")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Tag")).to_be_hidden()
    expect(summary).to_be_focused()
    summary.click()
    page.get_by_label("State").select_option("expired")
    page.get_by_role("button", name="Apply").click()

    expect(page.get_by_role("heading", name="No memory matches these filters")).to_be_visible()
    expect(page).to_have_url(re.compile("state=expired"))
    page.get_by_role("link", name="Show all memories").click()
    expect(rows(page)).to_have_count(20)


def test_focus_stays_on_the_used_control(page: Page, shared_instance: str) -> None:
    page.goto(f"/memory?instance={shared_instance}")

    page.get_by_role("link", name="preference 3").focus()
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(3)
    expect(page.get_by_role("link", name="preference 3")).to_be_focused()
    page.get_by_role("link", name="All 25").focus()
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(20)
    page.get_by_role("link", name="Next").focus()
    page.keyboard.press("Enter")

    expect(rows(page)).to_have_count(5)
    expect(page.get_by_role("link", name="Next")).to_be_focused()


def test_instance_picker_switches_and_closes_on_an_outside_click(
    page: Page, shared_instance: str
) -> None:
    page.goto(f"/memory?instance={shared_instance}")
    picker = page.locator(".picker summary")

    picker.click()
    expect(page.get_by_role("link", name="All instances")).to_be_visible()
    page.locator("main").click(position={"x": 600, "y": 4})
    expect(page.get_by_role("link", name="All instances")).to_be_hidden()
    picker.click()
    page.locator(".picker").get_by_role("link", name="Demo assistant").click()

    expect(page).to_have_url(re.compile(r"instance=demo$"))
    expect(picker).to_contain_text("Demo assistant")


# --- selection ----------------------------------------------------------------------------------


def test_selection_bar_is_visible_only_while_rows_are_checked(
    page: Page, shared_instance: str
) -> None:
    page.goto(f"/memory?instance={shared_instance}")
    bar = page.locator("#selected-bar")

    expect(bar).to_be_hidden()
    tick(page, 3)
    expect(bar).to_be_visible()
    expect(bar).to_contain_text("1 selected")
    expect(bar.get_by_role("button", name="Delete 1 memory", exact=True)).to_be_visible()
    tick(page, 3)
    expect(bar).to_be_hidden()


def test_shift_click_checks_and_unchecks_a_range(page: Page, shared_instance: str) -> None:
    page.goto(f"/memory?instance={shared_instance}")

    tick(page, 8)
    tick(page, 4, shift=True)
    expect(page.get_by_text("5 selected")).to_be_visible()
    tick(page, 6)
    tick(page, 8, shift=True)

    expect(page.get_by_text("2 selected")).to_be_visible()
    checked = [box.is_checked() for box in rows(page).get_by_role("checkbox").all()]
    assert [number for number, on in enumerate(checked) if on] == [4, 5]


def test_all_matching_memories_are_selected_and_deleted(page: Page, admin: Person) -> None:
    instance = admin.new_instance("cellar")
    admin.remember(instance, "The user likes white paint.", category="preference")
    for thing in THINGS:
        admin.remember(instance, f"The user found a {thing}.")
    page.goto(f"/memory?instance={instance}&category=fact")
    expect(rows(page)).to_have_count(20)

    tick(page, 0)
    page.get_by_role("button", name="Select all 22 that match").click()
    expect(page.get_by_text("22 selected")).to_be_visible()
    page.get_by_role("button", name="Delete 22 memories").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Delete 22 memories that match?")
    # A memory that arrives while the dialog is open was not in its count.
    late = admin.remember(instance, "The user found a whistle.")
    dialog.get_by_role("button", name="Delete 22 memories").click()

    expect(page.get_by_role("status").first).to_contain_text("Deleted 22 memories")
    expect(page).to_have_url(re.compile("category=fact"))
    assert listed_texts(page) == ["The user found a whistle."]
    remaining = admin.memories(instance)
    assert [memory["content"] for memory in remaining] == [
        "The user found a whistle.",
        "The user likes white paint.",
    ]
    assert remaining[0]["id"] == late


def test_click_after_selecting_all_matches_returns_to_manual_selection(
    page: Page, shared_instance: str
) -> None:
    page.goto(f"/memory?instance={shared_instance}")
    tick(page, 0)
    page.get_by_role("button", name="Select all 25 that match").click()
    expect(page.get_by_text("25 selected")).to_be_visible()

    tick(page, 5)

    expect(page.get_by_text("19 selected")).to_be_visible()
    expect(page.get_by_role("button", name="Delete 19 memories")).to_be_visible()


def test_deletion_can_be_cancelled(page: Page, small_instance: str, admin: Person) -> None:
    page.goto(f"/memory?instance={small_instance}")
    tick(page, 1)
    tick(page, 2)
    delete = page.get_by_role("button", name="Delete 2 memories")
    dialog = page.get_by_role("dialog")

    delete.click()
    expect(dialog).to_be_visible()
    # Not the checkbox above it, where Enter would delete.
    expect(dialog.get_by_role("link", name="Cancel")).to_be_focused()
    dialog.get_by_role("link", name="Cancel").click()
    expect(dialog).to_be_hidden()
    delete.click()
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()

    expect(delete).to_be_focused()
    expect(page.get_by_text("2 selected")).to_be_visible()
    assert len(admin.memories(small_instance)) == 7


def test_memory_is_deleted_from_its_panel(page: Page, small_instance: str, admin: Person) -> None:
    page.goto(f"/memory?instance={small_instance}&category=fact")
    page.get_by_role("link", name="The user sold the drum.").click()

    panel(page).get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Delete this memory?")
    expect(dialog).to_contain_text("The user sold the drum.")
    dialog.get_by_role("button", name="Delete 1 memory").click()

    expect(page.get_by_role("status").first).to_contain_text("Deleted 1 memory")
    expect(page).to_have_url(re.compile(rf"/memory\?instance={small_instance}&category=fact$"))
    expect(panel(page)).to_be_hidden()
    assert len(admin.memories(small_instance)) == 6
