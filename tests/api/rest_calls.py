"""Helpers that call the REST API."""

import json
from typing import Any

from django.test import Client

from memoryapp.api.errors import title_of
from tests.api.documented import assert_declared

LIST = "/api/memories"


def fetch(client: Client, status: int = 200, /, **params: Any) -> Any:
    """List memories; return the JSON."""
    response = client.get(LIST, params)
    assert response.status_code == status, response.content
    return checked(response)


def post(client: Client, url: str, body: Any, status: int = 200) -> Any:
    """Post *body* as JSON; return the JSON response."""
    data = body if isinstance(body, str | bytes) else json.dumps(body)
    response = client.post(url, data, content_type="application/json")
    assert response.status_code == status, response.content
    return checked(response)


def checked(response: Any) -> Any:
    """Return the JSON of a response; check that its status is declared, and that errors are problem
    details (RFC 9457), which are returned without the id of the request.
    """
    assert_declared(response)
    answer = response.json()
    if response.status_code < 400:
        assert response["Content-Type"].startswith("application/json")
        return answer
    assert response["Content-Type"] == "application/problem+json"
    status = response.status_code
    assert answer == answer | {
        "type": "about:blank",
        "title": title_of(status),
        "status": status,
    }
    assert answer.keys() == {"type", "title", "status", "detail", "code", "request_id"}
    assert answer["detail"] and answer["code"]
    assert answer.pop("request_id") == response["X-Request-ID"]
    return answer


def texts(answer: Any) -> list[str]:
    return [item["content"] for item in answer["items"]]
