"""The memory screens in every state."""

import re
from datetime import date, timedelta

from playwright.sync_api import Page, expect

from tests.browser.screens import screen, state
from tests.browser.seed_data import (
    LONG_WORD,
    SUPPRESSED,
    SeedData,
)


@screen("New memory")
def memory(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}")


@state("New memory")
def memory_oldest_first(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}&sort=oldest&page=2")


@screen("New memory")
def memory_search(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}&q=allergic peanuts 由紀子")


@state("New memory")
def memory_no_match(page: Page, seed: SeedData) -> None:
    page.goto(f'/memory?instance={seed.full}&q="{LONG_WORD}x"&category=decision')


@state("Show all memories")
def memory_filter_no_match(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}&tag=nothing&user=nobody")


@screen("Write a memory")
def memory_empty(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.empty}")


@state("Fix this")
def memory_by_words_only(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.unready}&q=anything")


@screen("Apply")
def memory_more_filters(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}")
    page.locator("summary", has_text="Filters").click()
    expect(page.get_by_label("Tag")).to_be_visible()


@screen("Save")
def memory_saved_filters(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}&category=decision")
    page.locator("summary", has_text="Filters").click()
    expect(page.get_by_label("Save the current filter as")).to_be_visible()


@state("Apply")
def memory_filter_choices(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/choices?instance={seed.full}&q={LONG_WORD}")


@state("Import …")
def memory_export_menu(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}")
    page.locator("summary[aria-label='More: export, import, earlier days']").click()
    expect(page.get_by_role("link", name=re.compile("^Export .* as CSV"))).to_be_visible()


@state("Show")
def memory_as_of_a_day(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/past?instance=demo&on={date.today() - timedelta(3)}&q=peanuts")


@state("Show")
def memory_as_of_an_early_day(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/past?instance={seed.full}&on=2999-01-01")


@screen("Save this filter")
def saved_filters(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/filters?instance={seed.full}&q={LONG_WORD}")


@screen("All instances")
def memory_picker(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}")
    page.locator(".picker summary").click()
    expect(page.get_by_role("link", name="All instances")).to_be_visible()


@screen("Delete 2 memories")
def memory_selected(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}&q=what is in a box")
    page.get_by_role("checkbox").nth(0).check()
    page.get_by_role("checkbox").nth(2).check()
    expect(page.get_by_text("2 selected")).to_be_visible()


@state("Delete 2 memories")
def memory_delete_dialog(page: Page, seed: SeedData) -> None:
    memory_selected(page, seed)
    page.get_by_role("button", name="Delete 2 memories").click()
    expect(page.get_by_role("dialog")).to_be_visible()


@state("Change tags")
def memory_bulk_dialog(page: Page, seed: SeedData) -> None:
    memory_selected(page, seed)
    if page.locator(".bulk-menu summary").is_visible():
        page.locator(".bulk-menu summary").click()
    page.get_by_role("button", name="Tags", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()


@screen("Search tags")
def tags(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/tags?instance={seed.full}")


@state()
def tags_empty(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/tags?instance={seed.empty}")


@screen("Close")
def memory_keys(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


@screen("Edit")
def memory_panel(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}")
    page.locator(f"#row-{seed.extracted} a.content").click()
    expect(page.get_by_role("heading", name="Source")).to_be_visible()


@screen("Delete")
def memory_panel_with_history(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/{seed.changed}?instance={seed.full}&q=allergic to peanuts")
    expect(page.get_by_role("heading", name="Changed once")).to_be_visible()


@state("Delete")
def memory_panel_of_4000_characters(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/{seed.long}?instance={seed.full}")


@state("Delete")
def memory_panel_of_an_imported_memory(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/{seed.attached}?instance={seed.full}")
    page.locator("#panel summary", has_text="More").click()
    expect(page.get_by_text("Metadata")).to_be_visible()


@screen("Remember")
def memory_new(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}")
    page.get_by_role("link", name="New memory").click()
    expect(page.get_by_label("What to remember")).to_be_focused()


@screen("Remember", forgive="422")
def memory_new_with_errors(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/new?instance={seed.full}")
    page.get_by_label("What to remember").fill("The user …")
    page.get_by_text("More: category").click()
    page.get_by_label("Tags").fill(", ".join(f"tag {number}" for number in range(40)))
    page.get_by_role("button", name="Remember").click()
    expect(page.locator(".field .error").first).to_be_visible()


@state("Remember", forgive="422")
def memory_new_with_a_secret(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/new?instance={seed.full}")
    page.get_by_label("What to remember").fill("My password is somewhere in here")
    page.get_by_role("button", name="Remember").click()
    expect(page.get_by_text("This seems to contain a password or key")).to_be_visible()


@state("Remember", forgive="422")
def memory_new_of_a_suppressed_text(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/new?instance={seed.full}")
    page.get_by_label("What to remember").fill(SUPPRESSED)
    page.get_by_role("button", name="Remember").click()
    expect(page.get_by_label("Remember it anyway")).to_be_visible()


@screen("Allow again")
def suppressed_texts(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}")
    page.get_by_role("link", name="Removed").click()
    page.get_by_role("link", name="Blocked").click()
    expect(page.get_by_text("kept out").first).to_be_visible()


@state()
def suppressed_texts_empty(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/removed/blocked?instance={seed.empty}")


@screen("Cancel")
def rollback(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/removed/rollback?instance={seed.full}&since=2020-01-01T00:00")
    expect(page.get_by_role("heading", name="What it led to")).to_be_visible()


@state("Show")
def rollback_unchosen(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/removed/rollback?instance={seed.full}")


@screen("Save")
def memory_edit(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/{seed.changed}/edit?instance={seed.full}")


@state("New memory", forgive="ERR_CONNECTION_REFUSED|htmx:")
def memory_server_unreachable(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}")
    page.route("**/memory?*", lambda route: route.abort("connectionrefused"))
    page.get_by_role("link", name=re.compile("^decision")).click()
    expect(page.locator("#messages .notice.bad")).to_be_visible()
