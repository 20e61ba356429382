"""Chatting in a real browser, with a real worker: what comes by itself, and what is never lost."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.app_client import Keepsake, Person, wait_until
from tests.browser.chatting import Model, is_over, model, notes, parlour, reads, reply, say
from tests.browser.pages import rows, stay, stayed
from tests.browser.watch import Watch
from tests.scripted_provider import Request, Says

__all__ = ["model", "parlour"]

pytestmark = pytest.mark.browser


# --- the whole way ----------------------------------------------------------------------------


def test_what_is_said_is_answered_learned_and_known_the_next_time(
    page: Page, admin: Person, model: Model, parlour: str
) -> None:
    known = admin.remember(parlour, "The user is allergic to peanuts.")
    go_on = model.say(
        f"Leave the peanuts out [m{known}].\n\nGent has **good bakers**.", hold_after=4
    )
    page.goto(f"/chat?instance={parlour}")
    stay(page)

    say(page, "I live in Gent. May I eat peanuts there?")

    # In the middle of the reply: its beginning, and what was recalled for it.
    expect(reply(page)).to_have_text("Leave the peanuts out")
    expect(page.locator(".exchange")).to_have_attribute("aria-busy", "true")
    expect(notes(page)).to_contain_text("The user is allergic to peanuts.")
    expect(notes(page)).to_contain_text(
        re.compile(r"meaning #1\s+·\s+words #1\s+·\s+similarity 0\.\d\d")
    )
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/chat/\d+$"))
    go_on.set()
    expect(reply(page)).to_have_text(
        f"Leave the peanuts out m{known}. Gent has good bakers.", use_inner_text=True
    )
    is_over(page)
    cited = reply(page).get_by_role("link", name=f"m{known}")
    expect(cited).to_have_attribute("href", f"/memory/{known}")

    # The worker reads it, and the page shows what it finds.
    learned = page.locator("#learned").get_by_role("link", name="The user lives in Gent.")
    expect(learned).to_be_visible(timeout=60_000)
    assert stayed(page)
    expect(page.locator("#chats")).to_contain_text("I live in Gent. May I eat peanuts there?")

    # It is on the memory screen, with the message that it came from.
    learned.click()
    expect(page.locator(".panel .full")).to_have_text("The user lives in Gent.")
    expect(page.locator(".panel")).to_contain_text("May I eat peanuts there?")
    page.goto(f"/memory?instance={parlour}&q=Gent")
    expect(rows(page).first).to_contain_text("The user lives in Gent.")

    # And the next conversation begins with it.
    model.say("In Gent.")
    page.get_by_role("link", name="Chat", exact=True).click()
    say(page, "Where do I live?")
    expect(reply(page)).to_have_text("In Gent.")
    is_over(page)
    first, second = model.chats
    assert context_of(first) == [f"[m{known}]", "The user is allergic to peanuts."]
    assert "The user lives in Gent." in context_of(second)
    assert [m["content"] for m in second["messages"][1:]] == ["Where do I live?"]
    expect(notes(page).locator(".recalled").first).to_contain_text("The user lives in Gent.")


def context_of(request: Request) -> list[str]:
    """The ids and the texts in the block of memories that the model was shown."""
    system = request["messages"][0]["content"]
    block = re.search(r"<memory_context>\n.*?\n(.*)\n</memory_context>", system, re.DOTALL)
    assert block, system
    entries = re.findall(r"^\d+\. (\[m\d+\]) \(.*?\): (.*)$", block[1], re.MULTILINE)
    return [part for entry in entries for part in entry]


def test_tools_that_run_are_told_and_what_they_saved_is_shown(
    page: Page, model: Model, parlour: str
) -> None:
    def replies(request: Request) -> object:
        if reads(request):
            return {"memories": []}
        if request["messages"][-1]["role"] == "tool":
            return "It is noted."
        return Says(calls=[("save_memory", {"content": "The user’s cat is called Mog."})])

    model.reply_with(replies)
    page.goto(f"/chat?instance={parlour}")
    say(page, "Remember that my cat is called Mog.")

    expect(reply(page)).to_have_text("It is noted.")
    is_over(page)
    tools = notes(page).locator(".tool")
    expect(tools).to_contain_text("save_memory")
    expect(tools.get_by_role("link", name="The user’s cat is called Mog.")).to_be_visible()


# --- stopping, coming back, two at once -------------------------------------------------------


def test_stopping_keeps_what_was_said_and_trying_again_replaces_it(
    page: Page, model: Model, parlour: str
) -> None:
    model.say("one two three four", hold_after=2)
    page.goto(f"/chat?instance={parlour}")
    stay(page)
    say(page, "Count to four.")
    expect(reply(page)).to_have_text("one two")

    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped.", exact=True)).to_be_visible()
    is_over(page)
    expect(reply(page)).to_have_text("one two")
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()

    model.say("five six seven")
    page.get_by_role("button", name="Try again").click()
    expect(reply(page)).to_have_text("five six seven")
    is_over(page)
    expect(page.locator("[data-reply]")).to_have_count(1)
    assert stayed(page)
    page.reload()
    expect(reply(page)).to_have_text("five six seven")
    expect(page.get_by_text("one two")).to_have_count(0)


def test_whoever_reloads_or_looks_on_in_another_tab_sees_it_go_on(
    page: Page, window: BrowserContext, watch: Watch, model: Model, parlour: str
) -> None:
    go_on = model.say("one two three four", hold_after=2)
    page.goto(f"/chat?instance={parlour}")
    say(page, "Count to four.")
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
        is_over(each)
    other.close()


def test_a_closed_tab_loses_nothing(
    page: Page, window: BrowserContext, watch: Watch, model: Model, parlour: str
) -> None:
    go_on = model.say("one two three four", hold_after=2)
    leaving = window.new_page()
    watch.attach(leaving)
    leaving.goto(f"/chat?instance={parlour}")
    say(leaving, "I own a boat. Count to four.")
    expect(reply(leaving)).to_have_text("one two")
    address = leaving.url
    leaving.close()
    go_on.set()

    def answered() -> bool:
        page.goto(address)
        return "three four" in reply(page).inner_text()

    wait_until(answered)
    expect(page.locator("#learned")).to_contain_text("The user owns a boat.", timeout=60_000)


def test_two_tabs_of_one_chat_stay_in_step(
    page: Page, window: BrowserContext, watch: Watch, model: Model, parlour: str
) -> None:
    watch.forgive("422: POST .*/chat/")
    model.say("Hello.")
    page.goto(f"/chat?instance={parlour}")
    say(page, "First")
    is_over(page)
    other = window.new_page()
    watch.attach(other)
    other.goto(page.url)

    go_on = model.say("one two", hold_after=1)
    say(page, "Second")
    expect(reply(page)).to_have_text("one")
    say(other, "Third")
    expect(other.get_by_role("alert")).to_contain_text("An answer is on its way")
    expect(other.get_by_role("textbox", name="Message")).to_have_value("Third")
    go_on.set()
    is_over(page)

    # The message is still there to be sent, and what the other tab said comes with the answer.
    other.keyboard.press("Enter")
    expect(other.locator(".mine .said")).to_have_text(["First", "Second", "Third"])
    expect(other.locator("[data-reply]")).to_have_text(["Hello.", "one two", "one two"])
    expect(other.get_by_role("button", name="Try again")).to_have_count(1)
    is_over(other)
    other.close()


# --- what goes wrong ----------------------------------------------------------------------------


def test_a_provider_that_fails_is_said_under_the_message(
    page: Page, model: Model, parlour: str
) -> None:
    model.say("Here I am.")
    model.fail_next("500", times=None)
    page.goto(f"/chat?instance={parlour}")
    say(page, "Hello")
    expect(page.locator(".exchange .notice.bad")).to_contain_text("500")
    is_over(page)

    model.reset()
    model.say("Here I am.")
    page.get_by_role("button", name="Try again").click()
    expect(reply(page)).to_have_text("Here I am.")
    expect(page.locator(".exchange .notice.bad")).to_have_count(0)


def test_a_message_that_did_not_get_through_is_kept(
    page: Page, watch: Watch, model: Model, parlour: str
) -> None:
    watch.forgive("ERR_CONNECTION_REFUSED")
    model.say("Here I am.")
    page.goto(f"/chat?instance={parlour}")
    page.route("**/chat?*", lambda route: route.abort("connectionrefused"))
    say(page, "A long and thoughtful message.")
    expect(page.get_by_role("alert")).to_contain_text("Keepsake does not answer")
    box = page.get_by_role("textbox", name="Message")
    expect(box).to_have_value("A long and thoughtful message.")

    page.unroute("**/chat?*")
    box.press("Enter")
    expect(reply(page)).to_have_text("Here I am.")
    expect(box).to_have_value("")
    expect(page.get_by_role("alert")).to_be_hidden()


def test_a_connection_that_breaks_in_mid_reply_is_taken_up_again(
    new_context: Callable[..., BrowserContext],
    app: Keepsake,
    signed_in: object,
    model: Model,
    parlour: str,
    watch: Watch,
) -> None:
    watch.forgive("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    context = new_context(base_url=app.address, storage_state=signed_in)
    page = context.new_page()
    go_on = model.say("one two three four", hold_after=2)
    page.goto(f"/chat?instance={parlour}")
    stay(page)
    # The stream breaks behind its first words.
    page.evaluate(BREAK_THE_FIRST_STREAM)
    say(page, "Count to four.")
    expect(reply(page)).to_have_text("one two")
    page.evaluate("window.breakOff()")
    go_on.set()
    expect(reply(page)).to_have_text("one two three four")
    is_over(page)
    assert stayed(page)


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
