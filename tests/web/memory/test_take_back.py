"""Taking back an import from its page and from the activity."""

import json
import re
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from conversations.models import Import
from instances.models import Instance, User
from memoryapp.models import Memory
from tests.uploading import confirm, upload


@pytest.fixture
def imported(tmp_path: Path, settings: Settings, as_alice: Client, instance: Instance) -> Import:
    texts = ["Ana rows.", "Ben sails."]
    content = b"".join(json.dumps({"content": text}).encode() + b"\n" for text in texts)
    return confirm(as_alice, upload(as_alice, content))


def test_import_is_taken_back_after_a_question(as_alice: Client, imported: Import) -> None:
    address = f"/conversations/imports/{imported.pk}/take-back"
    for page in (imported.get_absolute_url(), "/activity?instance=desk"):
        assert f'href="{address}"' in as_alice.get(page).content.decode()
    asked = as_alice.get(address).content.decode()
    assert (
        "<b>2</b> memories move to the bin" in asked and "undo all of this for 10 seconds" in asked
    )
    assert Memory.objects.count() == 2

    page = as_alice.post(address).content.decode()
    assert "Rolled back the file memories" in page
    assert not Memory.objects.exists()
    assert "Nothing to roll back" in as_alice.get(address).content.decode()
    assert (
        "rolled back the file memories: 2 memories"
        in as_alice.get("/activity?instance=desk").content.decode()
    )

    undo_token = {
        name: found[1]
        for name in ("name", "key")
        if (found := re.search(rf'name="{name}" value="([^"]+)"', page))
    }
    as_alice.post("/memory/undo?instance=desk", undo_token)
    assert Memory.objects.count() == 2
    assert "<b>2</b> memories" in as_alice.get(address).content.decode()


def test_viewer_is_not_offered_it(imported: Import, client: Client, vera: User) -> None:
    client.force_login(vera)
    page = client.get("/activity?instance=desk").content.decode()
    assert "imported 2 memories" in page
    assert "take-back" not in page
