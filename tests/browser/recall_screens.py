"""The recall screen in every state."""

from playwright.sync_api import Page, expect

from tests.browser.screens import screen, state
from tests.browser.seed_data import SeedData


@state("New memory")
def recall_empty(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}&list=ask")


@screen("New memory")
def recall(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}&list=ask&q=where+does+somebody+live%3F&limit=20")
    expect(page.locator(".column").first).to_be_visible()


@screen("New memory")
def recall_compared(page: Page, seed: SeedData) -> None:
    page.goto(
        f"/memory?instance={seed.full}&list=ask&q=the+weather+at+the+lake"
        f"&against=rrf&limit=5&why={seed.long}&find=京都"
    )
    expect(page.get_by_role("heading", name="Is a memory missing?")).to_be_visible()


@state("New memory")
def recall_with_other_weights(page: Page, seed: SeedData) -> None:
    page.goto(
        f"/memory?instance={seed.full}&list=ask&q=the+weather+at+the+lake&limit=5"
        "&w-words=1&w-stale=0&w-date=many"
    )
    expect(page.get_by_role("button", name="Save these weights")).to_be_visible()


@screen("New memory")
def recall_why_not(page: Page, seed: SeedData) -> None:
    page.goto(
        f"/memory?instance={seed.full}&list=ask&q=the+weather+at+the+lake&limit=1&why={seed.extracted}"
    )
    expect(page.get_by_role("heading", name="Why not this memory?")).to_be_visible()


@state("New memory")
def recall_no_match(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.empty}&list=ask&q=xyzzy")
    expect(page.get_by_text("Nothing found")).to_be_visible()
