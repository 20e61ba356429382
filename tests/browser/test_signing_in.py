"""Second factors in a real browser: an authenticator app and passkeys."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.app_client import PASSWORD, Keepsake
from tests.browser.watch import Look
from tests.instances.signin.test_second_factor import code_for

pytestmark = pytest.mark.browser


@pytest.fixture
def grace(new_context: Callable[..., BrowserContext], app: Keepsake) -> Page:
    """A page of a separate user, at the step after name and password."""
    app.manage(
        *("createsuperuser", "--no-input", "--username", "grace", "--email", ""),
        DJANGO_SUPERUSER_PASSWORD=PASSWORD,
    )
    # A passkey belongs to a host name, and 127.0.0.1 is not one.
    page = new_context(base_url=app.address.replace("127.0.0.1", "localhost")).new_page()
    enter_password(page)
    return page


def enter_password(page: Page) -> None:
    page.goto("/accounts/login")
    page.get_by_label("Username").fill("grace")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def give_passkeys(page: Page) -> None:
    """Add a virtual authenticator that creates and uses passkeys without user interaction."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_sign_in_with_an_app_then_a_passkey_then_only_a_passkey(grace: Page, look: Look) -> None:
    grace.goto("/account")
    grace.get_by_role("link", name="Set up").click()
    grace.get_by_label("Password").fill(PASSWORD)
    grace.get_by_role("button", name="Confirm").click()
    expect(grace.get_by_role("img", name="QR code")).to_be_visible()
    look(grace, "authenticator app")
    secret = grace.get_by_label("Or type this secret").input_value().replace(" ", "")
    grace.get_by_label("The code that the app shows now").fill(code_for(secret))
    grace.get_by_role("button", name="Turn on").click()
    expect(grace.get_by_text("10 of 10 not used yet")).to_be_visible()
    look(grace, "recovery codes")
    sign_out(grace)

    enter_password(grace)
    look(grace, "second step")
    grace.get_by_label("Code").fill(code_for(secret, 1))
    grace.get_by_role("button", name="Sign in", exact=True).click()
    expect(grace).not_to_have_url(re.compile("/accounts/"))

    give_passkeys(grace)
    grace.goto("/account/passkeys/new")
    grace.get_by_label("Password").fill(PASSWORD)
    grace.get_by_role("button", name="Confirm").click()
    grace.get_by_role("textbox", name="Name").fill("Laptop")
    look(grace, "new passkey")
    grace.get_by_role("button", name="Add a passkey").click()
    expect(grace.get_by_text("Passkey, signs you in without a password")).to_be_visible()
    look(grace, "account")
    sign_out(grace)

    enter_password(grace)
    grace.get_by_role("button", name="Use a passkey").click()
    expect(grace).not_to_have_url(re.compile("/accounts/"))
    sign_out(grace)

    grace.get_by_role("button", name="Sign in with a passkey").click()
    expect(grace).not_to_have_url(re.compile("/accounts/"))
    grace.goto("/account")
    expect(grace.get_by_text("grace · superadmin")).to_be_visible()

    grace.get_by_role("link", name="Remove the authenticator app").click()
    grace.get_by_label("Password").fill(PASSWORD)
    grace.get_by_role("button", name="Confirm").click()
    grace.get_by_role("button", name="Remove the authenticator app").click()
    sign_out(grace)
    enter_password(grace)
    look(grace, "second step with a passkey alone")
    expect(grace.get_by_label("Recovery code")).to_be_hidden()
    grace.get_by_text("Use a recovery code", exact=True).click()
    expect(grace.get_by_label("Recovery code")).to_be_visible()
    grace.get_by_role("button", name="Use a passkey").click()
    expect(grace).not_to_have_url(re.compile("/accounts/"))


def test_unavailable_passkeys_are_explained(stranger: Page) -> None:
    """The address here is an IP address, to which no passkey can belong."""
    stranger.goto("/accounts/login")
    stranger.get_by_role("button", name="Sign in with a passkey").click()
    expect(stranger.get_by_role("alert")).to_contain_text("Passkeys need https")
