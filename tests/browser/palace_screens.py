"""The screens of the palace in every state."""

from playwright.sync_api import Page, expect

from tests.browser.screens import screen, state
from tests.browser.seed_data import SeedData


@screen("New note")
def palace(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/palace?instance={seed.full}")
    expect(page.locator("#tree a.branch.wing").first).to_be_visible()


@state("New note")
def palace_in_a_topic(page: Page, seed: SeedData) -> None:
    palace(page, seed)
    page.get_by_role("link", name="由紀子と京都の春").click()
    page.get_by_role("link", name="Notes").click()
    page.locator("#tree a.branch.closet").click()
    expect(page.locator("#tree a.branch.closet")).to_have_attribute("aria-current", "true")


@screen("Close")
def drawer_of_4000_characters(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/palace/drawers/{seed.long_note}")
    expect(page.get_by_role("complementary", name="Message")).to_be_visible()


@screen("New note")
def palace_search(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/palace?instance={seed.full}&q=weather at the lake")


@state("Show all messages")
def palace_no_match(page: Page, seed: SeedData) -> None:
    page.goto(f'/conversations/palace?instance={seed.full}&q="zeppelin over Potsdam"')


@state("New note")
def palace_unknown_wing(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/palace?instance={seed.full}&find=zeppelin")


@screen("New note")
def palace_empty(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/palace?instance={seed.empty}")


@state("New note")
def palace_deleted_place(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/palace?instance={seed.full}&wing=999999999")


@screen("Delete 1 message")
def palace_delete(page: Page, seed: SeedData) -> None:
    drawer_of_4000_characters(page, seed)
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("dialog")).to_be_visible()


@state("Save note", forgive="422")
def palace_note_with_errors(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/palace?instance={seed.full}")
    page.keyboard.press("n")
    page.get_by_label("Text").fill("My password is somewhere in here")
    page.get_by_role("combobox", name="Subject", exact=True).fill("Anything")
    page.get_by_role("button", name="Save note").click()
    expect(page.get_by_role("alert")).to_be_visible()


@state("Rename")
def palace_merge(page: Page, seed: SeedData) -> None:
    palace(page, seed)
    page.get_by_role("link", name="由紀子と京都の春").click()
    page.get_by_label("Actions for this subject").click()
    page.get_by_role("link", name="Rename or merge").click()
    page.get_by_label("into").select_option(label="سلمى والحديقة")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("button", name="Merge 1 message")).to_be_visible()
