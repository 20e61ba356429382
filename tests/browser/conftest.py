"""A running app, a browser, and a page that does not forgive errors."""

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    Response,
    expect,
    sync_playwright,
)

from tests.browser.chromium import launch
from tests.browser.keepsake import Keepsake, Person
from tests.browser.screens import House, furnish
from tests.scripted_provider import ScriptedProvider

expect.set_options(timeout=15_000)


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Playwright, for these tests only: while its loop runs, Django refuses to touch a database in
    this thread.
    """
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = launch(playwright)
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def new_home() -> Iterator[Callable[[], Keepsake]]:
    """Make a Keepsake in a folder of its own; what still runs at the end is stopped."""
    made: list[tuple[Path, Keepsake]] = []

    def make() -> Keepsake:
        folder = Path(tempfile.mkdtemp(prefix="keepsake-browser-"))
        # Open for passing through: as root, the database server runs as a system user.
        folder.chmod(0o711)
        made.append((folder, Keepsake(folder)))
        return made[-1][1]

    yield make
    codes = [keepsake.stop() for _, keepsake in made if keepsake.running]
    said = [keepsake.output() for _, keepsake in made]
    for folder, _ in made:
        shutil.rmtree(folder)
    assert not any(codes), said


@pytest.fixture(scope="package")
def app(new_home: Callable[[], Keepsake]) -> Keepsake:
    """The app that most tests share, each with an instance of its own."""
    keepsake = new_home()
    keepsake.start()
    return keepsake


@pytest.fixture(scope="package")
def provider() -> Iterator[ScriptedProvider]:
    """The language model."""
    with ScriptedProvider() as provider:
        yield provider


@pytest.fixture(scope="package")
def admin(playwright: Playwright, app: Keepsake) -> Iterator[Person]:
    """The superadmin, for what a test needs before it begins."""
    admin = Person(playwright, app.address)
    yield admin
    admin.request.dispose()


@pytest.fixture(scope="package")
def house(admin: Person, app: Keepsake, provider: ScriptedProvider) -> House:
    """Something of everything, that nobody changes."""
    return furnish(admin, app, provider)


class Watch:
    """Everything that went wrong in a browser while nobody looked."""

    def __init__(self) -> None:
        self.troubles: list[str] = []
        self._forgiven: list[str] = []

    def forgive(self, pattern: str) -> None:
        """Expect trouble that this regular expression finds, from now on."""
        self._forgiven.append(pattern)

    def attach(self, context: BrowserContext) -> None:
        """Listen to every page of *context*."""
        context.on("console", self._console)
        context.on("weberror", lambda error: self._note(f"page error: {error.error}"))
        context.on("requestfailed", self._request_failed)
        context.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        # What failed to load is noted with its address and status below.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self._note(f"console {message.type}: {message.text}")

    def _request_failed(self, request: Request) -> None:
        # A page that is left takes the requests with it that it was waiting for.
        if request.failure != "net::ERR_ABORTED":
            self._note(f"failed: {request.method} {request.url} {request.failure}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self._note(f"{response.status}: {response.request.method} {response.url}")

    def _note(self, trouble: str) -> None:
        if not any(re.search(pattern, trouble) for pattern in self._forgiven):
            self.troubles.append(trouble)


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Fails the test for console errors, page errors, failed requests and error answers."""
    watch = Watch()
    yield watch
    assert watch.troubles == []


@pytest.fixture
def new_context(browser: Browser, watch: Watch) -> Iterator[Callable[..., BrowserContext]]:
    """Open a watched window with a user of its own."""
    contexts: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}} | options)
        context.set_default_timeout(15_000)
        watch.attach(context)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def page(new_context: Callable[..., BrowserContext], app: Keepsake, admin: Person) -> Page:
    """A page of the superadmin, who has signed in."""
    return new_context(base_url=app.address, storage_state=admin.request.storage_state()).new_page()


Look = Callable[[Page, str], None]


@pytest.fixture
def look() -> Look:
    """Save pictures, light and dark, when ``KEEPSAKE_SHOTS`` names a folder to put them."""
    folder = os.environ.get("KEEPSAKE_SHOTS")

    def save(page: Page, name: str) -> None:
        if not folder:
            return
        width = page.viewport_size["width"] if page.viewport_size else 0
        for theme in ("dark", "light"):
            page.emulate_media(color_scheme=theme)
            path = Path(folder) / f"{name} {width} {theme}.png"
            page.screenshot(path=path, animations="disabled")

    return save
