"""What only a browser shows of the memory screen: the panel, the history, filters, selection."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_client import THINGS, Person
from tests.browser.pages import link, panel, rows, shown, stay, stayed, tick

pytestmark = pytest.mark.browser


# --- the panel and the history ----------------------------------------------------------------


def test_the_panel_opens_beside_the_list_under_its_own_address(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}&category=fact&sort=oldest")
    before = shown(page)
    stay(page)

    link(page, "candle").click()

    expect(panel(page).locator(".full")).to_have_text("The user owns a candle.")
    expect(page).to_have_url(re.compile(r"/memory/\d+\?.*category=fact.*sort=oldest"))
    list_box, panel_box = page.locator(".list").bounding_box(), panel(page).bounding_box()
    assert list_box and panel_box
    assert list_box["x"] + list_box["width"] <= panel_box["x"]
    assert stayed(page)
    page.reload()
    expect(panel(page).locator(".full")).to_have_text("The user owns a candle.")
    assert shown(page) == before


def test_escape_closes_the_panel_and_gives_the_focus_back_to_the_row(
    page: Page, workshop: str
) -> None:
    page.goto(f"/memory?instance={workshop}&sort=oldest")
    stay(page)
    link(page, "anvil").click()
    expect(panel(page).get_by_role("link", name="Close")).to_be_focused()

    page.keyboard.press("Escape")

    expect(panel(page)).to_be_hidden()
    expect(link(page, "anvil")).to_be_focused()
    expect(page).to_have_url(re.compile(rf"/memory\?instance={workshop}&sort=oldest$"))
    assert stayed(page)


def test_back_closes_what_was_opened_and_forward_opens_it_again(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")
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


def test_checked_rows_stay_checked_while_others_are_read(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")
    tick(page, 0)
    tick(page, 2)

    link(page, "sundial").click()

    expect(panel(page).locator(".full")).to_have_text("The user owns a sundial.")
    expect(page.get_by_text("2 selected")).to_be_visible()
    expect(rows(page).nth(2).get_by_role("checkbox")).to_be_checked()


# --- filters, sort and pages --------------------------------------------------------------------


def test_filter_sort_and_page_are_in_the_address_and_outlive_a_reload(
    page: Page, workshop: str
) -> None:
    page.goto(f"/memory?instance={workshop}")
    stay(page)

    page.get_by_role("link", name="fact 22").click()
    expect(page).to_have_url(re.compile("category=fact"))
    page.get_by_label("Sort").select_option("important")
    expect(page).to_have_url(re.compile("sort=important"))
    expect(rows(page).first).to_contain_text("The user owns a teapot.")
    page.get_by_role("link", name="Next").click()
    expect(page).to_have_url(re.compile("page=2"))
    expect(page.get_by_text("21–22 of 22 that match")).to_be_visible()

    assert stayed(page)
    assert re.search(r"category=fact.*sort=important", page.url), page.url
    view = shown(page)
    assert len(view) == 2
    page.reload()
    assert shown(page) == view
    expect(page.get_by_label("Sort")).to_have_value("important")
    expect(page.locator(".chip[aria-current]")).to_have_text("fact 22")
    page.go_back()
    expect(page.get_by_text("1–20 of 22 that match")).to_be_visible()


def test_a_search_keeps_the_filter_and_says_nothing_of_what_is_empty(
    page: Page, workshop: str
) -> None:
    page.goto(f"/memory?instance={workshop}&category=preference")

    page.get_by_role("searchbox").fill("paint")
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile(r"q=paint"))
    assert sorted(re.findall(r"[?&](\w+)=", page.url)) == ["category", "instance", "q"]
    expect(rows(page)).to_have_count(3)
    expect(rows(page).first.locator("mark")).to_have_text("paint")
    expect(page.get_by_role("searchbox")).to_be_focused()


def test_more_filters_narrow_and_close_with_escape(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")
    summary = page.locator("summary", has_text="More filters")

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


def test_the_focus_stays_where_it_was_used(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")

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


def test_the_picker_leads_to_another_memory_and_closes_when_clicked_beside(
    page: Page, workshop: str
) -> None:
    page.goto(f"/memory?instance={workshop}")
    picker = page.locator(".picker summary")

    picker.click()
    expect(page.get_by_role("link", name="All instances")).to_be_visible()
    page.get_by_role("heading", name="Memory", exact=True).click()
    expect(page.get_by_role("link", name="All instances")).to_be_hidden()
    picker.click()
    page.locator(".picker").get_by_role("link", name="Demo assistant").click()

    expect(page).to_have_url(re.compile(r"instance=demo$"))
    expect(picker).to_contain_text("Demo assistant")


# --- selection ----------------------------------------------------------------------------------


def test_the_bar_is_there_only_while_something_is_checked(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")
    bar = page.locator("#selected-bar")

    expect(bar).to_be_hidden()
    tick(page, 3)
    expect(bar).to_be_visible()
    expect(bar).to_contain_text("1 selected")
    expect(bar.get_by_role("button", name="Delete 1 memory", exact=True)).to_be_visible()
    tick(page, 3)
    expect(bar).to_be_hidden()


def test_shift_click_checks_the_range_and_takes_it_back(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")

    tick(page, 8)
    tick(page, 4, shift=True)
    expect(page.get_by_text("5 selected")).to_be_visible()
    tick(page, 6)
    tick(page, 8, shift=True)

    expect(page.get_by_text("2 selected")).to_be_visible()
    checked = [box.is_checked() for box in rows(page).get_by_role("checkbox").all()]
    assert [number for number, on in enumerate(checked) if on] == [4, 5]


def test_all_that_match_are_selected_and_deleted_and_nothing_else(
    page: Page, admin: Person
) -> None:
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
    # What comes in while the question stands was not in its number.
    late = admin.remember(instance, "The user found a whistle.")
    dialog.get_by_role("button", name="Delete 22 memories").click()

    expect(page.get_by_role("status").first).to_contain_text("Deleted 22 memories")
    expect(page).to_have_url(re.compile("category=fact"))
    assert shown(page) == ["The user found a whistle."]
    left = admin.memories(instance)
    assert [memory["content"] for memory in left] == [
        "The user found a whistle.",
        "The user likes white paint.",
    ]
    assert left[0]["id"] == late


def test_after_all_that_match_one_click_selects_by_hand_again(page: Page, workshop: str) -> None:
    page.goto(f"/memory?instance={workshop}")
    tick(page, 0)
    page.get_by_role("button", name="Select all 25 that match").click()
    expect(page.get_by_text("25 selected")).to_be_visible()

    tick(page, 5)

    expect(page.get_by_text("19 selected")).to_be_visible()
    expect(page.get_by_role("button", name="Delete 19 memories")).to_be_visible()


def test_a_deletion_can_be_called_off(page: Page, attic: str, admin: Person) -> None:
    page.goto(f"/memory?instance={attic}")
    tick(page, 1)
    tick(page, 2)
    delete = page.get_by_role("button", name="Delete 2 memories")
    dialog = page.get_by_role("dialog")

    delete.click()
    expect(dialog).to_be_visible()
    # Not the box above it, in which Enter would delete.
    expect(dialog.get_by_role("link", name="Cancel")).to_be_focused()
    dialog.get_by_role("link", name="Cancel").click()
    expect(dialog).to_be_hidden()
    delete.click()
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()

    expect(delete).to_be_focused()
    expect(page.get_by_text("2 selected")).to_be_visible()
    assert len(admin.memories(attic)) == 7


def test_one_is_deleted_from_its_panel(page: Page, attic: str, admin: Person) -> None:
    page.goto(f"/memory?instance={attic}&category=fact")
    page.get_by_role("link", name="The user sold the drum.").click()

    panel(page).get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Delete 1 memory?")
    expect(dialog).to_contain_text("The user sold the drum.")
    dialog.get_by_role("button", name="Delete 1 memory").click()

    expect(page.get_by_role("status").first).to_contain_text("Deleted 1 memory")
    expect(page).to_have_url(re.compile(rf"/memory\?instance={attic}&category=fact$"))
    expect(panel(page)).to_be_hidden()
    assert len(admin.memories(attic)) == 6
