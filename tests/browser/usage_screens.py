"""The screens of the books, usage and activity, in the states that they have."""

from playwright.sync_api import Page, expect

from tests.browser.screens import screen
from tests.browser.seed_data import House


@screen("Prices and cap")
def usage(page: Page, house: House) -> None:
    page.goto(f"/usage?instance={house.full}")
    page.get_by_text("As a table").click()
    expect(page.get_by_role("columnheader", name="Day")).to_be_visible()
    expect(page.get_by_text("Key refused")).to_be_visible()


@screen("Tokens")
def usage_of_all(page: Page, house: House) -> None:
    page.goto("/usage?range=90")
    expect(page.get_by_role("heading", name="By instance")).to_be_visible()


@screen("Enter prices")
def usage_without_prices(page: Page, house: House) -> None:
    page.goto(f"/usage?instance={house.empty}&range=7")
    expect(page.get_by_text("Nothing was used")).to_be_visible()


@screen("Prices and cap")
def usage_with_the_cap_reached(page: Page, house: House) -> None:
    page.goto(f"/usage?instance={house.arrivals}")
    expect(page.get_by_text("The cap is reached")).to_be_visible()


@screen("Change the cap")
def memory_with_the_cap_reached(page: Page, house: House) -> None:
    page.goto(f"/memory?instance={house.arrivals}")


@screen("Apply")
def activity(page: Page, house: House) -> None:
    page.goto(f"/activity?instance={house.full}&page=2")


@screen("Apply")
def activity_of_settings(page: Page, house: House) -> None:
    page.goto(f"/activity?instance={house.full}&kind=settings&since=2020-01-01")


@screen("Show all activity")
def activity_that_there_is_not(page: Page, house: House) -> None:
    page.goto(f"/activity?instance={house.full}&kind=undone&memory={house.said}")


@screen("Go to the memory")
def activity_empty(page: Page, house: House) -> None:
    page.goto(f"/activity?instance={house.empty}")
