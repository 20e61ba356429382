"""Import of five long conversations: fast, with progress, and searchable."""

import json
import random
import re
import time
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app_client import Person
from tests.browser.pages import import_file

pytestmark = pytest.mark.browser

CONVERSATIONS = 5
MESSAGES = 2_760
SESSIONS = 27
WORDS = (
    "about after again amber answer apple arrive basket because before bicycle birthday borrow "
    "bridge brother candle carry ceramic chance cinema coffee cousin decide dinner doctor dream "
    "evening family garden glad hiking holiday hospital house idea improve island jacket journey "
    "kitchen laugh letter library listen market meeting memory morning mountain music neighbour "
    "nervous office orchard paint paper photo picnic planning potato promise quiet rabbit ready "
    "recipe remember river school season sister slowly spring station story summer support swim "
    "teacher thunder ticket together tomorrow travel unusual vegetable village violin volunteer "
    "waiting walk weather weekend window winter wonder yellow yesterday"
).split()


def conversations(messages: int) -> Iterator[dict[str, Any]]:
    """Return LoCoMo samples: five pairs, many dated sessions, turns of some 20 words."""
    chance = random.Random(20_23)  # noqa: S311
    share = messages // CONVERSATIONS
    for number in range(CONVERSATIONS):
        speakers = (f"Ann{number}", f"Ben{number}")
        sample: dict[str, Any] = {"speaker_a": speakers[0], "speaker_b": speakers[1]}
        for session in range(1, SESSIONS + 1):
            day = date(2023, 1, 1) + timedelta(days=9 * session)
            sample[f"session_{session}_date_time"] = f"1:56 pm on {day:%-d %B, %Y}"
            sample[f"session_{session}"] = []
        for turn in range(share):
            session = turn * SESSIONS // share + 1
            turns = sample[f"session_{session}"]
            turns.append(
                {
                    "speaker": speakers[turn % 2],
                    "dia_id": f"D{session}:{len(turns) + 1}",
                    "text": " ".join(chance.choices(WORDS, k=chance.randint(8, 32))) + ".",
                }
            )
        sample["session_1"][0]["text"] = f"My boat is called Periwinkle{number}."
        sample[f"session_{SESSIONS}"][-1]["text"] = f"I sold the boat to Zebediah{number}."
        yield {"sample_id": f"pair-{number}", "conversation": sample}


@pytest.mark.soak
def test_2760_messages_are_imported_within_30_seconds_and_searchable(
    page: Page, admin: Person, tmp_path: Path
) -> None:
    instance = admin.new_instance("archive")
    file = tmp_path / "pairs.json"
    file.write_text(json.dumps(list(conversations(MESSAGES))))

    begin = time.monotonic()
    progress = imported(page, instance, file)
    seconds = time.monotonic() - begin
    print(f"\n{MESSAGES:,} messages in {seconds:.1f} s")

    assert seconds < 30
    expect(progress).to_contain_text(re.compile(r"Conversations\s*5\b"))
    expect(progress).to_contain_text(re.compile(r"New messages\s*2,760\b"))
    page.get_by_role("link", name="Show the conversations").click()
    expect(page.locator("article.row")).to_have_count(CONVERSATIONS)
    for words, number in (("who sold to Zebediah4", 552), ("Periwinkle2", 1)):
        page.get_by_role("searchbox").fill(words)
        page.keyboard.press("Enter")
        expect(page.locator("article.row").first).to_contain_text(f"message {number}")

    page.goto(f"/conversations/import?instance={instance}")
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Check file").click()
    again = page.locator("#import")
    expect(again).to_contain_text("Nothing in this file is new", timeout=60_000)
    expect(again).to_contain_text(re.compile(r"Already known\s*2,760\b"))


def test_import_progress_is_shown(page: Page, admin: Person, tmp_path: Path) -> None:
    instance = admin.new_instance("stream")
    file = tmp_path / "numbers.jsonl"
    with file.open("w") as lines:
        for number in range(15_000):
            lines.write(json.dumps({"content": f"Number {number}.", "id": number}) + "\n")

    imported(page, instance, file, watched=True)

    shares, counts = page.evaluate("[window.shares, window.counts]")
    assert shares == sorted(shares)
    assert counts == sorted(counts)
    assert any(0 < share < 100 for share in shares), shares
    assert any(0 < count < 15_000 for count in counts), counts
    assert (shares[-1], counts[-1]) == (100, 15_000)


def test_running_import_can_be_left_and_come_back_to(
    page: Page, admin: Person, tmp_path: Path
) -> None:
    instance = admin.new_instance("leaving")
    file = tmp_path / "many.jsonl"
    with file.open("w") as lines:
        for number in range(15_000):
            lines.write(json.dumps({"content": f"Number {number}.", "id": number}) + "\n")
    page.goto(f"/conversations/import?instance={instance}")
    import_file(page, file)
    expect(page.locator("#import").get_by_role("progressbar")).to_be_visible()

    page.goto(f"/memory?instance={instance}")
    page.get_by_role("link", name="1 job running").click()
    job = page.locator("#jobs").get_by_role("article").filter(has_text="Import of many.jsonl")
    expect(job.get_by_role("progressbar")).to_be_visible()
    # The list updates itself, and keeps the result.
    expect(job).to_contain_text("15,000 new messages.", timeout=60_000)
    job.get_by_role("link", name="Import of many.jsonl").click()
    expect(page.get_by_text("Import complete", exact=True)).to_be_visible()


def imported(page: Page, instance: str, file: Path, *, watched: bool = False) -> Locator:
    """Import a file on the screen, and return the card with the result."""
    page.goto(f"/conversations/import?instance={instance}")
    import_file(page, file)
    progress = page.locator("#import")
    if watched:
        # The click returns before the next page is completely loaded.
        expect(progress.get_by_role("progressbar")).to_be_visible()
        page.evaluate(NOTE_WHAT_IS_SHOWN)
    expect(progress.get_by_text("Import complete", exact=True)).to_be_visible(timeout=60_000)
    return progress


NOTE_WHAT_IS_SHOWN = """() => {
  window.shares = [];
  window.counts = [];
  const note = () => {
    const card = document.querySelector("#import");
    window.shares.push(card.querySelector("progress").value);
    const count = card.querySelectorAll("dd")[1].textContent;
    window.counts.push(Number(count.replaceAll(",", "")));
  };
  note();
  new MutationObserver(note).observe(document.querySelector("main"), { childList: true });
}"""


def test_unknown_file_format_is_rejected_with_a_reason(
    page: Page, admin: Person, tmp_path: Path
) -> None:
    instance = admin.new_instance("refusal")
    file = tmp_path / "holiday.json"
    file.write_text('{"photos": []}')

    page.goto(f"/conversations/import?instance={instance}")
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Check file").click()

    expect(page.get_by_text("Import failed", exact=True)).to_be_visible()
    expect(page.locator("#import .notice.bad")).to_contain_text("format of this file is not known")
    page.goto(f"/conversations?instance={instance}")
    expect(page.get_by_text("holiday.json: Import failed.")).to_be_visible()
