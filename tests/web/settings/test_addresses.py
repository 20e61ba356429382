"""Addresses of the settings that a browser keeps after a form was sent to them."""

import pytest
from django.test import Client

from instances.models import Instance


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("holds", "holds#holds"),
        ("areas", "areas#own-areas"),
        ("sending", "sending#sending"),
        ("retention", "retention#retention"),
        ("keys", "keys#api-keys"),
        ("webhooks", "webhooks#webhooks"),
        ("groups", "groups#groups"),
    ],
)
def test_address_of_a_form_leads_to_its_card(
    name: str, page: str, as_alice: Client, instance: Instance
) -> None:
    response = as_alice.get(f"/instances/{instance.slug}/{name}")
    assert response["Location"] == f"/instances/{instance.slug}/settings/{page}"
    assert as_alice.delete(f"/instances/{instance.slug}/{name}").status_code == 405


def test_row_that_is_no_rule_removes_nothing(as_alice: Client, instance: Instance) -> None:
    for row in ("", "{", "[1]", "[" * 5_000, '{"area": "none", "other": 1}'):
        response = as_alice.post(f"/instances/{instance.slug}/sending/remove", {"row": row})
        assert response["Location"] == f"/instances/{instance.slug}/settings/sending#sending"
