"""Controls of our own: files, tags, category, importance and the time zone."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, StorageState, expect

from tests.browser.app_client import Keepsake

pytestmark = pytest.mark.browser

#: Drops a file on the element that is given.
_DROP = """
(target) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File(['{"content": "One."}'], "dropped.jsonl"));
  for (const type of ["dragover", "drop"]) {
    const about = {dataTransfer: transfer, bubbles: true, cancelable: true};
    target.dispatchEvent(new DragEvent(type, about));
  }
}
"""


def test_file_dropped_anywhere_on_the_page_is_the_one_to_import(
    page: Page, small_instance: str
) -> None:
    page.goto(f"/conversations/import?instance={small_instance}&kind=memories")
    page.locator("h1").evaluate(_DROP)

    expect(page.locator("[data-drop]")).to_contain_text("dropped.jsonl")
    expect(page.get_by_label("File", exact=True)).to_be_focused()
    page.get_by_role("button", name="Check file").click()
    expect(page.get_by_role("heading", name="dropped.jsonl")).to_be_visible()


def test_file_dropped_on_any_page_leads_to_its_preview(page: Page, small_instance: str) -> None:
    page.goto(f"/memory?instance={small_instance}")
    page.locator("#main").evaluate(_DROP)

    expect(page.get_by_role("heading", name="dropped.jsonl")).to_be_visible()
    expect(page).to_have_url(re.compile("/import"))


def test_file_that_leaves_the_page_is_not_asked_for(page: Page, small_instance: str) -> None:
    page.goto(f"/conversations?instance={small_instance}")
    drag = """
    (target, type) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["x"], "dropped.jsonl"));
      target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
    """
    asks = page.get_by_role("dialog", name="Drop a file to import it into")
    page.locator("#main").evaluate(drag, "dragover")
    expect(asks).to_be_visible()
    page.locator("#main").evaluate(drag, "dragleave")
    expect(asks).to_have_count(0)


def test_zone_is_the_field_itself_and_names_the_file(
    page: Page, small_instance: str, tmp_path: Path
) -> None:
    page.goto(f"/conversations/import?instance={small_instance}")
    file = tmp_path / "mine.jsonl"
    file.write_text('{"content": "One."}')
    field, zone = page.get_by_label("File", exact=True), page.locator("[data-drop]")
    # Whatever is pressed in the zone is the browser’s own field, which keys reach as well.
    inner, outer = field.bounding_box(), zone.bounding_box()
    assert inner and outer
    assert inner["width"] > 0.9 * outer["width"] and inner["height"] > 0.9 * outer["height"]
    field.focus()
    expect(field).to_be_focused()
    field.set_input_files(file)
    expect(zone).to_contain_text("mine.jsonl")


def _new_memory(page: Page, small_instance: str) -> None:
    page.goto(f"/memory?instance={small_instance}")
    page.keyboard.press("n")
    page.get_by_text("More: category").click()


def test_tags_are_chips_with_the_keyboard_alone(page: Page, small_instance: str) -> None:
    _new_memory(page, small_instance)
    page.get_by_label("What to remember").fill("The user rows on Mondays.")
    entry = page.get_by_role("combobox", name="Tags")
    entry.focus()
    for keys in ("sport", "tea", "lake"):
        page.keyboard.type(keys)
        page.keyboard.press("Enter" if keys == "sport" else ",")
    chips = page.locator(".tags-field .chip")
    expect(chips).to_have_text([re.compile(tag) for tag in ("sport", "tea", "lake")])
    page.keyboard.press("Backspace")
    expect(chips).to_have_count(2)
    page.get_by_role("button", name="Remove the tag sport").click()
    expect(entry).to_be_focused()
    # What is still being typed counts as well.
    page.keyboard.type("water")
    page.keyboard.press("Control+Enter")
    panel = page.get_by_role("complementary", name="Memory")
    expect(panel).to_contain_text("tea")
    expect(panel).to_contain_text("water")
    expect(panel).not_to_contain_text("sport")


def test_category_and_importance_are_chosen_with_arrow_keys(
    page: Page, small_instance: str
) -> None:
    _new_memory(page, small_instance)
    page.get_by_label("What to remember").fill("The user keeps bees in a meadow.")
    category = page.get_by_role("radiogroup", name="Category")
    importance = page.get_by_role("radiogroup", name="Importance")
    for group in (category, importance):
        expect(group.get_by_role("radio", name="Automatic")).to_be_checked()
    category.get_by_role("radio", name="Automatic").focus()
    page.keyboard.press("ArrowRight")
    expect(category.get_by_role("radio", name="General")).to_be_checked()
    importance.get_by_role("radio", name="Automatic").focus()
    page.keyboard.press("ArrowLeft")
    expect(importance.get_by_role("radio", name="10")).to_be_checked()
    # What is chosen is not lost by a slip.
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("link", name="Close").click()
    expect(importance.get_by_role("radio", name="10")).to_be_checked()


def test_new_instance_has_the_time_zone_of_the_browser(
    new_context: Callable[..., BrowserContext], app: Keepsake, signed_in: StorageState
) -> None:
    page = new_context(
        base_url=app.address, storage_state=signed_in, timezone_id="Asia/Tokyo"
    ).new_page()
    page.goto("/instances/new")
    page.get_by_label("Name", exact=True).fill("Far east")
    page.get_by_role("button", name="Create").click()
    page.goto("/instances/far-east/settings")
    field = page.get_by_label("Time zone")
    expect(field).to_have_value("Asia/Tokyo")
    expect(page.get_by_role("button", name="Asia/Tokyo")).to_be_hidden()
    field.fill("Europe/Rome")
    field.blur()
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator("#general .saved")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Asia/Tokyo").click()
    expect(field).to_have_value("Asia/Tokyo")
