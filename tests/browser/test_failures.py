"""Error messages of a page when a request fails."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, StorageState, expect

from tests.browser.app_client import Keepsake, Person
from tests.browser.pages import panel, rows
from tests.browser.watch import Watch

pytestmark = pytest.mark.browser


def test_unreachable_server_is_reported_until_it_recovers(
    page: Page, shared_instance: str, watch: Watch
) -> None:
    page.goto(f"/memory?instance={shared_instance}")
    watch.forgive(
        r"category=fact net::ERR_CONNECTION_REFUSED|console error: htmx:(sendError|after)"
    )

    def refuse(route: Route) -> None:
        route.abort("connectionrefused")

    page.route("**/memory?*", refuse)
    page.get_by_role("link", name="fact 22").click()
    notice = page.locator("#messages .notice.bad")
    expect(notice).to_contain_text("Keepsake cannot be reached.")
    expect(rows(page)).to_have_count(20)

    page.unroute("**/memory?*", refuse)
    page.get_by_role("link", name="fact 22").click()
    expect(page).to_have_url(re.compile("category=fact"))
    expect(notice).to_be_hidden()


def test_server_error_is_reported(page: Page, shared_instance: str, watch: Watch) -> None:
    page.goto(f"/memory?instance={shared_instance}")
    watch.forgive(r"500: GET .*category=fact|console error: Response Status Error Code 500")
    page.route("**/memory?*", lambda route: route.fulfill(status=500, body="<h1>No</h1>"))

    page.get_by_role("link", name="fact 22").click()

    expect(page.locator("#messages .notice.bad")).to_contain_text("could not answer")
    expect(rows(page)).to_have_count(20)


def test_deleted_memory_is_reported(
    page: Page, small_instance: str, admin: Person, watch: Watch
) -> None:
    page.goto(f"/memory?instance={small_instance}")
    watch.forgive(r"404: GET .*/memory/\d+|console error: Response Status Error Code 404")
    newest = admin.memories(small_instance)[0]["id"]
    admin.post(f"/memory/delete?instance={small_instance}", {"id": str(newest), "confirmed": "yes"})

    rows(page).first.locator("a.content").click()

    expect(page.locator("#messages .notice.bad")).to_contain_text("This no longer exists.")
    expect(panel(page)).to_be_hidden()


def test_expired_session_is_reported(
    new_context: Callable[..., BrowserContext],
    app: Keepsake,
    signed_in: StorageState,
    shared_instance: str,
) -> None:
    page = new_context(base_url=app.address, storage_state=signed_in).new_page()
    page.goto(f"/memory?instance={shared_instance}")
    page.context.clear_cookies()

    page.get_by_role("link", name="fact 22").click()

    expect(page.locator("#messages .notice.bad")).to_contain_text("Your session has ended.")
    expect(rows(page)).to_have_count(20)
    expect(page.get_by_label("Password")).to_have_count(0)
