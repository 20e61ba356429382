"""Finding a memory: search as one types, filters with their values, saved filters, pages."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.app_client import THINGS, Person
from tests.browser.pages import is_marked, listed_texts, mark_page, panel, rows
from tests.browser.viewports import PHONE
from tests.browser.watch import Watch

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def tagged(admin: Person) -> str:
    """26 memories: each thing has a tag, and one is about Ana."""
    instance = admin.new_instance("shed")
    for thing in THINGS:
        admin.remember(instance, f"The user repaired a {thing}.", tags="repair")
    admin.remember(instance, "The user baked bread.", tags="kitchen, weekly", category="event")
    admin.remember(
        instance, "Ana grows beans.", tags="garden", category="preference", end_user="ana"
    )
    return instance


def test_results_follow_while_one_types(page: Page, tagged: str, watch: Watch) -> None:
    page.goto(f"/memory?instance={tagged}")
    mark_page(page)
    field = page.get_by_role("searchbox")
    history = page.evaluate("history.length")

    field.press_sequentially("teapot repaired", delay=20)
    expect(rows(page).first.locator("mark").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"q=teapot\+repaired$"))
    field.press("Home")
    for _ in range(7):
        field.press("Delete")
    field.press_sequentially("anvil ", delay=20)
    expect(page).to_have_url(re.compile(r"q=anvil"))
    expect(rows(page).first).to_contain_text("anvil")

    assert is_marked(page)
    # The caret stays where it was, and all that was typed is one step back.
    expect(field).to_be_focused()
    assert field.evaluate("field => field.selectionStart") == len("anvil ")
    assert page.evaluate("history.length") == history + 1
    expect(page.locator("#announcer")).to_have_text(re.compile(r"memor(y|ies) found"))


def test_late_answers_are_dropped(page: Page, tagged: str, watch: Watch) -> None:

    def late(route: Route) -> None:
        held.append(route)

    held: list[Route] = []
    page.goto(f"/memory?instance={tagged}")
    page.route(re.compile(r"[?&]q=bread\b"), late)
    field = page.get_by_role("searchbox")

    with page.expect_request(re.compile(r"[?&]q=bread\b")):
        field.fill("bread")
    field.fill("beans")
    expect(rows(page).first).to_contain_text("Ana grows beans.")
    for route in held:
        route.continue_()
    page.wait_for_timeout(300)

    expect(page).to_have_url(re.compile("q=beans$"))
    expect(rows(page).first).to_contain_text("Ana grows beans.")
    expect(field).to_have_value("beans")


def test_typing_keeps_the_filters_and_enter_works(page: Page, tagged: str, watch: Watch) -> None:
    page.goto(f"/memory?instance={tagged}&category=fact&per_page=50")

    page.get_by_role("searchbox").fill("anvil")
    expect(page).to_have_url(re.compile(r"q=anvil&category=fact&per_page=50$"))
    page.get_by_role("searchbox").fill("teapot")
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile(r"(?=.*q=teapot)(?=.*category=fact).*per_page=50"))
    expect(rows(page).first).to_contain_text("teapot")


def test_no_match_is_said_and_weaker_ones_are_folded(page: Page, tagged: str) -> None:
    page.goto(f"/memory?instance={tagged}")

    page.get_by_role("searchbox").fill("asdfqwer")

    expect(page.get_by_role("heading", name="No memory matches “asdfqwer”")).to_be_visible()
    expect(rows(page).locator("visible=true")).to_have_count(0)


def test_filters_offer_their_values_with_counts(page: Page, tagged: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"/memory?instance={tagged}")
    assert not any("/memory/choices" in url for url in asked)

    page.locator("summary", has_text="Filters").click()
    tag = page.get_by_label("Tag")
    expect(tag.locator("option")).to_have_text(
        ["Any", "repair (22)", "garden (1)", "kitchen (1)", "weekly (1)"]
    )
    page.get_by_label("Person").select_option("ana")
    page.get_by_role("button", name="Apply").click()

    expect(rows(page)).to_have_count(1)
    expect(page).to_have_url(re.compile("user=ana"))
    page.get_by_role("link", name="person: ana").click()
    expect(rows(page)).to_have_count(20)


def test_links_in_a_row_filter_the_list(page: Page, tagged: str) -> None:
    page.goto(f"/memory?instance={tagged}&category=event")
    mark_page(page)
    link = rows(page).first.get_by_role("link", name="kitchen")
    box = link.bounding_box()
    assert box and min(box["width"], box["height"]) >= 24

    link.focus()
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile("category=event&tag=kitchen"))
    assert is_marked(page)
    expect(panel(page)).to_be_hidden()
    page.goto(f"/memory?instance={tagged}")
    rows(page).first.get_by_role("link", name="about ana").click()
    expect(page).to_have_url(re.compile("user=ana"))
    assert listed_texts(page) == ["Ana grows beans."]


def test_filter_is_saved_renamed_and_deleted_in_place(page: Page, tagged: str) -> None:
    page.goto(f"/memory?instance={tagged}&tag=kitchen")
    mark_page(page)
    page.locator("summary", has_text="Filters").click()

    page.get_by_label("Save the current filter as").fill("Cooking")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("link", name="Cooking")).to_be_visible()
    expect(page.locator("#announcer")).to_have_text("Saved as “Cooking”.")
    page.get_by_label("Rename the filter Cooking").click()
    page.get_by_label("Name", exact=True).fill("Baking")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Baking")).to_be_visible()
    page.get_by_role("button", name="Delete the filter Baking").click()
    expect(page.get_by_role("link", name="Baking")).to_have_count(0)

    assert is_marked(page)
    expect(rows(page)).to_have_count(1)


def test_number_of_rows_is_chosen_and_kept(page: Page, tagged: str) -> None:
    page.goto(f"/memory?instance={tagged}")

    page.get_by_role("group", name="Rows per page").get_by_role("link", name="50").click()

    expect(rows(page)).to_have_count(24)
    expect(page).to_have_url(re.compile("per_page=50"))
    page.get_by_label("Sort").select_option("oldest")
    expect(page).to_have_url(re.compile("per_page=50.*sort=oldest|sort=oldest.*per_page=50"))
    expect(rows(page)).to_have_count(24)


def test_first_memory_is_near_the_top_on_a_phone(page: Page, tagged: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/memory?instance={tagged}")

    box = rows(page).first.bounding_box()

    assert box
    assert box["y"] <= 240
    for control in page.locator(".finder button, .filters summary, #new-memory").all():
        size = control.bounding_box()
        assert size and min(size["width"], size["height"]) >= 44
