"""The OpenAPI document and the page that shows it."""

import re
from collections import Counter

import pytest
from django.test import Client
from ninja import Schema


def test_document_describes_every_operation_and_its_errors(as_alice: Client) -> None:
    document = as_alice.get("/api/openapi.json").json()
    assert document["info"]["title"] == "Keepsake"
    operations = [
        (method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    assert len(operations) == 56
    assert len({operation["operationId"] for _, _, operation in operations}) == len(operations)
    for _, path, operation in operations:
        assert operation["summary"] and operation["description"], path
        assert operation["security"] == [{"Key": []}, {"Session": []}], path
        assert {"400", "401", "403", "404", "422", "429"} <= operation["responses"].keys(), path
        for status, response in operation["responses"].items():
            if status == "204":
                continue
            if "application/zip" in response["content"]:
                continue
            schema = response["content"]["application/json"]["schema"]["$ref"]
            assert (schema == "#/components/schemas/Problem") is (status >= "400")


def test_docs_page_shows_the_document(as_alice: Client) -> None:
    response = as_alice.get("/api/docs")
    assert response.status_code == 200
    page = response.content.decode()
    assert "/api/openapi.json" in page
    assert '<html lang="en">' in page
    assert re.search(r"<h1>[^<]*Keepsake</h1>", page)


@pytest.mark.parametrize("url", ["/api/docs", "/api/openapi.json"])
def test_docs_require_sign_in(url: str, client: Client, db: None) -> None:
    response = client.get(url)
    assert response["Location"] == f"/accounts/login?next={url}"


def test_schema_names_are_unique() -> None:
    # A second schema of the same name would silently replace the first.
    names = Counter(schema.__name__ for schema in _schemas(Schema))
    assert [name for name, times in names.items() if times > 1] == []


def _schemas(base: type[Schema]) -> set[type[Schema]]:
    """Return all schemas of this API; others have their own document or none."""
    below = {schema for own in base.__subclasses__() for schema in {own, *_schemas(own)}}
    return {schema for schema in below if re.match(r"memoryapp\.api\.\w+$", schema.__module__)}
