"""The official MCP client from a refusal to a saved memory, with OAuth and no key."""

import asyncio
import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from mcp.client import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl

from instances.models import ApiKey, Instance, User
from memoryapp.models import ArchivedMemory, Memory
from tests.instances.people import signed_in

# The app sees only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)

_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')


class Storage:
    """Where the client keeps its registration and tokens."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class PersonInBrowser:
    """A person with a browser, who is signed in and presses Connect."""

    def __init__(self, user: User, instance: Instance) -> None:
        # The session is in the database, which the app shares.
        self._cookies = {name: each.value for name, each in signed_in(user).cookies.items()}
        self._instance = instance.slug
        self.returned: dict[str, list[str]] = {}
        self.asked: list[str] = []

    async def open(self, address: str) -> None:
        """Decide about the request at *address*."""
        await asyncio.to_thread(self._decide, address)

    async def bring_back(self) -> AuthorizationCodeResult:
        """What the browser brings back to the client."""
        first = {name: values[0] for name, values in self.returned.items()}
        return AuthorizationCodeResult(**first)

    def _decide(self, address: str) -> None:
        with httpx2.Client(cookies=self._cookies, timeout=60) as web:
            fields = {
                name: unescape(value) for name, value in _HIDDEN.findall(web.get(address).text)
            }
            self.asked.append(fields["scope"])
            decision: dict[str, Any] = {
                "instance": self._instance,
                "permissions": fields["scope"].split(),
                "allow": "yes",
            }
            answer = web.post(address, data=fields | decision)
        assert answer.status_code == 302, answer.text
        self.returned = parse_qs(urlsplit(answer.headers["Location"]).query)


def test_client_connects_saves_and_asks_for_more(
    served: str, alice: User, instance: Instance
) -> None:
    person = PersonInBrowser(alice, instance)
    storage = Storage()
    provider = OAuthClientProvider(
        f"{served}/mcp",
        OAuthClientMetadata(
            client_name="Attic Assistant",
            redirect_uris=[AnyUrl("http://127.0.0.1:7777/callback")],
            token_endpoint_auth_method="none",
        ),
        storage,
        redirect_handler=person.open,
        callback_handler=person.bring_back,
    )

    async def use() -> Any:
        async with (
            httpx2.AsyncClient(auth=provider, timeout=60) as http,
            Client(streamable_http_client(f"{served}/mcp", http_client=http)) as client,
        ):
            saved = await client.call_tool("save_memory", {"content": "The user plays the cello."})
            forgotten = await client.call_tool(
                "forget_memory", {"id": (saved.structured_content or {})["id"]}
            )
            return saved, forgotten

    saved, forgotten = asyncio.run(use())
    assert not saved.is_error
    assert not forgotten.is_error
    assert person.asked == ["read write", "read write delete"]
    key = ApiKey.objects.get()
    assert (key.name, key.scopes) == ("Attic Assistant", ["read", "write", "delete"])
    assert not Memory.objects.exists()
    assert ArchivedMemory.objects.get().content == "The user plays the cello."
