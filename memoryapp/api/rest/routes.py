"""The REST API: its routers, its OpenAPI document and its docs page at `/api/docs`."""

from typing import Any

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, URLResolver, re_path
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase

from memoryapp.api import health, json_errors, key_requests, openapi_document, pipeline_endpoints
from memoryapp.api.ninja_api import KeepsakeAPI
from memoryapp.api.rest import (
    activity,
    conversations,
    golden,
    graph,
    groups,
    holds,
    imports,
    instances,
    memories,
    memory_bulk,
    messages,
    palace,
    palace_notes,
    people,
    pins,
    refused,
    retention,
    review,
    revisions,
    rollback,
    runs,
    search,
    sending,
    sensitive_areas,
    sharing,
    store,
    summary,
    tools,
    usage,
    webhooks,
)


class DocsPage(DocsBase):
    """The operations, which can be tried out with the session of the reader."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        return render(
            request, "api/docs.html", {"api": api, "document": self.get_openapi_url(api, kwargs)}
        )


DESCRIPTION = """
Long-term memory for AI assistants.

Authenticate in one of two ways:

- **API key**, created in the settings of an instance: `Authorization: Bearer ks_…`. A key gives
  access to that instance only, so `instance_id` can be omitted. Its scopes (`read`, `write`,
  `delete`, `forget`, `people`, `webhooks`) determine which operations it can call.
- **Session** of the web interface, as on this page. Requests that change data also need the CSRF
  token in `X-CSRFToken`.

Errors are problem details (RFC 9457, `application/problem+json`): besides `type`, which is always
`about:blank`, `title` and `status`, a `detail` for people and a `code` for programs.
Objects that you do not have access to return `404`, like objects that do not exist.
"""


api = KeepsakeAPI(
    root="/api",
    title="Keepsake",
    version="1",
    description=DESCRIPTION,
    docs=DocsPage(),
    urls_namespace="api",
    openapi_extra={
        "tags": [
            {"name": "Memories", "description": "Memories and their revisions."},
            {
                "name": "Search",
                "description": "Search over memories, messages and notes; summaries.",
            },
            {
                "name": "Golden questions",
                "description": "Questions with their right answers, asked each night.",
            },
            {
                "name": "Store and retrieve",
                "description": "Endpoints in the form of a memory pipeline.",
            },
            {"name": "Tools", "description": "Memory tools for language models."},
            {
                "name": "Conversations",
                "description": "Conversations and the extraction of facts from them.",
            },
            {"name": "Messages", "description": "Messages of conversations."},
            {"name": "Palace", "description": "Verbatim messages and notes, filed by subject."},
            {
                "name": "Runs",
                "description": "Background runs that extract facts and file messages.",
            },
            {"name": "Imports", "description": "Files of memories and conversations."},
            {"name": "Health", "description": "Health metrics and recommendations."},
            {"name": "Activity", "description": "Who or what changed the memory, and when."},
            {"name": "Graph", "description": "Entities and their relations over time."},
            {
                "name": "Document store",
                "description": "JSON documents by namespace and key, kept exactly, with search.",
            },
            {"name": "People", "description": "All that is kept about an end user."},
            {"name": "Groups", "description": "People and agents that share memories."},
            {"name": "Legal holds", "description": "What must not be deleted."},
            {"name": "Retention", "description": "How long things are kept."},
            {"name": "Webhooks", "description": "Events for other programs, and what was sent."},
            {"name": "Usage", "description": "What was told to model providers about whom."},
            {
                "name": "Instances",
                "description": "Instances: assistants, each with its own memory.",
            },
        ]
    },
)
for resource in (
    memories,
    memory_bulk,
    pins,
    revisions,
    search,
    golden,
    summary,
    pipeline_endpoints,
    tools,
    conversations,
    messages,
    refused,
    review,
    rollback,
    runs,
    imports,
    health,
    activity,
    palace,
    palace_notes,
    graph,
    people,
    groups,
    sharing,
    holds,
    retention,
    sending,
    sensitive_areas,
    usage,
    webhooks,
    store,
    instances,
    key_requests,
):
    api.add_router("", resource.router)


def _document(request: HttpRequest, **kwargs: Any) -> HttpResponse:
    try:
        return openapi_document.document(api, request)
    except Exception as error:
        return api.on_exception(request, error)


def addresses() -> tuple[list[URLResolver | URLPattern], str, str]:
    """Return the URL patterns of the API. Errors are JSON, even without a session, where the
    middleware would redirect to the login page. Only the page of docs, which is for people,
    redirects.
    """
    patterns, app_name, namespace = api.urls
    nowhere = json_errors.nowhere("/api/docs", api.endpoints)
    for pattern in patterns:
        if isinstance(pattern, URLPattern) and pattern.name == "openapi-json":
            pattern.callback = json_errors.answering_in_json(_document)
        elif isinstance(pattern, URLPattern) and pattern.name != "openapi-view":
            root = pattern.name == "api-root"
            pattern.callback = nowhere if root else json_errors.answering_in_json(pattern.callback)
        elif isinstance(pattern, URLPattern) and pattern.name == "openapi-view":
            # Swagger's stylesheet contains pictures.
            pattern.callback = csp_update({"img-src": ["data:"]})(pattern.callback)
    return [*patterns, re_path("", nowhere, name="nowhere")], app_name, namespace
