"""Every screen in every state that it has, for the tests that look at all of them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from uuid import uuid4

from playwright.sync_api import Page, Route, expect

from tests.browser.chat_seed import COUNT, NOBODY_THERE
from tests.browser.seed_data import (
    KEPT_OUT,
    LONG_TITLE,
    LONG_WORD,
    House,
)

Reach = Callable[[Page, House], None]


@dataclass(frozen=True)
class Screen:
    """How to reach one state of a screen, and what must be within reach there."""

    reach: Reach
    #: The button or link for what one does here, by its name.
    primary: str = ""
    #: Trouble that is part of it, as a regular expression.
    forgive: str = ""
    signed_in: bool = True


SCREENS: dict[str, Screen] = {}


def screen(
    primary: str = "", *, forgive: str = "", signed_in: bool = True
) -> Callable[[Reach], Reach]:
    """Put what reaches a screen on the list, under its name."""

    def keep(reach: Reach) -> Reach:
        name = reach.__name__.replace("_", " ")
        SCREENS[name] = Screen(reach, primary, forgive, signed_in)
        return reach

    return keep


@screen("Sign in", signed_in=False)
def login(page: Page, house: House) -> None:
    page.goto("/accounts/login")


@screen("Sign in", signed_in=False)
def login_refused(page: Page, house: House) -> None:
    page.goto("/accounts/login")
    page.get_by_label("Username").fill("nobody")
    page.get_by_label("Password").fill("guessed")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert")).to_be_visible()


@screen("Change password")
def account(page: Page, house: House) -> None:
    page.goto("/account")


@screen("Change password", forgive="422")
def account_refused(page: Page, house: House) -> None:
    page.goto("/account")
    page.get_by_label("Current password").fill("guessed")
    page.get_by_label("New password", exact=True).fill("12345678")
    page.get_by_label("New password again").fill("12345678")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("entirely numeric")).to_be_visible()


@screen("Confirm")
def account_to_confirm(page: Page, house: House) -> None:
    page.goto("/account/passkeys/new")
    expect(page.get_by_label("Password")).to_be_visible()


@screen("Create")
def welcome(page: Page, house: House) -> None:
    page.goto("/welcome")


@screen("Save and test")
def welcome_to_a_model(page: Page, house: House) -> None:
    page.goto(f"/welcome/{house.empty}")
    page.get_by_role("radio", name="Amazon Bedrock").check()


@screen("Save and test", forgive="422")
def welcome_without_a_model(page: Page, house: House) -> None:
    page.goto(f"/welcome/{house.empty}")
    page.get_by_role("radio", name="Other, OpenAI-compatible").check()
    page.get_by_role("button", name="Save and test").click()
    expect(page.get_by_text("Name the model")).to_be_visible()


@screen("Later")
def welcome_to_memories(page: Page, house: House) -> None:
    page.goto(f"/welcome/{house.empty}?step=memories")


@screen("See what it remembers")
def welcome_done(page: Page, house: House) -> None:
    page.goto(f"/welcome/{house.full}")


@screen("Go to your memory", forgive="403")
def out_of_date(page: Page, house: House) -> None:
    page.goto("/instances/new")
    page.get_by_label("Name", exact=True).fill("Too late")
    page.locator("form.card [name=csrfmiddlewaretoken]").evaluate("field => field.value = 'old'")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_text("Nothing was changed")).to_be_visible()


@screen("Go to your memory", forgive="404")
def not_found(page: Page, house: House) -> None:
    page.goto("/memory/999999999")


@screen()
def choice_of_an_instance(page: Page, house: House) -> None:
    page.goto("/memory")


@screen("New memory")
def memory(page: Page, house: House) -> None:
    page.goto(f"/memory?instance={house.full}")


@screen("New memory")
def memory_oldest_first(page: Page, house: House) -> None:
    page.goto(f"/memory?instance={house.full}&sort=oldest&page=2")


@screen("New memory")
def memory_found(page: Page, house: House) -> None:
    page.goto(f"/memory?instance={house.full}&q=allergic peanuts 由紀子")


@screen("New memory")
def memory_nothing_found(page: Page, house: House) -> None:
    page.goto(f'/memory?instance={house.full}&q="{LONG_WORD}x"&category=decision')


@screen("Show all memories")
def memory_filtered_to_nothing(page: Page, house: House) -> None:
    page.goto(f"/memory?instance={house.full}&tag=nothing&user=nobody")


@screen("Import conversations")
def memory_empty(page: Page, house: House) -> None:
    page.goto(f"/memory?instance={house.empty}")


@screen("Set it right")
def memory_by_words_only(page: Page, house: House) -> None:
    page.goto(f"/memory?instance={house.unready}&q=anything")


@screen("Apply")
def memory_more_filters(page: Page, house: House) -> None:
    page.goto(f"/memory?instance={house.full}")
    page.locator("summary", has_text="More filters").click()
    expect(page.get_by_label("Tag")).to_be_visible()


@screen("Save this filter …")
def memory_saved_filters_menu(page: Page, house: House) -> None:
    page.goto(f"/memory?instance={house.full}&category=decision")
    page.locator("summary", has_text="Saved").click()
    expect(page.get_by_role("link", name="Save this filter …")).to_be_visible()


@screen("Import …")
def memory_export_menu(page: Page, house: House) -> None:
    page.goto(f"/memory?instance={house.full}")
    page.locator("summary[aria-label='More: export, import, earlier days']").click()
    expect(page.get_by_role("link", name=re.compile("^Export .* as CSV"))).to_be_visible()


@screen("Look")
def memory_of_a_past_day(page: Page, house: House) -> None:
    page.goto(f"/memory/past?instance=demo&on={date.today() - timedelta(3)}&q=peanuts")


@screen("Look")
def memory_of_no_past_day(page: Page, house: House) -> None:
    page.goto(f"/memory/past?instance={house.full}&on=2999-01-01")


@screen("Save this filter")
def saved_filters(page: Page, house: House) -> None:
    page.goto(f"/memory/filters?instance={house.full}&q={LONG_WORD}")


@screen("All instances")
def memory_picker(page: Page, house: House) -> None:
    page.goto(f"/memory?instance={house.full}")
    page.locator(".picker summary").click()
    expect(page.get_by_role("link", name="All instances")).to_be_visible()


@screen("Delete 2 memories")
def memory_selected(page: Page, house: House) -> None:
    page.goto(f"/memory?instance={house.full}&q=what is in a box")
    page.get_by_role("checkbox").nth(0).check()
    page.get_by_role("checkbox").nth(2).check()
    expect(page.get_by_text("2 selected")).to_be_visible()


@screen("Delete 2 memories")
def memory_delete_dialog(page: Page, house: House) -> None:
    memory_selected(page, house)
    page.get_by_role("button", name="Delete 2 memories").click()
    expect(page.get_by_role("dialog")).to_be_visible()


@screen("Close")
def memory_keys(page: Page, house: House) -> None:
    page.goto(f"/memory?instance={house.full}")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


@screen("Edit")
def memory_panel(page: Page, house: House) -> None:
    page.goto(f"/memory?instance={house.full}")
    page.locator(f"#row-{house.said} a.content").click()
    expect(page.get_by_role("heading", name="Said in")).to_be_visible()


@screen("Delete")
def memory_panel_with_history(page: Page, house: House) -> None:
    page.goto(f"/memory/{house.changed}?instance={house.full}&q=allergic to peanuts")
    expect(page.get_by_role("heading", name="Changed once")).to_be_visible()


@screen("Delete")
def memory_panel_of_4000_characters(page: Page, house: House) -> None:
    page.goto(f"/memory/{house.long}?instance={house.full}")


@screen("Delete")
def memory_panel_of_another_system(page: Page, house: House) -> None:
    page.goto(f"/memory/{house.attached}?instance={house.full}")
    expect(page.get_by_text("Attached")).to_be_visible()


@screen("Remember")
def memory_new(page: Page, house: House) -> None:
    page.goto(f"/memory?instance={house.full}")
    page.get_by_role("link", name="New memory").click()
    expect(page.get_by_label("What is to be remembered")).to_be_focused()


@screen("Remember", forgive="422")
def memory_new_with_errors(page: Page, house: House) -> None:
    page.goto(f"/memory/new?instance={house.full}")
    page.get_by_label("What is to be remembered").fill("The user …")
    page.get_by_label("Conversation number").fill("999999999")
    page.get_by_label("Tags").fill(", ".join(f"tag {number}" for number in range(40)))
    page.get_by_role("button", name="Remember").click()
    expect(page.locator(".field .error").first).to_be_visible()


@screen("Remember", forgive="422")
def memory_new_with_a_secret(page: Page, house: House) -> None:
    page.goto(f"/memory/new?instance={house.full}")
    page.get_by_label("What is to be remembered").fill("My password is somewhere in here")
    page.get_by_role("button", name="Remember").click()
    expect(page.get_by_text("It speaks of a password or key")).to_be_visible()


@screen("Remember", forgive="422")
def memory_new_that_was_deleted(page: Page, house: House) -> None:
    page.goto(f"/memory/new?instance={house.full}")
    page.get_by_label("What is to be remembered").fill(KEPT_OUT)
    page.get_by_role("button", name="Remember").click()
    expect(page.get_by_label("Remember it all the same")).to_be_visible()


@screen("Lift")
def not_learned_again(page: Page, house: House) -> None:
    page.goto(f"/memory?instance={house.full}")
    page.get_by_label("More: export, import, earlier days").click()
    page.get_by_role("link", name="Not learned again").click()
    expect(page.get_by_text("kept out").first).to_be_visible()


@screen("Go to the memory")
def nothing_is_kept_out(page: Page, house: House) -> None:
    page.goto(f"/memory/never-again?instance={house.empty}")


@screen("Save")
def memory_edit(page: Page, house: House) -> None:
    page.goto(f"/memory/{house.changed}/edit?instance={house.full}")


@screen("New memory", forgive="ERR_CONNECTION_REFUSED|htmx:")
def memory_server_gone(page: Page, house: House) -> None:
    page.goto(f"/memory?instance={house.full}")
    page.route("**/memory?*", lambda route: route.abort("connectionrefused"))
    page.get_by_role("link", name=re.compile("^decision")).click()
    expect(page.locator("#messages .notice.bad")).to_be_visible()


@screen("Import")
def conversations(page: Page, house: House) -> None:
    page.goto(f"/conversations?instance={house.full}")


@screen("Import")
def conversations_found(page: Page, house: House) -> None:
    page.goto(f"/conversations?instance={house.full}&q=kettle bicycle coat")


@screen("Show all conversations")
def conversations_nothing_found(page: Page, house: House) -> None:
    page.goto(f"/conversations?instance={house.full}&q=zeppelin")


@screen("Show all conversations")
def conversations_none_in_this_state(page: Page, house: House) -> None:
    page.goto(f"/conversations?instance={house.full}&state=waiting")


@screen("Search")
def conversations_narrowed(page: Page, house: House) -> None:
    page.goto(f"/conversations?instance={house.full}&state=read&user=nobody&q=kettle")
    expect(page.get_by_text("of those conversations holds these words")).to_be_visible()


@screen("Import conversations")
def conversations_empty(page: Page, house: House) -> None:
    page.goto(f"/conversations?instance={house.empty}")


@screen()
def transcript(page: Page, house: House) -> None:
    page.goto(f"/conversations/{house.transcript}?page=1#m1")


@screen("Rename")
def transcript_to_be_renamed(page: Page, house: House) -> None:
    page.goto(f"/conversations/{house.transcript}")
    page.locator("summary", has_text="Rename").click()
    expect(page.get_by_label("Title")).to_be_visible()


@screen("Try again")
def transcript_that_could_not_be_read(page: Page, house: House) -> None:
    page.goto(f"/conversations/{house.failed_transcript}")


@screen("Cancel")
def conversation_delete(page: Page, house: House) -> None:
    page.goto(f"/conversations/{house.transcript}/delete")


@screen("Look through it")
def import_form(page: Page, house: House) -> None:
    page.goto(f"/conversations/import?instance={house.full}")
    page.get_by_text("Where to get such a file").click()


@screen("Look through it", forgive="422")
def import_without_a_file(page: Page, house: House) -> None:
    page.goto(f"/conversations/import?instance={house.unready}")
    page.get_by_label("File").evaluate("field => { field.required = false; }")
    page.get_by_role("button", name="Look through it").click()
    expect(page.locator(".field .error")).to_be_visible()


@screen("Bring them in")
def import_preview(page: Page, house: House) -> None:
    page.goto(f"/conversations/import?instance={house.full}")
    _upload(page, house, f"{LONG_TITLE}.jsonl", '{"content": "One.", "title": "Odds"}\nbad\n' * 50)
    page.get_by_text("What will be left out, and why").click()


@screen("Bring them in")
def import_preview_without_a_model(page: Page, house: House) -> None:
    page.goto(f"/conversations/import?instance={house.unready}")
    _upload(page, house, "notes.jsonl", '{"content": "One."}\n')


def _upload(page: Page, house: House, name: str, lines: str) -> None:
    page.get_by_label("File").set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": lines.encode()}
    )
    page.get_by_role("button", name="Look through it").click()
    expect(page.get_by_role("button", name="Bring them in")).to_be_visible()


@screen("Bring them in")
def import_preview_of_memories(page: Page, house: House) -> None:
    page.goto(f"/conversations/import?instance={house.unready}&kind=memories")
    lines = f'{{"content": "{LONG_WORD}", "tags": ["a"]}}\n{{"content": "", "importance": 99}}\n'
    _upload(page, house, "memories.jsonl", lines)
    page.get_by_text("What will be left out, and why").click()


@screen("Stop here")
def import_coming_in(page: Page, house: House) -> None:
    # Never seen before: what is there already would have nothing to come in.
    talk = uuid4()
    lines = "".join(
        f'{{"content": "Number {number}.", "id": {number}, "conversation": "{talk}"}}\n'
        for number in range(9_000)
    )
    page.goto(f"/conversations/import?instance={house.arrivals}")
    _upload(page, house, "numbers.jsonl", lines)
    page.get_by_role("button", name="Bring them in").click()
    expect(page.get_by_role("button", name="Stop here")).to_be_visible()
    # From now on the page asks how far it has come, and is told that there is nothing new.
    page.route("**/conversations/imports/*", _nothing_new)
    expect(page.get_by_text("All in", exact=True)).to_have_count(0)


@screen("Import another file")
def import_cancelled(page: Page, house: House) -> None:
    page.goto(f"/conversations/import?instance={house.arrivals}")
    _upload(page, house, "notes.jsonl", '{"content": "One."}\n')
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Nothing has come in")).to_be_visible()


def _nothing_new(route: Route) -> None:
    if route.request.headers.get("hx-request"):
        route.fulfill(status=204)
    else:
        route.continue_()


@screen("Show the conversations")
def import_done(page: Page, house: House) -> None:
    page.goto(house.done_import)
    page.get_by_text("What was left out, and why").click()


@screen("Show the memories")
def import_of_memories_done(page: Page, house: House) -> None:
    page.goto(house.memories_import)
    page.get_by_text("What was left out, and why").click()


@screen("Import another file")
def import_failed(page: Page, house: House) -> None:
    page.goto(house.failed_import)


@screen("Set up a language model")
def chat_without_a_model(page: Page, house: House) -> None:
    page.goto(f"/chat?instance={house.empty}")


@screen("Send")
def chat_new(page: Page, house: House) -> None:
    page.goto(f"/chat?instance={house.talks.lively}&agent=nora")
    page.get_by_text("For somebody else").click()
    expect(page.get_by_label("End user")).to_be_visible()


@screen("Send")
def chat_with_memory_off(page: Page, house: House) -> None:
    page.goto(f"/chat?instance={house.talks.quiet}")


@screen("Send")
def chat(page: Page, house: House) -> None:
    page.goto(house.talks.full)


@screen("Send")
def chat_notes(page: Page, house: House) -> None:
    page.goto(house.talks.full)
    fold = page.locator("#notes summary")
    if fold.is_visible():
        fold.click()
    expect(page.locator("#notes").get_by_text("Learned", exact=True)).to_be_visible()


@screen("Try again")
def chat_that_failed(page: Page, house: House) -> None:
    page.goto(house.talks.failed)


@screen("Send", forgive="422")
def chat_refused(page: Page, house: House) -> None:
    page.goto(house.talks.full)
    box = page.get_by_role("textbox", name="Message")
    box.evaluate("box => { box.removeAttribute('maxlength'); }")
    box.fill("word " * 7_000)
    box.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()


@screen("Stop")
def chat_in_mid_reply(page: Page, house: House) -> None:
    page.goto(f"/chat?instance={house.talks.lively}")
    page.get_by_role("textbox", name="Message").fill(COUNT)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("[data-reply]")).to_contain_text("number 7")


@screen("New instance")
def instances(page: Page, house: House) -> None:
    page.goto("/instances")


@screen("Allow address")
def outgoing_connections(page: Page, house: House) -> None:
    page.goto("/server/connections")


@screen("Allow address", forgive="422")
def outgoing_connections_with_errors(page: Page, house: House) -> None:
    page.goto("/server/connections")
    page.get_by_role("textbox", name="Address").fill("http://localhost:11434/v1")
    page.get_by_role("button", name="Allow address").click()
    expect(page.locator(".field .error")).to_be_visible()


@screen("Create")
def instance_new(page: Page, house: House) -> None:
    page.goto("/instances/new")


@screen("Create", forgive="422")
def instance_new_with_errors(page: Page, house: House) -> None:
    page.goto("/instances/new")
    page.get_by_label("Name").fill("House")
    page.get_by_label("Slug").fill(house.full)
    page.get_by_role("button", name="Create").click()
    expect(page.locator(".field .error")).to_be_visible()


@screen("Delete House")
def settings(page: Page, house: House) -> None:
    page.goto(f"/instances/{house.full}/settings")


@screen("Make a key")
def settings_with_ways_in(page: Page, house: House) -> None:
    page.goto(f"/instances/{house.full}/settings")
    page.locator("summary", has_text="Claude Desktop").click()
    expect(page.locator("#way-claude-desktop")).to_be_visible()


@screen("Set one up")
def settings_with_warnings(page: Page, house: House) -> None:
    page.goto(f"/instances/{house.unready}/settings")
    expect(page.locator(".notice")).to_have_count(4)


@screen("Save", forgive="422")
def settings_with_errors(page: Page, house: House) -> None:
    page.goto(f"/instances/{house.empty}/settings")
    page.locator("#language-model").get_by_label("Provider").select_option("custom")
    page.locator("#language-model").get_by_role("button", name="Save").click()
    expect(page.locator("#language-model .field .error")).to_have_count(2)
    page.locator("#members").get_by_label("Username").fill("no spaces")
    page.get_by_role("button", name="Invite").click()
    expect(page.locator("#members .field .error")).to_have_count(1)


@screen("Save", forgive="422")
def settings_asking_to_embed_anew(page: Page, house: House) -> None:
    page.goto(f"/instances/{house.full}/settings")
    card = page.locator("#embeddings")
    card.get_by_label("Embeddings from").select_option("custom")
    card.get_by_label("Address").fill(NOBODY_THERE)
    card.get_by_label("Embedding model").fill("small")
    card.get_by_role("button", name="Save").click()
    expect(card.locator(".notice")).to_be_visible()


@screen("Cancel")
def settings_going_over_to_a_model_that_is_silent(page: Page, house: House) -> None:
    page.goto(f"/instances/{house.moving}/settings#embeddings")
    expect(page.get_by_role("button", name="Try now")).to_be_visible()


@screen("Go back")
def settings_gone_over_to_another_model(page: Page, house: House) -> None:
    page.goto(f"/instances/{house.moved}/settings#embeddings")


@screen("Test connection")
def settings_tested(page: Page, house: House) -> None:
    page.goto(f"/instances/{house.full}/settings")
    page.locator("#language-model").get_by_role("button", name="Test connection").click()
    expect(page.locator("#language-model .notice.ok")).to_be_visible()
    page.goto(f"/instances/{house.full}/settings#embeddings")
    page.locator("#embeddings").get_by_role("button", name="Test connection").click()
    expect(page.locator("#embeddings .notice.ok")).to_be_visible()


@screen("Test connection")
def settings_tested_in_vain(page: Page, house: House) -> None:
    page.goto(f"/instances/{house.unready}/settings")
    page.locator("#language-model").get_by_role("button", name="Test connection").click()
    expect(page.locator("#language-model .notice.bad")).to_be_visible()


@screen("Delete House", forgive="422")
def instance_delete_misspelt(page: Page, house: House) -> None:
    page.goto(f"/instances/{house.full}/delete")
    page.get_by_label("Type house to confirm").fill("hosue")
    page.get_by_role("button", name="Delete House").click()
    expect(page.locator(".field .error")).to_be_visible()


# Puts the screens of the other modules on the list, too.
from tests.browser import health_screens, people_screens, usage_screens  # noqa: E402, F401
