"""Interaction with the chat: keys, scrolling, copying, notes, a phone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.app_client import Keepsake, Person
from tests.browser.chatting import (
    Model,
    chat_instance,
    model,
    notes,
    reply,
    reply_is_complete,
    send,
)
from tests.browser.pages import mark_page
from tests.scripted_answers import said

__all__ = ["chat_instance", "model"]

pytestmark = pytest.mark.browser


def test_shift_enter_breaks_the_line(page: Page, model: Model, chat_instance: str) -> None:
    model.answer_chats_with("I see.")
    page.goto(f"/chat?instance={chat_instance}")
    message = page.get_by_role("textbox", name="Message")
    # The browser focuses the field after the page has loaded; what is typed before is lost.
    expect(message).to_be_focused()
    page.keyboard.type("one")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("two")
    expect(message).to_have_value("one\ntwo")
    page.keyboard.press("Enter")
    reply_is_complete(page)
    expect(page.locator(".mine .said")).to_have_text("one\ntwo", use_inner_text=True)
    assert said(model.chats[0]["messages"][-1]["content"]) == "one\ntwo"


def test_reply_and_its_code_can_be_copied(
    page: Page, window: BrowserContext, model: Model, chat_instance: str
) -> None:
    window.grant_permissions(["clipboard-read", "clipboard-write"])
    model.answer_chats_with("So:\n\n```py\nprint(1)\nprint(2)\n```\n\nThat is **all**.")
    page.goto(f"/chat?instance={chat_instance}")
    send(page, "How?")
    reply_is_complete(page)

    page.locator(".snippet").hover()
    page.locator(".snippet").get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").split() == ["print(1)", "print(2)"]
    page.locator(".under").get_by_role("button", name="Copy").click()
    expect(page.locator(".under").get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    lines = [line for line in copied.splitlines() if line]
    assert lines == ["So:", "print(1)", "print(2)", "That is all."]


def test_page_scrolls_with_the_reply_unless_the_user_has_scrolled_up(
    page: Page, model: Model, chat_instance: str
) -> None:
    lines = "\n\n".join(f"Line {number}." for number in range(60))
    page.goto(f"/chat?instance={chat_instance}")
    model.answer_chats_with(lines)
    send(page, "Write a lot.")
    expect(reply(page)).to_contain_text("Line 59.")
    reply_is_complete(page)
    assert from_the_end(page) < 3

    go_on = model.answer_chats_with(lines.replace("Line", "Row"), hold_after=60)
    send(page, "And again.")
    expect(reply(page)).to_contain_text("Row 20.")
    assert from_the_end(page) < 3
    page.evaluate("scrollBy(0, -500)")
    before = page.evaluate("scrollY")
    go_on.set()
    expect(reply(page)).to_contain_text("Row 59.")
    reply_is_complete(page)
    assert page.evaluate("scrollY") == before


def from_the_end(page: Page) -> float:
    """Return the pixels below the visible area."""
    return float(
        page.evaluate("document.documentElement.scrollHeight - Math.ceil(scrollY + innerHeight)")
    )


def test_notes_of_an_earlier_message_open_with_one_click(
    page: Page, admin: Person, model: Model, chat_instance: str
) -> None:
    model.answer_chats_with("I see.")
    page.goto(f"/chat?instance={chat_instance}")
    send(page, "Good morning")
    reply_is_complete(page)
    admin.remember(chat_instance, "The user is allergic to peanuts.")
    send(page, "Are peanuts fine?")
    reply_is_complete(page)
    expect(notes(page)).to_contain_text("allergic to peanuts")
    expect(page.get_by_role("button", name="Try again")).to_have_count(1)
    mark_page(page)

    page.get_by_role("link", name="What memory did").first.click()
    expect(notes(page)).to_contain_text("No memory is about this message.")
    expect(page).to_have_url(re.compile(r"\?turn=1$"))
    page.go_back()
    expect(notes(page)).to_contain_text("allergic to peanuts")


def test_notes_fold_under_the_message_on_a_phone(
    new_context: Callable[..., BrowserContext],
    app: Keepsake,
    signed_in: object,
    admin: Person,
    model: Model,
    chat_instance: str,
) -> None:
    admin.remember(chat_instance, "The user is allergic to peanuts.")
    model.answer_chats_with("I see.")
    phone = new_context(
        base_url=app.address, storage_state=signed_in, viewport={"width": 390, "height": 844}
    ).new_page()
    phone.goto(f"/chat?instance={chat_instance}")
    phone.get_by_role("textbox", name="Message").fill("Are peanuts fine?")
    phone.get_by_role("button", name="Send").click()
    reply_is_complete(phone)
    memory = phone.get_by_role("link", name="The user is allergic to peanuts.")
    expect(memory).to_be_hidden()
    phone.locator("summary", has_text="1 recalled").click()
    expect(memory).to_be_visible()
