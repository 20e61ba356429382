"""The palace, in every state that it has."""

from playwright.sync_api import Page, expect

from tests.browser.screens import screen
from tests.browser.seed_data import House


@screen("New note")
def palace(page: Page, house: House) -> None:
    page.goto(f"/memory/palace?instance={house.full}")
    expect(page.locator("#tree a.branch.wing").first).to_be_visible()


@screen("New note")
def palace_in_a_topic(page: Page, house: House) -> None:
    palace(page, house)
    page.get_by_role("link", name="由紀子と京都の春").click()
    page.get_by_role("link", name="Notes").click()
    page.locator("#tree a.branch.closet").click()
    expect(page.locator("#tree a.branch.closet")).to_have_attribute("aria-current", "true")


@screen("Close")
def drawer_of_four_thousand_characters(page: Page, house: House) -> None:
    page.goto(f"/memory/palace/drawers/{house.long_note}")
    expect(page.get_by_role("complementary", name="Drawer")).to_be_visible()


@screen("New note")
def palace_found(page: Page, house: House) -> None:
    page.goto(f"/memory/palace?instance={house.full}&q=weather at the lake")


@screen("Show all drawers")
def palace_nothing_found(page: Page, house: House) -> None:
    page.goto(f'/memory/palace?instance={house.full}&q="zeppelin over Potsdam"')


@screen("New note")
def palace_without_such_a_wing(page: Page, house: House) -> None:
    page.goto(f"/memory/palace?instance={house.full}&find=zeppelin")


@screen("New note")
def palace_empty(page: Page, house: House) -> None:
    page.goto(f"/memory/palace?instance={house.empty}")


@screen("New note")
def palace_place_gone(page: Page, house: House) -> None:
    page.goto(f"/memory/palace?instance={house.full}&wing=999999999")


@screen("Delete 1 drawer")
def palace_deleting(page: Page, house: House) -> None:
    drawer_of_four_thousand_characters(page, house)
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("dialog")).to_be_visible()


@screen("File it", forgive="422")
def palace_note_refused(page: Page, house: House) -> None:
    page.goto(f"/memory/palace?instance={house.full}")
    page.keyboard.press("n")
    page.get_by_label("The note").fill("My password is somewhere in here")
    page.get_by_role("combobox", name="Wing", exact=True).fill("Anything")
    page.get_by_role("button", name="File it").click()
    expect(page.get_by_role("alert")).to_be_visible()


@screen("Rename")
def palace_merging(page: Page, house: House) -> None:
    palace(page, house)
    page.get_by_role("link", name="由紀子と京都の春").click()
    page.get_by_label("What to do with this wing").click()
    page.get_by_role("link", name="Rename or merge").click()
    page.get_by_label("into").select_option(label="سلمى والحديقة")
    page.get_by_role("button", name="See what would move").click()
    expect(page.get_by_role("button", name="Merge 1 drawer")).to_be_visible()
