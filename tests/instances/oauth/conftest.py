"""A client that speaks OAuth through Django's test client, and the person who connects it."""

import base64
import hashlib
import json
import re
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.test import Client

from instances.models import Instance, User
from tests.instances.people import page, signed_in

HOME = "http://127.0.0.1:7777/callback"
VERIFIER = "a-verifier-of-more-than-forty-three-characters-in-all"
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')


@dataclass
class OAuthProgram:
    """A public client, such as an assistant on a computer."""

    name: str = "Attic Assistant"
    home: str = HOME
    client_id: str = ""
    tokens: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.web = Client(raise_request_exception=False)

    def register(self, **metadata: Any) -> Any:
        """Register; return the response."""
        body = {
            "client_name": self.name,
            "redirect_uris": [self.home],
            "token_endpoint_auth_method": "none",
            "grant_types": ["authorization_code", "refresh_token"],
        } | metadata
        response = self.web.post("/oauth/register", json.dumps(body), "application/json")
        self.client_id = response.json().get("client_id", "")
        return response

    def address(self, **changes: str) -> str:
        """The address that it opens in the person's browser."""
        challenge = hashlib.sha256(VERIFIER.encode()).digest()
        query = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.home,
            "scope": "read write",
            "state": "xyz",
            "code_challenge": base64.urlsafe_b64encode(challenge).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
            "resource": "http://testserver/mcp",
        } | changes
        given = {name: value for name, value in query.items() if value}
        return f"/oauth/authorize?{urlencode(given)}"

    def exchange(self, code: str, verifier: str = VERIFIER) -> Any:
        """Exchange a code for tokens; return the response."""
        return self._token(
            grant_type="authorization_code",
            code=code,
            redirect_uri=self.home,
            code_verifier=verifier,
        )

    def refresh(self, token: str = "") -> Any:
        """Exchange the refresh token; return the response."""
        refresh_token = token or self.tokens["refresh_token"]
        return self._token(grant_type="refresh_token", refresh_token=refresh_token)

    def _token(self, **fields: str) -> Any:
        response = self.web.post("/oauth/token", {"client_id": self.client_id, **fields})
        if response.status_code == 200:
            self.tokens = response.json()
        return response

    def ask(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """Make a request with the access token."""
        return self.web.generic(
            method,
            path,
            b"" if body is None else json.dumps(body),
            content_type="application/json",
            headers={
                "Authorization": f"Bearer {token or self.tokens['access_token']}",
                "Accept": "application/json, text/event-stream",
            },
        )

    def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool over MCP; return the response."""
        params = {"name": tool, "arguments": arguments}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        return self.ask("POST", "/mcp", body)


def decide(
    user: User,
    address: str,
    instance: Instance | None,
    permissions: list[str],
    allow: str = "yes",
    **limits: str,
) -> Any:
    """Open *address* as *user*, and press a button of the screen, with *limits* to what the client
    is told; return the response.
    """
    browser = signed_in(user)
    screen = browser.get(address)
    assert screen.status_code == 200, page(screen)
    hidden = {name: unescape(value) for name, value in _HIDDEN.findall(page(screen))}
    fields: dict[str, Any] = hidden | limits | {"permissions": permissions, "allow": allow}
    return browser.post(address, fields | ({"instance": instance.slug} if instance else {}))


def answer_in(response: Any) -> dict[str, str]:
    """What the browser brings back to the client."""
    assert response.status_code == 302, page(response)
    values = parse_qs(urlsplit(response["Location"]).query)
    return {name: first for name, (first, *_) in values.items()}


@pytest.fixture
def oauth_program(db: None) -> OAuthProgram:
    """A client that is registered and not connected."""
    program = OAuthProgram()
    assert program.register().status_code == 201
    return program


@pytest.fixture
def connected(oauth_program: OAuthProgram, alice: User, instance: Instance) -> OAuthProgram:
    """A client that alice has connected to the instance, to read and write, for all addresses."""
    address = oauth_program.address(resource="http://testserver/")
    answer = answer_in(decide(alice, address, instance, ["read", "write"]))
    assert oauth_program.exchange(answer["code"]).status_code == 200
    return oauth_program
