"""The settings of a project, with mem0's own client."""

from typing import Any

import pytest
from mem0 import MemoryClient
from mem0.exceptions import AuthenticationError, MemoryNotFoundError, ValidationError

from instances.models import Instance
from tests.api.mem0.conftest import Connect


def test_settings_are_those_of_the_instance(client: MemoryClient, instance: Instance) -> None:
    project = client.project.get()
    assert (project["name"], project["project_id"]) == (instance.name, instance.slug)
    assert (project["custom_instructions"], project["decay"]) == (None, True)
    assert {"event": "something that happens on a date"} in project["custom_categories"]
    instance.decay_days = None
    instance.save()
    assert client.project.get(fields=["decay", "multilingual"]) == {
        "multilingual": True,
        "decay": False,
    }


def test_what_holds_already_can_be_set(client: MemoryClient) -> None:
    categories = client.project.get()["custom_categories"]
    updated = client.project.update(multilingual=True, decay=True, custom_categories=categories)
    assert updated["decay"] is True


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"custom_instructions": "Only food."}, "custom_instructions: not supported"),
        ({"custom_categories": [{"food": "meals"}]}, "custom_categories: not supported"),
        ({"multilingual": False}, "always on"),
        ({"decay": False}, "a key cannot change this"),
    ],
)
def test_other_settings_are_refused(
    change: dict[str, Any], says: str, client: MemoryClient, instance: Instance
) -> None:
    with pytest.raises(ValidationError, match=says):
        client.project.update(**change)
    instance.refresh_from_db()
    assert instance.decay_days


def test_project_is_that_of_the_key(
    client: MemoryClient, connect: Connect, instance: Instance, private: Instance
) -> None:
    with pytest.raises(AuthenticationError):
        connect(instance, "read").project.update(decay=True)
    client.project.config.project_id = private.slug
    with pytest.raises(MemoryNotFoundError):
        client.project.get()
    with pytest.raises(MemoryNotFoundError, match=r"docs/mem0\.md"):
        client.project.get_members()
    with pytest.raises(MemoryNotFoundError, match=r"docs/mem0\.md"):
        client.get_webhooks(instance.slug)
