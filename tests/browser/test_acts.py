"""The focus and the place on a page after an act that loads it again."""

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.browser.app_client import THINGS, Person, wait_until
from tests.browser.pages import import_file
from tests.browser.viewports import PHONE

pytestmark = pytest.mark.browser


def press(control: Locator) -> None:
    """Press Enter on *control*, as a person at a keyboard does."""
    control.focus()
    control.press("Enter")


def test_each_sentence_of_the_week_leads_to_the_next(page: Page, admin: Person) -> None:
    week = admin.new_instance("week-by-keyboard")
    texts = "".join(f'{{"content": "The user owns a {thing}."}}\n' for thing in THINGS[:4])
    page.goto(f"/conversations/import?instance={week}&kind=memories")
    file: FilePayload = {
        "name": "things.jsonl",
        "mimeType": "application/json",
        "buffer": texts.encode(),
    }
    import_file(page, file)
    wait_until(lambda: len(admin.memories(week)) == 4)
    page.set_viewport_size(PHONE)
    page.goto(f"/memory/profile?instance={week}&end_user=&view=week")
    sentences = page.locator(".learned .sentence")
    second, third, fourth = (sentences.nth(n).inner_text() for n in (1, 2, 3))

    press(page.get_by_role("button", name="Keep").nth(1))
    expect(sentences).to_have_count(3)
    expect(page.locator(":focus")).to_have_text(third)
    expect(page.locator("#announcer")).to_have_text("Kept: you have confirmed it.")

    press(page.get_by_role("button", name="Forget").nth(1))
    expect(sentences).to_have_count(2)
    expect(page.locator(":focus")).to_have_text(fourth)
    expect(page.locator(":focus")).to_be_in_viewport()
    page.keyboard.press("u")
    expect(sentences).to_have_count(3)
    expect(page.locator(":focus")).to_have_text(third)
    # The last one has none after it.
    press(page.get_by_role("button", name="Keep").nth(2))
    expect(sentences).to_have_count(2)
    expect(page.locator(":focus")).to_have_text(third)
    assert second not in sentences.all_inner_texts()


def test_a_hold_that_is_lifted_leaves_the_focus_on_its_card(page: Page, admin: Person) -> None:
    office = admin.new_instance("holds-by-keyboard")
    page.goto(f"/instances/{office}/settings/holds")
    for name in ("Case 1", "Case 2"):
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Applies to").select_option("instance")
        press(page.get_by_role("button", name="Set hold"))
        expect(page.get_by_role("button", name=f"Lift {name}")).to_be_visible()
        expect(page.get_by_role("button", name="Set hold")).to_be_focused()

    press(page.get_by_role("button", name="Lift Case 1"))
    expect(page.get_by_role("button", name="Lift Case 1")).to_have_count(0)
    # Never on the button that would lift the next one.
    expect(page.locator("#holds h2")).to_be_focused()

    # What is refused is where the focus goes.
    press(page.get_by_role("button", name="Set hold"))
    expect(page.get_by_label("Name", exact=True)).to_be_focused()


def test_a_group_that_is_saved_has_the_focus_in_the_list(page: Page, admin: Person) -> None:
    house = admin.new_instance("groups-by-keyboard")
    page.goto(f"/instances/{house}/settings/groups")
    page.get_by_label("Name", exact=True).fill("Family")
    press(page.get_by_role("button", name="Add group"))
    expect(page.get_by_role("heading", name="Family")).to_be_visible()
    page.get_by_role("switch").check()
    press(page.get_by_role("button", name="Save"))
    expect(page.get_by_role("link", name="Family", exact=True)).to_be_focused()


def test_language_saves_itself_and_keeps_the_focus(page: Page, admin: Person) -> None:
    page.goto("/account")
    language = page.get_by_label("Language")
    language.focus()
    language.select_option("de")
    expect(page.get_by_role("heading", name="Ihr Konto")).to_be_visible()
    chosen = page.locator("#language select")
    expect(chosen).to_be_focused()
    expect(chosen).to_have_value("de")
    chosen.select_option("")
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()


def test_acts_that_change_nothing_in_sight_keep_the_focus_and_the_place(
    page: Page, admin: Person
) -> None:
    admin.new_instance("acts-by-keyboard")
    page.goto("/server/audit")
    press(page.get_by_role("button", name="Verify"))
    expect(page.locator("#announcer")).to_contain_text("The log is whole")
    expect(page.get_by_role("button", name="Verify")).to_be_focused()

    # A page that was left by a link begins at its top.
    page.goto("/account")
    page.goto("/server/audit")
    expect(page.locator("body")).to_be_focused()
