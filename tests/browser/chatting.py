"""A model to talk to, and how the tests find their way about the chat."""

import re
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app_client import Person
from tests.provider_fixtures import fact, numbered_lines
from tests.scripted_provider import Request, Says, ScriptedProvider


class Model(ScriptedProvider):
    """A language model that learns from who begins with "I …", and says in a chat what it is
    told.
    """

    def say(self, text: str, *, hold_after: int | None = None) -> threading.Event:
        """Answer chats with *text*; wait after so many of its words until the event is set."""
        go_on = threading.Event()

        def before(number: int) -> None:
            if hold_after is not None and number > hold_after:
                go_on.wait(60)

        def reply(request: Request) -> object:
            return learned(request) if reads(request) else Says(text, before=before)

        self.reply_with(reply)
        return go_on

    @property
    def chats(self) -> list[Request]:
        """What it was asked in chats."""
        asked = [each.body for each in self.requests if each.path.endswith("chat/completions")]
        return [body for body in asked if not reads(body)]


def reads(request: Request) -> bool:
    """Whether the model is asked to read a conversation for facts, and not to answer."""
    return bool(request.get("response_format"))


def learned(request: Request) -> object:
    """Write down first sentences such as "I live in Gent."."""
    said = {n: re.match(r"I (\w+) (.*?\.)", text) for n, text in numbered_lines(request).items()}
    return {
        "memories": [
            fact(n, f"The user {found[1]}s {found[2]}") for n, found in said.items() if found
        ]
    }


@pytest.fixture
def model() -> Iterator[Model]:
    with Model() as model:
        yield model


@pytest.fixture
def parlour(admin: Person, model: Model, request: pytest.FixtureRequest) -> str:
    """An instance of the test's own, with memory on and *model* to talk to."""
    words = re.sub(r"\W+|_", "-", request.node.name.removeprefix("test_"))
    instance = admin.new_instance(f"parlour-{words}"[:60].rstrip("-"))
    admin.save(instance, "memory", memory_enabled="on", extract_when="after_response")
    connection = {"provider": "custom", "base_url": model.base_url, "fast_model": "scripted"}
    admin.save(instance, "language-model", **connection)
    return instance


def say(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Message").fill(text)
    page.keyboard.press("Enter")


def reply(page: Page) -> Locator:
    """The latest reply."""
    return page.locator("[data-reply]").last


def notes(page: Page) -> Locator:
    return page.get_by_role("region", name="What memory did")


def is_over(page: Page) -> None:
    expect(page.locator(".exchange").last).not_to_have_attribute("aria-busy", "true")
    expect(page.get_by_role("button", name="Send")).to_be_enabled()
