"""The chat in a real browser with a real worker: live updates, and no lost messages."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.app_client import Keepsake, Person, wait_until
from tests.browser.chatting import (
    Model,
    chat_instance,
    is_extraction,
    model,
    notes,
    reply,
    reply_is_complete,
    send,
)
from tests.browser.pages import is_marked, mark_page, rows
from tests.browser.watch import Watch
from tests.scripted_answers import said
from tests.scripted_provider import Request, Says

__all__ = ["chat_instance", "model"]

pytestmark = pytest.mark.browser


# --- complete flow ----------------------------------------------------------------------------


def test_message_is_answered_extracted_and_recalled_later(
    page: Page, admin: Person, model: Model, chat_instance: str
) -> None:
    known = admin.remember(chat_instance, "The user is allergic to peanuts.")
    go_on = model.answer_chats_with(
        f"Leave the peanuts out [m{known}].\n\nGent has **good bakers**.", hold_after=4
    )
    page.goto(f"/chat?instance={chat_instance}")
    mark_page(page)

    send(page, "I live in Gent. May I eat peanuts there?")

    # In the middle of the reply, its beginning and the recalled memories are visible.
    expect(reply(page)).to_have_text("Leave the peanuts out")
    expect(page.locator(".exchange")).to_have_attribute("aria-busy", "true")
    expect(notes(page)).to_contain_text("The user is allergic to peanuts.")
    expect(notes(page)).to_contain_text("similar meaning · contains “peanuts”")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/chat/\d+$"))
    go_on.set()
    expect(reply(page)).to_have_text(
        f"Leave the peanuts out m{known}. Gent has good bakers.", use_inner_text=True
    )
    reply_is_complete(page)
    cited = reply(page).get_by_role("link", name=f"m{known}")
    expect(cited).to_have_attribute("href", f"/memory/{known}")

    # The worker reads it, and the page shows the new memory.
    extract_facts = page.locator("#learned").get_by_role("link", name="The user lives in Gent.")
    expect(extract_facts).to_be_visible(timeout=60_000)
    assert is_marked(page)
    expect(page.locator("#chats")).to_contain_text("I live in Gent. May I eat peanuts there?")

    # It is on the memory screen, with its source message.
    extract_facts.click()
    expect(page.locator(".panel .full")).to_have_text("The user lives in Gent.")
    expect(page.locator(".panel")).to_contain_text("May I eat peanuts there?")
    page.goto(f"/memory?instance={chat_instance}&q=Gent")
    expect(rows(page).first).to_contain_text("The user lives in Gent.")

    # The next conversation recalls it.
    model.answer_chats_with("In Gent.")
    page.get_by_role("link", name="Chat", exact=True).first.click()
    send(page, "Where do I live?")
    expect(reply(page)).to_have_text("In Gent.")
    reply_is_complete(page)
    first, second = model.chats
    assert context_of(first) == [f"[m{known}]", "The user is allergic to peanuts."]
    assert "The user lives in Gent." in context_of(second)
    assert [said(m["content"]) for m in second["messages"][1:]] == ["Where do I live?"]
    expect(notes(page).locator(".recalled").first).to_contain_text("The user lives in Gent.")


def context_of(request: Request) -> list[str]:
    """Return the ids and texts of the memory block in the user's message."""
    asked = request["messages"][-1]["content"]
    block = re.search(r"<memory_context id=.*?\n.*?\n(.*)\n</memory_context>", asked, re.DOTALL)
    assert block, asked
    entries = re.findall(r"^\d+\. (\[m\d+\]) \(.*?\): (.*)$", block[1], re.MULTILINE)
    return [part for entry in entries for part in entry]


def test_tool_calls_and_saved_memories_are_shown(
    page: Page, model: Model, chat_instance: str
) -> None:
    def replies(request: Request) -> object:
        if is_extraction(request):
            return {"memories": []}
        if request["messages"][-1]["role"] == "tool":
            return "It is noted."
        return Says(calls=[("save_memory", {"content": "The user’s cat is called Mog."})])

    model.reply_with(replies)
    page.goto(f"/chat?instance={chat_instance}")
    send(page, "Remember that my cat is called Mog.")

    expect(reply(page)).to_have_text("It is noted.")
    reply_is_complete(page)
    tools = notes(page).locator(".tool")
    expect(tools).to_contain_text("save_memory")
    expect(tools.get_by_role("link", name="The user’s cat is called Mog.")).to_be_visible()


# --- stopping, reloading, several tabs --------------------------------------------------------


def test_stopped_reply_is_kept_and_replaced_by_a_retry(
    page: Page, model: Model, chat_instance: str
) -> None:
    model.answer_chats_with("one two three four", hold_after=2)
    page.goto(f"/chat?instance={chat_instance}")
    mark_page(page)
    send(page, "Count to four.")
    expect(reply(page)).to_have_text("one two")

    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped.", exact=True)).to_be_visible()
    reply_is_complete(page)
    expect(reply(page)).to_have_text("one two")
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()

    model.answer_chats_with("five six seven")
    page.get_by_role("button", name="Try again").click()
    expect(reply(page)).to_have_text("five six seven")
    reply_is_complete(page)
    expect(page.locator("[data-reply]")).to_have_count(1)
    assert is_marked(page)
    page.reload()
    expect(reply(page)).to_have_text("five six seven")
    expect(page.get_by_text("one two")).to_have_count(0)


