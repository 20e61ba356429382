"""Settings: what their script does."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, StorageState, expect

from tests.browser.app_client import Keepsake, Person
from tests.browser.viewports import PHONE
from tests.browser.watch import Watch
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.browser


def save_button(card: Locator) -> Locator:
    return card.get_by_role("button", name="Save")


def pages(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Settings")


def test_save_is_on_while_something_is_unsaved(page: Page, admin: Person, watch: Watch) -> None:
    instance = admin.new_instance("unsaved")
    watch.forgive("422")
    page.goto(f"/instances/{instance}/settings")
    card = page.locator("#general")
    zone = card.get_by_label("Time zone")
    expect(save_button(card)).to_be_disabled()
    zone.fill("Mars")
    expect(save_button(card)).to_be_enabled()
    zone.fill("UTC")
    expect(save_button(card)).to_be_disabled()
    # Enter saves nothing either.
    zone.press("Enter")
    expect(card.locator(".saved")).to_have_count(0)

    zone.fill("Mars")
    save_button(card).click()
    expect(card.locator(".field .error")).to_contain_text("is not a time zone")
    expect(zone).to_have_value("Mars")
    expect(save_button(card)).to_be_enabled()

    zone.fill("Europe/Rome")
    save_button(card).click()
    expect(card.locator(".saved")).to_have_text("Saved.")
    expect(save_button(card)).to_be_disabled()
    expect(save_button(card)).to_be_focused()
    card.get_by_label("Default language").select_option("german")
    expect(save_button(card)).to_be_enabled()
    expect(card.locator(".saved")).to_have_count(0)
    page.reload()
    expect(zone).to_have_value("Europe/Rome")


def test_a_switch_saves_itself_and_can_be_undone(page: Page, admin: Person) -> None:
    instance = admin.new_instance("switches")
    page.goto(f"/instances/{instance}/settings/memory")
    learning = page.get_by_role("switch", name=re.compile("^Remember "))
    palace = page.get_by_role("switch", name=re.compile("^Palace "))
    expect(save_button(page.locator("#memory"))).to_have_count(0)
    before = learning.is_checked()

    # The second change is made while the first is saved, whose answer comes late.
    late: list[Route] = []
    page.route(f"**/{instance}/settings/memory", lambda route: late.append(route), times=1)
    with page.expect_request(lambda request: request.method == "POST"):
        learning.set_checked(not before)
    palace.uncheck()
    with page.expect_response(lambda response: response.request.method == "POST"):
        late[0].continue_()
    expect(page.locator("#messages")).to_contain_text("Saved.")
    expect(palace).not_to_have_attribute("checked", "")
    page.reload()
    expect(learning).to_be_checked(checked=not before)
    expect(palace).not_to_be_checked()

    page.locator("#memory").get_by_label("When to read conversations").select_option("by_hand")
    expect(page.locator("#messages")).to_contain_text("Saved.")
    page.keyboard.press("u")
    expect(page.get_by_label("When to read conversations")).to_have_value("after_response")
    page.reload()
    expect(page.get_by_label("When to read conversations")).to_have_value("after_response")
    expect(learning).to_be_checked(checked=not before)


def test_address_with_a_card_opens_its_page(page: Page, admin: Person) -> None:
    instance = admin.new_instance("anchors")
    page.goto(f"/instances/{instance}/settings#embeddings")
    expect(page).to_have_url(re.compile(r"/settings/models#embeddings$"))
    expect(page.locator("#embeddings")).to_be_in_viewport()
    expect(pages(page).locator("[aria-current]")).to_have_text("Models")


def test_invited_person_has_the_role_and_gets_another(page: Page, admin: Person) -> None:
    instance = admin.new_instance("roles")
    page.goto(f"/instances/{instance}/settings/members")
    page.get_by_label("Username").fill("rosa")
    page.get_by_role("button", name="Invite", exact=True).click()
    expect(page.locator("main")).to_contain_text("rosa")
    page.goto(f"/instances/{instance}/settings/members")
    role = page.get_by_label("Role of rosa")
    save = page.get_by_role("button", name="Save the role of rosa")
    expect(role).to_have_value("member")
    expect(save).to_have_count(0)
    role.select_option("manager")
    save.click()
    expect(page.locator("#messages")).to_contain_text("rosa now has the role Manager.")
    expect(role).to_have_value("manager")


def test_models_of_the_server_are_offered(page: Page, admin: Person) -> None:
    instance = admin.new_instance("offered")
    with ScriptedProvider(capable=True) as server:
        server.answer_with("/v1/models", {"data": [{"id": "tiny"}, {"id": "large"}]})
        page.goto(f"/instances/{instance}/settings/models")
        card = page.locator("#language-model")
        address = card.get_by_label("Address")
        card.get_by_label("Provider").select_option("openai")
        expect(card).to_contain_text("Leave empty to use the provider’s usual address.")
        expect(address).to_have_attribute("placeholder", "https://api.openai.com/v1")
        card.get_by_label("Provider").select_option("custom")
        expect(card).to_contain_text("Required. Usually ends in /v1")
        expect(address).to_have_attribute("placeholder", "")
        address.fill(server.base_url)
        address.press("Tab")
        card.get_by_role("button", name="tiny").click()
        expect(card.get_by_label("Model", exact=True)).to_have_value("tiny")
        save_button(card).click()
        expect(card.locator(".saved")).to_contain_text("Saved.")
        expect(card.get_by_role("button", name="large")).to_be_visible()


def test_open_page_is_marked_and_in_view_on_a_phone(
    new_context: Callable[..., BrowserContext],
    app: Keepsake,
    signed_in: StorageState,
    admin: Person,
) -> None:
    instance = admin.new_instance("phone-settings")
    page = new_context(base_url=app.address, storage_state=signed_in, viewport=PHONE).new_page()
    page.goto(f"/instances/{instance}/settings/keys")
    current = pages(page).locator("[aria-current]")
    expect(current).to_have_text("API keys")
    expect(current).to_be_in_viewport()
    box = current.bounding_box()
    assert box and box["height"] >= 44
