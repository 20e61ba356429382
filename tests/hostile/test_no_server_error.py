"""No address answers any request with a server error. The addresses come from the URL
configuration, so that new ones are included.
"""

import itertools
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.db import transaction
from django.test import Client

from instances.models import Instance, InstanceRole, Membership, User
from tests.api.conftest import key_of
from tests.web.access_instances import create_rows
from tests.web.access_table import (
    FOR_APPS,
    GUARDED,
    KEYED,
    SERVER,
    Address,
    Guarded,
    addresses,
    methods_of,
    url_of,
)

pytestmark = pytest.mark.django_db

ODD_TEXTS = (
    "\x00",
    "a\x00b",
    "\ufffe\u202e\u0000",
    "99999999999999999999999999",
    "-1",
    "9" * 5_000,
    "1e999",
    "NaN",
    "٣",
    "０",
    "x" * 70_000,
    "[" * 2_000,
    "http://exa／mple.example/",
    "https://[x]@evil.example/",
    "0001-01-01",
    "9999-12-31T23:59:59.999999+14:00",
    "%00%ff",
    "../../etc/passwd",
    "{{7*7}}",
    "[[1]]",
)
#: JSON as text, since it may be none.
ODD_JSON = (
    "",
    "null",
    "7",
    '"text"',
    "[]",
    "NaN",
    "{",
    "[" * 100_000,
    '{"a":' * 100_000,
    "\x00",
    "\ufeff{}",
)
ODD_VALUES = (
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "1" * 400,
    str(2**63),
    str(-(2**63) - 1),
    "null",
    "true",
    "[]",
    "{}",
    "[[]]",
    '"\\u0000"',
    '"\\ud800"',
    '{"\\ud800": "\\u0000"}',
    '["\\u0000", NaN, {}]',
    json.dumps("x" * 70_000),
    "[" * 60 + "]" * 60,
)
#: Names of fields of addresses whose bodies the table of access does not describe.
NAMES = {
    "oauth2_provider:dcr-register": (
        "client_name",
        "redirect_uris",
        "grant_types",
        "token_endpoint_auth_method",
    ),
    "oauth2_provider:token": ("grant_type", "code", "refresh_token", "client_id", "redirect_uri"),
    "oauth2_provider:revoke-token": ("token", "client_id", "token_type_hint"),
    "oauth2_provider:authorize": (
        "client_id",
        "redirect_uri",
        "response_type",
        "scope",
        "state",
        "code_challenge",
        "resource",
        "prompt",
        "claims",
        "nonce",
    ),
    "v1_chat_completions": ("messages", "model", "stream", "user", "temperature", "tools"),
    "v1_responses": ("input", "model", "previous_response_id", "conversation", "user", "metadata"),
    "v1_messages": ("messages", "model", "max_tokens", "system", "metadata"),
    "v1_count_tokens": ("messages", "model", "system"),
    "v1_embeddings": ("input", "model", "dimensions"),
    "v1_conversations": ("items", "metadata"),
    "mcp": ("jsonrpc", "id", "method", "params"),
    "instance_new": ("name", "slug", "private"),
    "login": ("login", "username", "password", "next"),
    "account_password": ("oldpassword", "password1", "password2"),
    "memory_new": ("content", "category", "importance", "tags", "valid_until", "conversation"),
    "webhook_new": ("webhook-url", "url", "name", "events", "secret"),
    "chat": ("message", "agent", "instance"),
    "import_new": ("file", "format"),
    "person_invite": ("username", "email"),
}
OF_MEM0 = ("messages", "user_id", "filters", "query", "metadata", "page", "page_size", "text")
COMMON = ("q", "page", "sort", "after", "before", "from", "to", "as_of", "state", "id", "next")
#: What is done once, and would end the requests that follow.
ENDING = {"logout", "account_logout", "instance_delete", "person_delete", "end_user_erase"}


