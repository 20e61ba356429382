"""Create an API key and copy the connection snippets."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, StorageState, expect

from tests.browser.app_client import Keepsake, Person


def test_snippet_is_copied_with_the_new_key(
    new_context: Callable[..., BrowserContext],
    app: Keepsake,
    signed_in: StorageState,
    admin: Person,
) -> None:
    instance = admin.new_instance("connecting")
    window = new_context(base_url=app.address, storage_state=signed_in)
    window.grant_permissions(["clipboard-read", "clipboard-write"])
    page = window.new_page()
    page.goto(f"/instances/{instance}/settings/keys")
    page.get_by_label("Name").fill("Laptop")
    page.get_by_role("button", name="Create key").click()
    secret = page.locator("#api-key-secret").input_value()
    # The first snippet is open, and opening another closes it.
    expect(page.locator("#way-claude-code")).to_be_visible()
    page.locator("summary", has_text="Cursor").click()
    expect(page.locator("#way-claude-code")).to_be_hidden()
    page.locator(".way[open]").get_by_role("button", name="Copy").click()
    expect(page.locator(".way[open]").get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert f'"Authorization": "Bearer {secret}"' in copied
    assert f"{app.address}/mcp" in copied
