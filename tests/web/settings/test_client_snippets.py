"""Client snippets: clients can read them, and they contain only a key that was just made."""

import html
import json
import re
import shlex
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import resolve

from instances.models import Instance
from memoryapp.models import Memory
from memoryapp.web.settings.client_snippets import client_snippets

ADDRESS = "https://memory.example.org"
KEY = "ks_0123456789"
WAYS = {way.slug: way for way in client_snippets(ADDRESS, KEY)}


def servers(slug: str, at: str) -> Any:
    return json.loads(WAYS[slug].snippet)[at]["keepsake"]


def test_each_snippet_has_the_url_and_the_key() -> None:
    for way in WAYS.values():
        assert ADDRESS in way.snippet
        # Apps are connected on a screen.
        assert (KEY in way.snippet) == (way.slug != "apps")


@pytest.mark.parametrize(("slug", "at"), [("cursor", "mcpServers"), ("vs-code", "servers")])
def test_json_snippets_contain_the_url(slug: str, at: str) -> None:
    server = servers(slug, at)
    assert resolve(urlsplit(server["url"]).path).url_name == "mcp"
    assert server["headers"] == {"Authorization": f"Bearer {KEY}"}


def test_bridge_snippet_has_no_space_in_its_header() -> None:
    server = servers("claude-desktop", "mcpServers")
    assert not any(" " in word for word in server["args"])
    assert server["env"] == {"KEEPSAKE_KEY": f"Bearer {KEY}"}
    assert "--allow-http" not in server["args"]
    plain = next(w for w in client_snippets("http://box:8000", KEY) if w.slug == "claude-desktop")
    assert "--allow-http" in plain.snippet


def test_shell_commands_are_valid() -> None:
    words = shlex.split(WAYS["claude-code"].snippet)
    assert words[-2:] == ["--header", f"Authorization: Bearer {KEY}"]
    assert f"{ADDRESS}/mcp" in words


@pytest.mark.parametrize("slug", ["openai", "mem0"])
def test_code_snippets_are_valid(slug: str) -> None:
    compile(WAYS[slug].snippet, slug, "exec")


@pytest.mark.django_db
def test_curl_snippets_store_a_memory_and_find_it(instance: Instance, as_alice: Client) -> None:
    page = made(as_alice, instance, "read", "write")
    assert sent(snippet(page, "store")).status_code == 201
    assert Memory.objects.get().content == "The user takes the train to work."
    found = sent(snippet(page, "search"))
    assert found.status_code == 200
    assert [hit["content"] for hit in found.json()["results"]] == [
        "The user takes the train to work."
    ]


def sent(command: str) -> Any:
    """Send what a curl command would send."""
    words = shlex.split(command.replace("\\\n", ""))
    headers = dict(word.split(": ") for word in words if ": " in word and word[0] != "{")
    address, body = words[-1], words[words.index("-d") + 1]
    return Client().post(
        urlsplit(address).path, body, content_type="application/json", headers=headers
    )


@pytest.mark.django_db
def test_key_is_only_in_the_page_after_its_creation(as_alice: Client, instance: Instance) -> None:
    settings = f"/instances/{instance.slug}/settings/keys"
    before = as_alice.get(settings).content.decode()
    assert "ks_…" in snippet(before, "cursor")
    page = made(as_alice, instance)
    (secret,) = set(re.findall(r"ks_[\w-]{20,}", page))
    for slug in WAYS:
        assert (secret in snippet(page, slug)) == (slug != "apps")
        assert "http://testserver" in snippet(page, slug)
    after = as_alice.get(settings).content.decode()
    assert secret not in after
    assert "ks_…" in snippet(after, "cursor")


def made(browser: Client, instance: Instance, *scopes: str) -> str:
    """The page after the creation of a key."""
    form = {"api-key-name": "Laptop", "api-key-scopes": scopes or ["read"]}
    response = browser.post(f"/instances/{instance.slug}/keys", form)
    assert response.status_code == 200
    return response.content.decode()


def snippet(page: str, slug: str) -> str:
    """Return a snippet of the page."""
    (snippet_html,) = re.findall(rf'<code id="way-{slug}">(.*?)</code>', page, re.DOTALL)
    return html.unescape(snippet_html)
