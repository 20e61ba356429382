"""The types of the clients in sdk/, made from the OpenAPI document.

``python -m tests.sdk.generated_types`` writes them; a test says when they are out of date.
"""

import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PYTHON = Path(__file__).resolve().parents[2] / "sdk/python/keepsake_client/types.py"
#: The operations that the clients call.
OPERATIONS = set(
    "append_messages begin_conversation call_search_memory correct_memory create_memory "
    "erase_person export_memories list_conversations list_memories list_messages read_erasure "
    "read_memory read_message search who_am_i".split()
)
#: Parameters and fields that the clients fill in themselves, or that a key answers.
_NOT_OFFERED = {"cursor", "instanceId", "limit", "total"}
_HEAD = '''"""Types of the API, made from its OpenAPI document: do not edit."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal, TypedDict
from uuid import UUID

from pydantic import BaseModel

if TYPE_CHECKING:
    from typing_extensions import Required
'''
_SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_FORMATS = {"date": "date", "date-time": "datetime", "uuid": "UUID"}

Schema = dict[str, Any]


class PythonTypes:
    """The text of a module with the types that the operations of *document* need."""

    def __init__(self, document: Schema) -> None:
        self._schemas: dict[str, Schema] = document["components"]["schemas"]
        self._classes: dict[str, str] = {}
        for methods in document["paths"].values():
            for operation in methods.values():
                if operation["operationId"] in OPERATIONS:
                    self._add_operation(operation)

    @property
    def text(self) -> str:
        classes = [self._classes[name] for name in sorted(self._classes)]
        return formatted("\n\n".join([_HEAD, *classes]))

    def _add_operation(self, operation: Schema) -> None:
        query = {
            each["name"]: each["schema"] | {"description": each.get("description", "")}
            for each in operation.get("parameters", [])
            if each["in"] == "query" and not each.get("required")
        }
        if (
            operation["operationId"].startswith(("list_", "export_"))
            and query.keys() - _NOT_OFFERED
        ):
            name = operation["operationId"].title().replace("_", "") + "Options"
            self._add_options(name, query, operation["summary"], _NOT_OFFERED)
        for content in operation.get("requestBody", {}).get("content", {}).values():
            name = _reference(content["schema"])
            schema = self._schemas[name]
            hidden = {*schema.get("required", ()), "instanceId"}
            options = name.removesuffix("In") + "Options"
            self._add_options(options, schema["properties"], schema["description"], hidden)
            for required in schema.get("required", ()):
                self._type(schema["properties"][required], is_input=True)
        for status, response in operation["responses"].items():
            for content in response.get("content", {}).values():
                if status < "400" and "$ref" in content["schema"]:
                    self._add_model(_reference(content["schema"]))

    def _add_options(
        self,
        name: str,
        properties: dict[str, Schema],
        description: str,
        hidden: set[str],
        required: tuple[str, ...] = (),
    ) -> None:
        """Add a dictionary of what a request may have, without what is *hidden*."""
        if name in self._classes or not properties.keys() - hidden:
            return
        self._classes[name] = ""
        lines: list[str] = []
        for field, schema in properties.items():
            if field not in hidden:
                written = self._type(schema, is_input=True)
                lines += _comment(schema)
                lines.append(f"{field}: {f'Required[{written}]' if field in required else written}")
        self._classes[name] = _class(f"{name}(TypedDict, total=False)", description, lines)

    def _add_model(self, name: str) -> None:
        """Add a model of what a response has. Fields of later versions are left out by it."""
        if name in self._classes:
            return
        self._classes[name] = ""
        schema = self._schemas[name]
        lines: list[str] = []
        for field, of_field in schema["properties"].items():
            lines += _comment(of_field)
            lines.append(f"{field}: {self._with_default(of_field, field in schema['required'])}")
        self._classes[name] = _class(f"{name}(BaseModel)", schema["description"], lines)

    def _with_default(self, schema: Schema, is_required: bool) -> str:
        written = self._type(schema, is_input=False)
        if is_required:
            return written
        if "default" in schema:
            return f"{written} = {schema['default']!r}"
        if written.startswith(("list[", "dict[")):
            return f"{written} = {'[]' if written.startswith('list') else '{}'}"
        return f"{written} = None" if "None" in written.split(" | ") else f"{written} | None = None"

    def _type(self, schema: Schema, *, is_input: bool) -> str:
        if "$ref" in schema:
            return self._referenced(_reference(schema), is_input)
        if "allOf" in schema:
            return self._type(schema["allOf"][0], is_input=is_input)
        if "anyOf" in schema:
            # A day before a moment: Pydantic takes the first that fits a day exactly.
            parts = [self._type(each, is_input=is_input) for each in schema["anyOf"]]
            return " | ".join(dict.fromkeys(sorted(parts, key=_place)))
        if is_input and ("enum" in schema or "const" in schema):
            return f"Literal{schema.get('enum', [schema.get('const')])!r}"
        if schema.get("type") == "array":
            return f"list[{self._type(schema['items'], is_input=is_input)}]"
        if schema.get("type") == "object":
            values = schema.get("additionalProperties")
            of_value = self._type(values, is_input=is_input) if isinstance(values, dict) else "Any"
            return f"dict[str, {of_value}]"
        if "type" not in schema:
            return "Any"
        return _FORMATS.get(schema.get("format", ""), _SIMPLE[schema["type"]])

    def _referenced(self, name: str, is_input: bool) -> str:
        schema = self._schemas[name]
        if (
            "properties" not in schema
        ):  # Later versions may add values, which must not break a reader.
            return self._type(schema, is_input=is_input)
        if is_input:
            required = tuple(schema.get("required", ()))
            self._add_options(name, schema["properties"], schema["description"], set(), required)
        else:
            self._add_model(name)
        return name


def formatted(module: str) -> str:
    """Return the text of a module in the style of the house."""
    ruff = Path(sys.executable).with_name("ruff")
    done = subprocess.run(
        [ruff, "format", "--stdin-filename", PYTHON, "-"],
        input=module,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def _reference(schema: Schema) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def _place(written: str) -> tuple[bool, bool]:
    return written == "None", written == "datetime"


def _comment(schema: Schema) -> Iterator[str]:
    described = " ".join(schema.get("description", "").split())
    return (f"#: {line}" for line in textwrap.wrap(described, 90))


def _class(head: str, description: str, lines: list[str]) -> str:
    first, *more = textwrap.wrap(" ".join(description.split()), 90)
    described = f'"""{first}"""' if not more else "\n".join([f'"""{first}', *more, '"""'])
    return f"class {head}:\n" + textwrap.indent(f"{described}\n\n" + "\n".join(lines), "    ")


def document() -> Schema:
    """Return the OpenAPI document."""
    from memoryapp.api.openapi_document import tidied
    from memoryapp.api.rest.routes import api

    described: Schema = tidied(api.get_openapi_schema())
    return described


if __name__ == "__main__":
    import django

    django.setup()
    PYTHON.write_text(PythonTypes(document()).text)
