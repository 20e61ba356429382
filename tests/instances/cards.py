"""Helpers that submit the cards of the settings screen."""

from typing import Any

from django.test import Client

HTMX = {"HX-Request": "true"}


def save(client: Client, card: str, headers: dict[str, str] | None = None, **fields: Any) -> Any:
    """Submit one card; *fields* are the form fields without the prefix."""
    prefix = {"agents": "agent", "members": "member"}.get(card, card)
    data = {f"{prefix}-{name}": value for name, value in fields.items()}
    return client.post(f"/instances/desk/settings/{card}", data, headers=headers or {})


def settings_page(client: Client, card: str) -> str:
    """Return the page of the settings with that card."""
    response = client.get(f"/instances/desk/settings/{card}", follow=True)
    assert response.status_code == 200
    return response.content.decode()
