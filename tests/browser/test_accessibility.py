"""Axe finds nothing on any screen, in any of its states, light or dark."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe, AxeResults
from playwright.sync_api import BrowserContext

from tests.browser.conftest import Look, Watch
from tests.browser.keepsake import Keepsake, Person
from tests.browser.screens import SCREENS, House

pytestmark = pytest.mark.browser

COLOURS = 'axe.run({ runOnly: ["color-contrast"], resultTypes: ["violations"] })'


@pytest.mark.parametrize("name", SCREENS)
def test_axe_finds_no_violation(
    new_context: Callable[..., BrowserContext],
    app: Keepsake,
    admin: Person,
    house: House,
    watch: Watch,
    look: Look,
    name: str,
) -> None:
    screen = SCREENS[name]
    if screen.forgive:
        watch.forgive(screen.forgive)
    signed_in = {"storage_state": admin.request.storage_state()} if screen.signed_in else {}
    context = new_context(base_url=app.address, reduced_motion="reduce", **signed_in)
    page = context.new_page()
    screen.reach(page, house)

    look(page, name)
    everything = Axe().run(page)
    assert everything.violations_count == 0, everything.generate_report()
    page.emulate_media(color_scheme="dark")
    # Nothing but colours differs in the dark; and axe is there already.
    colours = AxeResults(page.evaluate(COLOURS))
    assert colours.violations_count == 0, colours.generate_report()
