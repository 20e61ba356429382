"""Each screen in each state fits a phone, a small window and a zoomed one, with all controls
reachable and large enough, and no axe violations, light or dark.
"""

import pytest
from axe_playwright_python.sync_playwright import Axe, AxeResults
from playwright.sync_api import Locator, Page, expect

from tests.browser.screens import SCREENS
from tests.browser.seed_data import SeedData
from tests.browser.viewports import DESK, PHONE, SMALL_WINDOW, ZOOMED
from tests.browser.watch import Look, Watch

pytestmark = pytest.mark.browser

EVERYTHING = 'axe.run({ resultTypes: ["violations"] })'
COLOURS = 'axe.run({ runOnly: ["color-contrast"], resultTypes: ["violations"] })'

# Elements with text or controls that are cut off or outside the window, except in horizontally
# scrollable containers and in elements with an intended ellipsis.
STICKING_OUT = """() => {
  const found = [];
  const width = document.documentElement.clientWidth;
  const scrolls = (style) => ["auto", "scroll"].includes(style.overflowX);
  for (const element of document.querySelectorAll("body *")) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest("svg, .visually-hidden, .skip, .loading")) continue;
    if (getComputedStyle(element).clipPath === "inset(50%)") continue; // only for screen readers
    const owns = element.matches("a, button, input, select, textarea, img, progress") ||
      [...element.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
    const box = element.getBoundingClientRect();
    if (!owns || !box.width || !box.height) continue;
    let left = 0, right = width, free = false;
    for (let up = element.parentElement; up; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (scrolls(style)) { free = true; break; }
      if (style.overflowX === "visible" || style.textOverflow === "ellipsis") continue;
      const clip = up.getBoundingClientRect();
      left = Math.max(left, clip.left);
      right = Math.min(right, clip.right);
    }
    if (!free && (box.left < left - 1 || box.right > right + 1)) {
      found.push(`${element.outerHTML.slice(0, 120)} ${box.left}–${box.right} of ${left}–${right}`);
    }
    const style = getComputedStyle(element);
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth
        && style.overflowX === "hidden" && style.textOverflow !== "ellipsis") {
      found.push(`${element.outerHTML.slice(0, 120)} is cut off`);
    }
  }
  return found;
}"""

# Buttons, fields and the like that react to clicks on fewer than *least* pixels in height or width
# around their centre. Links are as high as the lines that they stand in.
SMALL_TARGETS = """(least) => {
  const found = [];
  const controls = ".btn, .chip, button, input:not([type=hidden]), select, textarea, summary, " +
    "[role=button], [role=tab], [role=menuitem], [role=option], .rail a";
  const dialog = document.querySelector("dialog[open]") ?? document;
  const menus = [...dialog.querySelectorAll("details[open] > :not(summary)")]
    .filter((element) => getComputedStyle(element).position === "absolute");
  for (const control of dialog.querySelectorAll(controls)) {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (control.disabled || control.closest(".visually-hidden, .skip, [inert]")) continue;
    if (getComputedStyle(control).clipPath === "inset(50%)") continue; // only for screen readers
    control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = control.getBoundingClientRect();
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    if (!box.width || !box.height) continue;
    const covered = menus.some((menu) => {
      const over = menu.getBoundingClientRect();
      return !menu.contains(control) && over.left < box.right && box.left < over.right
        && over.top < box.bottom && box.top < over.bottom;
    });
    if (covered) continue; // in part, by a menu
    const labels = [...(control.labels ?? [])];
    const hit = (dx, dy) => {
      const top = document.elementFromPoint(x + dx, y + dy);
      return top && (control.contains(top) || labels.some((label) => label.contains(top)));
    };
    if (!hit(0, 0)) continue; // beneath something else, as behind a sheet
    const reach = (dx, dy) => {
      let steps = 0;
      while (steps < least && hit(dx * (steps + 1), dy * (steps + 1))) steps += 1;
      return steps;
    };
    const width = reach(-1, 0) + 1 + reach(1, 0), height = reach(0, -1) + 1 + reach(0, 1);
    // A fraction of a pixel is lost at each edge.
    if (width < least - 1 || height < least - 1) {
      found.push(`${width} × ${height}: ${control.outerHTML.slice(0, 160)}`);
    }
  }
  return found;
}"""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.soak if screen.is_state else ())
        for name, screen in SCREENS.items()
    ],
)
def test_screen_fits_and_is_accessible(
    request: pytest.FixtureRequest, seed: SeedData, watch: Watch, look: Look, name: str
) -> None:
    """Both in one test, because opening a screen takes longer than checking it."""
    screen = SCREENS[name]
    if screen.forgive:
        watch.forgive(screen.forgive)
    page: Page = request.getfixturevalue("page" if screen.signed_in else "stranger")
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size(PHONE)
    screen.reach(page, seed)
    if screen.primary:
        # The last step may be a click, whose page is still to come.
        control(page, screen.primary).wait_for(state="attached")

    for size in (PHONE, SMALL_WINDOW, ZOOMED):
        page.set_viewport_size(size)
        look(page, name)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert page.evaluate(STICKING_OUT) == [], size
        if screen.primary:
            is_in_reach(page, screen.primary)

    page.evaluate(Axe().axe_script)  # Once: it takes as long to load as to run.
    for size, least in ((PHONE, 44), (SMALL_WINDOW, 24), (DESK, 24)):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme="light")
        look(page, name)
        assert page.evaluate(SMALL_TARGETS, least) == [], size
        everything = AxeResults(page.evaluate(EVERYTHING))
        assert everything.violations_count == 0, everything.generate_report()
        page.emulate_media(color_scheme="dark")
        # The dark theme changes only colours.
        colours = AxeResults(page.evaluate(COLOURS))
        assert colours.violations_count == 0, colours.generate_report()


def control(page: Page, name: str) -> Locator:
    """The button or link with this name, of the dialog if one is open."""
    scope = page.get_by_role("dialog") if page.locator("dialog[open]").count() else page
    button = scope.get_by_role("button", name=name, exact=True)
    return button.or_(scope.get_by_role("link", name=name, exact=True)).first


def is_in_reach(page: Page, name: str) -> None:
    """Check that a click on the button or link would hit it after scrolling."""
    action = control(page, name)
    action.click(trial=True)
    expect(action).to_be_in_viewport(ratio=0.95)
