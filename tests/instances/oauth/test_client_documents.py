"""Clients whose id is the address of a document about them."""

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from oauth2_provider.cimd import CIMDError

from instances.models import Instance, OAuthClient, User
from instances.oauth import client_documents
from instances.oauth.client_documents import Fetcher
from tests.instances.oauth.conftest import HOME, OAuthProgram, answer_in, decide
from tests.instances.people import page, signed_in

ID = "https://assistant.example/oauth/client.json"
DOCUMENT = {
    "client_id": ID,
    "client_name": "Attic Assistant",
    "redirect_uris": [HOME],
    "token_endpoint_auth_method": "none",
}

Serve = Callable[..., None]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Let all addresses answer with this *content*, instead of going through the gate."""

    def answer(content: Any, status: int = 200, **headers: str) -> None:
        sent = {"Content-Type": "application/json", **headers}
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        transport = httpx2.MockTransport(
            lambda request: httpx2.Response(status, content=body, headers=sent)
        )
        monkeypatch.setattr(client_documents, "_client", lambda: httpx2.Client(transport=transport))

    return answer


@pytest.mark.parametrize(
    ("cache_control", "seconds"),
    [("", 86_400), ("max-age=600", 600), ("max-age=1", 300), ("no-store, max-age=9000", 300)],
)
def test_document_counts_for_a_bounded_time(serve: Serve, cache_control: str, seconds: int) -> None:
    serve(DOCUMENT, **{"Cache-Control": cache_control})
    assert Fetcher().fetch(ID) == (DOCUMENT, seconds)


@pytest.mark.parametrize(
    ("content", "status", "kind"),
    [
        (DOCUMENT, 404, "application/json"),
        (DOCUMENT, 200, "text/html"),
        (b"{", 200, "application/json"),
        (b"[" * 8_000, 200, "application/json"),
        ([DOCUMENT], 200, "application/json"),
    ],
)
def test_bad_documents_are_refused(serve: Serve, content: Any, status: int, kind: str) -> None:
    serve(content, status, **{"Content-Type": kind})
    with pytest.raises(CIMDError):
        Fetcher().fetch(ID)


@pytest.mark.parametrize(
    "client_id",
    [
        "http://assistant.example/client.json",
        "https://assistant.example",
        "https://user:word@assistant.example/client.json",
        "https://assistant.example/client.json#part",
        "https://assistant.example/a/../client.json",
        "https://assistant.example:port/client.json",
    ],
)
def test_bad_ids_are_not_fetched(serve: Serve, client_id: str) -> None:
    serve(DOCUMENT)
    with pytest.raises(CIMDError):
        Fetcher().fetch(client_id)


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "169.254.169.254", "10.0.0.1"])
def test_private_addresses_are_not_reached(host: str) -> None:
    with pytest.raises(CIMDError, match="could not be fetched"):
        Fetcher().fetch(f"https://{host}/client.json")


@pytest.mark.django_db
def test_documented_client_is_connected(serve: Serve, alice: User, instance: Instance) -> None:
    serve(DOCUMENT)
    program = OAuthProgram(client_id=ID)
    screen = page(signed_in(alice).get(program.address()))
    assert "This app belongs to <b>assistant.example</b>" in screen
    answer = answer_in(decide(alice, program.address(), instance, ["read"]))
    assert program.exchange(answer["code"]).status_code == 200
    assert program.call("list_memories").status_code == 200
    assert OAuthClient.objects.get().host == "assistant.example"


@pytest.mark.django_db
def test_document_of_another_client_is_refused(serve: Serve, alice: User) -> None:
    serve(DOCUMENT | {"client_id": "https://assistant.example/other.json"})
    response = signed_in(alice).get(OAuthProgram(client_id=ID).address())
    assert response.status_code == 400
