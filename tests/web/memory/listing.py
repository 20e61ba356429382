"""Requests for the memory list, with their results."""

from collections.abc import Callable
from typing import Any

from django.test import Client

from memoryapp.models import Memory

Store = Callable[..., Memory]


def listed(client: Client, query: str = "", **headers: str) -> Any:
    """Return the list of the instance ``desk`` for *query*."""
    response = client.get(f"/memory?instance=desk&{query}", headers=headers)
    assert response.status_code == 200
    return response


def listed_texts(client: Client, query: str = "") -> list[str]:
    """Return the texts of the listed memories, in order."""
    return [row.memory.content for row in listed(client, query).context["rows"].rows]
