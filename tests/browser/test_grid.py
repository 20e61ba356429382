"""One grid: what stands on each page stands where it does on the others."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.pages import link, panel, rows
from tests.browser.seed_data import SeedData
from tests.browser.viewports import DESK, PHONE, SMALL_WINDOW

pytestmark = pytest.mark.browser

#: Screens with tabs, with views, and with both.
WITH_TABS = [
    "/memory",
    "/memory?list=ask",
    "/memory/review",
    "/memory/removed/bin",
    "/activity",
    "/conversations",
    "/conversations/palace",
]


def test_tabs_and_the_left_edge_do_not_move(page: Page, seed: SeedData) -> None:
    page.set_viewport_size(DESK)
    edges, widths, tops = set(), set(), set()
    for path in WITH_TABS:
        page.goto(f"{path}{'&' if '?' in path else '?'}instance={seed.full}")
        box = page.locator("main .head").first.bounding_box()
        assert box
        edges.add(box["x"])
        tabs = page.locator(".tabs").bounding_box()
        assert tabs
        edges.add(tabs["x"])
        widths.add(tabs["width"])
        tops.add(tabs["y"])
    assert (len(edges), len(widths), len(tops)) == (1, 1, 1), (edges, widths, tops)


def test_controls_beside_one_another_are_as_high(page: Page, seed: SeedData) -> None:
    page.set_viewport_size(DESK)
    for path in ("/memory", "/memory?list=ask", "/conversations", "/conversations/palace"):
        page.goto(f"{path}{'&' if '?' in path else '?'}instance={seed.full}")
        controls = page.locator("main :is(.btn, label.search):visible").all()
        heights = {round(box["height"]) for each in controls if (box := each.bounding_box())}
        assert heights == {32}, path
    page.goto(f"/memory?instance={seed.full}")
    for each in page.locator(".list-tools :is(.chip, select, .btn):visible").all():
        box = each.bounding_box()
        assert box and round(box["height"]) == 32


def test_switching_the_list_moves_no_control(page: Page, seed: SeedData) -> None:
    page.set_viewport_size(DESK)
    page.goto(f"/memory?instance={seed.full}&q=tea")
    controls = [
        page.locator("#filters label.search"),
        page.get_by_role("link", name="All memories"),
        page.get_by_role("link", name="What the assistant sees"),
        page.locator("summary.short"),
        page.locator("summary.icon"),
        page.locator(".density .btn").first,
    ]
    before = [each.bounding_box() for each in controls]
    controls[2].click()
    expect(page.locator("summary.short")).to_contain_text("Options")

    assert all(before)
    assert [each.bounding_box() for each in controls] == before


@pytest.mark.parametrize(
    "paths",
    [
        ["/memory", "/memory/graph", "/memory/review"],
        ["/status/health", "/status/usage", "/status/jobs"],
        ["/memory/removed/bin", "/memory/removed/refused", "/memory/removed/rollback"],
    ],
)
def test_the_content_of_each_tab_begins_at_one_height(
    page: Page, seed: SeedData, paths: list[str]
) -> None:
    page.set_viewport_size(DESK)
    ends = {}
    for path in paths:
        page.goto(f"{path}?instance={seed.full}")
        box = page.locator("main .head").first.bounding_box()
        assert box
        ends[path] = box["y"] + box["height"]
    assert len(set(ends.values())) == 1, ends


def test_twenty_rows_of_one_line_fit_on_a_laptop(page: Page, shared_instance: str) -> None:
    page.set_viewport_size(DESK)
    page.goto(f"/memory?instance={shared_instance}")
    page.get_by_role("button", name="Rows of one line").click()

    expect(page.get_by_role("button", name="Rows of two lines")).to_be_visible()
    expect(rows(page)).to_have_count(20)
    expect(rows(page).last).to_be_in_viewport(ratio=0.9)
    page.reload()
    expect(rows(page).last).to_be_in_viewport(ratio=0.9)
    page.get_by_role("button", name="Rows of two lines").click()
    expect(rows(page).last).not_to_be_in_viewport()


def test_the_panel_lies_over_the_list_in_a_small_window(page: Page, shared_instance: str) -> None:
    page.set_viewport_size(SMALL_WINDOW)
    page.goto(f"/memory?instance={shared_instance}&sort=oldest")
    before = page.locator(".list").bounding_box()
    link(page, "candle").click()

    expect(panel(page).locator(".full")).to_be_visible()
    assert page.locator(".list").bounding_box() == before


@pytest.mark.parametrize("size", [DESK, SMALL_WINDOW, PHONE])
@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_panel_is_as_wide_as_what_is_in_it(
    size: ViewportSize, language: str, page: Page, seed: SeedData
) -> None:
    page.set_viewport_size(size)
    page.set_extra_http_headers({"Accept-Language": language})
    page.goto(f"/memory?instance={seed.full}")
    rows(page).first.locator("a.content").click()
    opened = page.locator("#panel")
    expect(opened.locator("[data-close]")).to_be_visible()
    # The name of a category may be as long as a language likes.
    opened.locator(".chip").first.evaluate("chip => chip.append('wirtschaftsnachrichten')")
    # A fraction of a pixel is rounded up.
    assert opened.evaluate("each => each.scrollWidth - each.clientWidth") <= 1
    close, edges = opened.locator("[data-close]").bounding_box(), opened.bounding_box()
    assert close and edges and close["x"] + close["width"] <= edges["x"] + edges["width"]


@pytest.mark.parametrize("size", [DESK, SMALL_WINDOW])
def test_text_has_most_of_a_row_of_one_line(size: ViewportSize, page: Page, seed: SeedData) -> None:
    page.set_viewport_size(size)
    page.goto(f"/memory?instance={seed.full}&list=ask&q=tea")
    page.get_by_role("button", name="Rows of one line").click()
    for is_open in (False, True):
        if is_open:
            rows(page).first.locator("a.content").click()
            expect(panel(page).locator(".full")).to_be_visible()
        for row in rows(page).all():
            text, whole = row.locator("a.content").bounding_box(), row.bounding_box()
            assert text and whole and text["width"] > whole["width"] / 3
    # The choice is the account's.
    page.goto(f"/memory?instance={seed.full}")
    page.get_by_role("button", name="Rows of two lines").click()
    expect(page.get_by_role("button", name="Rows of one line")).to_be_visible()


def test_chosen_tab_moves_none_of_its_neighbours(page: Page, seed: SeedData) -> None:
    page.set_viewport_size(DESK)
    places = set()
    for path in ("/memory", "/memory/review", "/memory/removed/bin"):
        page.goto(f"{path}?instance={seed.full}")
        tabs = [tab.bounding_box() for tab in page.locator(".tabs a").all()]
        places.add(tuple(box["x"] for box in tabs if box))
    assert len(places) == 1
