"""Axe finds nothing on any screen, in any of its states, light or dark."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe, AxeResults
from playwright.sync_api import BrowserContext, StorageState

from tests.browser.house import House
from tests.browser.keepsake import Keepsake
from tests.browser.screens import SCREENS
from tests.browser.watch import Look, Watch

pytestmark = pytest.mark.browser

COLOURS = 'axe.run({ runOnly: ["color-contrast"], resultTypes: ["violations"] })'


@pytest.mark.parametrize("name", SCREENS)
def test_axe_finds_no_violation(
    new_context: Callable[..., BrowserContext],
    app: Keepsake,
    signed_in: StorageState,
    house: House,
    watch: Watch,
    look: Look,
    name: str,
) -> None:
    screen = SCREENS[name]
    if screen.forgive:
        watch.forgive(screen.forgive)
    state = signed_in if screen.signed_in else None
    context = new_context(base_url=app.address, reduced_motion="reduce", storage_state=state)
    page = context.new_page()
    screen.reach(page, house)

    look(page, name)
    everything = Axe().run(page)
    assert everything.violations_count == 0, everything.generate_report()
    page.emulate_media(color_scheme="dark")
    # Nothing but colours differs in the dark; and axe is there already.
    colours = AxeResults(page.evaluate(COLOURS))
    assert colours.violations_count == 0, colours.generate_report()
