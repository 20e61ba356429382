"""The first ten minutes of a new user, from the first start to the next one."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.app_client import PASSWORD, Keepsake
from tests.browser.pages import import_file, is_marked, mark_page
from tests.scripted_provider import Request, Says, ScriptedProvider

pytestmark = pytest.mark.browser

KEY = "sk-newcomer-0123456789abcdef-4f2a"
PEANUTS = "Mara is severely allergic to peanuts: never cook with peanuts for her."
WATERING = "The user waters the balcony with the blue can every other day."


class Reader:
    """A language model that extracts one fact per numbered line, once it may answer."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()

    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        self.may_answer.wait(60)
        _, _, new = request["messages"][-1]["content"].partition("NEW\n")
        lines = re.findall(r"^\[(\d+) · [^\]]*\] User(?: \((.*?)\))?: (.*)$", new, re.MULTILINE)
        return {
            "memories": [
                {
                    "message": int(number),
                    "content": f"{speaker or 'The user'} said that {text}",
                    "category": "event",
                    "importance": 6,
                    "tags": ["imported"],
                    "valid_until": None,
                    "confidence": 80,
                }
                for number, speaker, text in lines
            ]
        }


def locomo_file(folder: Path) -> Path:
    """Write a conversation of two people in the format of the LoCoMo benchmark."""
    turns = [
        ("Noor", "the lighthouse in Kullen reopens in June."),
        ("Teo", "his sourdough starter is called Bertil."),
        ("Noor", "she sold the red canoe to a neighbour."),
    ]
    conversation: dict[str, Any] = {
        "speaker_a": "Noor",
        "speaker_b": "Teo",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": speaker, "dia_id": f"D1:{number}", "text": text}
            for number, (speaker, text) in enumerate(turns, start=1)
        ],
    }
    path = folder / "noor-and-teo.json"
    path.write_text(json.dumps([{"sample_id": "noor-teo", "conversation": conversation}]))
    return path


def jsonl_file(folder: Path) -> Path:
    """Write a question, an answer, and an invalid line."""
    lines = [
        {"role": "user", "content": "the piano tuner comes on the first Monday.", "title": "Piano"},
        {"role": "assistant", "content": "Shall I remind you?"},
    ]
    path = folder / "piano.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines) + "not a message\n")
    return path


@pytest.fixture
def model() -> Iterator[ScriptedProvider]:
    """A server that requires the user's API key."""
    with ScriptedProvider(api_key=KEY, capable=True) as model:
        yield model


@pytest.mark.soak
def test_ten_minutes(
    new_home: Callable[[], Keepsake],
    new_context: Callable[..., BrowserContext],
    model: ScriptedProvider,
    tmp_path: Path,
) -> None:
    keepsake = new_home()
    first_start = keepsake.start()
    page = new_context(base_url=keepsake.address).new_page()

    signs_in(page)
    filters(page)
    asks_in_own_words(page)
    follows_a_memory_to_its_message(page)
    adds_a_memory_and_finds_it(page)
    ticks_five_and_deletes_them(page)
    switches_memory_on(page)
    sets_up_a_language_model(page, model)
    reader = Reader()
    model.reply_with(reader)
    imports(page, locomo_file(tmp_path), added=3, left_out=0)
    imports(page, jsonl_file(tmp_path), added=2, left_out=1)
    sees_facts_appear(page, reader)
    model.reset()
    memories = page.get_by_role("link", name=re.compile(r"^All \d+$")).inner_text()

    chat = gets_half_an_answer(page, model)
    page.goto("about:blank")
    assert keepsake.stop() == 0, keepsake.output()
    assert "Stopped. The next start finds everything as it is now." in keepsake.log
    second_start = keepsake.start()
    print(f"\nfirst start {first_start:.1f} s, second start {second_start:.1f} s")
    # It neither creates a database nor loads the demo.
    assert second_start < first_start

    finds_everything_again(page, memories)
    finds_half_an_answer(page, chat)


