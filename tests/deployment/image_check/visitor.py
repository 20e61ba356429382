"""What people and programs send: a browser with its cookies, and a client with a key."""

import json
import re
import ssl
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin

from tests.deployment.image_check.steps import expect


@dataclass(frozen=True)
class Answer:
    """An answer to a request."""

    status: int
    body: str
    headers: dict[str, str]
    url: str = ""

    @property
    def json(self) -> Any:
        """The content."""
        return json.loads(self.body)


class Visitor:
    """A client of Keepsake at one address, with cookies, and with a key if there is one."""

    def __init__(self, address: str, *, key: str = "", authority: Path | None = None) -> None:
        self.address = address
        self.key = key
        self.cookies = CookieJar()
        context = ssl.create_default_context(cafile=str(authority) if authority else None)
        self._opener = urllib.request.build_opener(
            # No proxy of this machine: it is all here.
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPCookieProcessor(self.cookies),
            urllib.request.HTTPSHandler(context=context),
        )

    def send(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """Send a request with the key; *body* is sent as JSON unless it is bytes."""
        request = self._request(method, path, body, headers)
        try:
            with self._opener.open(request, timeout=120) as answer:
                return Answer(
                    answer.status, answer.read().decode(), dict(answer.headers), answer.url
                )
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.read().decode(), dict(error.headers))

    def overload(self, path: str, size: int) -> str:
        """Send a body of *size* bytes, which is too large; return how it was turned away."""
        try:
            answer = self.send("POST", path, b"x" * size)
        except OSError:
            # A proxy may close the connection before all of it was sent: the answer is lost then.
            answer = self.send("GET", "/healthz")
            expect(answer.status == 200, f"afterwards: {answer.status}")
            return "cut off"
        expect(
            answer.status == 413, f"{size >> 20} MB for a fact are answered with {answer.status}"
        )
        return "refused"

    def page(self, path: str, language: str = "en", **headers: str) -> str:
        """Return a page, which must be there."""
        answer = self.send("GET", path, **{"Accept-Language": language} | headers)
        expect(answer.status == 200, f"{path} is answered with {answer.status}")
        return answer.body

    def sign_in(self, name: str, password: str, **headers: str) -> None:
        """Sign in by the form."""
        form = self.page("/accounts/login")
        answer = self.submit(
            "/accounts/login", {"login": name, "password": password}, on=form, **headers
        )
        expect("/accounts/login" not in answer.url, f"signing in leads to {answer.url}")

    def submit(self, path: str, fields: dict[str, object], *, on: str, **headers: str) -> Answer:
        """Submit a form that is *on* a page, and return the page to which that leads."""
        token = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', on)[0]
        answer = self.send(
            "POST",
            path,
            urlencode({"csrfmiddlewaretoken": token, **fields}, doseq=True).encode(),
            **{
                "Content-Type": "application/x-www-form-urlencoded",
                "Referer": urljoin(self.address, path),
                "Origin": self.address,
            }
            | headers,
        )
        expect(answer.status == 200, f"{path} is answered with {answer.status}")
        return answer

    def files_of(self, page: str) -> int:
        """Fetch every style, script and picture of a page; return their number."""
        paths = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', page))
        for path in paths:
            expect(self.send("GET", path).status == 200, f"{path} is not there")
        return len(paths)

    def stream(self, path: str, body: object) -> list[tuple[float, str]]:
        """Send a request, and return the pieces of the answer with the seconds until each."""
        began = time.monotonic()
        with self._opener.open(self._request("POST", path, body, {}), timeout=120) as answer:
            return [
                (time.monotonic() - began, line.decode().removeprefix("data: ").strip())
                for line in answer
                if line.startswith(b"data: ")
            ]

    def _request(
        self, method: str, path: str, body: object, headers: dict[str, str]
    ) -> urllib.request.Request:
        all_headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            all_headers["Content-Type"] = "application/json"
        return urllib.request.Request(
            urljoin(self.address, path), data=body, method=method, headers=all_headers | headers
        )
