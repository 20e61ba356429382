"""The health screen and its recommendations in every state."""

from playwright.sync_api import Page, expect

from tests.browser.screens import screen, state
from tests.browser.seed_data import SeedData


@screen("Show")
def health(page: Page, seed: SeedData) -> None:
    page.goto(f"/status/health?instance={seed.full}")
    for table in page.get_by_text("Show as table").all():
        table.click()
    expect(page.get_by_role("columnheader", name="Added")).to_be_visible()


@state("Go to Memory")
def health_empty(page: Page, seed: SeedData) -> None:
    page.goto(f"/status/health?instance={seed.empty}")


@state("Delete 1 expired memory")
def health_expired(page: Page, seed: SeedData) -> None:
    page.goto(f"/status/health/expired?instance={seed.full}")
    expect(page.get_by_role("checkbox").first).to_be_checked()


@screen("Merge 4 memories into 2")
def health_merge(page: Page, seed: SeedData) -> None:
    page.goto(f"/status/health/merge?instance={seed.twins}")
    expect(page.get_by_role("radio").first).to_be_checked()


@state("Retry 1 task")
def health_runs(page: Page, seed: SeedData) -> None:
    page.goto(f"/status/health/runs?instance={seed.full}")


@state("Back to Health")
def health_without_recommendations(page: Page, seed: SeedData) -> None:
    page.goto(f"/status/health/stale?instance={seed.empty}")
