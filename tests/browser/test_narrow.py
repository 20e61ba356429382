"""The list, the panel and the navigation on a phone and in a small window."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.seed_data import SeedData
from tests.browser.viewports import DESK, PHONE, SMALL_WINDOW

pytestmark = pytest.mark.browser


def test_last_row_is_not_covered_by_the_bar_on_a_phone(page: Page, seed: SeedData) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/memory?instance={seed.full}")
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")

    last = page.get_by_role("link", name="Next").bounding_box()
    bar = page.locator(".places").bounding_box()

    assert last and bar
    assert bar["y"] + bar["height"] == 844
    assert last["y"] + last["height"] <= bar["y"]


def test_places_of_the_bar_stand_on_one_line_on_a_phone(page: Page, seed: SeedData) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/memory?instance={seed.full}")

    places = page.locator(".places > .nav a:visible, .more-places > summary").all()
    boxes = [place.bounding_box() for place in places]

    assert len(boxes) == 5
    assert len({(box["y"], box["height"]) for box in boxes if box}) == 1


def test_summary_that_is_not_written_comes_after_the_facts_on_a_phone(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/memory/profile?instance=demo&end_user=")

    facts = page.locator(".known").bounding_box()
    summary = page.locator("#summary").bounding_box()

    assert facts and summary
    assert facts["y"] + facts["height"] <= summary["y"]


def test_last_button_of_the_panel_is_not_covered_on_a_phone(page: Page, seed: SeedData) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/memory/{seed.long}?instance={seed.full}")
    panel = page.get_by_role("complementary", name="Memory")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")

    delete = panel.get_by_role("button", name="Delete").bounding_box()
    bar = page.locator(".places").bounding_box()

    assert delete and bar
    assert delete["y"] + delete["height"] <= bar["y"]


def test_every_section_and_the_picker_are_reachable_on_a_phone(page: Page, seed: SeedData) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/memory?instance={seed.full}")
    rail = page.get_by_role("navigation", name="Main")

    rail.get_by_role("link", name="Conversations").click()
    expect(page.get_by_role("heading", name="Conversations")).to_be_visible()
    rail.get_by_text("More", exact=True).click()
    rail.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", name="General", exact=True).first).to_be_visible()
    rail.locator(".picker summary").click()
    rail.get_by_role("link", name="Demo assistant").click()
    expect(page).to_have_url(re.compile("/instances/demo/settings"))
    rail.get_by_role("link", name="Memory").click()
    rail.get_by_text("More", exact=True).click()
    rail.get_by_role("button", name="Switch between light and dark").click(trial=True)
    rail.get_by_role("button", name="Sign out").click(trial=True)


def test_controls_at_the_bottom_of_the_rail_are_large_enough(page: Page, seed: SeedData) -> None:
    for size in (SMALL_WINDOW, DESK):
        page.set_viewport_size(size)
        page.goto(f"/memory?instance={seed.full}")
        foot = page.get_by_role("navigation", name="Main").locator("footer .row-of")
        for control in foot.locator("a:visible, button:visible").all():
            box = control.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 28


def test_more_menu_has_labels_on_a_phone(page: Page, seed: SeedData) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/memory?instance={seed.full}")
    sheet = page.locator(".more-places")
    sheet.get_by_text("More", exact=True).click()
    for words in ("Your account", "People", "Light or dark", "Sign out"):
        expect(sheet.get_by_text(words, exact=True)).to_be_visible()


def test_picker_overlays_the_list(page: Page, seed: SeedData) -> None:
    page.set_viewport_size(SMALL_WINDOW)
    page.goto(f"/memory?instance={seed.full}")
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


def test_panel_stays_at_the_top_with_a_message_on_a_phone(page: Page, seed: SeedData) -> None:
    page.set_viewport_size(PHONE)
    for query in ("", "&q=lake&list=ask"):
        page.goto(f"/memory/{seed.long}?instance={seed.full}{query}")
        panel = page.locator("#panel")
        before = panel.bounding_box()
        panel.get_by_role("link", name="Edit").click()
        steps = panel.get_by_role("radiogroup", name="Importance")
        value = int(steps.get_by_role("radio", checked=True).input_value())
        steps.get_by_role("radio", name=str(value % 10 + 1), exact=True).check()
        panel.get_by_role("button", name="Save").click()
        expect(page.locator("#messages .toast")).to_be_visible()
        after = panel.bounding_box()
        assert before and after and after["y"] == before["y"]
        assert page.evaluate("scrollY") == 0


def test_keys_are_hinted_at_only_where_there_is_a_keyboard(
    browser: Browser, page: Page, seed: SeedData
) -> None:
    address = f"/memory/{seed.long}?instance={seed.full}"
    page.set_viewport_size(DESK)
    page.goto(address)
    expect(page.locator("#panel kbd").first).to_be_visible()
    state, base = page.context.storage_state(), page.url.split("/memory")[0]
    context = browser.new_context(
        viewport=DESK, has_touch=True, is_mobile=True, storage_state=state, base_url=base
    )
    touched = context.new_page()
    touched.goto(address)
    expect(touched.locator("#panel .full")).to_be_visible()
    assert touched.locator("kbd[aria-hidden]").count()
    assert touched.locator("kbd[aria-hidden]:visible").count() == 0
    context.close()
