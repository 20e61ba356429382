"""Bodies that are nested too deeply are refused by every API, and never a server error."""

import pytest
from django.test import Client

from conversations.bounded_json import MAX_DEPTH
from instances.models import Instance, Provider
from tests.api.conftest import Program

DOORS = {
    "/api/memories": ('{{"content": "A fact.", "metadata": {{"x": {0}}}}}', 422),
    "/api/memory/store": ('{{"content": "A fact.", "metadata": {{"x": {0}}}}}', 422),
    "/v1/memories/": ('{{"messages": "A fact.", "user_id": "ana", "metadata": {{"x": {0}}}}}', 422),
    "/v3/memories/search/": ('{{"query": "A fact.", "filters": {0}}}', 422),
    "/mcp": (
        '{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": '
        '{{"name": "search_memory", "arguments": {{"query": {0}}}}}}}',
        422,
    ),
    "/v1/chat/completions": ('{{"messages": [{{"role": "user", "content": {0}}}]}}', 400),
}


@pytest.mark.parametrize("levels", [MAX_DEPTH, 250, 900, 5_000, 100_000])
@pytest.mark.parametrize("path", DOORS)
def test_too_deeply_nested_body_is_a_client_error(
    path: str, levels: int, instance: Instance, program: Program
) -> None:
    Instance.objects.update(
        provider=Provider.CUSTOM, base_url="http://127.0.0.1:9/v1", fast_model="m"
    )
    body, status = DOORS[path]
    answer = Client(raise_request_exception=False).generic(
        "POST",
        path,
        body.format("[" * levels + "]" * levels),
        content_type="application/json",
        headers={
            "Authorization": f"Bearer {program.secret}",
            "Accept": "application/json, text/event-stream",
        },
    )
    assert answer.status_code == status, answer.content
    assert "nested" in answer.content.decode()
