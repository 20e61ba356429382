"""Errors of the API: problem details with a ``code``."""

import json

import pytest
from django.db import connection, transaction
from django.test import Client

from conversations.models import Conversation
from instances.models import Instance, User
from memoryapp.api.errors import title_of
from tests.api.rest_calls import checked, fetch, post

LIST = "/api/memories"


def test_anonymous_request_is_401(client: Client, conversation: Conversation) -> None:
    expected = {
        "type": "about:blank",
        "title": "Unauthorized",
        "status": 401,
        "detail": "Sign in first, or send an API key.",
        "code": "unauthenticated",
    }
    assert fetch(client, 401, instance_id="desk") == expected
    url = f"/api/conversations/{conversation.pk}/messages"
    assert post(client, url, {"messages": [{"role": "user"}]}, 401) == expected
    assert post(client, "/api/conversations", "{", 401) == expected
    # 401 and not 403, because the missing CSRF token is not their problem.
    strict = Client(enforce_csrf_checks=True)
    assert post(strict, "/api/conversations", {"instance_id": "desk"}, 401) == expected


@pytest.mark.parametrize(
    ("status", "title"), [(413, "Content Too Large"), (422, "Unprocessable Content")]
)
def test_title_is_that_of_the_standard_with_each_python(status: int, title: str) -> None:
    assert title_of(status) == title


@pytest.mark.parametrize("url", ["/memories?user_id=ana", "/v1/memories/?user_id=ana", "/mcp"])
def test_where_a_session_is_no_use_nobody_is_told_to_sign_in(url: str, as_alice: Client) -> None:
    method = as_alice.post if url == "/mcp" else as_alice.get
    refused = method(url)
    assert refused.status_code == 401
    assert refused.json()["detail"] == "Send an API key. To be signed in is not enough here."


def test_post_with_a_session_requires_the_csrf_token(
    alice: User, conversation: Conversation
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    body = {"instance_id": "desk"}
    assert post(client, "/api/conversations", body, 403)["code"] == "csrf_failed"
    url = f"/api/conversations/{conversation.pk}/messages"
    post(client, url, {"messages": [{"role": "user", "content": "Forged."}]}, 403)
    assert conversation.messages.count() == 2
    assert Conversation.objects.count() == 1
    assert client.get(LIST, {"instance_id": "desk"}).status_code == 200
    client.get("/memory?instance=desk")  # sets the cookie
    token = client.cookies["csrftoken"].value
    response = client.post(
        "/api/conversations",
        json.dumps(body),
        content_type="application/json",
        headers={"X-CSRFToken": token},
    )
    assert response.status_code == 201


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("{", "application/json"),
        ("[" * 60, "application/json"),
        (b'{"instance_id": "\xe9"}', "application/json"),
        ("instance_id=desk", "application/x-www-form-urlencoded"),
    ],
)
def test_invalid_json_is_400(
    body: str | bytes, content_type: str, as_alice: Client, instance: Instance
) -> None:
    response = as_alice.post("/api/conversations", body, content_type=content_type)
    assert response.status_code == 400
    checked(response)


def test_too_large_body_is_413(as_alice: Client, conversation: Conversation) -> None:
    turns = [{"role": "user", "content": "x" * 900_000}] * 4
    url = f"/api/conversations/{conversation.pk}/messages"
    assert post(as_alice, url, {"messages": turns}, 413)["code"] == "too_large"


@pytest.mark.parametrize(
    ("method", "url", "status"),
    [
        ("delete", LIST, 405),
        ("put", LIST, 405),
        ("delete", "/api/conversations", 405),
        ("put", "/api/conversations/1/messages", 405),
        ("get", "/api/", 404),
        ("get", "/api/nowhere", 404),
        ("get", "/api/memories//", 404),
        ("post", "/api/conversations/1/runs//", 404),
        ("post", "/api/nowhere/at/all", 404),
        ("delete", "/api/memories/", 405),
        ("post", "/api/conversations", 400),
        ("post", "/api/conversations/1/messages", 400),
    ],
)
@pytest.mark.parametrize("signed_in", [True, False])
def test_unknown_url_or_method_is_a_json_error(
    signed_in: bool, method: str, url: str, status: int, client: Client, alice: User
) -> None:
    if signed_in:
        client.force_login(alice)
    elif status == 400:
        status = 401
    response = getattr(client, method)(url)
    assert response.status_code == status
    checked(response)
    assert ("Allow" in response) is (status == 405)


@pytest.mark.parametrize("levels", [900, 5_000])
def test_too_deeply_nested_body_is_422(
    as_alice: Client, conversation: Conversation, levels: int
) -> None:
    nested = "[" * levels + "]" * levels
    turn = f'{{"role": "assistant", "tool_calls": [{{"name": "n", "arguments": {nested}}}]}}'
    url = f"/api/conversations/{conversation.pk}/messages"
    assert post(as_alice, url, f'{{"messages": [{turn}]}}', 422)["code"] == "invalid"
    assert conversation.messages.count() == 2


def test_server_error_is_json_and_logged(
    as_alice: Client, conversation: Conversation, caplog: pytest.LogCaptureFixture
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE conversations_message RENAME TO mislaid")
    url = f"/api/conversations/{conversation.pk}/messages"
    with transaction.atomic():
        response = as_alice.get(url)
        transaction.set_rollback(True)
    assert response.status_code == 500
    assert checked(response)["code"] == "internal_error"
    assert "UndefinedTable" in caplog.text
    assert "mislaid" not in response.content.decode()
