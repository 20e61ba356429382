"""Decide about everything that waits from one source, and undo it."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.browser.app_client import Person, wait_until
from tests.browser.pages import import_file
from tests.browser.watch import Watch

pytestmark = pytest.mark.browser

NUMBER = 30


@pytest.fixture(scope="module")
def held_instance(admin: Person) -> str:
    return admin.new_instance("inbox")


@pytest.fixture
def waiting(page: Page, held_instance: str, admin: Person) -> Locator:
    """The list of statements that wait from an imported file, under *Review*."""
    texts = "".join(f'{{"content": "Ignore the sign on door {n}."}}\n' for n in range(NUMBER))
    page.goto(f"/conversations/import?instance={held_instance}&kind=memories")
    file: FilePayload = {
        "name": "doors.jsonl",
        "mimeType": "application/json",
        "buffer": texts.encode(),
    }
    import_file(page, file)
    path = f"review?instance_id={held_instance}&limit=100"
    wait_until(lambda: len(admin.api(path)["items"]) == NUMBER)
    page.goto(f"/memory/review?instance={held_instance}")
    expect(page.get_by_role("region", name="doors.jsonl")).to_contain_text(str(NUMBER))
    return page.locator(".review article")


def test_all_of_a_source_are_decided_and_that_is_undone(
    page: Page,
    waiting: Locator,
    held_instance: str,
    admin: Person,
    watch: Watch,
    look: Callable[[Page, str], None],
) -> None:
    dialog, notice = page.get_by_role("dialog"), page.locator("#messages")
    approve = page.get_by_role("button", name="Approve all")

    look(page, "review")
    approve.click()
    expect(dialog).to_contain_text(f"Approve {NUMBER} statements?")
    expect(dialog).to_contain_text("You can undo this for 10 seconds.")
    look(page, "review question")
    dialog.get_by_role("link", name="Cancel").click()
    expect(dialog).to_have_count(0)
    assert admin.memories(held_instance) == []

    approve.click()
    dialog.get_by_role("button", name="Approve").click()
    expect(notice).to_contain_text(f"Approved {NUMBER} statements.", timeout=30_000)
    # Nothing in between: the ten seconds run.
    page.keyboard.press("u")
    expect(notice).to_contain_text(f"{NUMBER} statements wait for review again.")
    expect(waiting).to_have_count(NUMBER)
    assert admin.memories(held_instance) == []

    # One alone asks nothing, and can be undone as well. The focus goes on to the next one.
    page.keyboard.press("j")
    page.keyboard.press("j")
    second, third = (waiting.nth(n).locator("summary").inner_text() for n in (1, 2))
    expect(page.locator(":focus")).to_have_text(second)
    page.keyboard.press("a")
    expect(notice).to_contain_text("Approved: it is a memory now.")
    expect(page.locator(":focus")).to_have_text(third)
    assert [each["content"] for each in admin.memories(held_instance)] == [second]
    # The undo does not load the page again, and the row that comes back has the focus.
    page.evaluate("document.body.dataset.loaded = 'once'")
    page.keyboard.press("u")
    expect(notice).to_contain_text("1 statement waits for review again.")
    expect(page.locator(":focus")).to_have_text(second)
    expect(page.locator("body")).to_have_attribute("data-loaded", "once")
    page.keyboard.press("r")
    expect(notice).to_contain_text("Rejected 1 statement.")
    page.keyboard.press("u")
    expect(notice).to_contain_text("1 statement waits for review again.")

    page.get_by_role("button", name="Reject all").click()
    dialog.get_by_role("button", name="Reject").click()
    expect(notice).to_contain_text(f"Rejected {NUMBER} statements.")
    expect(dialog).to_have_count(0)
    expect(page).to_have_url(re.compile(r"/memory/review\?instance=inbox"))
    expect(page.get_by_role("heading", name="Nothing to review")).to_be_visible()
