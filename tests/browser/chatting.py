"""A scripted model and page helpers for tests of the chat."""

import re
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app_client import Person
from tests.provider_fixtures import fact, numbered_lines
from tests.scripted_provider import Request, Says, ScriptedProvider


class Model(ScriptedProvider):
    """A language model that extracts facts from sentences with "I …" and answers chats with a
    given text.
    """

    def answer_chats_with(self, text: str, *, hold_after: int | None = None) -> threading.Event:
        """Answer chats with *text*, pausing after *hold_after* words until the event is set."""
        go_on = threading.Event()

        def before(number: int) -> None:
            if hold_after is not None and number > hold_after:
                go_on.wait(60)

        def reply(request: Request) -> object:
            return extract_facts(request) if is_extraction(request) else Says(text, before=before)

        self.reply_with(reply)
        return go_on

    @property
    def chats(self) -> list[Request]:
        """The chat requests that it received."""
        bodies = [each.body for each in self.requests if each.path.endswith("chat/completions")]
        return [body for body in bodies if not is_extraction(body)]


def is_extraction(request: Request) -> bool:
    """Return whether the request is an extraction and not a chat."""
    return bool(request.get("response_format"))


def extract_facts(request: Request) -> object:
    """Extract first sentences such as "I live in Gent."."""
    matches = {n: re.match(r"I (\w+) (.*?\.)", text) for n, text in numbered_lines(request).items()}
    return {
        "memories": [
            fact(n, f"The user {match[1]}s {match[2]}") for n, match in matches.items() if match
        ]
    }


@pytest.fixture
def model() -> Iterator[Model]:
    with Model(capable=True) as model:
        yield model


@pytest.fixture
def chat_instance(admin: Person, model: Model, request: pytest.FixtureRequest) -> str:
    """An instance for one test, with memory on and *model* as its chat model."""
    words = re.sub(r"\W+|_", "-", request.node.name.removeprefix("test_"))
    instance = admin.new_instance(f"parlour-{words}"[:60].rstrip("-"))
    admin.save(instance, "memory", memory_enabled="on", extract_when="after_response")
    connection = {"provider": "custom", "base_url": model.base_url, "fast_model": "scripted"}
    admin.save(instance, "language-model", **connection)
    return instance


def send(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Message").fill(text)
    page.keyboard.press("Enter")


def reply(page: Page) -> Locator:
    """Return the latest reply."""
    return page.locator("[data-reply]").last


def notes(page: Page) -> Locator:
    return page.get_by_role("region", name="What memory did")


def reply_is_complete(page: Page) -> None:
    expect(page.locator(".exchange").last).not_to_have_attribute("aria-busy", "true")
    expect(page.get_by_role("button", name="Send")).to_be_enabled()