def fields_of(address: Address) -> tuple[str, ...]:
    """Return the names of fields that an address reads, as far as they are known."""
    guarded = (GUARDED | KEYED | FOR_APPS | SERVER).get(address.name, Guarded())
    known = NAMES.get(address.name, ())
    of_mem0 = OF_MEM0 if address.name.startswith("mem0:") else ()
    names = dict.fromkeys((*known, *of_mem0, *guarded.query, *guarded.body, *COMMON))
    return tuple(names)


def odd_requests(address: Address, url: str) -> Iterator[tuple[str, str, bytes, str]]:
    """Yield method, URL, body and content type of odd requests to an address."""
    plain = url.partition("?")[0]
    joined = "&" if "?" in url else "?"
    names = fields_of(address)
    form, data = "application/x-www-form-urlencoded", "application/json"
    for number, text in enumerate(ODD_TEXTS):
        name = names[number % len(names)]
        odd = urlencode({name: text})
        yield "GET", f"{url}{joined}{odd}", b"", data
        if len(text) < 5_000:
            yield "GET", f"{plain}?{urlencode(dict.fromkeys(names, text))}", b"", data
        yield "POST", url, urlencode(dict.fromkeys(names, text)).encode(), form
    for method in {*methods_of(address), "POST"} - {"GET"}:
        for content in ODD_JSON:
            yield method, url, content.encode(), data
        for value in ODD_VALUES:
            inner = ", ".join(f"{json.dumps(name)}: {value}" for name in names)
            yield method, url, f"{{{inner}}}".encode(), data
        for number, name in enumerate(names):
            value = ODD_VALUES[number % len(ODD_VALUES)]
            yield method, url, f"{{{json.dumps(name)}: {value}}}".encode(), data
        yield method, url, b"\xff\xfe\x00", data
        yield method, url, b"--x\r\nbroken", "multipart/form-data; boundary=x"
        yield method, url, b"--x\r\n", "multipart/form-data"
        yield method, url, b"a=b", "text/\xff; charset=nothing"
    for text in ("\x00", "9" * 30, "／", "\u202e", "a" * 3_000):
        for name in address.parameters:
            # The parameter in the middle of the path, whatever it is there.
            yield "GET", f"{plain.rstrip('/')}/{quote(text)}?{name}={quote(text)}", b"", data


def bad_answers(clients: list[Client], parts: dict[str, Any], every: int) -> list[str]:
    """Return what was answered by a server error, of each *every*-th odd request."""
    bad = []
    for place, address in enumerate(addresses()):
        if address.name in ENDING:
            continue
        url = url_of(address, parts)
        chosen = itertools.islice(odd_requests(address, url), place % every, None, every)
        for (method, target, body, kind), client in zip(chosen, itertools.cycle(clients)):
            with transaction.atomic():
                response = client.generic(
                    method, target, body, content_type=kind, headers={"Accept": "*/*"}
                )
                # 502 and 503 say what a model server or Redis does.
                if response.status_code in (500, 501):
                    bad.append(f"{method} {target[:120]} {kind} {body[:90]!r}")
                transaction.set_rollback(True)
    return bad


@pytest.fixture
def clients(dana: User, instance: Instance) -> list[Client]:
    """A superadmin who manages an instance, a key, and a stranger."""
    Membership.objects.create(instance=instance, user=dana, role=InstanceRole.MANAGER)
    person = Client(raise_request_exception=False)
    person.force_login(dana)
    secret = key_of(instance)[1].secret
    program = Client(raise_request_exception=False, headers={"Authorization": f"Bearer {secret}"})
    return [person, program, Client(raise_request_exception=False)]


@pytest.fixture
def parts(instance: Instance, alice: User) -> dict[str, Any]:
    return create_rows(instance, alice)


def test_odd_requests_are_client_errors(clients: list[Client], parts: dict[str, Any]) -> None:
    assert bad_answers(clients, parts, every=41) == []


@pytest.mark.soak
def test_more_odd_requests_are_client_errors(clients: list[Client], parts: dict[str, Any]) -> None:
    assert bad_answers(clients, parts, every=11) == []
