"""Axe finds nothing on any screen, in any of its states, light or dark."""

import pytest
from axe_playwright_python.sync_playwright import Axe, AxeResults
from playwright.sync_api import Page

from tests.browser.screens import SCREENS
from tests.browser.seed_data import House
from tests.browser.watch import Look, Watch

pytestmark = pytest.mark.browser

COLOURS = 'axe.run({ runOnly: ["color-contrast"], resultTypes: ["violations"] })'


@pytest.mark.parametrize("name", SCREENS)
def test_axe_finds_no_violation(
    request: pytest.FixtureRequest, house: House, watch: Watch, look: Look, name: str
) -> None:
    screen = SCREENS[name]
    if screen.forgive:
        watch.forgive(screen.forgive)
    page: Page = request.getfixturevalue("page" if screen.signed_in else "stranger")
    page.emulate_media(reduced_motion="reduce")
    screen.reach(page, house)

    look(page, name)
    everything = Axe().run(page)
    assert everything.violations_count == 0, everything.generate_report()
    page.emulate_media(color_scheme="dark")
    # Nothing but colours differs in the dark; and axe is there already.
    colours = AxeResults(page.evaluate(COLOURS))
    assert colours.violations_count == 0, colours.generate_report()
