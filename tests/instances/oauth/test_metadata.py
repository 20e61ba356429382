"""What a client learns before it is connected."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("part", ["", "/mcp", "/api", "/v1"])
def test_resource_names_the_server_of_its_tokens(client: Client, part: str) -> None:
    document = client.get(f"/.well-known/oauth-protected-resource{part}").json()
    assert document["resource"] == f"http://testserver{part}"
    assert document["authorization_servers"] == ["http://testserver"]
    assert document["scopes_supported"] == ["read", "write"]


def test_server_describes_itself(client: Client) -> None:
    document = client.get("/.well-known/oauth-authorization-server").json()
    assert document["issuer"] == "http://testserver"
    assert document["authorization_endpoint"] == "http://testserver/oauth/authorize"
    assert document["token_endpoint"] == "http://testserver/oauth/token"
    assert document["registration_endpoint"] == "http://testserver/oauth/register"
    assert document["revocation_endpoint"] == "http://testserver/oauth/revoke"
    assert document["code_challenge_methods_supported"] == ["S256"]
    assert document["grant_types_supported"] == ["authorization_code", "refresh_token"]
    assert document["response_types_supported"] == ["code"]
    assert document["client_id_metadata_document_supported"] is True
    assert document["scopes_supported"] == ["delete", "read", "write"]


@pytest.mark.parametrize(
    "path",
    [
        "openid-configuration",
        "oauth-authorization-server/mcp",
        "oauth-protected-resource/memory",
        "anything/else",
    ],
)
def test_other_documents_are_refused_in_json(client: Client, path: str) -> None:
    response = client.get(f"/.well-known/{path}")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("path", "part"),
    [("/mcp", "/mcp"), ("/api/memories", "/api"), ("/v1/models", "/v1"), ("/v2/memories/", "")],
)
def test_refusal_leads_to_the_metadata(client: Client, path: str, part: str) -> None:
    response = client.post(path) if path in ("/mcp", "/v2/memories/") else client.get(path)
    assert response.status_code == 401
    challenge = response["WWW-Authenticate"]
    metadata = f"http://testserver/.well-known/oauth-protected-resource{part}"
    assert f'resource_metadata="{metadata}"' in challenge
    assert 'scope="read write"' in challenge
    assert "error=" not in challenge
