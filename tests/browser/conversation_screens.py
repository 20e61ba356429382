"""The screens of conversations and imports in every state."""

import re
from uuid import uuid4

from playwright.sync_api import Page, Route, expect

from tests.browser.screens import screen, state
from tests.browser.seed_data import (
    LONG_TITLE,
    LONG_WORD,
    SeedData,
)


@screen("Import")
def conversations(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations?instance={seed.full}")


@screen("Import")
def conversations_search(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations?instance={seed.full}&q=kettle bicycle coat")


@state("Show all conversations")
def conversations_no_match(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations?instance={seed.full}&q=zeppelin")


@state("Show all conversations")
def conversations_none_in_this_state(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations?instance={seed.full}&state=waiting")


@state("Import")
def conversations_narrowed(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations?instance={seed.full}&state=read&user=nobody&q=kettle")
    expect(page.get_by_text("in the filtered conversations contains these words")).to_be_visible()


@state("Import")
def conversations_empty(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations?instance={seed.empty}")


@screen()
def transcript(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/{seed.transcript}?at=1#m1")


@state("Rename")
def transcript_rename(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/{seed.transcript}")
    page.get_by_label("Actions for this conversation").click()
    expect(page.get_by_label("Title")).to_be_visible()


@state("Try again")
def transcript_with_a_failed_run(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/{seed.failed_transcript}")


@screen("Cancel")
def conversation_delete(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/{seed.transcript}/delete")


@screen("Cancel")
def read_again_with_model(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/read-again?instance={seed.full}")


@screen("Check file")
def import_form(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/import?instance={seed.full}")
    page.get_by_text("Where to get a file").click()


@state("Check file", forgive="422")
def import_without_a_file(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/import?instance={seed.unready}")
    page.get_by_label("File").evaluate("field => { field.required = false; }")
    page.get_by_role("button", name="Check file").click()
    expect(page.locator(".field .error")).to_be_visible()


@screen("Cancel")
def import_preview(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/import?instance={seed.full}")
    _upload(page, seed, f"{LONG_TITLE}.jsonl", '{"content": "One.", "title": "Odds"}\nbad\n' * 50)
    page.get_by_text("Show what is skipped").click()


@state("Cancel")
def import_preview_without_a_model(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/import?instance={seed.unready}")
    _upload(page, seed, "notes.jsonl", '{"content": "One."}\n')


def _upload(page: Page, seed: SeedData, name: str, lines: str) -> None:
    page.get_by_label("File").set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": lines.encode()}
    )
    page.get_by_role("button", name="Check file").click()
    expect(page.get_by_role("button", name=re.compile(r"^Import \d"))).to_be_visible()


@state("Cancel")
def import_preview_of_memories(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/import?instance={seed.unready}&kind=memories")
    lines = f'{{"content": "{LONG_WORD}", "tags": ["a"]}}\n{{"content": "", "importance": 99}}\n'
    _upload(page, seed, "memories.jsonl", lines)
    expect(page.get_by_role("link", name="Not imported 1")).to_be_visible()


@screen("Stop")
def import_running(page: Page, seed: SeedData) -> None:
    # A new text each time, because known messages would not be imported again.
    talk = uuid4()
    lines = "".join(
        f'{{"content": "Number {number}.", "id": {number}, "conversation": "{talk}"}}\n'
        for number in range(9_000)
    )
    page.goto(f"/conversations/import?instance={seed.arrivals}")
    _upload(page, seed, "numbers.jsonl", lines)
    page.get_by_role("button", name=re.compile(r"^Import \d")).click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    # From now on, the page polls for progress and gets none.
    page.route("**/conversations/imports/*", _nothing_new)
    expect(page.get_by_text("Import complete", exact=True)).to_have_count(0)


@state("Import another file")
def import_cancelled(page: Page, seed: SeedData) -> None:
    page.goto(f"/conversations/import?instance={seed.arrivals}")
    _upload(page, seed, "notes.jsonl", '{"content": "One."}\n')
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Nothing was imported")).to_be_visible()


def _nothing_new(route: Route) -> None:
    if route.request.headers.get("hx-request"):
        route.fulfill(status=204)
    else:
        route.continue_()


@screen("Show the conversations")
def import_done(page: Page, seed: SeedData) -> None:
    page.goto(seed.done_import)
    page.get_by_text("Show what is skipped").click()


@state("Show the memories")
def import_of_memories_done(page: Page, seed: SeedData) -> None:
    page.goto(seed.memories_import)
    page.get_by_text("Show what is skipped").click()


@state("Import another file")
def import_failed(page: Page, seed: SeedData) -> None:
    page.goto(seed.failed_import)
