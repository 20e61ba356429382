"""What the rail says is true after each action, without loading the page anew."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_client import Person

pytestmark = pytest.mark.browser


def test_switching_memory_off_shows_in_the_rail(page: Page, admin: Person) -> None:
    instance = admin.new_instance("rail-switch")
    admin.save(instance, "memory", memory_enabled="on", extract_when="after_response")
    page.goto(f"/instances/{instance}/settings/memory")
    picker = page.locator("#picker")
    expect(picker).to_have_attribute("aria-label", "Instance: Rail switch, memory on")
    page.get_by_role("switch", name="Remember").click()
    expect(picker).to_have_attribute("aria-label", "Instance: Rail switch, memory off")


def test_chat_shows_in_the_numbers_of_the_rail(page: Page, admin: Person) -> None:
    instance = admin.new_instance("rail-chat")
    admin.save(
        instance, "memory", memory_enabled="on", builtin_reader="on", extract_when="after_response"
    )
    page.goto(f"/chat?instance={instance}")
    expect(page.locator("#number-conversations")).to_have_text("0")
    page.get_by_role("textbox", name="Message").fill("I am allergic to walnuts.")
    page.keyboard.press("Enter")
    expect(page.locator("#number-conversations")).to_have_text("1")
    expect(page.locator("#number-memory")).to_have_text("1", timeout=30_000)
