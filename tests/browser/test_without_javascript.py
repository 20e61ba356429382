"""The screens work without JavaScript."""

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, StorageState, expect

from tests.browser.app_client import (
    PASSWORD,
    THINGS,
    Keepsake,
    Person,
)
from tests.browser.pages import import_file
from tests.browser.watch import Watch
from tests.scripted_provider import Says, ScriptedProvider

pytestmark = pytest.mark.browser


@pytest.fixture
def plain(
    new_context: Callable[..., BrowserContext], app: Keepsake, signed_in: StorageState
) -> Page:
    """A page of the superadmin in a browser without JavaScript."""
    return new_context(
        base_url=app.address,
        java_script_enabled=False,
        storage_state=signed_in,
    ).new_page()


@pytest.fixture(scope="package")
def plain_instance(admin: Person) -> str:
    """An instance with 22 facts and a preference, which no test deletes."""
    return filled(admin, "barn")


def filled(admin: Person, name: str) -> str:
    instance = admin.new_instance(name)
    admin.remember(instance, "The user likes grey paint.", category="preference")
    for thing in THINGS:
        admin.remember(instance, f"The user found a {thing}.")
    return instance


def rows_shown(page: Page, count: int) -> None:
    expect(page.locator("article.row")).to_have_count(count)


def test_search_filter_and_pagination(plain: Page, plain_instance: str) -> None:
    plain.goto(f"/memory?instance={plain_instance}")

    plain.get_by_role("link", name="fact 22").click()
    rows_shown(plain, 20)
    plain.get_by_role("link", name="Next").click()
    rows_shown(plain, 2)
    expect(plain).to_have_url(re.compile(r"category=fact&page=2_after_"))
    plain.get_by_role("searchbox").fill("kettle")
    plain.get_by_label("Sort").select_option("oldest")
    plain.get_by_role("button", name="Search").click()
    expect(plain).to_have_url(re.compile(r"category=fact.*q=kettle.*sort=oldest"))
    expect(plain.locator("article.row mark").first).to_have_text("kettle")
    plain.goto(f"/memory?instance={plain_instance}")
    plain.locator("summary", has_text="Filters").click()
    plain.get_by_label("State").select_option("expired")
    plain.get_by_role("button", name="Apply").click()
    expect(plain.get_by_role("heading", name="No memory matches these filters")).to_be_visible()


def test_create_edit_and_restore(plain: Page, admin: Person) -> None:
    plain_instance = admin.new_instance("boathouse")
    plain.goto(f"/memory?instance={plain_instance}")

    plain.get_by_role("link", name="New memory").click()
    plain.get_by_label("What to remember").fill("The user lives in Oslo.")
    plain.get_by_role("button", name="Remember").click()
    expect(plain.get_by_text("Remembered.")).to_be_visible()
    expect(plain.locator(".panel .full")).to_have_text("The user lives in Oslo.")
    plain.get_by_role("link", name="Edit").click()
    plain.get_by_label("What to remember").fill("The user lives in Bergen.")
    plain.get_by_role("button", name="Save").click()
    expect(plain.locator(".panel .full")).to_have_text("The user lives in Bergen.")
    expect(plain.locator(".panel del")).to_have_text(re.compile("Oslo"))
    plain.get_by_role("button", name="Restore this version").click()
    expect(plain.get_by_text("Restored.")).to_be_visible()
    expect(plain.locator(".panel .full")).to_have_text("The user lives in Oslo.")
    plain.get_by_role("link", name="Close").click()
    expect(plain.locator(".panel")).to_be_hidden()
    rows_shown(plain, 1)


def test_form_errors_are_shown_beside_the_input(
    plain: Page, plain_instance: str, admin: Person, watch: Watch
) -> None:
    watch.forgive(r"422: POST .*/memory/new")
    plain.goto(f"/memory/new?instance={plain_instance}")
    plain.get_by_label("What to remember").fill("The user lives in Oslo.")
    plain.get_by_text("More: category").click()
    plain.get_by_label("Time").fill("10:00")

    plain.get_by_role("button", name="Remember").click()

    expect(plain.locator(".field .error")).to_have_text("Enter the day as well.")
    expect(plain.get_by_label("What to remember")).to_have_value("The user lives in Oslo.")
    assert len(admin.memories(plain_instance)) == 23


def test_delete_one_the_checked_and_all_matching(plain: Page, admin: Person) -> None:
    plain_instance = filled(admin, "stable")
    plain.goto(f"/memory?instance={plain_instance}")

    plain.locator("article.row a.content").first.click()
    plain.locator(".panel").get_by_role("button", name="Delete").click()
    expect(plain.get_by_role("heading", name="Delete this memory?")).to_be_visible()
    plain.get_by_role("button", name="Delete 1 memory").click()
    expect(plain.get_by_text("Deleted 1 memory")).to_be_visible()

    for number in range(3):
        plain.locator("article.row").get_by_role("checkbox").nth(number).check()
    plain.get_by_role("button", name="Delete selected").click()
    expect(plain.get_by_role("heading", name="Delete 3 memories?")).to_be_visible()
    plain.get_by_role("button", name="Delete 3 memories").click()
    expect(plain.get_by_text("Deleted 3 memories")).to_be_visible()

    plain.get_by_role("link", name="fact 18").click()
    plain.get_by_label("All 18 that match").check()
    plain.get_by_role("button", name="Delete selected").click()
    expect(plain.get_by_role("heading", name="Delete 18 memories that match?")).to_be_visible()
    plain.get_by_role("link", name="Cancel").click()
    assert len(admin.memories(plain_instance)) == 19
    plain.get_by_label("All 18 that match").check()
    plain.get_by_role("button", name="Delete selected").click()
    plain.get_by_role("button", name="Delete 18 memories").click()
    expect(plain.get_by_text("Deleted 18 memories")).to_be_visible()
    assert [m["content"] for m in admin.memories(plain_instance)] == ["The user likes grey paint."]


