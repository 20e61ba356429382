"""The profile screens in every state."""

from playwright.sync_api import Page, expect

from tests.browser.screens import screen, state
from tests.browser.seed_data import SeedData

YUKIKO = "由紀子"


@screen("Edit home city")
def profile(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/profile?instance={seed.full}&end_user={YUKIKO}")
    page.get_by_text("Changed once").click()
    expect(page.get_by_text("was Kyoto")).to_be_visible()


@screen("Save")
def profile_edit(page: Page, seed: SeedData) -> None:
    profile(page, seed)
    page.get_by_role("link", name="Edit home city").click()
    expect(page.get_by_role("button", name="Save")).to_be_visible()


@screen("Timeline")
def profile_timeline(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/profile?instance={seed.full}&end_user={YUKIKO}&view=timeline")
    expect(page.get_by_role("list", name="Timeline")).to_be_visible()


@screen("Keep")
def profile_week(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/profile?instance={seed.full}&end_user=&view=week")
    page.locator(".learned summary").first.click()
    expect(page.get_by_role("button", name="Save").first).to_be_visible()


@state("Remember", forgive="422")
def profile_new_with_errors(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/profile?instance={seed.full}&end_user={YUKIKO}")
    page.get_by_text("Add a fact").click()
    page.get_by_role("textbox", name="Key").fill("?!")
    page.get_by_role("textbox", name="Value").fill("x")
    page.get_by_label("As a sentence").fill("Something.")
    page.get_by_role("button", name="Remember").click()
    expect(page.get_by_text("at least one letter or digit")).to_be_visible()


@state("Forget home city")
def profile_delete(page: Page, seed: SeedData) -> None:
    profile(page, seed)
    page.locator("summary", has_text="Forget home city").click()
    expect(page.get_by_role("button", name="Forget home city")).to_be_visible()


@state("Go to memories")
def profile_unknown(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/profile?instance={seed.empty}&end_user=")


@screen("Find")
def profiles(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/profile?instance={seed.full}")


@state("Show everyone")
def profiles_no_match(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/profile?instance={seed.full}&q=zoe")


@screen("Find")
def end_users(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/people?instance={seed.full}")
    expect(page.get_by_role("link", name=YUKIKO)).to_be_visible()


@state("Show everyone")
def end_users_no_match(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/people?instance={seed.full}&q=zeppelin")


@screen("Export")
def end_user(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/people/file?instance={seed.full}&end_user={YUKIKO}")
    page.get_by_text("Where else data may remain").click()


@state(f"Erase {YUKIKO}", forgive="422")
def end_user_not_confirmed(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/people/file?instance={seed.full}&end_user={YUKIKO}")
    page.get_by_label("to confirm").fill("Yukiko")
    page.get_by_role("button", name=f"Erase {YUKIKO}").click()
    expect(page.locator(".field .error")).to_be_visible()


@screen("Find")
def erasures(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/people/erasures?instance={seed.full}")


@state("Join them")
def end_user_join(page: Page, seed: SeedData) -> None:
    page.goto(f"/memory/people/file/join?instance={seed.full}&end_user={YUKIKO}&other=سلمى")
