"""Every screen in every state that it has, for the tests that look at all of them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.keepsake import Keepsake, Person, wait_until
from tests.scripted_provider import ScriptedProvider

ARABIC = "تعيش سلمى في بيروت، وتعمل طبيبة أطفال، ولا تأكل اللحم منذ عام ٢٠١٩."
JAPANESE = "由紀子は京都に住んでいて、毎年春に姉を訪ね、桜の下で抹茶を飲むのが好きです。"
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüsselanhänger" * 3
LONG_TITLE = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz" * 3
FOUR_THOUSAND = ("The user keeps a diary of the weather at the lake. " * 80)[:4000]
NOBODY_THERE = "http://127.0.0.1:9/v1"


@dataclass(frozen=True)
class House:
    """Instances with something of everything in them, and where it is."""

    #: Slugs: full of memories, without any, with memory on but nothing set up.
    full: str
    empty: str
    unready: str
    said: int
    long: int
    changed: int
    transcript: int
    failed_transcript: int
    done_import: str
    failed_import: str


def furnish(admin: Person, app: Keepsake, provider: ScriptedProvider) -> House:
    """Put something of everything into the app, by the ways that people have."""
    full, empty = admin.new_instance("house"), admin.new_instance("empty")
    unready = admin.new_instance("unready")
    ids = _memories(admin, full)
    transcript, failed = _conversations(admin, app, full, provider)
    said = next(m["id"] for m in admin.memories(full) if m["origin"] == "conversation")
    admin.save(unready, "memory", memory_enabled="on", extract_when="after_response")
    # As if its key had been taken back: an embedding provider without one.
    admin.save(unready, "embeddings", embedding_provider="openai")
    return House(
        full=full,
        empty=empty,
        unready=unready,
        said=said,
        long=ids["long"],
        changed=ids["changed"],
        transcript=transcript,
        failed_transcript=failed,
        done_import=_imported(
            admin, app, full, "notes.jsonl", '{"content": "The kettle sings."}\nno message\n'
        ),
        failed_import=_imported(admin, app, empty, "picture.jsonl", "no conversation at all"),
    )


_IN_BOXES = (
    "anvil bellows candle drum easel flute globe hammock inkwell jug kettle lantern mandolin "
    "needle oar piano quilt rake sundial teapot umbrella violin"
).split()


def _memories(admin: Person, instance: str) -> dict[str, int]:
    for number, thing in enumerate(_IN_BOXES):
        admin.remember(
            instance,
            f"The user keeps a {thing} in a box.",
            importance=str(number % 10 + 1),
            category=("general", "preference", "event", "relationship", "decision")[number % 5],
        )
    long = admin.remember(instance, FOUR_THOUSAND, importance="10", tags="weather, lake, diary")
    admin.remember(instance, f"The user’s longest word is {LONG_WORD}.", tags=LONG_WORD[:50])
    admin.remember(instance, ARABIC, end_user="سلمى", category="relationship")
    admin.remember(instance, JAPANESE, end_user="由紀子", tags="京都, 桜")
    yesterday = date.today() - timedelta(days=1)
    changed = admin.remember(
        instance,
        "The user avoids peanuts.",
        importance="10",
        tags="health, food",
        valid_until=yesterday.isoformat(),
    )
    admin.post(
        f"/memory/{changed}/edit?instance={instance}",
        {
            "content": "The user is allergic to peanuts and carries an adrenaline pen.",
            "category": "fact",
            "importance": "10",
            "tags": "health, food",
            "valid_until": yesterday.isoformat(),
        },
    )
    return {"long": long, "changed": changed}


def _conversations(
    admin: Person, app: Keepsake, instance: str, provider: ScriptedProvider
) -> tuple[int, int]:
    """One that is read, with a fact in its first message, and one that cannot be read."""
    admin.save(instance, "memory", memory_enabled="on", extract_when="after_response")
    model = {"provider": "custom", "base_url": provider.base_url, "fast_model": "scripted"}
    admin.save(instance, "language-model", key="sk-house-0000-1234", **model)
    provider.reply_with(_one_fact)
    read = admin.converse(
        instance,
        LONG_TITLE[:180],
        [
            {"role": "user", "content": f"My coat is {LONG_WORD}", "author": "سلمى"},
            {"role": "assistant", "content": "Noted. 承知しました。"},
            {"role": "user", "content": ARABIC, "created_at": "2024-02-29T23:59:00Z"},
            {"role": "tool", "content": "17 °C", "tool_name": "weather"},
            {"role": "system", "content": "Be kind."},
        ],
    )
    _wait_for(admin, app, f"/conversations/{read}", "Nothing worth keeping")
    provider.fail_next("401", times=None)
    failed = admin.converse(
        instance,
        "Cannot be read",
        [
            {"role": "user", "content": "My bicycle is green."},
            {"role": "assistant", "content": "A fine colour."},
        ],
    )
    _wait_for(admin, app, f"/conversations/{failed}", "could not be read")
    provider.reset()
    admin.save(instance, "memory", extract_when="after_response")
    return read, failed


def _one_fact(request: dict[str, Any]) -> dict[str, Any]:
    """Write down the coat, from the first line that the model may take something from."""
    number = re.search(r"^\[(\d+) · ", request["messages"][-1]["content"], re.MULTILINE)
    assert number
    return {
        "memories": [
            {
                "message": int(number[1]),
                "content": "The user has a coat with a very long name.",
                "category": "fact",
                "importance": 4,
                "tags": ["clothes"],
                "valid_until": None,
                "confidence": 90,
            }
        ]
    }


def _imported(admin: Person, app: Keepsake, instance: str, name: str, text: str) -> str:
    """Import a file, and return the address of what came of it."""
    file = {"name": name, "mimeType": "application/json", "buffer": text.encode()}
    address = admin.post(f"/conversations/import?instance={instance}", file=file).url
    _wait_for(admin, app, address, "All in", "Not imported")
    return address


def _wait_for(admin: Person, app: Keepsake, address: str, *texts: str) -> None:
    def there() -> bool:
        page = admin.request.get(address).text()
        return any(text in page for text in texts)

    wait_until(there, app.output)


# --- the screens --------------------------------------------------------------------------------

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
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()


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


@screen("Import conversations")
def conversations_empty(page: Page, house: House) -> None:
    page.goto(f"/conversations?instance={house.empty}")


@screen()
def transcript(page: Page, house: House) -> None:
    page.goto(f"/conversations/{house.transcript}?page=1#m1")


@screen("Try again")
def transcript_that_could_not_be_read(page: Page, house: House) -> None:
    page.goto(f"/conversations/{house.failed_transcript}")


@screen("Cancel")
def conversation_delete(page: Page, house: House) -> None:
    page.goto(f"/conversations/{house.transcript}/delete")


@screen("Import")
def import_form(page: Page, house: House) -> None:
    page.goto(f"/conversations/import?instance={house.full}")


@screen("Import", forgive="422")
def import_without_a_file(page: Page, house: House) -> None:
    page.goto(f"/conversations/import?instance={house.unready}")
    page.get_by_label("File").evaluate("field => { field.required = false; }")
    page.get_by_role("button", name="Import").click()
    expect(page.locator(".field .error")).to_be_visible()


@screen("Show the conversations")
def import_done(page: Page, house: House) -> None:
    page.goto(house.done_import)
    page.get_by_text("What was left out, and why").click()


@screen("Show the conversations")
def import_failed(page: Page, house: House) -> None:
    page.goto(house.failed_import)


@screen("New instance")
def instances(page: Page, house: House) -> None:
    page.goto("/instances")


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


@screen("Set one up")
def settings_with_warnings(page: Page, house: House) -> None:
    page.goto(f"/instances/{house.unready}/settings")
    expect(page.locator(".notice")).to_have_count(3)


@screen("Save", forgive="422")
def settings_with_errors(page: Page, house: House) -> None:
    page.goto(f"/instances/{house.empty}/settings")
    page.locator("#language-model").get_by_label("Provider").select_option("custom")
    page.locator("#language-model").get_by_role("button", name="Save").click()
    expect(page.locator("#language-model .field .error")).to_have_count(2)
    page.locator("#members").get_by_label("Username").fill("nobody")
    page.get_by_role("button", name="Add member").click()
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
