"""How the chat behaves under the hands: keys, scrolling, copying, notes, a phone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.app_client import Keepsake, Person
from tests.browser.chatting import Model, is_over, model, notes, parlour, reply, say
from tests.browser.pages import stay

__all__ = ["model", "parlour"]

pytestmark = pytest.mark.browser


def test_shift_enter_breaks_the_line(page: Page, model: Model, parlour: str) -> None:
    model.say("I see.")
    page.goto(f"/chat?instance={parlour}")
    page.keyboard.type("one")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("two")
    expect(page.get_by_role("textbox", name="Message")).to_have_value("one\ntwo")
    page.keyboard.press("Enter")
    is_over(page)
    expect(page.locator(".mine .said")).to_have_text("one\ntwo", use_inner_text=True)
    assert model.chats[0]["messages"][-1]["content"] == "one\ntwo"


def test_a_reply_and_the_code_in_it_can_be_copied(
    page: Page, window: BrowserContext, model: Model, parlour: str
) -> None:
    window.grant_permissions(["clipboard-read", "clipboard-write"])
    model.say("So:\n\n```py\nprint(1)\nprint(2)\n```\n\nThat is **all**.")
    page.goto(f"/chat?instance={parlour}")
    say(page, "How?")
    is_over(page)

    page.locator(".snippet").hover()
    page.locator(".snippet").get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").split() == ["print(1)", "print(2)"]
    page.locator(".under").get_by_role("button", name="Copy").click()
    expect(page.locator(".under").get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    lines = [line for line in copied.splitlines() if line]
    assert lines == ["So:", "print(1)", "print(2)", "That is all."]


def test_the_page_follows_the_words_unless_somebody_reads_further_up(
    page: Page, model: Model, parlour: str
) -> None:
    lines = "\n\n".join(f"Line {number}." for number in range(60))
    page.goto(f"/chat?instance={parlour}")
    model.say(lines)
    say(page, "Write a lot.")
    expect(reply(page)).to_contain_text("Line 59.")
    is_over(page)
    assert from_the_end(page) < 3

    go_on = model.say(lines.replace("Line", "Row"), hold_after=60)
    say(page, "And again.")
    expect(reply(page)).to_contain_text("Row 20.")
    assert from_the_end(page) < 3
    page.evaluate("scrollBy(0, -500)")
    before = page.evaluate("scrollY")
    go_on.set()
    expect(reply(page)).to_contain_text("Row 59.")
    is_over(page)
    assert page.evaluate("scrollY") == before


def from_the_end(page: Page) -> float:
    """How many pixels there are below what is seen."""
    return float(
        page.evaluate("document.documentElement.scrollHeight - Math.ceil(scrollY + innerHeight)")
    )


def test_the_notes_of_an_earlier_message_are_one_click_away(
    page: Page, admin: Person, model: Model, parlour: str
) -> None:
    model.say("I see.")
    page.goto(f"/chat?instance={parlour}")
    say(page, "Good morning")
    is_over(page)
    admin.remember(parlour, "The user is allergic to peanuts.")
    say(page, "Are peanuts fine?")
    is_over(page)
    expect(notes(page)).to_contain_text("allergic to peanuts")
    expect(page.get_by_role("button", name="Try again")).to_have_count(1)
    stay(page)

    page.get_by_role("link", name="What memory did").first.click()
    expect(notes(page)).to_contain_text("Nothing that it remembers bears on this message.")
    expect(page).to_have_url(re.compile(r"\?turn=1$"))
    page.go_back()
    expect(notes(page)).to_contain_text("allergic to peanuts")


def test_on_a_phone_the_notes_fold_under_the_message(
    new_context: Callable[..., BrowserContext],
    app: Keepsake,
    signed_in: object,
    admin: Person,
    model: Model,
    parlour: str,
) -> None:
    admin.remember(parlour, "The user is allergic to peanuts.")
    model.say("I see.")
    phone = new_context(
        base_url=app.address, storage_state=signed_in, viewport={"width": 390, "height": 844}
    ).new_page()
    phone.goto(f"/chat?instance={parlour}")
    phone.get_by_role("textbox", name="Message").fill("Are peanuts fine?")
    phone.get_by_role("button", name="Send").click()
    is_over(phone)
    memory = phone.get_by_role("link", name="The user is allergic to peanuts.")
    expect(memory).to_be_hidden()
    phone.locator("summary", has_text="1 recalled").click()
    expect(memory).to_be_visible()
