"""The REST API: its routers, its OpenAPI document and its docs page at `/api/docs`."""

from csp.decorators import csp_update
from django.urls import URLPattern, URLResolver, re_path

from memoryapp.api import (
    conversations,
    graph,
    health,
    instances,
    json_errors,
    memories,
    messages,
    palace,
    palace_notes,
    pipeline_endpoints,
    revisions,
    runs,
    search,
    tools,
)
from memoryapp.api.docs import DocsPage
from memoryapp.api.ninja_api import KeepsakeAPI

DESCRIPTION = """
Long-term memory for AI assistants.

- **With an API key**, made in the settings of an instance: `Authorization: Bearer ks_…`. It opens
  that instance, so that `instanceId` can be left out, and what its scopes say: `read`, `write`,
  `delete`.
- **With a session** of the screens, as on this page. What changes something needs its CSRF token in
  `X-CSRFToken`.

Every error is `{"detail": "…", "code": "…"}`: a sentence for people, a code for programs. What you
may not see is `404`, like what is not there.
"""


api = KeepsakeAPI(
    title="Keepsake",
    version="1",
    description=DESCRIPTION,
    docs=DocsPage(),
    urls_namespace="api",
    openapi_extra={
        "tags": [
            {"name": "Memories", "description": "What is remembered, and what it said before."},
            {"name": "Search", "description": "From a question to what answers it."},
            {"name": "Store and retrieve", "description": "The whole pipeline in two verbs."},
            {"name": "Tools", "description": "What a model may do with the memory by itself."},
            {"name": "Conversations", "description": "What was said, as a whole."},
            {"name": "Messages", "description": "What was said, turn by turn."},
            {"name": "Palace", "description": "What was said, word for word, by subject."},
            {"name": "Runs", "description": "Reading conversations for facts."},
            {"name": "Health", "description": "How a memory is doing, and what would help it."},
            {"name": "Graph", "description": "Who and what was spoken of, and what held when."},
            {"name": "Instances", "description": "Assistants, each with a memory of its own."},
        ]
    },
)
for resource in (
    memories,
    revisions,
    search,
    pipeline_endpoints,
    tools,
    conversations,
    messages,
    runs,
    health,
    palace,
    palace_notes,
    graph,
    instances,
):
    api.add_router("", resource.router)


def addresses() -> tuple[list[URLResolver | URLPattern], str, str]:
    """Return the URL patterns of the API. Errors are JSON, even without a session, where the
    middleware would redirect to the login page. Only the docs, which are for people, redirect.
    """
    patterns, app_name, namespace = api.urls
    nowhere = json_errors.nowhere("/api/docs")
    for pattern in patterns:
        if isinstance(pattern, URLPattern) and pattern.name not in ("openapi-json", "openapi-view"):
            root = pattern.name == "api-root"
            pattern.callback = nowhere if root else json_errors.answering_in_json(pattern.callback)
        elif isinstance(pattern, URLPattern) and pattern.name == "openapi-view":
            # Swagger's stylesheet contains pictures.
            pattern.callback = csp_update({"img-src": ["data:"]})(pattern.callback)
    return [*patterns, re_path("", nowhere, name="nowhere")], app_name, namespace
