"""Sharing of a conversation from its menu, and its undo."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_client import Person

pytestmark = pytest.mark.browser


def test_conversation_is_shared_from_its_menu_and_taken_back(page: Page, admin: Person) -> None:
    place = admin.new_instance("sharing")
    admin.api("groups", {"instance_id": place, "name": "Family", "people": ["mara"]})
    talk = admin.converse(place, "The boat", [{"role": "user", "content": "It is red."}])
    page.goto(f"/conversations/{talk}?instance={place}")
    page.get_by_label("Actions for this conversation").click()
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".head")).to_contain_text("shared with Family")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".toast")).to_contain_text("No longer shared.")
    expect(page.locator(".head")).not_to_contain_text("shared with Family")
