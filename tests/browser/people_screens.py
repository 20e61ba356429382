"""The screens of accounts and members in every state."""

import re
from itertools import count

from playwright.sync_api import Page, expect

from tests.browser.screens import screen, state
from tests.browser.seed_data import SeedData

numbers = count()


@screen("Invite")
def people(page: Page, seed: SeedData) -> None:
    page.goto("/server/people")
    expect(page.get_by_text("Superadmin", exact=True).first).to_be_visible()


@state("Show everyone")
def people_no_match(page: Page, seed: SeedData) -> None:
    page.goto("/server/people?q=zeppelin&state=inactive")


@screen("Create link")
def person_invite(page: Page, seed: SeedData) -> None:
    page.goto("/server/people/invite")


@state("Create link", forgive="422")
def person_invite_with_errors(page: Page, seed: SeedData) -> None:
    page.goto("/server/people/invite")
    page.get_by_label("Username").fill("no spaces")
    page.get_by_role("button", name="Create link").click()
    expect(page.locator(".field .error")).to_be_visible()


@state("Create a new link")
def person_invited(page: Page, seed: SeedData) -> None:
    _invite(page)


@screen("Create a link for a new password")
def person(page: Page, seed: SeedData) -> None:
    _join(page)
    page.goto("/server/people?q=guest")
    page.locator("a.content", has_text=re.compile(r"^guest")).last.click()


@state("Cancel", forgive="422")
def person_delete_misspelt(page: Page, seed: SeedData) -> None:
    _invite(page)
    page.get_by_role("link", name=re.compile("^Delete guest")).click()
    page.get_by_label(re.compile("^Type guest")).fill("guset")
    page.get_by_role("button", name=re.compile("^Delete guest")).click()
    expect(page.locator(".field .error")).to_be_visible()


@screen("Set password and sign in", forgive="422")
def password_link(page: Page, seed: SeedData) -> None:
    page.goto(_invite(page))
    page.get_by_label("New password", exact=True).fill("short")
    page.get_by_label("New password again").fill("longer")
    page.get_by_role("button", name="Set password and sign in").click()
    expect(page.locator(".field .error").first).to_be_visible()


@state("Sign in", forgive="404", signed_in=False)
def password_link_expired(page: Page, seed: SeedData) -> None:
    page.goto("/accounts/set-password?token=used")


@state("Invite")
def settings_with_an_invitation(page: Page, seed: SeedData) -> None:
    _invite(page)
    guest = page.get_by_role("heading", level=1).inner_text()
    page.goto(f"/instances/{seed.arrivals}/settings/members")
    page.locator("#members").get_by_label("Username").fill(guest)
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_text("invited, not accepted yet")).to_be_visible()


def _invite(page: Page) -> str:
    """Invite a person, stay on the page that shows the link, and return the link."""
    page.goto("/server/people/invite")
    page.get_by_label("Username").fill(f"guest-{next(numbers)}")
    page.get_by_role("button", name="Create link").click()
    link = page.get_by_label(re.compile(r"^\s*The link for"))
    expect(link).to_be_visible()
    return link.input_value()


def _join(page: Page) -> None:
    """Set the password of an invited person in another browser."""
    link = _invite(page)
    assert page.context.browser is not None
    elsewhere = page.context.browser.new_context()
    theirs = elsewhere.new_page()
    theirs.goto(link)
    theirs.get_by_label("New password", exact=True).fill("a-kettle-in-the-attic")
    theirs.get_by_label("New password again").fill("a-kettle-in-the-attic")
    theirs.get_by_role("button", name="Set password and sign in").click()
    theirs.wait_for_url(lambda url: "set-password" not in url)
    elsewhere.close()
