"""Pages that are not ours obey the content security policy too. Every page of ours is looked at in
``test_screens``, whose watch fails for whatever the browser refuses.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.seed_data import House
from tests.browser.watch import Watch

pytestmark = pytest.mark.browser


def test_the_browser_refuses_what_stands_in_a_page_itself(
    page: Page, house: House, watch: Watch
) -> None:
    """So that the other tests can fail."""
    watch.forgive("violates the following Content Security Policy")
    page.goto(f"/memory?instance={house.full}")
    ran = page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.body.append(script);
            return window.ran === true;
        }"""
    )
    assert not ran


def test_the_description_of_the_api(page: Page) -> None:
    page.goto("/api/docs")
    expect(page.get_by_text("/api/memories").first).to_be_visible()
    page.get_by_text("/api/memories").first.click()
    expect(page.get_by_role("button", name="Try it out").first).to_be_visible()
