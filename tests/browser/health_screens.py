"""The health screen and what it recommends, in the states that they have."""

from playwright.sync_api import Page, expect

from tests.browser.screens import screen
from tests.browser.seed_data import House


@screen("Look through")
def health(page: Page, house: House) -> None:
    page.goto(f"/memory/health?instance={house.full}")
    for table in page.get_by_text("As a table").all():
        table.click()
    expect(page.get_by_role("columnheader", name="Added")).to_be_visible()


@screen("Go to the memory")
def health_of_nothing(page: Page, house: House) -> None:
    page.goto(f"/memory/health?instance={house.empty}")


@screen("Delete 1 expired memory")
def health_expired(page: Page, house: House) -> None:
    page.goto(f"/memory/health/expired?instance={house.full}")
    expect(page.get_by_role("checkbox").first).to_be_checked()


@screen("Merge 4 memories into 2")
def health_merge(page: Page, house: House) -> None:
    page.goto(f"/memory/health/merge?instance={house.twins}")
    expect(page.get_by_role("radio").first).to_be_checked()


@screen("Try 1 run again")
def health_runs(page: Page, house: House) -> None:
    page.goto(f"/memory/health/runs?instance={house.full}")


@screen("Back to health")
def health_with_nothing_to_do(page: Page, house: House) -> None:
    page.goto(f"/memory/health/stale?instance={house.empty}")
