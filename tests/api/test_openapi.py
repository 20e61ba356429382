"""The OpenAPI document and the page that shows it."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from django.test import Client
from ninja import Schema
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.api.conftest import Program


def test_document_describes_every_operation_and_its_errors(as_alice: Client) -> None:
    document = as_alice.get("/api/openapi.json").json()
    assert document["info"]["title"] == "Keepsake"
    operations = [
        (method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    assert len(operations) == 111
    assert len({operation["operationId"] for _, _, operation in operations}) == len(operations)
    for _, path, operation in operations:
        assert operation["summary"] and operation["description"], path
        assert operation["security"] == [{"Key": []}, {"Session": []}], path
        assert {"400", "401", "403", "404", "422", "429"} <= operation["responses"].keys(), path
        for status, response in operation["responses"].items():
            if status in ("204", "304"):
                continue
            if response["content"].keys() & {"application/zip", "application/x-ndjson"}:
                continue
            failed = status >= "400"
            media_type = "application/problem+json" if failed else "application/json"
            schema = response["content"][media_type]["schema"]["$ref"]
            assert (schema == "#/components/schemas/Problem") is failed


def test_what_is_created_has_its_address(as_alice: Client) -> None:
    document = as_alice.get("/api/openapi.json").json()
    created = {
        path: operation["responses"]["201"].get("headers", {})
        for path, methods in document["paths"].items()
        for operation in methods.values()
        if "201" in operation["responses"]
    }
    assert len(created) >= 4
    assert [path for path, headers in created.items() if "Location" not in headers] == []


def test_fields_with_a_default_may_be_left_out(as_alice: Client) -> None:
    """Generators of TypeScript require a field that has a default."""
    document = as_alice.get("/api/openapi.json").json()
    schemas = document["components"]["schemas"]
    bodies = {
        operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for methods in document["paths"].values()
        for operation in methods.values()
        if "application/json" in operation.get("requestBody", {}).get("content", {})
    }
    assert len(bodies) > 20
    for name in bodies | {"MessageIn", "SendingRuleFields"}:
        for field, schema in schemas[name].get("properties", {}).items():
            assert "default" not in schema, (name, field)
    limit = schemas["SearchIn"]["properties"]["limit"]
    assert limit["description"].endswith("Default: 10.")


def test_former_ways_to_search_are_marked_as_deprecated(as_alice: Client) -> None:
    paths = as_alice.get("/api/openapi.json").json()["paths"]
    deprecated = {
        path
        for path, methods in paths.items()
        for operation in methods.values()
        if operation.get("deprecated")
    }
    assert deprecated == {"/api/v1/memory/retrieve", "/api/v1/memory/store"}
    listed = paths["/api/v1/memories"]["get"]["parameters"]
    assert [each["name"] for each in listed if each["schema"].get("deprecated")] == ["q"]


def test_docs_page_shows_the_document(as_alice: Client) -> None:
    response = as_alice.get("/api/docs")
    assert response.status_code == 200
    page = response.content.decode()
    assert "/api/openapi.json" in page
    assert '<html lang="en">' in page
    assert re.search(r"<h1>[^<]*Keepsake</h1>", page)


def test_docs_require_sign_in(client: Client, db: None) -> None:
    response = client.get("/api/docs")
    assert response["Location"] == "/accounts/login?next=/api/docs"


def test_document_requires_a_session_or_a_key(client: Client, program: Program) -> None:
    refused = client.get("/api/openapi.json")
    assert (refused.status_code, refused.json()["code"]) == (401, "unauthenticated")
    assert program.send("GET", "/api/openapi.json")["openapi"].startswith("3.1")


def test_document_is_valid_and_complete(program: Program) -> None:
    document = program.send("GET", "/api/openapi.json")
    assert [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()] == []
    parameters = [
        parameter
        for methods in document["paths"].values()
        for operation in methods.values()
        for parameter in operation.get("parameters", ())
    ]
    assert len(parameters) > 100
    assert all(parameter["description"] for parameter in parameters)
    (importance, _) = document["components"]["schemas"]["NewMemoryIn"]["properties"]["importance"][
        "anyOf"
    ]
    assert (importance["minimum"], importance["maximum"]) == (1, 10)


def test_a_client_is_generated_from_it(program: Program, tmp_path: Path) -> None:
    document = tmp_path / "openapi.json"
    document.write_text(json.dumps(program.send("GET", "/api/openapi.json")))
    generator = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
    done = subprocess.run(
        [*generator, "--path", str(document), "--output-path", str(tmp_path / "client")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    # It knows no other kind of answer than JSON.
    warnings = re.findall(r"WARNING parsing (.+)", done.stdout + done.stderr)
    assert set(warnings) == {
        "GET /api/v1/memories/export within memories.",
        "GET /api/v1/people/export within people.",
    }
    assert (tmp_path / "client" / "api" / "memories" / "create_memory.py").exists()


def test_schema_names_are_unique() -> None:
    # A second schema of the same name would silently replace the first.
    names = Counter(schema.__name__ for schema in _schemas(Schema))
    assert len(names) > 100
    assert [name for name, times in names.items() if times > 1] == []


def _schemas(base: type[Schema]) -> set[type[Schema]]:
    """Return all schemas of this API; others have their own document or none."""
    below = {schema for own in base.__subclasses__() for schema in {own, *_schemas(own)}}
    return {
        schema for schema in below if re.match(r"memoryapp\.api\.(rest\.)?\w+$", schema.__module__)
    }
