"""Light and dark theme."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, StorageState

from tests.browser.app_client import Keepsake

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("system", "other"), [("light", "dark"), ("dark", "light")])
def test_theme_follows_the_system_until_it_is_changed(
    new_context: Callable[..., BrowserContext],
    app: Keepsake,
    signed_in: StorageState,
    system: str,
    other: str,
) -> None:
    context = new_context(
        base_url=app.address,
        color_scheme=system,
        storage_state=signed_in,
    )
    page = context.new_page()
    page.goto("/memory?instance=demo")

    assert brightness(page) == system
    page.get_by_role("button", name="Switch between light and dark").click()
    assert brightness(page) == other
    page.reload()
    assert brightness(page) == other
    page.goto("/conversations?instance=demo")
    assert brightness(page) == other
    page.get_by_role("button", name="Switch between light and dark").click()
    assert brightness(page) == system


def brightness(page: Page) -> str:
    """Return whether the page looks light or dark."""
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    red, green, blue = (int(part) for part in re.findall(r"\d+", colour)[:3])
    return "light" if red + green + blue > 3 * 128 else "dark"
