"""Selection of memories for a recommendation on the health screen."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.seed_data import SeedData

pytestmark = pytest.mark.browser


def test_button_counts_the_selected_memories(page: Page, seed: SeedData) -> None:
    page.goto(f"/status/health/merge?instance={seed.twins}")
    groups = page.locator("[data-group]")
    act = page.locator("[data-act]")
    expect(act).to_have_text("Merge 4 memories into 2")

    first = groups.first
    first.locator("[data-twin]").nth(1).get_by_role("checkbox").uncheck()
    expect(act).to_have_text("Merge 2 memories into 1")
    # The memory that keeps its text counts among the merged ones.
    first.locator("[data-twin]").nth(1).get_by_role("radio").check()
    expect(first.locator("[data-twin]").nth(1).get_by_role("checkbox")).to_be_checked()
    expect(act).to_have_text("Merge 4 memories into 2")

    page.get_by_role("button", name="Uncheck all").click()
    expect(act).to_be_disabled()
    page.get_by_role("button", name="Check all", exact=True).click()
    expect(act).to_be_enabled()
