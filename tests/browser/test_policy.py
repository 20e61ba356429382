"""Content security policy. ``test_screens`` visits all of Keepsake's pages and fails on blocked
content; these tests cover the policy itself and third-party pages.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.seed_data import SeedData
from tests.browser.watch import Watch

pytestmark = pytest.mark.browser


def test_browser_blocks_inline_scripts(page: Page, seed: SeedData, watch: Watch) -> None:
    """Without this, tests that expect no blocked content would prove nothing."""
    watch.forgive("violates the following Content Security Policy")
    page.goto(f"/memory?instance={seed.full}")
    ran = page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.body.append(script);
            return window.ran === true;
        }"""
    )
    assert not ran


def test_api_documentation_obeys_the_policy(page: Page) -> None:
    page.goto("/api/docs")
    expect(page.get_by_text("/api/v1/memories").first).to_be_visible()
    page.get_by_text("/api/v1/memories").first.click()
    expect(page.get_by_role("button", name="Try it out").first).to_be_visible()
