"""Results of a question open next to it, with the mouse, the keys and the back button."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.seed_data import SeedData
from tests.browser.viewports import PHONE

pytestmark = pytest.mark.browser

QUESTION = "the weather at the lake"


def panel(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Memory")


def results(page: Page) -> Locator:
    return page.locator(".list.memories [data-row]")


def ask(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}&list=ask&q={QUESTION.replace(' ', '+')}&limit=4")
    expect(results(page).first).to_be_visible()


def expect_open(page: Page, number: int, text: str) -> None:
    """The question with its results is on screen, and the result *number* is open and marked."""
    expect(page.get_by_role("searchbox", name="Question")).to_have_value(QUESTION)
    expect(results(page).nth(number)).to_have_class(re.compile(r"\bopen\b"))
    expect(page.locator(".list.memories .open")).to_have_count(1)
    expect(panel(page)).to_contain_text(text)
    expect(panel(page).get_by_role("heading", name="Why it was found")).to_be_visible()


def test_result_opens_next_to_the_question(page: Page, seed: SeedData) -> None:
    ask(page, seed)
    asked = page.url
    links = results(page).locator("a.content")
    first, second = (links.nth(number).inner_text()[:40] for number in (0, 1))
    links.nth(0).click()
    expect_open(page, 0, first)
    links.nth(1).click()
    expect_open(page, 1, second)
    opened = page.url

    page.reload()
    expect_open(page, 1, second)
    page.go_back()
    expect_open(page, 0, first)
    page.go_back()
    expect(panel(page)).to_be_hidden()
    expect(page).to_have_url(asked)
    expect(page.get_by_role("searchbox", name="Question")).to_have_value(QUESTION)

    page.goto(opened)
    page.keyboard.press("Escape")
    expect(panel(page)).to_be_hidden()
    expect(page.locator(".list.memories .open")).to_have_count(0)
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    expect_open(page, 0, first)


def test_result_is_one_thing_to_tap_on_a_phone(page: Page, seed: SeedData) -> None:
    page.set_viewport_size(PHONE)
    ask(page, seed)
    why = results(page).locator(".why").first
    box = why.bounding_box()
    assert box
    assert box["height"] < 44  # Two lines of text, without the padding of a button.
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(panel(page).get_by_role("heading", name="Why it was found")).to_be_visible()


def test_result_is_corrected_next_to_the_question(page: Page, seed: SeedData) -> None:
    ask(page, seed)
    page.locator(".list.memories [data-row^=row]").locator("a.content").first.click()
    expect(panel(page).get_by_role("heading", name="Why it was found")).to_be_visible()
    page.keyboard.press("e")
    steps = panel(page).get_by_role("radiogroup", name="Importance")
    steps.get_by_role("radio", checked=True).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#messages")).to_contain_text("Saved.")
    expect(page.get_by_role("searchbox", name="Question")).to_have_value(QUESTION)
    expect(page.locator(".list.memories .open")).to_have_count(1)


def test_result_stands_in_for_the_question_on_a_phone(page: Page, seed: SeedData) -> None:
    page.set_viewport_size(PHONE)
    ask(page, seed)
    link = results(page).locator("a.content").last
    link.click()
    expect(panel(page).get_by_role("heading", name="Why it was found")).to_be_visible()
    expect(link).to_be_hidden()
    assert page.evaluate("scrollY") == 0
    panel(page).get_by_role("link", name="Close").click()
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport()


def test_recall_of_a_memory_is_tested_with_a_question_at_once(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory?instance={seed.full}")
    page.locator("[data-row] a.content").first.click()
    panel(page).get_by_role("link", name="Test recall").click()
    expect(page.get_by_role("searchbox", name="Question")).to_be_focused()
