"""The settings of a project, which is an instance here.

Keys read them and cannot change them: that is for managers, on the settings screens. A client that
sets what holds already is answered as if it had.
"""

from typing import Any

from django.http import Http404, HttpRequest
from django.utils import translation
from ninja import Query, Schema
from pydantic import Field

from instances.models import Instance
from memoryapp.api.auth import instance_named
from memoryapp.api.errors import ApiError
from memoryapp.api.mem0.auth import READ, WRITE, router
from memoryapp.api.mem0.bodies import Body
from memoryapp.models import Category

#: The organisation of every key.
ORGANISATION = "keepsake"
_PROJECT = "/api/v1/orgs/organizations/{organisation}/projects/{project}/"


class FieldsQuery(Schema):
    """Settings to return. Default: all."""

    fields: list[str] = Field(default_factory=list)


@router.get(_PROJECT, auth=READ, url_name="project", summary="Get the project")
def get_project(
    request: HttpRequest, organisation: str, project: str, query: Query[FieldsQuery]
) -> dict[str, Any]:
    """Return the settings of the instance that mem0 has as well."""
    settings = _settings(_instance(request, organisation, project))
    return {name: settings[name] for name in settings if not query.fields or name in query.fields}


class ProjectIn(Body):
    """Settings by their names in mem0."""

    name: Any = None
    custom_instructions: Any = None
    agent_custom_instructions: Any = None
    custom_categories: Any = None
    retrieval_criteria: Any = None
    multilingual: Any = None
    decay: Any = None
    memory_depth: Any = None
    usecase_setting: Any = None


@router.patch(_PROJECT, auth=WRITE, url_name="project", summary="Update the project")
def update_project(
    request: HttpRequest, organisation: str, project: str, body: ProjectIn
) -> dict[str, Any]:
    """Confirm settings that hold already; refuse all others, by name."""
    settings = _settings(_instance(request, organisation, project))
    for name, value in body.dict(exclude_none=True).items():
        if value != settings.get(name):
            raise ApiError(400, "unsupported", f"{name}: {_REASONS.get(name, _OTHER)}")
    return {"message": "The settings are as you ask for.", **settings}


def _instance(request: HttpRequest, organisation: str, project: str) -> Instance:
    instance = instance_named(request, None)
    if (organisation, project) != (ORGANISATION, instance.slug):
        raise Http404
    return instance


def _settings(instance: Instance) -> dict[str, Any]:
    return {
        "id": instance.slug,
        "project_id": instance.slug,
        "org_id": ORGANISATION,
        "name": instance.name,
        "custom_instructions": None,
        "agent_custom_instructions": None,
        "custom_categories": [{each.value: _meaning(each)} for each in Category],
        # A memory is in the language of the conversation.
        "multilingual": True,
        "decay": instance.decay_days is not None,
    }


_OTHER = "Keepsake has no such setting, or a key cannot change it."
_REASONS = {
    "custom_instructions": "not supported. What is worth remembering is decided by Keepsake.",
    "agent_custom_instructions": "not supported. What is worth remembering is decided by Keepsake.",
    "custom_categories": "not supported. The categories of Keepsake are fixed; tags are free.",
    "multilingual": "always on: a memory is in the language of the conversation.",
    "decay": "a key cannot change this. A manager does, under Settings, Advanced, Stale after.",
}


def _meaning(category: Category) -> str:
    with translation.override("en"):
        return category.meaning
