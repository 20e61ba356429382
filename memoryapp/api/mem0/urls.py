"""The URLs of mem0's API, which its client expects at the root of the host."""

from typing import Any

from django.http import HttpRequest
from django.urls import URLPattern, re_path

from memoryapp.api.auth import instance_named
from memoryapp.api.json_errors import answering_in_json, nowhere

# In this order, since the id in the address of a memory may be any text, even “search”.
from memoryapp.api.mem0 import (  # noqa: F401 - they register their operations
    add,
    entities,
    events,
    exports,
    feedback,
    memories,
    project,
    search,
    server,
)
from memoryapp.api.mem0.auth import ANY, router
from memoryapp.api.mem0.project import ORGANISATION
from memoryapp.api.ninja_api import KeepsakeAPI

#: Without a docs page: see `docs/mem0.md`.
api = KeepsakeAPI(title="mem0", docs_url=None, openapi_url=None, urls_namespace="mem0")


@api.get("/v1/ping/", auth=ANY, url_name="ping", summary="Ping")
def ping(request: HttpRequest) -> dict[str, Any]:
    """Confirm the key. The client expects an organisation and a project, which here are Keepsake
    and the instance. A key belongs to no person.
    """
    name = instance_named(request, None).slug
    return {"status": "ok", "org_id": ORGANISATION, "project_id": name, "user_email": None}


api.add_router("", router)

#: Prefixes of addresses that mem0 has and Keepsake does not.
_MORE = """
v1/memories/ v1/batch/ v1/entities/ v1/event/ v1/events/ v1/exports/ v1/feedback/ v1/summary/
v2/memories/ v2/entities/ v2/profiles/ v3/memories/ api/v1/orgs/ api/v1/webhooks/projects/ memories/
reset$ configure$
""".split()


def addresses() -> tuple[list[URLPattern], str, str]:
    """Return the URL patterns of this API."""
    patterns, app_name, namespace = api.urls
    served = []
    for pattern in patterns:
        # The root is the home page.
        if isinstance(pattern, URLPattern) and pattern.name != "api-root":
            pattern.callback = answering_in_json(pattern.callback)
            served.append(pattern)
    missing = nowhere("docs/mem0.md")
    more = [re_path(f"^{beginning}", missing, name="nowhere") for beginning in _MORE]
    return [*served, *more], app_name, namespace
