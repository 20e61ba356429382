"""Keyboard shortcuts of the screens."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import is_marked, link, mark_page, panel, rows

pytestmark = pytest.mark.browser


def test_j_and_k_move_between_rows_and_enter_opens_one(page: Page, shared_instance: str) -> None:
    page.goto(f"/memory?instance={shared_instance}")

    page.keyboard.press("j")
    expect(link(page, "violin")).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(link(page, "teapot")).to_be_focused()
    page.keyboard.press("k")
    expect(link(page, "umbrella")).to_be_focused()
    page.keyboard.press("Enter")

    expect(panel(page).locator(".full")).to_have_text("The user owns a umbrella.")
    expect(rows(page).nth(1)).to_have_class(re.compile(r"\bopen\b"))
    # With an open panel, j and k continue from its row.
    page.keyboard.press("j")
    expect(link(page, "teapot")).to_be_focused()


def test_j_stops_at_the_last_row_and_k_at_the_first(page: Page, small_instance: str) -> None:
    page.goto(f"/memory?instance={small_instance}")

    for _ in range(9):
        page.keyboard.press("j")
    expect(page.get_by_role("link", name="The user likes grey paint.")).to_be_focused()
    for _ in range(9):
        page.keyboard.press("k")
    expect(page.get_by_role("link", name="The user sold the flute.")).to_be_focused()


def test_x_checks_the_focused_row(page: Page, shared_instance: str) -> None:
    page.goto(f"/memory?instance={shared_instance}")

    page.keyboard.press("j")
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.get_by_text("2 selected")).to_be_visible()
    page.keyboard.press("x")

    expect(page.get_by_text("1 selected")).to_be_visible()
    expect(rows(page).nth(0).get_by_role("checkbox")).to_be_checked()
    expect(rows(page).nth(1).get_by_role("checkbox")).not_to_be_checked()


def test_slash_focuses_the_search_box_and_selects_its_text(
    page: Page, shared_instance: str
) -> None:
    page.goto(f"/memory?instance={shared_instance}&q=kettle")

    page.keyboard.press("/")
    page.keyboard.type("lantern")

    box = page.get_by_role("searchbox")
    expect(box).to_be_focused()
    expect(box).to_have_value("lantern")
    page.keyboard.press("Escape")
    expect(box).not_to_be_focused()


def test_shortcuts_are_disabled_while_typing(page: Page, shared_instance: str) -> None:
    page.goto(f"/memory?instance={shared_instance}")
    page.get_by_role("searchbox").focus()

    page.keyboard.type("njxe?/")

    expect(page.get_by_role("searchbox")).to_have_value("njxe?/")
    expect(panel(page)).to_be_hidden()
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_n_opens_the_form_and_escape_closes_it(page: Page, shared_instance: str) -> None:
    page.goto(f"/memory?instance={shared_instance}&category=preference")
    mark_page(page)

    page.keyboard.press("n")
    expect(page.get_by_label("What to remember")).to_be_focused()
    expect(page).to_have_url(re.compile(r"/memory/new\?.*category=preference"))
    page.keyboard.press("Escape")

    expect(panel(page)).to_be_hidden()
    expect(page.get_by_role("link", name="New memory")).to_be_focused()
    expect(page).to_have_url(re.compile(r"/memory\?.*category=preference"))
    assert is_marked(page)


def test_e_edits_the_open_memory_and_escape_returns_to_it(page: Page, shared_instance: str) -> None:
    page.goto(f"/memory?instance={shared_instance}")
    link(page, "violin").click()
    expect(panel(page).locator(".full")).to_be_visible()

    page.keyboard.press("e")
    expect(page.get_by_label("What to remember")).to_have_value("The user owns a violin.")
    expect(page).to_have_url(re.compile(r"/memory/\d+/edit\?"))
    page.keyboard.press("Escape")

    expect(panel(page).locator(".full")).to_have_text("The user owns a violin.")
    expect(page).to_have_url(re.compile(r"/memory/\d+\?"))


#: The listed shortcuts, which the tests above and in test_correcting.py use.
KEYS = {
    "Ctrl",
    "K",
    "/",
    "n",
    "j",
    "k",
    "Enter",
    "e",
    "x",
    "Shift",
    "a",
    "r",
    "#",
    "Del",
    "u",
    "Esc",
    "?",
    "←",
    "→",
}


def test_question_mark_lists_the_shortcuts(page: Page, shared_instance: str) -> None:
    page.goto(f"/memory?instance={shared_instance}")

    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(keys.get_by_text("Select the row")).to_be_visible()
    assert set(keys.locator("dl kbd").all_inner_texts()) == KEYS
    page.keyboard.press("Escape")

    expect(keys).to_be_hidden()


def test_shift_x_checks_a_range_and_a_checks_the_page(page: Page, shared_instance: str) -> None:
    page.goto(f"/memory?instance={shared_instance}")

    page.keyboard.press("j")
    page.keyboard.press("x")
    for _ in range(4):
        page.keyboard.press("j")
    page.keyboard.press("Shift+X")
    expect(page.get_by_text("5 selected")).to_be_visible()
    page.keyboard.press("a")
    expect(page.get_by_text("20 selected")).to_be_visible()
    page.keyboard.press("a")
    expect(page.locator("#selected-bar")).to_be_hidden()


def test_x_checks_the_open_memory_and_enter_opens_the_row_from_its_box(
    page: Page, shared_instance: str
) -> None:
    page.goto(f"/memory?instance={shared_instance}")
    rows(page).nth(3).get_by_role("checkbox").focus()
    page.keyboard.press("Enter")
    expect(panel(page).locator(".full")).to_have_text("The user owns a sundial.")

    page.keyboard.press("x")

    expect(rows(page).nth(3).get_by_role("checkbox")).to_be_checked()
    expect(page.get_by_text("1 selected")).to_be_visible()


def test_number_sign_asks_for_confirmation_before_deleting(
    page: Page, shared_instance: str
) -> None:
    page.goto(f"/memory?instance={shared_instance}")
    dialog = page.get_by_role("dialog")

    for key in ("#", "Delete"):
        page.keyboard.press("j")
        page.keyboard.press(key)
        expect(dialog.get_by_role("heading")).to_have_text("Delete this memory?")
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        page.get_by_role("button", name="Select none").click()


def test_shortcuts_are_disabled_while_a_dialog_is_open(page: Page, shared_instance: str) -> None:
    page.goto(f"/memory?instance={shared_instance}")
    page.keyboard.press("j")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()

    for key in ("x", "a", "n", "/", "j", "#"):
        page.keyboard.press(key)
    page.keyboard.press("Escape")

    expect(page.locator("#selected-bar")).to_be_hidden()
    expect(panel(page)).to_be_hidden()
    expect(link(page, "violin")).to_be_focused()


def test_shortcuts_work_on_conversations_too(page: Page) -> None:
    page.goto("/conversations?instance=demo")

    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Moving the shop")).to_be_visible()
