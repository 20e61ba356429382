"""The usage and activity screens in every state."""

from playwright.sync_api import Page, expect

from tests.browser.screens import screen, state
from tests.browser.seed_data import SeedData


@screen("Prices and cap")
def usage(page: Page, seed: SeedData) -> None:
    page.goto(f"/status/usage?instance={seed.full}")
    page.get_by_text("Show days as table").click()
    expect(page.get_by_role("columnheader", name="Day")).to_be_visible()
    expect(page.get_by_text("The key was refused")).to_be_visible()


@state("90 days")
def usage_of_all_instances(page: Page, seed: SeedData) -> None:
    page.goto("/status/usage?range=90")
    expect(page.get_by_role("heading", name="By instance")).to_be_visible()


@state()
def usage_empty(page: Page, seed: SeedData) -> None:
    page.goto(f"/status/usage?instance={seed.empty}&range=7")
    expect(page.get_by_text("No usage in this period")).to_be_visible()


@state("Prices and cap")
def usage_with_the_cap_reached(page: Page, seed: SeedData) -> None:
    page.goto(f"/status/usage?instance={seed.arrivals}")
    expect(page.get_by_text("The cap is reached")).to_be_visible()


@state("Change the cap")
def memory_with_the_cap_reached(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.arrivals}")


@screen("Roll back a source")
def activity(page: Page, seed: SeedData) -> None:
    page.goto(f"/activity?instance={seed.full}&page=2")


@state("Apply")
def activity_of_settings(page: Page, seed: SeedData) -> None:
    page.goto(f"/activity?instance={seed.full}&kind=settings&since=2020-01-01")


@state("Show all activity")
def activity_no_match(page: Page, seed: SeedData) -> None:
    page.goto(f"/activity?instance={seed.full}&kind=undone&memory={seed.extracted}")


@state("Go to Memory")
def activity_empty(page: Page, seed: SeedData) -> None:
    page.goto(f"/activity?instance={seed.empty}")
