"""A legal hold in the browser: what cannot be deleted says so, and stays."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_client import Person
from tests.browser.pages import rows
from tests.browser.watch import Watch

pytestmark = pytest.mark.browser


@pytest.fixture
def office(admin: Person) -> str:
    """An instance with one memory."""
    instance = admin.new_instance("office-on-hold")
    admin.remember(instance, "The contract is in the safe.")
    return instance


def test_memory_on_hold_stays_until_the_hold_is_lifted(
    page: Page, office: str, watch: Watch
) -> None:
    watch.forgive("409")
    page.goto(f"/instances/{office}/settings/holds")
    page.get_by_label("Name", exact=True).fill("Case 17")
    page.get_by_label("Applies to").select_option("instance")
    expect(page.get_by_label("Person")).to_be_hidden()
    page.get_by_role("button", name="Set hold").click()
    expect(page.get_by_role("row", name="Case 17 the whole instance")).to_be_visible()

    page.goto(f"/memory?instance={office}")
    rows(page).first.get_by_role("checkbox").check()
    page.get_by_role("button", name="Delete 1 memory").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete 1 memory").click()
    expect(page.locator("#messages")).to_contain_text("“Case 17” is a legal hold on this")
    # It covers the refusal no longer.
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.reload()
    expect(rows(page)).to_have_count(1)

    page.goto(f"/instances/{office}/settings/holds")
    page.get_by_role("button", name="Lift Case 17").click()
    expect(page.locator("#messages")).to_contain_text("“Case 17” is lifted.")
