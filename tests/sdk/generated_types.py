"""The types of the clients in sdk/, made from the OpenAPI document.

``python -m tests.sdk.generated_types`` writes them; a test says when they are out of date.
"""

import json
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

SDK = Path(__file__).resolve().parents[2] / "sdk"
#: The operations that the clients call.
OPERATIONS = set(
    "append_messages begin_conversation call_search_memory correct_memory create_memory "
    "erase_person export_memories list_conversations list_memories list_messages read_erasure "
    "read_memory read_message search who_am_i".split()
)
#: Parameters and fields that the clients fill in themselves, or that a key answers.
_NOT_OFFERED = {"cursor", "instance_id", "limit", "total"}

Schema = dict[str, Any]


@dataclass(frozen=True)
class Field:
    """A field of a type, with its type as the language writes it."""

    name: str
    written: str
    schema: Schema
    is_required: bool

    @property
    def comment(self) -> list[str]:
        described = " ".join(self.schema.get("description", "").split())
        return textwrap.wrap(described, 90)


class Types:
    """The text of a module with the types that the operations of *document* need.

    What a request may have is an input; what a response has is not. Languages differ in how they
    write the types of JSON, and declare a type.
    """

    path: ClassVar[Path]
    head: ClassVar[str]
    unknown: ClassVar[str]
    simple: ClassVar[dict[str, str]]

    def __init__(self, document: Schema) -> None:
        self._schemas: dict[str, Schema] = document["components"]["schemas"]
        self._declared: dict[str, str] = {}
        for methods in document["paths"].values():
            for operation in methods.values():
                if operation["operationId"] in OPERATIONS:
                    self._add_operation(operation)

    @property
    def text(self) -> str:
        declared = [self._declared[name] for name in sorted(self._declared)]
        return "\n\n".join([self.head, *declared])

    def literal(self, values: list[Any]) -> str:
        """One of some values."""
        raise NotImplementedError

    def array(self, of_item: str) -> str:
        raise NotImplementedError

    def mapping(self, of_value: str) -> str:
        raise NotImplementedError

    def formatted_text(self, name: str, *, is_input: bool) -> str | None:
        """The type of a text in a format, or None if it is written as any text."""
        raise NotImplementedError

    def declaration(
        self, name: str, description: list[str], fields: list[Field], *, is_input: bool
    ) -> str:
        raise NotImplementedError

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
            self._add(
                name, query, operation["summary"], hidden=_NOT_OFFERED, required=(), is_input=True
            )
        for content in operation.get("requestBody", {}).get("content", {}).values():
            name = _reference(content["schema"])
            schema = self._schemas[name]
            required = schema.get("required", ())
            self._add(
                name.removesuffix("In") + "Options",
                schema["properties"],
                schema["description"],
                hidden={*required, "instance_id"},
                required=(),
                is_input=True,
            )
            for field in required:
                self._type(schema["properties"][field], is_input=True)
        for status, response in operation["responses"].items():
            for content in response.get("content", {}).values():
                if status < "400" and "$ref" in content["schema"]:
                    self._type(content["schema"], is_input=False)

    def _add(
        self,
        name: str,
        properties: dict[str, Schema],
        description: str,
        *,
        hidden: set[str],
        required: tuple[str, ...],
        is_input: bool,
    ) -> None:
        """Declare a type once, without the fields that are *hidden*."""
        if name in self._declared or not properties.keys() - hidden:
            return
        self._declared[name] = ""
        fields = [
            Field(field, self._type(schema, is_input=is_input), schema, field in required)
            for field, schema in properties.items()
            if field not in hidden
        ]
        described = textwrap.wrap(" ".join(description.split()), 90)
        self._declared[name] = self.declaration(name, described, fields, is_input=is_input)

    def _type(self, schema: Schema, *, is_input: bool) -> str:
        if "$ref" in schema:
            return self._referenced(_reference(schema), is_input)
        if "allOf" in schema:
            return self._type(schema["allOf"][0], is_input=is_input)
        if "anyOf" in schema:
            parts = [self._type(each, is_input=is_input) for each in schema["anyOf"]]
            return self.union(parts)
        if is_input and ("enum" in schema or "const" in schema):
            return self.literal(schema.get("enum", [schema.get("const")]))
        if schema.get("type") == "array":
            return self.array(self._type(schema["items"], is_input=is_input))
        if schema.get("type") == "object":
            values = schema.get("additionalProperties")
            of_value = (
                self._type(values, is_input=is_input) if isinstance(values, dict) else self.unknown
            )
            return self.mapping(of_value)
        if "type" not in schema:
            return self.unknown
        in_format = self.formatted_text(schema.get("format", ""), is_input=is_input)
        return in_format or self.simple[schema["type"]]

    def union(self, parts: list[str]) -> str:
        return " | ".join(
            dict.fromkeys(sorted(parts, key=lambda each: each == self.simple["null"]))
        )

    def _referenced(self, name: str, is_input: bool) -> str:
        schema = self._schemas[name]
        if (
            "properties" not in schema
        ):  # Later versions may add values, which must not break a reader.
            return self._type(schema, is_input=is_input)
        required = tuple(schema.get("required", ()))
        self._add(
            name,
            schema["properties"],
            schema["description"],
            hidden=set(),
            required=required,
            is_input=is_input,
        )
        return name