def rail(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Main")


def signs_in(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Welcome to Keepsake")).to_be_visible()
    page.get_by_role("link", name="look around in the demo").click()
    expect(page).to_have_url(re.compile(r"/memory\?instance=demo$"))
    expect(page.get_by_role("heading", name="Memory", exact=True)).to_be_visible()


def filters(page: Page) -> None:
    mark_page(page)
    page.get_by_role("link", name=re.compile(r"^relationship \d+$")).click()
    expect(page).to_have_url(re.compile("category=relationship"))
    current = page.get_by_role("navigation", name="Categories").locator("[aria-current]")
    expect(current).to_have_text(re.compile("relationship"))
    expect(page.get_by_text("Mara’s partner Idris teaches chemistry.")).to_be_visible()
    expect(page.get_by_text(PEANUTS)).to_have_count(0)
    page.get_by_role("link", name=re.compile(r"^All \d+$")).click()
    expect(page).not_to_have_url(re.compile("category="))
    assert is_marked(page)


def asks_in_own_words(page: Page) -> None:
    page.get_by_role("searchbox", name="Search memories").fill("what should I not cook?")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]q=what"))
    expect(page.get_by_text("similar meaning").first).to_be_visible()
    first_three = page.locator("article.row a.content").all_inner_texts()[:3]
    assert PEANUTS in first_three
    assert is_marked(page)


def follows_a_memory_to_its_message(page: Page) -> None:
    page.get_by_role("link", name=PEANUTS).click()
    panel = page.get_by_role("complementary", name="Memory")
    expect(page).to_have_url(re.compile(r"/memory/\d+\?"))
    expect(panel.get_by_text("Peanuts would put me in hospital.")).to_be_visible()
    expect(panel.get_by_role("heading", name="Why it was found")).to_be_visible()
    assert is_marked(page)
    panel.get_by_role("link", name="Dinner for eight").first.click()
    message = page.locator("article.turn:target")
    expect(message).to_contain_text("Peanuts would put me in hospital.")
    expect(message).to_be_in_viewport()
    message.get_by_text("3 memories").click()
    expect(message.get_by_role("link", name=PEANUTS)).to_be_visible()
    message.get_by_role("link", name=PEANUTS).click()
    expect(page.get_by_role("complementary", name="Memory")).to_contain_text(PEANUTS)


def adds_a_memory_and_finds_it(page: Page) -> None:
    page.goto("/memory?instance=demo")
    page.get_by_role("link", name="New memory").click()
    page.get_by_label("What to remember").fill(WATERING)
    page.get_by_text("More: category").click()
    page.get_by_role("radio", name="Preference").check()
    page.get_by_role("button", name="Remember").click()
    expect(page.get_by_role("status")).to_contain_text("Remembered.")
    page.get_by_role("searchbox").fill("how often do the plants get water?")
    page.keyboard.press("Enter")
    expect(page.locator("article.row").first).to_contain_text(WATERING)


def ticks_five_and_deletes_them(page: Page) -> None:
    page.goto("/memory?instance=demo&category=fact")
    before = counted(page)
    rows = page.locator("article.row")
    ticked = [rows.nth(number).locator("a.content").inner_text() for number in range(5)]
    for number in range(5):
        rows.nth(number).get_by_role("checkbox").check()
    expect(page.get_by_text("5 selected")).to_be_visible()
    page.get_by_role("button", name="Delete 5 memories").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Delete 5 memories?")).to_be_visible()
    dialog.get_by_role("button", name="Delete 5 memories").click()
    expect(page.get_by_role("status").first).to_contain_text("Deleted 5 memories")
    assert counted(page) == before - 5
    for text in ticked:
        expect(page.get_by_text(text)).to_have_count(0)


def counted(page: Page) -> int:
    """Return the number of memories shown above the list."""
    return int(page.get_by_role("link", name=re.compile(r"^All \d+$")).inner_text().split()[-1])


def switches_memory_on(page: Page) -> None:
    rail(page).get_by_role("link", name="Settings").click()
    page.get_by_role("navigation", name="Settings").get_by_role("link", name="Memory").click()
    mark_page(page)
    card = page.locator("#memory")
    expect(card.get_by_text("no language model is set up")).to_have_count(0)
    card.get_by_role("switch", name=re.compile("^Remember ")).check()
    expect(page.locator("#messages")).to_contain_text("Saved.")
    expect(card).to_contain_text("The built-in reader reads conversations")
    assert is_marked(page)
    card.get_by_role("link", name="Set up a model").click()
    expect(page.get_by_role("heading", name="Language model")).to_be_in_viewport()


def sets_up_a_language_model(page: Page, model: ScriptedProvider) -> None:
    mark_page(page)
    card = page.locator("#language-model")
    nobody_there = "http://127.0.0.1:9/v1"

    def save(address: str) -> None:
        card.get_by_label("Provider").select_option("custom")
        card.get_by_label("Address").fill(address)
        card.get_by_label("Model", exact=True).fill("scripted-small")
        card.get_by_label("Key", exact=True).fill(KEY)
        card.get_by_role("button", name="Save").click()
        # The card was replaced, without the result of the last test.
        expect(card.locator(".saved")).to_have_text("Saved.")
        expect(page.locator("#announcer")).to_have_text("Saved.")
        expect(card.locator(".notice")).to_have_count(0)

    save(nobody_there)
    card.get_by_role("button", name="Test connection").click()
    expect(card.locator(".notice.bad")).to_contain_text("127.0.0.1:9")

    save(model.base_url)
    card.get_by_role("button", name="Test connection").click()
    expect(card.locator(".notice.ok")).to_contain_text("scripted-small answered")
    expect(card.locator(".notice.ok")).to_contain_text("You said: Say hello in three words.")
    assert model.requests[-1].headers["authorization"] == f"Bearer {KEY}"
    assert is_marked(page)

    expect(card).to_contain_text(f"set · ends in …{KEY[-4:]}")
    assert KEY not in page.content()
    page.reload()
    expect(card).to_contain_text(f"set · ends in …{KEY[-4:]}")
    expect(card.get_by_label("Key", exact=True)).to_have_value("")
    assert KEY not in page.content()


def imports(page: Page, file: Path, *, added: int, left_out: int) -> None:
    rail(page).get_by_role("link", name="Conversations").click()
    page.get_by_role("link", name="Import", exact=True).click()
    import_file(page, file, read=True)
    expect(page.get_by_role("heading", name=file.name)).to_be_visible()
    mark_page(page)
    expect(page.get_by_text("Import complete", exact=True)).to_be_visible()
    progress = page.locator("#import")
    expect(progress).to_contain_text(re.compile(rf"New messages\s*{added}\b"))
    assert is_marked(page)
    if left_out:
        expect(progress).to_contain_text(re.compile(rf"{left_out} items? (is|are) skipped"))
        progress.get_by_text("Show what is skipped").click()
        expect(progress).to_contain_text("line 3")


def sees_facts_appear(page: Page, reader: Reader) -> None:
    page.get_by_role("link", name="Show new memories").click()
    mark_page(page)
    status = page.locator("#status")
    expect(status).to_contain_text(re.compile(r"reading \d conversation"))
    before = counted(page)
    reader.may_answer.set()
    show = status.get_by_role("link", name="Show 4 new")
    expect(show).to_be_visible(timeout=30_000)
    expect(status).not_to_contain_text(re.compile("reading|waiting"))
    assert is_marked(page)
    assert counted(page) == before
    show.click()
    expect(page.get_by_text("Teo said that his sourdough starter")).to_be_visible()
    assert counted(page) == before + 4
    is_linked_to_its_message(page, "Noor said that she sold the red canoe to a neighbour.", "m3")
    is_linked_to_its_message(page, "Teo said that his sourdough starter is called Bertil.", "m2")
    is_linked_to_its_message(
        page, "The user said that the piano tuner comes on the first Monday.", "m1"
    )


def is_linked_to_its_message(page: Page, fact: str, message: str) -> None:
    page.get_by_role("link", name=fact).click()
    panel = page.get_by_role("complementary", name="Memory")
    expect(panel.locator(".full")).to_have_text(fact)
    panel.locator(".quote a").click()
    expect(page).to_have_url(re.compile(rf"#{message}$"))
    turn = page.locator("article.turn:target")
    expect(turn).to_contain_text(fact.partition(" said that ")[2])
    turn.get_by_text("1 memory").click()
    expect(turn.get_by_role("link", name=fact)).to_be_visible()
    page.go_back()
    expect(panel.locator(".full")).to_have_text(fact)


def finds_everything_again(page: Page, memories: str) -> None:
    # The session survives the restart, too.
    page.goto("/memory?instance=demo")
    expect(page.get_by_role("link", name=re.compile(r"^All \d+$"))).to_have_text(memories)
    page.get_by_role("searchbox").fill("who bakes bread?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("sourdough starter").first).to_be_visible()
    rail(page).get_by_role("link", name="Conversations").click()
    expect(page.get_by_role("link", name="Noor and Teo")).to_be_visible()
    rail(page).get_by_role("link", name="Settings").click()
    pages = page.get_by_role("navigation", name="Settings")
    pages.get_by_role("link", name="Memory").click()
    expect(
        page.locator("#memory").get_by_role("switch", name=re.compile("^Remember "))
    ).to_be_checked()
    pages.get_by_role("link", name="Models", exact=True).click()
    page.locator("#language-model").get_by_role("button", name="Test connection").click()
    expect(page.locator("#language-model .notice.ok")).to_contain_text("answered")


def gets_half_an_answer(page: Page, model: ScriptedProvider) -> str:
    """Send a chat message, and return the address of the chat in the middle of the reply."""

    def reply(request: Request) -> object:
        if not request.get("stream"):
            return {"memories": []}
        return Says("one two three four", before=lambda n: n < 3 or model.closing.wait(60))

    model.reply_with(reply)
    rail(page).get_by_role("link", name="Chat", exact=True).click()
    expect(page).to_have_url(re.compile("/chat"))
    page.wait_for_load_state()  # Until its script has run, Enter begins a new line.
    page.get_by_role("textbox", name="Message").fill("Count to four.")
    page.keyboard.press("Enter")
    expect(page.locator("[data-reply]")).to_have_text("one two")
    return page.url


def finds_half_an_answer(page: Page, chat: str) -> None:
    page.goto(chat)
    expect(page.locator("[data-reply]")).to_have_text("one two")
    expect(page.get_by_text("Stopped.", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
