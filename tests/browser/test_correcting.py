"""Edit a memory in its row, and undo changes."""

import contextlib
import re

import pytest
from playwright.sync_api import Dialog, Error, Locator, Page, Route, expect

from tests.browser.app_client import Person
from tests.browser.pages import is_marked, listed_texts, mark_page, panel, rows, tick
from tests.browser.watch import Watch

pytestmark = pytest.mark.browser


def row(page: Page, text: str) -> Locator:
    return page.locator("[data-row]", has_text=text)


def notice(page: Page) -> Locator:
    return page.locator("#messages")


def texts(admin: Person, instance: str) -> list[str]:
    return [memory["content"] for memory in admin.memories(instance)]


def test_e_edits_the_row_in_place_and_u_undoes_it(
    page: Page, small_instance: str, admin: Person
) -> None:
    page.goto(f"/memory?instance={small_instance}")
    before = admin.memories(small_instance)
    mark_page(page)

    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("e")
    field = page.locator("[data-editing] textarea")
    expect(field).to_be_focused()
    expect(field).to_have_value("The user sold the easel.")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("The user sold the easel in May.")
    page.locator("[data-editing]").get_by_label("Importance").fill("9")
    page.keyboard.press("Enter")

    changed = page.get_by_role("link", name="The user sold the easel in May.")
    expect(changed).to_be_focused()
    expect(notice(page)).to_contain_text("Saved. The previous text is in its history.")
    expect(rows(page)).to_have_count(7)
    (now,) = [memory for memory in admin.memories(small_instance) if "May" in memory["content"]]
    assert now["importance"] == 9
    page.keyboard.press("u")

    expect(notice(page)).to_contain_text("Undone.")
    expect(page.get_by_role("link", name="The user sold the easel.")).to_be_visible()
    assert admin.memories(small_instance) == before
    assert is_marked(page)


def test_escape_cancels_the_edit(page: Page, small_instance: str, admin: Person) -> None:
    page.goto(f"/memory?instance={small_instance}")
    row(page, "candle").dblclick()
    field = page.locator("[data-editing] textarea")
    expect(field).to_be_focused()
    field.fill("Something else.")
    page.once("dialog", lambda dialog: dialog.accept())

    page.keyboard.press("Escape")

    expect(page.locator("[data-editing]")).to_have_count(0)
    expect(page.get_by_role("link", name="The user sold the candle.")).to_be_focused()
    assert "The user sold the candle." in texts(admin, small_instance)


def test_row_edited_while_the_panel_loads_keeps_the_focus(page: Page, small_instance: str) -> None:
    page.goto(f"/memory?instance={small_instance}")
    opening: list[Route] = []
    page.route(re.compile(r"/memory/\d+\?"), lambda route: opening.append(route))
    row(page, "candle").dblclick()
    expect(page.locator("[data-editing] textarea")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("[data-editing]")).to_have_count(0)

    for route in opening:
        route.continue_()

    expect(panel(page)).to_be_visible()
    expect(row(page, "candle").get_by_role("link").first).to_be_focused()


def test_error_is_shown_in_the_row_beside_the_input(
    page: Page, small_instance: str, watch: Watch
) -> None:
    watch.forgive("422")
    page.goto(f"/memory?instance={small_instance}")
    page.keyboard.press("j")
    page.keyboard.press("e")
    form = page.locator("[data-editing]")

    form.get_by_label("Importance").fill("11")
    form.evaluate("form => { form.noValidate = true; }")
    form.get_by_role("button", name="Save").click()

    expect(form.locator(".error")).to_be_visible()
    expect(form.get_by_label("Importance")).to_have_value("11")


def test_deletion_is_undone_with_u_until_its_notice_expires(
    timed: Page, small_instance: str, admin: Person
) -> None:
    page = timed
    before = admin.memories(small_instance)
    page.goto(f"/memory?instance={small_instance}&sort=oldest")
    texts_before = listed_texts(page)
    for number in (1, 3):
        tick(page, number)
    page.keyboard.press("#")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("You can undo this for 10 seconds.")
    dialog.get_by_role("button", name="Delete 2 memories").click()
    expect(notice(page)).to_contain_text("Deleted 2 memories")
    assert len(admin.memories(small_instance)) == 5

    page.keyboard.press("u")

    expect(notice(page)).to_contain_text("Restored 2 memories.")
    assert listed_texts(page) == texts_before
    assert admin.memories(small_instance) == before
    page.keyboard.press("j")
    page.keyboard.press("Delete")
    dialog.get_by_role("button", name="Delete 1 memory").click()
    expect(notice(page).get_by_role("button", name="Undo")).to_be_visible()
    page.clock.run_for(10_500)
    expect(notice(page).get_by_role("button", name="Undo")).to_have_count(0)
    # The shortcut is disabled, too.
    assert 'name="key"' not in page.content()