def test_reply_continues_after_a_reload_and_in_another_tab(
    page: Page, window: BrowserContext, watch: Watch, model: Model, chat_instance: str
) -> None:
    go_on = model.answer_chats_with("one two three four", hold_after=2)
    page.goto(f"/chat?instance={chat_instance}")
    send(page, "Count to four.")
    expect(reply(page)).to_have_text("one two")

    page.reload()
    expect(reply(page)).to_have_text("one two")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    other = window.new_page()
    watch.attach(other)
    other.goto(page.url)
    expect(reply(other)).to_have_text("one two")

    go_on.set()
    for each in (page, other):
        expect(reply(each)).to_have_text("one two three four")
        reply_is_complete(each)
    other.close()


def test_closed_tab_loses_nothing(
    page: Page, window: BrowserContext, watch: Watch, model: Model, chat_instance: str
) -> None:
    go_on = model.answer_chats_with("one two three four", hold_after=2)
    leaving = window.new_page()
    watch.attach(leaving)
    leaving.goto(f"/chat?instance={chat_instance}")
    send(leaving, "I own a boat. Count to four.")
    expect(reply(leaving)).to_have_text("one two")
    address = leaving.url
    leaving.close()
    go_on.set()

    def answered() -> bool:
        page.goto(address)
        return "three four" in reply(page).inner_text()

    wait_until(answered)
    expect(page.locator("#learned")).to_contain_text("The user owns a boat.", timeout=60_000)


def test_two_tabs_of_one_chat_stay_in_sync(
    page: Page, window: BrowserContext, watch: Watch, model: Model, chat_instance: str
) -> None:
    watch.forgive("422: POST .*/chat/")
    model.answer_chats_with("Hello.")
    page.goto(f"/chat?instance={chat_instance}")
    send(page, "First")
    reply_is_complete(page)
    other = window.new_page()
    watch.attach(other)
    other.goto(page.url)

    go_on = model.answer_chats_with("one two", hold_after=1)
    send(page, "Second")
    expect(reply(page)).to_have_text("one")
    send(other, "Third")
    expect(other.get_by_role("alert")).to_contain_text("An answer is being written")
    expect(other.get_by_role("textbox", name="Message")).to_have_value("Third")
    go_on.set()
    reply_is_complete(page)

    # The draft is kept, and the message of the other tab arrives with the answer.
    other.keyboard.press("Enter")
    expect(other.locator(".mine .said")).to_have_text(["First", "Second", "Third"])
    expect(other.locator("[data-reply]")).to_have_text(["Hello.", "one two", "one two"])
    expect(other.get_by_role("button", name="Try again")).to_have_count(1)
    reply_is_complete(other)
    other.close()


# --- failures -----------------------------------------------------------------------------------


def test_provider_failure_is_shown_under_the_message(
    page: Page, model: Model, chat_instance: str
) -> None:
    model.answer_chats_with("Here I am.")
    model.fail_next("500", times=None)
    page.goto(f"/chat?instance={chat_instance}")
    send(page, "Hello")
    expect(page.locator(".exchange .notice.bad")).to_contain_text("500")
    reply_is_complete(page)

    model.reset()
    model.answer_chats_with("Here I am.")
    page.get_by_role("button", name="Try again").click()
    expect(reply(page)).to_have_text("Here I am.")
    expect(page.locator(".exchange .notice.bad")).to_have_count(0)


def test_unsent_message_is_kept(page: Page, watch: Watch, model: Model, chat_instance: str) -> None:
    watch.forgive("ERR_CONNECTION_REFUSED")
    model.answer_chats_with("Here I am.")
    page.goto(f"/chat?instance={chat_instance}")
    page.route("**/chat?*", lambda route: route.abort("connectionrefused"))
    send(page, "A long and thoughtful message.")
    expect(page.get_by_role("alert")).to_contain_text("Keepsake cannot be reached")
    box = page.get_by_role("textbox", name="Message")
    expect(box).to_have_value("A long and thoughtful message.")

    page.unroute("**/chat?*")
    box.press("Enter")
    expect(reply(page)).to_have_text("Here I am.")
    expect(box).to_have_value("")
    expect(page.get_by_role("alert")).to_be_hidden()


def test_interrupted_stream_is_resumed(
    new_context: Callable[..., BrowserContext],
    app: Keepsake,
    signed_in: object,
    model: Model,
    chat_instance: str,
    watch: Watch,
) -> None:
    watch.forgive("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    context = new_context(base_url=app.address, storage_state=signed_in)
    page = context.new_page()
    go_on = model.answer_chats_with("one two three four", hold_after=2)
    page.goto(f"/chat?instance={chat_instance}")
    mark_page(page)
    # The stream breaks after its first words.
    page.evaluate(BREAK_THE_FIRST_STREAM)
    send(page, "Count to four.")
    expect(reply(page)).to_have_text("one two")
    page.evaluate("window.breakOff()")
    go_on.set()
    expect(reply(page)).to_have_text("one two three four")
    reply_is_complete(page)
    assert is_marked(page)


BREAK_THE_FIRST_STREAM = """() => {
  const fetched = window.fetch;
  window.fetch = async (...given) => {
    window.fetch = fetched;
    const response = await fetched(...given);
    const reader = response.body.getReader();
    const broken = new ReadableStream({
      start(controller) {
        window.breakOff = () => controller.error(new TypeError("network error"));
        const pass = async () => {
          const { value, done } = await reader.read();
          if (done) return;
          try { controller.enqueue(value); } catch { return; }
          pass();
        };
        pass();
      },
    });
    return new Response(broken, { status: response.status, headers: response.headers });
  };
}"""
