"""Registry of every screen in every state, for the tests that visit all of them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.browser.chat_seed import COUNT_PROMPT, UNREACHABLE_URL
from tests.browser.seed_data import (
    SeedData,
)

Reach = Callable[[Page, SeedData], None]


@dataclass(frozen=True)
class Screen:
    """How to reach one state of a screen, and which control must be reachable there."""

    reach: Reach
    #: The name of the primary button or link.
    primary: str = ""
    #: Expected errors, as a regular expression.
    forgive: str = ""
    signed_in: bool = True
    #: True if it is a further state of a screen, for `make soak`.
    is_state: bool = False


SCREENS: dict[str, Screen] = {}


def screen(
    primary: str = "", *, forgive: str = "", signed_in: bool = True, is_state: bool = False
) -> Callable[[Reach], Reach]:
    """Register a function that opens a screen, under its name."""

    def register(reach: Reach) -> Reach:
        name = reach.__name__.replace("_", " ")
        SCREENS[name] = Screen(reach, primary, forgive, signed_in, is_state)
        return reach

    return register


#: Register a function that opens a screen in another state, such as empty or with errors.
state = partial(screen, is_state=True)


@screen("Sign in", signed_in=False)
def login(page: Page, seed: SeedData) -> None:
    page.goto("/accounts/login")


@state("Sign in", signed_in=False)
def login_refused(page: Page, seed: SeedData) -> None:
    page.goto("/accounts/login")
    page.get_by_label("Username").fill("nobody")
    page.get_by_label("Password").fill("guessed")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert")).to_be_visible()


@screen("Change password")
def account(page: Page, seed: SeedData) -> None:
    page.goto("/account")


@state("Change password", forgive="422")
def account_refused(page: Page, seed: SeedData) -> None:
    page.goto("/account")
    page.get_by_label("Current password").fill("guessed")
    page.get_by_label("New password", exact=True).fill("12345678")
    page.get_by_label("New password again").fill("12345678")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("entirely numeric")).to_be_visible()


@state("Confirm")
def account_confirmation(page: Page, seed: SeedData) -> None:
    page.goto("/account/passkeys/new")
    expect(page.get_by_label("Password")).to_be_visible()


@screen("Connect")
def connecting_an_app(page: Page, seed: SeedData) -> None:
    """The question that an app’s request opens."""
    page.goto(_request_of_an_app(page))
    expect(page.get_by_role("heading", name="Connect Attic Assistant?")).to_be_visible()


@state("Go to Keepsake", forgive="400")
def connecting_an_unknown_app(page: Page, seed: SeedData) -> None:
    page.goto("/oauth/authorize?client_id=nobody&response_type=code")


def _request_of_an_app(page: Page) -> str:
    """Register an app; return the address that it opens in the browser."""
    home = "http://127.0.0.1:7777/callback"
    registration = {"client_name": "Attic Assistant", "redirect_uris": [home]}
    registered = page.request.post("/oauth/register", data=registration).json()
    query = {
        "client_id": registered["client_id"],
        "redirect_uri": home,
        "response_type": "code",
        "scope": "read write delete",
        "code_challenge": "a" * 43,
        "code_challenge_method": "S256",
    }
    return f"/oauth/authorize?{urlencode(query)}"


@screen("Create")
def welcome(page: Page, seed: SeedData) -> None:
    page.goto("/welcome")


@screen("Save and test")
def welcome_model(page: Page, seed: SeedData) -> None:
    page.goto(f"/welcome/{seed.empty}")
    page.get_by_role("radio", name="Amazon Bedrock").check()


@state("Save and test", forgive="422")
def welcome_without_a_model(page: Page, seed: SeedData) -> None:
    page.goto(f"/welcome/{seed.empty}")
    page.get_by_role("radio", name="Another OpenAI-compatible server").check()
    page.get_by_role("button", name="Save and test").click()
    expect(page.get_by_text("Enter the name of a model")).to_be_visible()


@state("Later")
def welcome_memories(page: Page, seed: SeedData) -> None:
    page.goto(f"/welcome/{seed.empty}?step=memories")


@state("See what it remembers")
def welcome_done(page: Page, seed: SeedData) -> None:
    page.goto(f"/welcome/{seed.full}")


@state("Go to your memory", forgive="403")
def expired_form(page: Page, seed: SeedData) -> None:
    page.goto("/instances/new")
    page.get_by_label("Name", exact=True).fill("Too late")
    page.locator("form.card [name=csrfmiddlewaretoken]").evaluate("field => field.value = 'old'")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_text("Nothing was changed")).to_be_visible()


@screen("Go to your memory", forgive="404")
def not_found(page: Page, seed: SeedData) -> None:
    page.goto("/memory/999999999")


@screen()
def instance_choice(page: Page, seed: SeedData) -> None:
    page.goto("/memory")


@state("Send")
def chat_without_a_model(page: Page, seed: SeedData) -> None:
    page.goto(f"/chat?instance={seed.empty}")


@screen("Send")
def chat_new(page: Page, seed: SeedData) -> None:
    page.goto(f"/chat?instance={seed.chats.lively}&agent=nora")
    page.get_by_text("For another person").click()
    expect(page.get_by_label("Person")).to_be_visible()


@state("Send")
def chat_with_memory_off(page: Page, seed: SeedData) -> None:
    page.goto(f"/chat?instance={seed.chats.quiet}")


@screen("Send")
def chat(page: Page, seed: SeedData) -> None:
    page.goto(seed.chats.full)


@screen("Forget")
def chat_proposal(page: Page, seed: SeedData) -> None:
    page.goto(seed.chats.proposed)


@state("Forget")
def chat_proposal_of_two(page: Page, seed: SeedData) -> None:
    page.goto(seed.chats.proposed_two)


@state("Send")
def chat_proposal_kept(page: Page, seed: SeedData) -> None:
    page.goto(seed.chats.kept)
    keep = page.get_by_role("button", name="Keep")
    if keep.is_visible():
        keep.click()
    expect(page.locator(".proposal")).to_contain_text("Kept")


@screen("Forget")
def proposal(page: Page, seed: SeedData) -> None:
    page.goto(seed.chats.proposed)
    address = page.locator(".proposal form").get_attribute("action")
    page.goto(str(address))


@screen("Send")
def chat_notes(page: Page, seed: SeedData) -> None:
    page.goto(seed.chats.full)
    fold = page.locator("#notes > details > summary")
    if fold.is_visible():
        fold.click()
    expect(page.locator("#notes").get_by_text("Learned", exact=True)).to_be_visible()


@state("Try again")
def chat_failed(page: Page, seed: SeedData) -> None:
    page.goto(seed.chats.failed)


@state("Send", forgive="422")
def chat_refused(page: Page, seed: SeedData) -> None:
    page.goto(seed.chats.full)
    box = page.get_by_role("textbox", name="Message")
    box.evaluate("box => { box.removeAttribute('maxlength'); }")
    box.fill("word " * 7_000)
    box.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()


@state("Stop")
def chat_during_a_reply(page: Page, seed: SeedData) -> None:
    page.goto(f"/chat?instance={seed.chats.lively}")
    page.get_by_role("textbox", name="Message").fill(COUNT_PROMPT)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("[data-reply]")).to_contain_text("number 7")


@screen("New instance")
def instances(page: Page, seed: SeedData) -> None:
    page.goto("/instances")


@screen("Verify")
def audit_log(page: Page, seed: SeedData) -> None:
    page.goto("/server/audit?action=signed_in")
    expect(page.locator("article").get_by_text("signed in").first).to_be_visible()


@state("Verify")
def audit_log_verified(page: Page, seed: SeedData) -> None:
    page.goto("/server/audit?since=2020-01-01")
    page.get_by_role("button", name="Verify").click()
    expect(page.get_by_text("The log is whole")).to_be_visible()


@screen("Allow address")
def outgoing_connections(page: Page, seed: SeedData) -> None:
    page.goto("/server/connections")


@state("Allow address", forgive="422")
def outgoing_connections_with_errors(page: Page, seed: SeedData) -> None:
    page.goto("/server/connections")
    page.get_by_role("textbox", name="Address").fill("http://localhost:11434/v1")
    page.get_by_role("button", name="Allow address").click()
    expect(page.locator(".field .error")).to_be_visible()


@screen("Create")
def instance_new(page: Page, seed: SeedData) -> None:
    page.goto("/instances/new")


@state("Create", forgive="422")
def instance_new_with_errors(page: Page, seed: SeedData) -> None:
    page.goto("/instances/new")
    page.get_by_label("Name", exact=True).fill("House")
    page.get_by_label("Short name").fill(seed.full)
    page.get_by_role("button", name="Create").click()
    expect(page.locator(".field .error")).to_be_visible()


@screen("Delete House")
def settings(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/settings")


@screen()
def settings_of_the_memory(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/settings/memory")


@screen("Test connection")
def settings_of_the_models(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/settings/models")


@screen("Add agent")
def settings_of_the_assistant(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/settings/assistant")


@screen()
def settings_of_the_figures(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/settings/advanced")
    expect(page.get_by_label("Reranking model")).to_be_visible()


@screen("Invite")
def settings_of_the_members(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/settings/members")


@state("Invite")
def settings_with_an_unknown_member(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/settings/members")
    page.get_by_label("Username").press_sequentially("stranger")
    expect(page.get_by_text("stranger has no account yet.")).to_be_visible()


@screen("Create key")
def settings_of_the_keys(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/settings/keys")


@screen("Create webhook")
def settings_of_the_webhooks(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/settings/webhooks")


@state("Create webhook", forgive="422")
def webhook_with_errors(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.empty}/settings/webhooks")
    page.get_by_label("Address").fill("http://169.254.169.254/latest")
    page.get_by_role("button", name="Create webhook").click()
    expect(page.locator(".field .error")).to_contain_text("never called")


@screen("Set hold")
def settings_of_the_holds(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/settings/holds")


@screen("Preview")
def settings_of_retention(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/settings/retention")


@state("Set rule")
def retention_preview(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/settings/retention")
    page.get_by_label("Days").fill("30")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("status").get_by_text("Would delete")).to_be_visible()


@state("Set hold", forgive="422")
def hold_with_errors(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.empty}/settings/holds")
    page.get_by_label("Name", exact=True).fill("Case 17")
    page.get_by_label("Applies to").select_option("conversation")
    page.get_by_label("Conversation", exact=True).fill("1")
    page.get_by_role("button", name="Set hold").click()
    expect(page.locator(".field .error")).to_contain_text("no conversation")


@screen("Make a new secret")
def webhook(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/webhooks/{seed.webhook}")
    page.get_by_text("Remove this webhook").click()


@screen("Send a test")
def log_of_a_webhook(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/webhooks/{seed.webhook}/log")


@state("Send a test")
def log_of_a_webhook_without_events(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/webhooks/{seed.webhook}/log?state=delivered")


@state("Create key")
def settings_with_connection_snippets(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/settings/keys")
    page.locator("summary", has_text="Claude Desktop").click()
    expect(page.locator("#way-claude-desktop")).to_be_visible()


@state("Set up a model")
def settings_with_warnings(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.unready}/settings/memory")
    expect(page.locator(".notice")).to_have_count(2)


@state("Save", forgive="422")
def settings_with_errors(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.empty}/settings/models")
    page.locator("#language-model").get_by_label("Provider").select_option("custom")
    page.locator("#language-model").get_by_role("button", name="Save").click()
    expect(page.locator("#language-model .field .error")).to_have_count(2)


@state("Test connection", forgive="422")
def settings_reembedding_question(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/settings/models")
    card = page.locator("#embeddings")
    card.get_by_label("Provider").select_option("custom")
    card.get_by_label("Address").fill(UNREACHABLE_URL)
    card.get_by_label("Model", exact=True).fill("small")
    card.get_by_role("button", name="Save").click()
    expect(card.locator(".notice")).to_be_visible()


@state("Cancel")
def settings_reembedding_with_a_failing_model(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.moving}/settings/models#embeddings")
    expect(page.get_by_role("button", name="Try now")).to_be_visible()


@state("Go back")
def settings_after_reembedding(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.moved}/settings/models#embeddings")


@state("Test connection")
def settings_in_another_language(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.japanese}/settings/models#embeddings")
    expect(page.get_by_role("button", name="Use the multilingual one")).to_be_visible()
    # Ollama, which has none here, has been looked for.
    expect(page.locator("#embedding-offer a")).to_have_count(0)


@state("Test connection")
def settings_tested(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/settings/models")
    page.locator("#language-model").get_by_role("button", name="Test connection").click()
    expect(page.locator("#language-model .notice.ok")).to_be_visible()
    page.goto(f"/instances/{seed.full}/settings/models#embeddings")
    page.locator("#embeddings").get_by_role("button", name="Test connection").click()
    expect(page.locator("#embeddings .notice.ok")).to_be_visible()


@state("Test connection")
def settings_failed_test(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.unready}/settings/models")
    page.locator("#language-model").get_by_role("button", name="Test connection").click()
    expect(page.locator("#language-model .notice.bad")).to_be_visible()


@state("Download", forgive="422")
def instance_export_short_passphrase(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/export")
    # Without the browser's own check, as with a browser that has none.
    page.locator("form.ask").evaluate("form => (form.noValidate = true)")
    page.get_by_label("Passphrase").fill("short")
    page.get_by_role("button", name="Download").click()
    expect(page.locator(".field .error")).to_be_visible()


@state("Delete House", forgive="422")
def instance_delete_misspelt(page: Page, seed: SeedData) -> None:
    page.goto(f"/instances/{seed.full}/delete")
    page.get_by_label("Type house to confirm").fill("hosue")
    page.get_by_role("button", name="Delete House").click()
    expect(page.locator(".field .error")).to_be_visible()


# These modules register their screens, too.
from tests.browser import (  # noqa: E402
    conversation_screens,  # noqa: F401
    health_screens,  # noqa: F401
    memory_screens,  # noqa: F401
    people_screens,  # noqa: F401
    usage_screens,  # noqa: F401
)
