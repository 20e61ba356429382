"""The browser's back and forward buttons restore lists and scroll positions."""

import re

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.browser.pages import link, listed_texts, panel, rows, tick

pytestmark = pytest.mark.browser

LOW: ViewportSize = {"width": 1280, "height": 500}
PHONE: ViewportSize = {"width": 390, "height": 844}


def texts(page: Page) -> Locator:
    return page.locator("article.row a.content")


def scrolled(page: Page) -> int:
    return int(page.evaluate("scrollY"))


def scroll_to(page: Page, down: int) -> None:
    page.evaluate("down => scrollTo(0, down)", down)
    expect_scrolled(page, down)


def expect_scrolled(page: Page, down: int) -> None:
    page.wait_for_function("down => Math.abs(scrollY - down) <= 1", arg=down)


def test_back_closes_the_panel_and_removes_the_filter(page: Page, shared_instance: str) -> None:
    page.set_viewport_size(LOW)
    page.goto(f"/memory?instance={shared_instance}&sort=oldest")
    everything = listed_texts(page)
    tick(page, 2)
    scroll_to(page, 90)

    page.get_by_role("link", name="fact 22").click()
    expect(page).to_have_url(re.compile("category=fact"))
    expect(page.get_by_text("1 selected")).to_be_hidden()
    expect_scrolled(page, 0)
    facts = listed_texts(page)
    tick(page, 5)
    scroll_to(page, 300)
    link(page, "jug").click()
    expect(panel(page).locator(".full")).to_have_text("The user owns a jug.")
    # The click has scrolled it into view.
    down = scrolled(page)
    assert down > 100

    page.go_back()
    expect(panel(page)).to_be_hidden()
    expect(page).to_have_url(re.compile(r"/memory\?.*category=fact"))
    expect(texts(page)).to_have_text(facts)
    expect_scrolled(page, down)
    expect(rows(page).nth(5).get_by_role("checkbox")).to_be_checked()
    expect(page.get_by_text("1 selected")).to_be_visible()
    expect(link(page, "jug")).to_be_focused()

    page.go_back()
    expect(page).not_to_have_url(re.compile("category=fact"))
    expect(texts(page)).to_have_text(everything)
    expect_scrolled(page, 90)
    expect(rows(page).nth(2).get_by_role("checkbox")).to_be_checked()

    page.go_forward()
    expect(page).to_have_url(re.compile(r"/memory\?.*category=fact"))
    expect(texts(page)).to_have_text(facts)
    expect_scrolled(page, down)


def test_back_and_forward_restore_the_list_and_the_search_results(
    page: Page, shared_instance: str
) -> None:
    page.goto(f"/memory?instance={shared_instance}")
    before = listed_texts(page)
    box = page.get_by_role("searchbox")

    box.fill("green paint")
    page.keyboard.press("Enter")
    expect(rows(page).first).to_contain_text("green paint")
    results = listed_texts(page)
    box.fill("a violin")
    page.keyboard.press("Enter")
    expect(rows(page).first).to_contain_text("violin")

    page.go_back()
    expect(box).to_have_value("green paint")
    expect(texts(page)).to_have_text(results)
    page.go_back()
    expect(box).to_have_value("")
    expect(texts(page)).to_have_text(before)
    page.go_forward()
    expect(box).to_have_value("green paint")
    expect(texts(page)).to_have_text(results)


def test_back_while_the_page_of_before_still_loads_is_followed(
    page: Page, shared_instance: str
) -> None:
    page.goto(f"/memory?instance={shared_instance}")
    before = listed_texts(page)
    box = page.get_by_role("searchbox")
    box.fill("green paint")
    expect(rows(page).first).to_contain_text("green paint")
    page.keyboard.press("Enter")
    # Typed before the answer comes.
    box.fill("a violin")
    expect(rows(page).first).to_contain_text("violin")
    expect(box).to_have_value("a violin")

    scripts = re.compile("htmx.*[.]js")
    page.route(scripts, lambda route: None)
    page.evaluate("history.back()")
    expect(box).to_have_value("green paint")
    page.evaluate("history.back()")
    expect(page).not_to_have_url(re.compile("q="))
    # Lets those go that were held.
    page.unroute(scripts)

    expect(box).to_have_value("")
    expect(texts(page)).to_have_text(before)


def test_what_is_typed_is_one_step_back(page: Page, shared_instance: str) -> None:
    page.goto(f"/memory?instance={shared_instance}")
    before = listed_texts(page)
    box = page.get_by_role("searchbox")

    # Each is searched before one types on.
    for typed, found in (("red", "red paint"), ("a violin", "violin"), ("blue", "blue paint")):
        box.fill(typed)
        expect(rows(page).first).to_contain_text(found)
        expect(page).to_have_url(re.compile("q=" + typed.replace(" ", "([+]|%20)")))
    # Entering what is found already is no further step.
    with page.expect_response(re.compile("/memory[?].*q=blue")):
        page.keyboard.press("Enter")
    page.go_back()
    expect(box).to_have_value("")
    expect(texts(page)).to_have_text(before)


def test_back_from_a_conversation_restores_the_scroll_position(
    page: Page, shared_instance: str
) -> None:
    page.set_viewport_size(LOW)
    page.goto(f"/memory?instance={shared_instance}&page=1")
    tick(page, 7)
    scroll_to(page, 250)

    page.get_by_role("link", name="Conversations").click()
    expect(page.get_by_role("heading", name="Conversations", exact=True)).to_be_visible()
    page.go_back()

    expect(page.get_by_text("1 selected")).to_be_visible()
    expect_scrolled(page, 250)
    # A new visit starts at the top, with nothing checked.
    page.goto(f"/memory?instance={shared_instance}&page=1")
    expect(page.get_by_text("1 selected")).to_be_hidden()
    expect_scrolled(page, 0)


def test_next_page_starts_at_the_top_and_back_restores_the_position(
    page: Page, shared_instance: str
) -> None:
    page.set_viewport_size(LOW)
    page.goto(f"/memory?instance={shared_instance}")
    page.get_by_role("link", name="Next").scroll_into_view_if_needed()
    down = scrolled(page)
    assert down > 300

    page.get_by_role("link", name="Next").click()
    expect(rows(page)).to_have_count(5)
    expect_scrolled(page, 0)
    page.go_back()

    expect(rows(page)).to_have_count(20)
    expect_scrolled(page, down)


def test_closing_a_memory_on_a_phone_restores_the_list_position(
    page: Page, shared_instance: str
) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/memory?instance={shared_instance}")
    scroll_to(page, 600)

    for closes in ("the button", "back"):
        link(page, "oar").click()
        expect(panel(page).locator(".full")).to_have_text("The user owns a oar.")
        expect_scrolled(page, 0)
        if closes == "back":
            page.go_back()
        else:
            panel(page).get_by_role("link", name="Close").click()
        expect(panel(page)).to_be_hidden()
        expect_scrolled(page, 600)
