"""The command palette and the keys that go to a screen."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.pages import panel
from tests.browser.seed_data import SeedData
from tests.browser.viewports import PHONE

pytestmark = pytest.mark.browser


def test_the_palette_goes_to_a_screen_by_keyboard(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}")

    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Search and go to")
    expect(palette.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    page.keyboard.type("usa")
    expect(palette.get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile(rf"/status/usage\?instance={seed.full}$"))


def test_enter_waits_for_the_answer_to_what_is_typed(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}")
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Search and go to")
    expect(palette.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    held: list[Route] = []
    answers = False

    def hold(route: Route) -> None:
        if answers:
            route.continue_()
        else:
            held.append(route)

    page.route("**/palette?*", hold)
    page.keyboard.type("usa")
    page.keyboard.press("Enter")
    answers = True
    for route in held:
        route.continue_()

    expect(page).to_have_url(re.compile(rf"/status/usage\?instance={seed.full}$"))


def test_the_palette_finds_a_memory(page: Page, shared_instance: str) -> None:
    page.goto(f"/status/usage?instance={shared_instance}")

    page.keyboard.press("Control+k")
    page.keyboard.type("teapot")
    found = page.get_by_role("group", name="Memories").get_by_role("option")
    expect(found.first).to_contain_text("The user owns a teapot.")
    # The answer to the last letter is in.
    expect(page.locator(".htmx-request")).to_have_count(0)
    page.keyboard.press("Enter")

    expect(panel(page).locator(".full")).to_have_text("The user owns a teapot.")


def test_arrows_move_through_the_palette_and_escape_closes_it(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}")
    find = page.get_by_role("link", name="Search", exact=True)

    find.click()
    options = page.get_by_role("dialog").get_by_role("option")
    expect(options.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(find).to_be_focused()


def test_g_and_a_letter_go_to_a_screen(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}")

    page.keyboard.press("g")
    page.keyboard.press("h")
    expect(page.get_by_role("heading", name="Health", exact=True)).to_be_visible()
    # A letter alone does what it does in a list, and in a field it is typed.
    page.goto(f"/memory?instance={seed.full}")
    page.keyboard.press("a")
    expect(page.get_by_text("selected", exact=False).first).to_be_visible()
    page.locator("#q").fill("")
    page.keyboard.type("gh")
    expect(page.locator("#q")).to_have_value("gh")


def test_the_palette_opens_on_a_phone(page: Page, seed: SeedData) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/memory?instance={seed.full}")

    page.get_by_role("link", name="Search", exact=True).click()

    expect(page.get_by_role("dialog", name="Search and go to")).to_be_visible()
