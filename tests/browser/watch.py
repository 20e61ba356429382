"""Screenshots, and errors that a browser reports during a test."""

import re
from collections.abc import Callable

from playwright.sync_api import ConsoleMessage, Page, Request, Response

#: Saves screenshots of a page under a name.
Look = Callable[[Page, str], None]


class Watch:
    """Collects console errors, page errors and failed requests of a browser."""

    def __init__(self) -> None:
        self.troubles: list[str] = []
        self._forgiven: list[str] = []

    def forgive(self, pattern: str) -> None:
        """Ignore errors that match this regular expression from now on."""
        self._forgiven.append(pattern)

    def attach(self, page: Page) -> None:
        """Listen to *page*."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._note(f"page error: {error}"))
        page.on("requestfailed", self._request_failed)
        page.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        # A search that overtakes another one aborts its request, which htmx reports.
        if message.text.startswith(("htmx:afterRequest", "htmx:sendAbort")):
            return
        # Failed loads are recorded with address and status below.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self._note(f"console {message.type}: {message.text}")

    def _request_failed(self, request: Request) -> None:
        # Leaving a page aborts its pending requests.
        if request.failure != "net::ERR_ABORTED":
            self._note(f"failed: {request.method} {request.url} {request.failure}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self._note(f"{response.status}: {response.request.method} {response.url}")

    def _note(self, trouble: str) -> None:
        if not any(re.search(pattern, trouble) for pattern in self._forgiven):
            self.troubles.append(trouble)
