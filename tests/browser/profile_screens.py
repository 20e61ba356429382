"""The profile of a person, in every state that it has."""

from playwright.sync_api import Page, expect

from tests.browser.screens import screen
from tests.browser.seed_data import House

YUKIKO = "由紀子"


@screen("Edit home city")
def profile(page: Page, house: House) -> None:
    page.goto(f"/memory/profile?instance={house.full}&end_user={YUKIKO}")
    page.get_by_text("Changed once").click()
    expect(page.get_by_text("was Kyoto")).to_be_visible()


@screen("Save")
def profile_correcting(page: Page, house: House) -> None:
    profile(page, house)
    page.get_by_role("link", name="Edit home city").click()
    expect(page.get_by_role("button", name="Save")).to_be_visible()


@screen("Remember", forgive="422")
def profile_adding_half_a_fact(page: Page, house: House) -> None:
    page.goto(f"/memory/profile?instance={house.full}&end_user={YUKIKO}")
    page.get_by_text("Add a fact").click()
    page.get_by_role("textbox", name="Key").fill("?!")
    page.get_by_role("textbox", name="Value").fill("x")
    page.get_by_label("As a sentence").fill("Something.")
    page.get_by_role("button", name="Remember").click()
    expect(page.get_by_text("at least one letter or digit")).to_be_visible()


@screen("Forget home city")
def profile_forgetting(page: Page, house: House) -> None:
    profile(page, house)
    page.locator("summary", has_text="Forget home city").click()
    expect(page.get_by_role("button", name="Forget home city")).to_be_visible()


@screen("Go to the memory")
def profile_of_nobody(page: Page, house: House) -> None:
    page.goto(f"/memory/profile?instance={house.empty}&end_user=")


@screen("Find")
def profiles(page: Page, house: House) -> None:
    page.goto(f"/memory/profile?instance={house.full}")


@screen("Show everybody")
def profiles_nobody_found(page: Page, house: House) -> None:
    page.goto(f"/memory/profile?instance={house.full}&q=zoe")
