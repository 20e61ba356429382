"""The screens of the graph in every state."""

import re

from playwright.sync_api import Page, expect

from tests.browser.screens import screen, state
from tests.browser.seed_data import SeedData


@screen("Add relation")
def graph(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/graph?instance={seed.full}")
    expect(page.get_by_role("heading", name="Relations today")).to_be_visible()


@state("Show all entities")
def graph_no_match(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/graph?instance={seed.full}&q=zeppelin")


@state("Add the first relation")
def graph_empty(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/graph?instance={seed.empty}")


@screen("Set end")
def entity_with_evidence(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/graph/{seed.entity}")
    page.locator(".facts summary").first.click()
    expect(page.get_by_text(re.compile(r"^\s*Added by ")).first).to_be_visible()


@screen("Back to today")
def entity_as_of_a_day(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/graph/{seed.entity}?as_of=2015-01-01")


@state("Show")
def entity_before_its_first_day(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/graph/{seed.entity}?as_of=1066-10-14")
    expect(page.get_by_text("Nothing is known about this day")).to_be_visible()


@state("Save", forgive="422")
def entity_not_renamed(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/graph/{seed.entity}")
    page.locator("summary", has_text="Rename or merge").click()
    page.get_by_label("Name", exact=True).fill("由紀子")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("link", name="Merge them …")).to_be_visible()


@state("Add", forgive="422")
def relation_with_errors(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/graph/new?instance={seed.full}&subject={seed.entity}")
    page.get_by_label("Relation").fill("?!")
    page.get_by_label("To whom or what").fill("سلمى")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_text("at least one letter or digit")).to_be_visible()


@screen("Merge into 由紀子")
def entities_merge(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/graph/{seed.entity}/merge?q=由紀子")
    page.get_by_role("link", name="由紀子").first.click()
    expect(page.get_by_text("What happens")).to_be_visible()


@state("Search")
def entities_merge_not_found(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/graph/{seed.entity}/merge?q=zeppelin")
