"""The picture of the graph: it is zoomed and moved by keys, pointer and wheel."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app_client import Person
from tests.browser.viewports import DESK, PHONE

pytestmark = pytest.mark.browser

NAMES = ["Anna Margarete Hohenzollern", "由紀子の友達", "سلمى بنت أحمد", "WWW Inc.", "Lisbon"]

# Texts that are wider than the rectangle around them.
TOO_WIDE = """() => [...document.querySelectorAll("svg.graph")]
  .filter((svg) => svg.checkVisibility())
  .flatMap((svg) => [...svg.querySelectorAll(".node, .labels g")])
  .filter((each) => {
    const [text, rect] = ["text", "rect"].map((name) => each.querySelector(name).getBBox());
    return text.x < rect.x || text.x + text.width > rect.x + rect.width;
  })
  .map((each) => each.textContent)"""


@pytest.fixture
def related(admin: Person, small_instance: str) -> str:
    """An instance whose graph is a ring."""
    for name, other in zip(NAMES, [*NAMES[1:], NAMES[0]], strict=True):
        admin.post(
            f"/memory/graph/new?instance={small_instance}",
            {
                **{"subject": name, "subject_kind": "person", "predicate": "is a neighbour of"},
                **{"object": other, "object_kind": "person"},
            },
        )
    return small_instance


def seen(canvas: Locator) -> list[float]:
    """What is seen of the picture: x, y, width and height."""
    view = canvas.locator("svg.graph").get_attribute("viewBox") or ""
    return [float(number) for number in view.split()]


def test_the_picture_is_zoomed_and_moved(page: Page, related: str) -> None:
    page.set_viewport_size(DESK)
    page.goto(f"/memory/graph?instance={related}")
    canvas = page.locator("[data-canvas]:visible")
    whole = seen(canvas)

    canvas.focus()
    page.keyboard.press("+")
    zoomed = seen(canvas)
    assert zoomed[2] == pytest.approx(whole[2] / 1.4)
    page.keyboard.press("ArrowRight")
    assert seen(canvas)[0] > zoomed[0]
    page.keyboard.press("0")
    assert seen(canvas) == whole

    canvas.get_by_role("button", name="Zoom in").click()
    zoomed = seen(canvas)
    box = canvas.locator("svg.graph").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 - 60, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()
    assert seen(canvas)[0] > zoomed[0]
    expect(page).to_have_url(f"/memory/graph?instance={related}")

    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    page.wait_for_function(
        "width => document.querySelector('[data-zoomed] svg.graph').viewBox.baseVal.width < width",
        arg=zoomed[2],
    )
    canvas.get_by_role("button", name="Show all").click()
    assert seen(canvas) == whole


def test_names_are_reached_by_keyboard_and_fit(page: Page, related: str) -> None:
    page.goto(f"/memory/graph?instance={related}")
    page.set_viewport_size(DESK)
    assert page.evaluate(TOO_WIDE) == []
    canvas = page.locator("[data-canvas]:visible")
    canvas.get_by_role("link", name="Lisbon, Person").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Lisbon")).to_be_visible()
    expect(page.get_by_role("region", name="Today")).to_contain_text("is a neighbour of")


def test_a_phone_has_the_list_in_place_of_the_picture(page: Page, related: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/memory/graph?instance={related}")
    region = page.get_by_role("region", name="Relations today")
    expect(page.locator("[data-canvas]:visible")).to_have_count(0)
    expect(region.locator("summary")).to_be_hidden()
    region.get_by_role("link", name="Lisbon").first.click()
    expect(page.get_by_role("region", name="Today")).to_contain_text("is a neighbour of")
    expect(page.get_by_role("heading", name="Connections")).to_be_hidden()