class PythonTypes(Types):
    """Types in Python: dictionaries of what is sent, models of what is received."""

    path = SDK / "python/keepsake_client/types.py"
    head = '''"""Types of the API, made from its OpenAPI document: do not edit."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal, TypedDict
from uuid import UUID

from pydantic import BaseModel

if TYPE_CHECKING:
    from typing_extensions import Required
'''
    unknown = "Any"
    simple: ClassVar = {
        "string": "str",
        "integer": "int",
        "number": "float",
        "boolean": "bool",
        "null": "None",
    }

    @property
    def text(self) -> str:
        return formatted(super().text)

    def literal(self, values: list[Any]) -> str:
        return f"Literal{values!r}"

    def array(self, of_item: str) -> str:
        return f"list[{of_item}]"

    def mapping(self, of_value: str) -> str:
        return f"dict[str, {of_value}]"

    def formatted_text(self, name: str, *, is_input: bool) -> str | None:
        return {"date": "date", "date-time": "datetime", "uuid": "UUID"}.get(name)

    def union(self, parts: list[str]) -> str:
        # A day before a moment: Pydantic takes the first that fits a day exactly.
        return super().union(sorted(parts, key=lambda each: each == "datetime"))

    def declaration(
        self, name: str, description: list[str], fields: list[Field], *, is_input: bool
    ) -> str:
        first, *more = description
        lines = [f'"""{first}"""'] if not more else [f'"""{first}', *more, '"""']
        lines.append("")
        for field in fields:
            lines += [f"#: {line}" for line in field.comment]
            if is_input:
                written = f"Required[{field.written}]" if field.is_required else field.written
                lines.append(f"{field.name}: {written}")
            else:
                lines.append(f"{field.name}: {self._with_default(field)}")
        base = "TypedDict, total=False" if is_input else "BaseModel"
        return f"class {name}({base}):\n" + textwrap.indent("\n".join(lines), "    ")

    def _with_default(self, field: Field) -> str:
        """The type of a field of a response, with the value that it has if it is left out."""
        written = field.written
        if field.is_required:
            return written
        if "default" in field.schema:
            return f"{written} = {field.schema['default']!r}"
        if written.startswith(("list[", "dict[")):
            return f"{written} = {'[]' if written.startswith('list') else '{}'}"
        return f"{written} = None" if "None" in written.split(" | ") else f"{written} | None = None"


class TypeScriptTypes(Types):
    """Types in TypeScript. Dates are texts; those that are sent may be dates as well."""

    path = SDK / "typescript/src/types.ts"
    head = "/** Types of the API, made from its OpenAPI document: do not edit. */"
    unknown = "unknown"
    simple: ClassVar = {
        "string": "string",
        "integer": "number",
        "number": "number",
        "boolean": "boolean",
        "null": "null",
    }

    @property
    def text(self) -> str:
        return super().text + "\n"

    def literal(self, values: list[Any]) -> str:
        return " | ".join(json.dumps(value) for value in values)

    def array(self, of_item: str) -> str:
        return f"Array<{of_item}>"

    def mapping(self, of_value: str) -> str:
        return f"Record<string, {of_value}>"

    def formatted_text(self, name: str, *, is_input: bool) -> str | None:
        return "string | Date" if is_input and name == "date-time" else None

    def union(self, parts: list[str]) -> str:
        return super().union([part for each in parts for part in each.split(" | ")])

    def declaration(
        self, name: str, description: list[str], fields: list[Field], *, is_input: bool
    ) -> str:
        lines = [*_documented(description), f"export interface {name} {{"]
        for field in fields:
            lines += [f"  {line}" for line in _documented(field.comment)]
            mark = "" if field.is_required else "?"
            lines.append(f"  {field.name}{mark}: {field.written};")
        return "\n".join([*lines, "}"])


LANGUAGES: tuple[type[Types], ...] = (PythonTypes, TypeScriptTypes)


def _documented(lines: list[str]) -> Iterator[str]:
    """Yield the lines of a comment that documents what follows it."""
    if len(lines) == 1:
        yield f"/** {lines[0]} */"
    elif lines:
        yield "/**"
        yield from (f" * {line}" for line in lines)
        yield " */"


def formatted(module: str) -> str:
    """Return the text of a module in the style of the house."""
    ruff = Path(sys.executable).with_name("ruff")
    done = subprocess.run(
        [ruff, "format", "--stdin-filename", PythonTypes.path, "-"],
        input=module,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def _reference(schema: Schema) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def document() -> Schema:
    """Return the OpenAPI document."""
    from memoryapp.api.openapi_document import tidied
    from memoryapp.api.rest.routes import api

    described: Schema = tidied(api.get_openapi_schema())
    return described


if __name__ == "__main__":
    import django

    django.setup()
    for language in LANGUAGES:
        language.path.write_text(language(document()).text)
