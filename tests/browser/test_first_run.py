"""From an empty installation to the first memory with the setup guide."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.app_client import PASSWORD, Keepsake
from tests.provider_fixtures import keep_everything
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.browser

SAID = "I keep bees behind the chapel."


@pytest.mark.soak
@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without"])
def test_first_run(
    scripts: bool,
    new_home: Callable[[], Keepsake],
    new_context: Callable[..., BrowserContext],
    tmp_path: Path,
) -> None:
    keepsake = new_home()
    keepsake.start(demo=False)
    page = new_context(base_url=keepsake.address, java_script_enabled=scripts).new_page()
    with ScriptedProvider(capable=True) as model:
        model.reply_with(keep_everything)
        signs_in(page)
        gives_it_a_name(page)
        chooses_a_model(page, model)
        imports_a_conversation(page, tmp_path)
        sees_the_memory(page)


def signs_in(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Welcome to Keepsake")).to_be_visible()


def gives_it_a_name(page: Page) -> None:
    page.get_by_label("Name", exact=True).fill("Beekeeper")
    page.get_by_role("button", name="Create").click()
    expect(page.locator(".step.done")).to_contain_text("Beekeeper")


def chooses_a_model(page: Page, model: ScriptedProvider) -> None:
    page.get_by_role("radio", name="Another OpenAI-compatible server").check()
    page.get_by_label("Address").fill("http://127.0.0.1:9/v1")
    page.get_by_label("Model").fill("scripted-small")
    expect(page.get_by_role("switch", name="Remember")).to_be_checked()
    page.get_by_role("button", name="Save and test").click()
    expect(page.locator(".notice.bad")).to_contain_text("127.0.0.1:9")

    page.get_by_label("Address").fill(model.base_url)
    page.get_by_role("button", name="Save and test").click()
    expect(page.locator(".notice.ok")).to_contain_text("scripted-small answered")
    expect(page.locator(".step.current")).to_contain_text("Add something to remember")


def imports_a_conversation(page: Page, folder: Path) -> None:
    file = folder / "bees.jsonl"
    lines = [{"role": "user", "content": SAID}, {"role": "assistant", "content": "How many?"}]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    page.get_by_role("link", name="Import conversations").click()
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Check file").click()
    page.get_by_role("radio", name="Import and read for facts").check(timeout=30_000)
    page.get_by_role("button", name=re.compile(r"^Import \d")).click()
    expect(page.get_by_text("Import complete", exact=True)).to_be_visible(timeout=30_000)


def sees_the_memory(page: Page) -> None:
    page.goto("/welcome/beekeeper")
    expect(page.get_by_role("heading", name="Beekeeper is ready")).to_be_visible()
    page.get_by_role("link", name="See what it remembers").click()
    expect(page).to_have_url(re.compile(r"/memory\?instance=beekeeper$"))
    memory = page.get_by_role("link", name=SAID)
    # Without JavaScript there are no live updates, so reload the page.
    for _ in range(60):
        if memory.count():
            break
        page.wait_for_timeout(500)
        page.reload()
    expect(memory).to_be_visible()
