"""Change of the embedding model: the settings card shows live progress."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_client import Person
from tests.browser.watch import Watch
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.browser


def test_card_shows_the_progress_of_a_model_change_and_its_reversal(
    page: Page, admin: Person, watch: Watch
) -> None:
    instance = admin.new_instance("changing-model")
    admin.remember(instance, "The user keeps bees on the roof.")
    watch.forgive("422")  # the confirmation, before the change
    with ScriptedProvider(dimensions=64, capable=True) as model:
        model.fail_next("500", None, "embeddings")
        page.goto(f"/instances/{instance}/settings/models#embeddings")
        card = page.locator("#embeddings")
        card.get_by_label("Provider").select_option("custom")
        card.get_by_label("Address").fill(model.base_url)
        card.get_by_label("Model", exact=True).fill("words")
        # The list of what the server offers moves the button when it arrives.
        expect(card.get_by_role("button", name="scripted")).to_be_visible()
        card.get_by_role("button", name="Save").click()
        expect(
            card.get_by_text("1 memory is read again, so that search can use words.")
        ).to_be_visible()
        card.get_by_label("Embed everything again").check()
        card.get_by_role("button", name="Save").click()
        expect(card.get_by_text("Switching to words")).to_be_visible()
        expect(
            card.get_by_text("Finished vectors are kept. The next attempt is at")
        ).to_be_visible()
        expect(card.get_by_label("Provider")).to_have_count(0)

        model.reset()
        card.get_by_role("button", name="Try now").click()
        expect(card.get_by_role("button", name="Go back")).to_be_visible()
        expect(card.get_by_label("Model", exact=True)).to_have_value("words")
        expect(card.get_by_role("row", name="words")).to_contain_text("1")

        card.get_by_role("button", name="Go back").click()
        expect(card.get_by_label("Provider")).to_have_value("builtin")
        expect(card.get_by_text("Search switched to the small built-in embedder")).to_be_visible()
