"""Fixtures: a running app, a browser, and pages that fail the test on errors."""

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
    Page,
    Playwright,
    StorageState,
    expect,
    sync_playwright,
)

import tests.browser.graph_screens
import tests.browser.palace_screens
import tests.browser.profile_screens
import tests.browser.recall_screens  # noqa: F401 - these put their screens on the list
from tests.browser.app_client import THINGS, Keepsake, Person
from tests.browser.chromium import launch
from tests.browser.seed_data import SeedData, create_seed_data
from tests.browser.viewports import DESK
from tests.browser.watch import Look, Watch
from tests.scripted_provider import ScriptedProvider

expect.set_options(timeout=15_000)


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Playwright, only for these tests: while its event loop runs, Django refuses database access
    in this thread.
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
    """Factory for Keepsake in a new folder; running ones are stopped at the end."""
    started: list[tuple[Path, Keepsake]] = []

    def make() -> Keepsake:
        folder = Path(tempfile.mkdtemp(prefix="keepsake-browser-"))
        # Traversable by all: when started as root, the database server runs as a system user.
        folder.chmod(0o711)
        started.append((folder, Keepsake(folder)))
        return started[-1][1]

    yield make
    codes = [keepsake.stop() for _, keepsake in started if keepsake.running]
    outputs = [keepsake.output() for _, keepsake in started]
    for folder, _ in started:
        shutil.rmtree(folder)
    assert not any(codes), outputs


@pytest.fixture(scope="package")
def app(new_home: Callable[[], Keepsake]) -> Keepsake:
    """The app that most tests share, each with its own instance."""
    keepsake = new_home()
    keepsake.start()
    return keepsake


@pytest.fixture(scope="package")
def provider() -> Iterator[ScriptedProvider]:
    """The language model."""
    with ScriptedProvider(capable=True) as provider:
        yield provider


@pytest.fixture(scope="package")
def admin(playwright: Playwright, app: Keepsake) -> Iterator[Person]:
    """The superadmin, who creates the data of a test."""
    admin = Person(playwright, app.address)
    yield admin
    admin.request.dispose()


@pytest.fixture(scope="package")
def signed_in(playwright: Playwright, app: Keepsake) -> StorageState:
    """Cookies of a browser in which the superadmin has signed in: a separate session, so that it
    does not show messages about requests of `admin`.
    """
    person = Person(playwright, app.address)
    state = person.request.storage_state()
    person.request.dispose()
    return state


@pytest.fixture(scope="package")
def seed(admin: Person, app: Keepsake, provider: ScriptedProvider) -> Iterator[SeedData]:
    """Shared data for all screens, which no test changes."""
    # Chats have their own model, because other tests script the shared provider.
    with ScriptedProvider(capable=True) as talker:
        yield create_seed_data(admin, app, provider, talker)


@pytest.fixture(scope="package")
def shared_instance(admin: Person) -> str:
    """22 facts and 3 preferences, which no test deletes. The newest is a fact."""
    instance = admin.new_instance("workshop")
    for colour in ("green", "red", "blue"):
        admin.remember(instance, f"The user likes {colour} paint.", category="preference")
    for number, thing in enumerate(THINGS):
        admin.remember(instance, f"The user owns a {thing}.", importance=number % 10 + 1)
    return instance


@pytest.fixture
def small_instance(admin: Person, request: pytest.FixtureRequest) -> str:
    """An instance for one test, with six facts and a preference that may be deleted."""
    words = re.sub(r"\W+|_", "-", request.node.name.removeprefix("test_"))
    instance = admin.new_instance(f"attic-{words}"[:60].rstrip("-"))
    admin.remember(instance, "The user likes grey paint.", category="preference")
    for thing in THINGS[:6]:
        admin.remember(instance, f"The user sold the {thing}.")
    return instance


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Fails the test for console errors, page errors, failed requests and error answers."""
    watch = Watch()
    yield watch
    assert watch.troubles == []


@pytest.fixture
def new_context(browser: Browser, watch: Watch) -> Iterator[Callable[..., BrowserContext]]:
    """Factory for watched browser contexts with separate cookies."""
    contexts: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        context = browser.new_context(**{"viewport": DESK} | options)
        context.set_default_timeout(15_000)
        context.on("page", watch.attach)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()


@pytest.fixture(scope="package")
def window(browser: Browser, app: Keepsake, signed_in: StorageState) -> Iterator[BrowserContext]:
    """The browser context of the signed-in superadmin."""
    window = browser.new_context(base_url=app.address, storage_state=signed_in, viewport=DESK)
    window.set_default_timeout(15_000)
    # This open page keeps the renderer process alive for the pages of the tests.
    window.new_page().goto("/healthz")
    yield window
    window.close()


@pytest.fixture
def page(window: BrowserContext, watch: Watch) -> Iterator[Page]:
    """A page of the superadmin."""
    page = window.new_page()
    watch.attach(page)
    yield page
    page.close()


@pytest.fixture
def timed(
    new_context: Callable[..., BrowserContext], app: Keepsake, signed_in: StorageState
) -> Page:
    """A page of the superadmin with a controllable clock, in its own context because a clock
    applies to a whole context.
    """
    page = new_context(base_url=app.address, storage_state=signed_in).new_page()
    page.clock.install()
    return page


@pytest.fixture
def stranger(new_context: Callable[..., BrowserContext], app: Keepsake) -> Page:
    """A page of an anonymous visitor."""
    return new_context(base_url=app.address).new_page()


@pytest.fixture
def look() -> Look:
    """Save screenshots, light and dark, if ``KEEPSAKE_SHOTS`` names a folder."""
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
