"""Every screen fits a phone and a small window: nothing sticks out, and everything is in reach."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.screens import SCREENS
from tests.browser.seed_data import House
from tests.browser.watch import Look, Watch

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL_WINDOW: ViewportSize = {"width": 1024, "height": 768}
DESK: ViewportSize = {"width": 1440, "height": 900}

# Elements with words or controls that are cut off or lie beside the window, except in what may be
# scrolled sideways and in what is meant to be cut with an ellipsis.
STICKING_OUT = """() => {
  const found = [];
  const width = document.documentElement.clientWidth;
  const scrolls = (style) => ["auto", "scroll"].includes(style.overflowX);
  for (const element of document.querySelectorAll("body *")) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest("svg, .visually-hidden, .skip, .loading")) continue;
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


@pytest.mark.parametrize("name", SCREENS)
def test_everything_fits_and_is_in_reach(
    request: pytest.FixtureRequest, house: House, watch: Watch, look: Look, name: str
) -> None:
    screen = SCREENS[name]
    if screen.forgive:
        watch.forgive(screen.forgive)
    page: Page = request.getfixturevalue("page" if screen.signed_in else "stranger")
    page.set_viewport_size(PHONE)
    screen.reach(page, house)

    for size in (PHONE, SMALL_WINDOW):
        page.set_viewport_size(size)
        look(page, name)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert page.evaluate(STICKING_OUT) == [], size
        if screen.primary:
            is_in_reach(page, screen.primary)


def is_in_reach(page: Page, name: str) -> None:
    """See that a click on a button or link would meet it and nothing else, after scrolling."""
    scope = page.get_by_role("dialog") if page.locator("dialog[open]").count() else page
    button = scope.get_by_role("button", name=name, exact=True)
    action = button.or_(scope.get_by_role("link", name=name, exact=True)).first
    action.click(trial=True)
    expect(action).to_be_in_viewport(ratio=0.95)


def test_what_stands_last_is_not_under_the_bar_of_a_phone(page: Page, house: House) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/memory?instance={house.full}")
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")

    last = page.get_by_role("link", name="Next").bounding_box()
    bar = page.get_by_role("navigation", name="Main").bounding_box()

    assert last and bar
    assert bar["y"] + bar["height"] == 844
    assert last["y"] + last["height"] <= bar["y"]


def test_the_last_button_of_the_panel_is_not_under_the_bar_of_a_phone(
    page: Page, house: House
) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/memory/{house.long}?instance={house.full}")
    panel = page.get_by_role("complementary", name="Memory")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")

    delete = panel.get_by_role("button", name="Delete").bounding_box()
    bar = page.get_by_role("navigation", name="Main").bounding_box()

    assert delete and bar
    assert delete["y"] + delete["height"] <= bar["y"]


def test_a_phone_reaches_every_section_and_the_picker(page: Page, house: House) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/memory?instance={house.full}")
    rail = page.get_by_role("navigation", name="Main")

    rail.get_by_role("link", name="Conversations").click()
    expect(page.get_by_role("heading", name="Conversations")).to_be_visible()
    rail.get_by_label("More").click()
    rail.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", name="Language model")).to_be_visible()
    rail.locator(".picker summary").click()
    rail.get_by_role("link", name="Demo assistant").click()
    expect(page).to_have_url(f"{page.url.partition('/memory')[0]}/memory?instance=demo")
    rail.get_by_role("link", name="Memory").click()
    rail.get_by_label("More").click()
    rail.get_by_role("button", name="Switch between light and dark").click(trial=True)
    rail.get_by_role("button", name="Sign out").click(trial=True)


def test_the_controls_at_the_foot_of_the_rail_are_easy_to_meet(page: Page, house: House) -> None:
    for size in (SMALL_WINDOW, DESK):
        page.set_viewport_size(size)
        page.goto(f"/memory?instance={house.full}")
        foot = page.get_by_role("navigation", name="Main").locator("footer .row-of")
        for control in foot.locator("a:visible, button:visible").all():
            box = control.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 28


def test_a_phone_names_what_it_offers_a_person(page: Page, house: House) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/memory?instance={house.full}")
    sheet = page.locator(".more-places")
    sheet.get_by_label("More").click()
    for words in ("Your account", "People", "Light or dark", "Sign out"):
        expect(sheet.get_by_text(words, exact=True)).to_be_visible()


def test_the_picker_lies_over_the_list(page: Page, house: House) -> None:
    page.set_viewport_size(SMALL_WINDOW)
    page.goto(f"/memory?instance={house.full}")
    page.locator(".picker summary").click()
    menu = page.locator(".picker .menu")
    menu.get_by_role("link", name="All instances").scroll_into_view_if_needed()

    covered = menu.evaluate(
        """menu => {
          const box = menu.getBoundingClientRect();
          const points = [];
          for (let x = box.left + 4; x < box.right - 4; x += 20) {
            for (let y = box.top + 4; y < box.bottom - 4; y += 10) points.push([x, y]);
          }
          return points.filter(([x, y]) => !menu.contains(document.elementFromPoint(x, y)));
        }"""
    )

    assert covered == []
