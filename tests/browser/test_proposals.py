"""What a model wants to forget is decided in the chat, without leaving it."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.app_client import Person
from tests.browser.chatting import (
    Model,
    chat_instance,
    is_extraction,
    model,
    notes,
    reply_is_complete,
    send,
)
from tests.browser.watch import Look
from tests.scripted_provider import Request, Says

__all__ = ["chat_instance", "model"]

pytestmark = pytest.mark.browser

ALLERGY = "The user is allergic to peanuts."


def test_proposal_is_decided_in_the_chat(
    page: Page, admin: Person, model: Model, chat_instance: str, look: Look
) -> None:
    admin.remember(chat_instance, ALLERGY)

    def reply(request: Request) -> object:
        if is_extraction(request):
            return {"memories": []}
        if request["messages"][-1]["role"] == "user":
            return Says(calls=[("forget_memory", {"content": ALLERGY})])
        return "Shall I?"

    model.reply_with(reply)
    page.goto(f"/chat?instance={chat_instance}")
    send(page, "I can eat peanuts again.")
    proposal = page.get_by_role("region", name="Forget this memory?")
    expect(proposal).to_contain_text(ALLERGY)
    draft = page.get_by_role("textbox", name="Message")
    draft.fill("And another thing")

    proposal.get_by_role("button", name="Forget").click()
    decided = page.get_by_role("region", name="The assistant proposed to forget")
    expect(decided).to_contain_text("Forgotten · by admin")
    expect(decided).not_to_contain_text(ALLERGY)
    expect(notes(page)).not_to_contain_text(ALLERGY)
    expect(notes(page)).to_contain_text("Deleted since.")
    expect(draft).to_have_value("And another thing")
    look(page, "chat proposal forgotten")

    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#messages")).to_contain_text("Restored 1 memory.")
    expect(page.locator(".proposal")).to_contain_text("Forgotten, then restored")
    expect(page.locator(".proposal")).to_contain_text(ALLERGY)


def test_answer_to_notes_that_were_replaced_is_dropped(
    page: Page, model: Model, chat_instance: str
) -> None:
    model.reply_with(lambda request: {"memories": []} if is_extraction(request) else "I see.")
    page.goto(f"/chat?instance={chat_instance}")
    send(page, "Good morning.")
    reply_is_complete(page)
    expect(notes(page)).to_contain_text("Nothing to remember.")
    waiting: list[Route] = []
    page.route("**/chat/*?turn=*", lambda route: waiting.append(route), times=1)
    page.evaluate("document.body.dispatchEvent(new Event('forgotten'))")
    page.evaluate(
        "htmx.ajax('GET', document.querySelector('#notes').getAttribute('hx-get'),"
        " {target: '#notes', swap: 'outerHTML'}).then(() => document.title = 'replaced')"
    )
    expect(page).to_have_title("replaced")
    waiting[0].continue_()
    # What is asked afterwards is answered afterwards: until then, the console would have told.
    send(page, "And a good evening.")
    reply_is_complete(page)
