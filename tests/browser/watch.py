"""What a browser shows and says beside what a test asks it."""

import re
from collections.abc import Callable

from playwright.sync_api import ConsoleMessage, Page, Request, Response

#: Save pictures of a page under a name.
Look = Callable[[Page, str], None]


class Watch:
    """Everything that went wrong in a browser while nobody looked."""

    def __init__(self) -> None:
        self.troubles: list[str] = []
        self._forgiven: list[str] = []

    def forgive(self, pattern: str) -> None:
        """Expect trouble that this regular expression finds, from now on."""
        self._forgiven.append(pattern)

    def attach(self, page: Page) -> None:
        """Listen to *page*."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._note(f"page error: {error}"))
        page.on("requestfailed", self._request_failed)
        page.on("response", self._response)

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
