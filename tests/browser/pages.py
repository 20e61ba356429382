"""Page helpers for tests of the memory screen."""

import re
from pathlib import Path

from playwright.sync_api import FilePayload, Locator, Page, expect


def rows(page: Page) -> Locator:
    return page.locator("article.row")


def panel(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Memory")


def link(page: Page, thing: str) -> Locator:
    return page.get_by_role("link", name=f"The user owns a {thing}.", exact=True)


def listed_texts(page: Page) -> list[str]:
    """Return the texts in the list, in order."""
    # Not the inner texts: weaker matches are folded.
    return page.locator("article.row a.content").all_text_contents()


def tick(page: Page, number: int, *, shift: bool = False) -> None:
    box = rows(page).nth(number).get_by_role("checkbox")
    box.click(modifiers=["Shift"] if shift else [])


def mark_page(page: Page) -> None:
    """Mark the page, so that `is_marked` can tell whether it was reloaded."""
    page.evaluate("window.stayed = true")


def is_marked(page: Page) -> bool:
    """Return whether the page was marked and not reloaded since."""
    return bool(page.evaluate("window.stayed === true"))


def import_file(page: Page, file: Path | FilePayload, *, read: bool = False) -> None:
    """On the import screen, upload *file*, wait for the preview, and confirm it."""
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Check file").click()
    decision = page.get_by_role("button", name=re.compile(r"^Import \d"))
    expect(decision).to_be_visible(timeout=60_000)
    if read:
        page.get_by_role("radio", name="Import and read for facts").check()
    decision.click()
