"""The live status line under the title: running work and new memories."""

import re
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_client import Person
from tests.browser.pages import is_marked, mark_page, rows
from tests.provider_fixtures import fact, numbered_lines
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.browser


def test_status_line_shows_running_work_and_offers_new_memories(
    page: Page, admin: Person, provider: ScriptedProvider
) -> None:
    instance = admin.new_instance("loft")
    admin.remember(instance, "The user plays the cello.")
    admin.save(instance, "memory", memory_enabled="on", extract_when="after_response")
    model = {"provider": "custom", "base_url": provider.base_url, "fast_model": "scripted"}
    admin.save(instance, "language-model", key="sk-loft-0000-1234", **model)
    may_answer = Event()

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        may_answer.wait(60)
        return {
            "memories": [fact(min(numbered_lines(request)), "The user keeps bees on the roof.")]
        }

    provider.reply_with(answer)
    page.goto(f"/memory?instance={instance}")
    mark_page(page)
    line = page.locator("#status")
    expect(line).to_contain_text("1 new today")

    try:
        turns = [{"role": "user", "content": "My bees!"}, {"role": "assistant", "content": "Oh."}]
        admin.converse(instance, "Bees", turns)
        expect(line).to_contain_text("reading 1 conversation", timeout=30_000)
    finally:
        may_answer.set()
    # During work it polls every other second instead of every fifteen.
    expect(line.get_by_role("link", name="Show 1 new")).to_be_visible(timeout=10_000)
    expect(line).not_to_contain_text(re.compile("reading|waiting"))
    expect(rows(page)).to_have_count(1)
    line.get_by_role("link", name="Show 1 new").click()

    expect(rows(page).first).to_contain_text("bees on the roof")
    expect(rows(page)).to_have_count(2)
    expect(line).not_to_contain_text("Show")
    expect(line).to_contain_text("2 new today")
    assert is_marked(page)
    provider.reset()


def test_status_line_polls_only_while_the_page_is_visible(
    timed: Page, shared_instance: str
) -> None:
    page = timed
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))

    def times() -> int:
        return sum("/memory/status" in url for url in requested)

    page.goto(f"/memory?instance={shared_instance}")
    expect(page.locator("#status")).to_contain_text("new today")

    page.clock.run_for(14_000)
    assert times() == 0
    line = page.locator("#status")
    line.evaluate("line => { line.isOld = true; }")
    with page.expect_response(re.compile("/memory/status")):
        page.clock.run_for(2_000)
    # The new line listens only once htmx has settled it, by the clock of the page.
    expect(line).not_to_have_js_property("isOld", True)
    page.clock.run_for(100)
    assert times() == 1

    page.evaluate(
        "Object.defineProperty(document, 'hidden', { get: () => window.away, configurable: true })"
    )
    page.evaluate("window.away = true")
    page.clock.run_for(300_000)
    assert times() == 1
    # It polls as soon as the page is visible again.
    with page.expect_response(re.compile("/memory/status")):
        page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    assert times() == 2
