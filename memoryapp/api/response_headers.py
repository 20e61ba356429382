"""Headers of responses, and how the OpenAPI document describes them."""

from typing import Any

from django.http import HttpResponse
from django.urls import reverse

#: By name: the description and an example.
_HEADERS = {
    "ETag": (
        "Entity tag of the memory, for `If-Match` and `If-None-Match`.",
        '"12@1767225600000000/5f1c9a"',
    ),
    "Location": ("Address of what was created.", "/api/memories/12"),
}


def with_headers(statuses: dict[int, list[str]]) -> dict[str, Any]:
    """Return what an operation adds to its description: the names of the headers by status."""
    responses = {
        status: {"headers": {name: _described(name) for name in names}}
        for status, names in statuses.items()
    }
    return {"responses": responses}


def _described(name: str) -> dict[str, Any]:
    description, example = _HEADERS[name]
    return {"description": description, "schema": {"type": "string"}, "example": example}


def set_location(response: HttpResponse, operation: str, *ids: object, **query: object) -> None:
    """Say where what was created is: at the address of the *operation* that returns it."""
    response["Location"] = reverse(f"api:{operation}", args=ids, query=query)