def test_deleting_with_nothing_checked_deletes_nothing(
    plain: Page, plain_instance: str, admin: Person
) -> None:
    plain.goto(f"/memory?instance={plain_instance}")

    plain.get_by_role("button", name="Delete selected").click()

    expect(plain.get_by_role("heading", name="Nothing is selected")).to_be_visible()
    plain.get_by_role("link", name="Back").click()
    rows_shown(plain, 20)
    assert len(admin.memories(plain_instance)) == 23


def test_settings_are_saved_and_tested(plain: Page, admin: Person) -> None:
    instance = admin.new_instance("plain-settings")
    plain.goto(f"/instances/{instance}/settings")
    pages = plain.get_by_role("navigation", name="Settings")
    pages.get_by_role("link", name="Memory").click()

    remember = plain.locator("#memory").get_by_role("switch", name=re.compile("^Remember "))
    remember.check()
    plain.locator("#memory").get_by_role("button", name="Save").click()
    expect(plain.get_by_text("Saved.", exact=True)).to_be_visible()
    expect(remember).to_be_checked()
    expect(plain.locator("#memory")).to_contain_text("no language model is set up")
    pages.get_by_role("link", name="Models", exact=True).click()
    plain.locator("#embeddings").get_by_role("button", name="Test connection").click()
    expect(plain.locator("#messages")).to_contain_text("384 dimensions")
    pages.get_by_role("link", name="Assistant").click()
    plain.locator("#agents").get_by_label("Name").fill("Concierge")
    plain.get_by_role("button", name="Add agent").click()
    plain.get_by_role("button", name="Remove Concierge").click()
    expect(plain.locator("#messages")).to_contain_text("Removed Concierge.")


def test_import_page_shows_the_progress(plain: Page, admin: Person, tmp_path: Path) -> None:
    instance = admin.new_instance("plain-import")
    file = tmp_path / "walks.jsonl"
    file.write_text(json.dumps({"content": "We walked to the windmill."}) + "\n")
    plain.goto(f"/conversations/import?instance={instance}")

    # The page refreshes itself.
    import_file(plain, file)
    expect(plain.get_by_text("Import complete", exact=True)).to_be_visible()
    plain.get_by_role("link", name="Show the conversations").click()
    plain.get_by_role("searchbox").fill("windmill")
    plain.get_by_role("button", name="Search").click()
    plain.get_by_role("link", name="walks.jsonl").click()

    expect(plain.locator("article.turn")).to_contain_text("We walked to the windmill.")


def test_sign_in_and_out(new_context: Callable[..., BrowserContext], app: Keepsake) -> None:
    page = new_context(base_url=app.address, java_script_enabled=False).new_page()
    page.goto("/conversations?instance=demo")
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page).to_have_url(re.compile(r"/conversations\?instance=demo$"))

    page.get_by_role("button", name="Sign out").click()

    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_chat_is_answered(plain: Page, admin: Person) -> None:
    instance = admin.new_instance("plain-chat")
    admin.remember(instance, "The user is allergic to peanuts.")
    go_on = threading.Event()
    with ScriptedProvider(capable=True) as model:
        model.reply_with(Says("Leave them *out*.", before=lambda number: go_on.wait(60)))
        admin.save(
            instance,
            "language-model",
            provider="custom",
            base_url=model.base_url,
            fast_model="scripted",
        )
        plain.goto(f"/chat?instance={instance}")
        plain.get_by_role("textbox", name="Message").fill("May I eat peanuts?")
        plain.get_by_role("button", name="Send").click()

        expect(plain.get_by_text("Answering")).to_be_visible()
        expect(plain.get_by_role("button", name="Stop")).to_be_visible()
        go_on.set()
        # The page refreshes itself until the answer is there.
        expect(plain.locator("[data-reply]")).to_have_text("Leave them out.")
        expect(plain.locator("#notes")).to_contain_text("allergic to peanuts")

        model.reply_with("Leave them out, all of them.")
        plain.get_by_role("button", name="Try again").click()
        expect(plain.locator("[data-reply]")).to_have_text("Leave them out, all of them.")

        go_on.clear()
        model.reply_with(Says("One, two.", before=lambda number: go_on.wait(60)))
        plain.get_by_role("textbox", name="Message").fill("Count to three.")
        plain.get_by_role("button", name="Send").click()
        plain.get_by_role("button", name="Stop").click()
        expect(plain.get_by_text("Stopped before the answer began.")).to_be_visible()
        go_on.set()
