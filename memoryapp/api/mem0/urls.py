"""The door: which addresses there are, below the root of the host, as mem0's client has them."""

from typing import Any

from django.http import HttpRequest
from django.urls import URLPattern, re_path
from ninja import NinjaAPI

from memoryapp.api.auth import instance_named
from memoryapp.api.bodies import BoundedParser
from memoryapp.api.errors import handle_errors
from memoryapp.api.json_errors import answering_in_json, nowhere

# In this order, since in addresses of memories anything may be an id, also “search”.
from memoryapp.api.mem0 import add, entities, memories, search  # noqa: F401 - They add their addresses.
from memoryapp.api.mem0.auth import ANY, router
from memoryapp.api.request_shares import within_share
from memoryapp.api.throttling import KeyThrottle

#: No page of its own: that is for Keepsake's own API. `docs/mem0.md` says what is served.
api = NinjaAPI(
    title="mem0",
    docs_url=None,
    openapi_url=None,
    parser=BoundedParser(),
    throttle=[KeyThrottle()],
    urls_namespace="mem0",
)
handle_errors(api)
api.add_decorator(within_share)


@api.get("/v1/ping/", auth=ANY, url_name="ping", summary="Ping")
def ping(request: HttpRequest) -> dict[str, Any]:
    """Say that the key is good: what the client asks first. It will not do without an organisation
    and a project, which here are Keepsake and the instance. A key belongs to no person.
    """
    project = instance_named(request, None).slug
    return {"status": "ok", "org_id": "keepsake", "project_id": project, "user_email": None}


api.add_router("", router)

#: Where mem0 has more than is served here.
_MORE = """
v1/memories/ v1/batch/ v1/entities/ v1/event/ v1/events/ v1/exports/ v1/feedback/ v1/summary/
v2/memories/ v2/entities/ v2/profiles/ v3/memories/
""".split()


def addresses() -> tuple[list[URLPattern], str, str]:
    """What the URL map includes."""
    patterns, app_name, namespace = api.urls
    served = []
    for pattern in patterns:
        # The root is the home page's.
        if isinstance(pattern, URLPattern) and pattern.name != "api-root":
            pattern.callback = answering_in_json(pattern.callback)
            served.append(pattern)
    missing = nowhere("docs/mem0.md")
    more = [re_path(f"^{beginning}", missing, name="nowhere") for beginning in _MORE]
    return [*served, *more], app_name, namespace
