"""The OpenAPI document, as generators of clients need it."""

import hashlib
import json
from functools import cache
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from ninja.errors import AuthenticationError
from ninja.responses import Response

from memoryapp.api import VERSION
from memoryapp.api.auth import Key
from memoryapp.api.ninja_api import KeepsakeAPI

#: Pydantic's names of limits that a field of several types keeps, and those of JSON Schema.
_LIMITS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
#: The ends of the names of schemas that are parts of request bodies.
_OF_BODIES = ("In", "Fields")
#: Parameters that are described nowhere else, since their names say it.
_DESCRIPTIONS = {
    "instance_id": "Slug or ID of the instance. Optional with a key, which belongs to one.",
    "kind": "Only those of this kind.",
    "never_again": "Also keep the fact from being learned again, from anywhere.",
    "pointer": "Pointer of a place in the palace.",
    "predicate": "Only relations of this kind.",
    "state": "Only those in this state.",
    "tag": "Only memories with this tag.",
}


def document(api: KeepsakeAPI, request: HttpRequest) -> HttpResponse:
    """Answer a person who is signed in, or a program with any key; else raise
    `AuthenticationError`.
    """
    if not request.user.is_authenticated and Key(keeps_to_person=True)(request) is None:
        raise AuthenticationError(401, "Sign in first, or send an API key.")
    content, tag = _written(api)
    response = HttpResponse(content, content_type="application/json; charset=utf-8")
    response["ETag"] = tag
    condition = get_conditional_response(request, etag=tag, response=response)
    return cast(HttpResponse, condition)


@cache
def _written(api: KeepsakeAPI) -> tuple[bytes, str]:
    """Return the document and its entity tag. It is the same for every caller, and takes most of a
    second to make.
    """
    schema = tidied(api.get_openapi_schema())
    for name, body in schema["components"]["schemas"].items():
        if name.endswith(_OF_BODIES):
            _state_defaults(body)
    schema["paths"] = {
        path.replace("/api", VERSION, 1): operations for path, operations in schema["paths"].items()
    }
    content = Response(schema).content
    return content, quote_etag(hashlib.sha256(content).hexdigest()[:16])


def _state_defaults(body: dict[str, Any]) -> None:
    """Say the defaults of the fields of a request's *body* in words: generators of TypeScript take
    a field with a default for one that is always there, and require it.
    """
    for field in body.get("properties", {}).values():
        default = field.pop("default", None)
        if default not in (None, "", False, [], {}):
            stated = f"Default: {json.dumps(default)}."
            field["description"] = f"{field.get('description', '')} {stated}".strip()


def tidied(schema: Any) -> Any:
    """Return *schema* as OpenAPI wants it: Ninja writes the examples of parameters as a list, gives
    some limits Pydantic's names, and leaves out descriptions.
    """
    if isinstance(schema, list):
        return [tidied(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    tidy: dict[str, Any] = {
        str(_LIMITS.get(name, name)): tidied(value) for name, value in schema.items()
    }
    if "in" in tidy and "schema" in tidy:
        _tidy_parameter(tidy)
    return tidy


def _tidy_parameter(parameter: dict[str, Any]) -> None:
    examples = parameter.pop("examples", None)
    if isinstance(examples, list) and examples:
        parameter["example"] = examples[0]
    if not parameter.get("description"):
        name = parameter["name"]
        row = name.removesuffix("_id").replace("_", " ")
        parameter["description"] = _DESCRIPTIONS.get(name, f"ID of the {row}.")