def test_version_is_restored_from_the_history(
    page: Page, small_instance: str, admin: Person
) -> None:
    pk = admin.memories(small_instance)[0]["id"]
    form = {"content": "The user sold the flute and the case.", "category": "event"}
    admin.post(f"/memory/{pk}/edit?instance={small_instance}", form | {"importance": "7"})
    page.goto(f"/memory/{pk}?instance={small_instance}")
    history = panel(page).locator(".rev")
    expect(history.locator("ins").first).to_contain_text("and the case")
    expect(history).to_contain_text(re.compile(r"category\s+fact\s+→\s+event"))

    history.get_by_role("button", name="Restore this version").click()

    expect(notice(page)).to_contain_text("Restored.")
    expect(panel(page).locator(".full")).to_have_text("The user sold the flute.")
    expect(history).to_have_count(2)


def test_ctrl_enter_saves_and_the_rail_counts_at_once(page: Page, small_instance: str) -> None:
    page.goto(f"/memory?instance={small_instance}")
    count = page.locator("#number-memory")
    expect(count).to_have_text("7")
    page.keyboard.press("n")
    page.get_by_label("What to remember").fill("The user lives in Oslo.")

    page.keyboard.press("ControlOrMeta+Enter")

    expect(panel(page).locator(".full")).to_have_text("The user lives in Oslo.")
    expect(count).to_have_text("8")
    page.keyboard.press("Escape")
    expect(panel(page)).to_be_hidden()


def test_typed_text_is_discarded_only_when_confirmed(page: Page, small_instance: str) -> None:
    page.goto(f"/memory?instance={small_instance}")
    asked: list[str] = []
    answers = iter([False, True])

    def decide(dialog: Dialog) -> None:
        asked.append(dialog.message)
        if next(answers):
            dialog.accept()
        else:
            dialog.dismiss()

    page.on("dialog", decide)
    page.keyboard.press("n")
    field = page.get_by_label("What to remember")
    expect(field).to_be_focused()
    field.fill("The user lives in")
    page.keyboard.press("Escape")
    expect(field).to_have_value("The user lives in")
    page.keyboard.press("Escape")
    expect(panel(page)).to_be_hidden()
    assert asked == ["Discard what you typed?"] * 2

    # Where nothing was typed, nothing is asked.
    page.keyboard.press("n")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel(page)).to_be_hidden()
    assert len(asked) == 2


def test_leaving_the_page_asks_about_typed_text(page: Page, small_instance: str) -> None:
    page.goto(f"/memory?instance={small_instance}")
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.keyboard.press("n")
    field = page.get_by_label("What to remember")
    field.press_sequentially("The user lives in")
    with contextlib.suppress(Error):  # The navigation is given up.
        page.get_by_role("link", name="Conversations").click()
    expect(field).to_have_value("The user lives in")
    assert asked == ["beforeunload"]
    # Saving is no leaving.
    field.press("Control+Enter")
    expect(page.locator("#messages")).to_contain_text("Remembered.")
    page.get_by_role("link", name="Conversations").click()
    expect(page).to_have_url(re.compile("/conversations"))
    assert len(asked) == 1


def test_undo_leaves_the_place(page: Page, small_instance: str) -> None:
    page.goto(f"/memory?instance={small_instance}&sort=oldest")
    row(page, "drum").get_by_role("link").first.focus()
    page.keyboard.press("e")
    field = page.locator("[data-editing] textarea")
    expect(field).to_be_focused()
    field.fill("The user sold the drum in May.")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="The user sold the drum in May.")).to_be_focused()

    notice(page).get_by_role("button", name="Undo").click()

    expect(notice(page)).to_contain_text("Undone.")
    expect(panel(page)).to_be_hidden()
    expect(page.get_by_role("link", name="The user sold the drum.")).to_be_focused()
    expect(page).to_have_url(re.compile(rf"/memory\?instance={small_instance}&sort=oldest$"))


def test_row_has_its_own_delete_button(page: Page, small_instance: str) -> None:
    page.goto(f"/memory?instance={small_instance}")
    # What is checked elsewhere is not meant.
    tick(page, 0)
    row(page, "candle").get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Delete this memory?")
    expect(dialog).to_contain_text("The user sold the candle.")
