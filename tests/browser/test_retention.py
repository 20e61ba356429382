"""A retention rule in the browser: its effect is shown, then it is set."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_client import Person
from tests.browser.watch import Watch

pytestmark = pytest.mark.browser


def test_rule_is_set_once_its_effect_was_seen(page: Page, admin: Person, watch: Watch) -> None:
    instance = admin.new_instance("office-with-rules")
    admin.remember(instance, "The contract is in the safe.")
    page.goto(f"/instances/{instance}/settings/retention")
    expect(page.get_by_role("button", name="Set rule")).to_be_hidden()

    # Only memories have a class.
    page.get_by_label("What").select_option("usage")
    expect(page.get_by_label("Category")).to_be_hidden()
    page.get_by_label("What").select_option("memories")
    page.get_by_label("Category").select_option("event")
    page.get_by_label("Days").fill("30")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Would delete nothing tonight.")).to_be_visible()

    page.get_by_role("button", name="Set rule").click()
    expect(page.locator("#messages")).to_contain_text("The rule is set.")
    page.get_by_role("button", name="Remove Memories: event").click()
    expect(page.locator("#messages")).to_contain_text("The rule is removed.")
    expect(page.get_by_role("button", name="Remove Memories: event")).to_have_count(0)
