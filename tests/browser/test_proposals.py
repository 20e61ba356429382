"""What a model wants to forget is decided in the chat, without leaving it."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_client import Person
from tests.browser.chatting import Model, chat_instance, is_extraction, model, notes, send
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
