"""Pages of the site that are not in this folder: those of the project around it, and the REST API,
written from its OpenAPI document. MkDocs calls the functions; mkdocs.yml names this file.
"""

import logging
import os
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

PROJECT = Path(__file__).resolve().parents[1]
#: Pages of the project, by their addresses on the site.
ELSEWHERE = {
    "index.md": "README.md",
    "changes.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "report.md": "SECURITY.md",
    "sdk-python.md": "sdk/python/README.md",
    "sdk-typescript.md": "sdk/typescript/README.md",
}
_ADDRESSES = {source: address for address, source in ELSEWHERE.items()}
#: A link or an image, with an address within the project.
_LINK = re.compile(r"\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)")
_PREFORMATTED = re.compile(r"<pre>.*?</pre>", re.DOTALL)
_MARKUP = re.compile(r"^(?:[-*|]|\d+\.) .*|```.*", re.MULTILINE)
_LIMITS = {
    "minimum": "from {:,}",
    "maximum": "to {:,}",
    "maxItems": "at most {:,}",
    "maxLength": "at most {:,} characters",
}

Schema = dict[str, Any]

log = logging.getLogger("mkdocs.hooks.site_pages")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages of the REST API into the navigation."""
    config["rest"] = {f"rest/{_slug(name)}.md": text for name, text in _rest_pages(_document())}
    for section in config.nav or []:
        for entry in section.get("Reference", []):
            if isinstance(entry, dict) and "REST" in entry:
                entry["REST"] = list(config["rest"])
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages, and files of the project that pages link to."""
    for address, source in ELSEWHERE.items():
        files.append(File.generated(config, address, content=(PROJECT / source).read_text()))
    for address, text in config["rest"].items():
        files.append(File.generated(config, address, content=text))
    for path in ("static/icon.svg", *_linked_files()):
        address = "icon.svg" if path == "static/icon.svg" else f"files/{path}.txt"
        files.append(File.generated(config, address, abs_src_path=str(PROJECT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links between files of the project into those between pages of the site."""
    here = page.file.src_uri
    source = ELSEWHERE.get(here, f"docs/{here}")

    def turned(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link[1]))
        there = posixpath.relpath(_address(target), posixpath.dirname(here) or ".")
        return f"]({there}{link[2] or ''})"

    if here in config["rest"]:
        return markdown
    return "\n".join(_indented(_LINK.sub(turned, markdown).split("\n")))


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> None:
    """Warn of lists, tables and code that are shown as they are written; a strict build ends."""
    left = _MARKUP.search(_PREFORMATTED.sub("", html))
    if left:
        log.warning("Doc file '%s' shows its markup: %r", page.file.src_uri, left[0])


def _indented(lines: list[str]) -> Iterator[str]:
    """Yield the lines with what belongs to an item of a list four spaces in, as MkDocs wants it."""
    fence: int | None = None  # How far in the code begins that a line is part of.
    for line in lines:
        depth = len(line) - len(line.lstrip())
        shown = 4 - (depth if fence is None else fence)
        yield " " * shown + line if line.strip() and shown in (1, 2) else line
        if line.lstrip().startswith("```"):
            fence = depth if fence is None else None


def _address(path: str) -> str:
    """Where a file of the project is on the site."""
    if path in _ADDRESSES:
        return _ADDRESSES[path]
    return path.removeprefix("docs/") if path.startswith("docs/") else f"files/{path}.txt"


def _linked_files() -> set[str]:
    """The files that are no pages, and that pages link to."""
    found = set()
    pages = [PROJECT / source for source in ELSEWHERE.values()]
    for page in [*(PROJECT / "docs").rglob("*.md"), *pages]:
        for target, _ in _LINK.findall(page.read_text()):
            path = os.path.relpath(page.parent / target, PROJECT)
            if path not in _ADDRESSES and not path.startswith("docs/"):
                found.add(path)
    return {path for path in found if (PROJECT / path).is_file()}


def _document() -> Schema:
    """The OpenAPI document."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    import django

    django.setup()
    from memoryapp.api.openapi_document import tidied
    from memoryapp.api.rest.routes import api

    document: Schema = tidied(api.get_openapi_schema())
    return document


def _slug(name: str) -> str:
    return name.lower().replace(" ", "-")


def _rest_pages(document: Schema) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of a page for each group of operations."""
    schemas = document["components"]["schemas"]
    for group in document["tags"]:
        lines = [f"# {group['name']}", "", group["description"], ""]
        named: list[str] = []
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                if group["name"] in operation["tags"]:
                    lines += _operation(f"{method.upper()} {path}", operation, schemas, named)
        if named:
            lines += ["## Types", ""]
        for name in named:  # It grows meanwhile.
            lines += [f"### {name}", "", _line(schemas[name].get("description", "")), ""]
            lines += _fields(schemas[name], schemas, named)
        yield group["name"], "\n".join(lines)


def _operation(
    title: str, operation: Schema, schemas: dict[str, Schema], named: list[str]
) -> Iterator[str]:
    yield from (f"## {operation['summary']}", "", "```http", title, "```", "")
    yield from (operation.get("description", ""), "")
    parameters = [
        (each["name"], each["in"], each["schema"], each.get("description", ""))
        for each in operation.get("parameters", [])
    ]
    if parameters:
        yield from ("| Parameter | In | Type | |", "|---|---|---|---|")
        for name, place, schema, description in parameters:
            yield f"| `{name}` | {place} | {_type(schema, named)} | {_line(description)} |"
        yield ""
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        yield from (f"Body, `{kind}`: {_type(content['schema'], named)}", "")
    yield from ("| Status | | Answer |", "|---|---|---|")
    for status, response in operation["responses"].items():
        answers = [_type(each["schema"], named) for each in response.get("content", {}).values()]
        said = _line(response.get("description", ""))
        yield f"| `{status}` | {said} | {', '.join(dict.fromkeys(answers))} |"
    yield ""


def _fields(schema: Schema, schemas: dict[str, Schema], named: list[str]) -> Iterator[str]:
    if "properties" not in schema:
        yield from (_type(schema, named), "")
        return
    yield from ("| Field | Type | |", "|---|---|---|")
    required = schema.get("required", ())
    for name, field in schema["properties"].items():
        mark = "" if name in required else ", optional"
        yield f"| `{name}` | {_type(field, named)}{mark} | {_line(field.get('description', ''))} |"
    yield ""


def _type(schema: Schema, named: list[str]) -> str:
    """A type in words, with links to the types that it names, which are added to *named*."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        if name not in named:
            named.append(name)
        return f"[{name}](#{name.lower()})"
    if "allOf" in schema:
        return _type(schema["allOf"][0], named)
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(each, named) for each in schema["anyOf"]))
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if schema.get("type") == "array":
        written = f"list of {_type(schema['items'], named)}"
    else:
        written = str(schema.get("format") or schema.get("type") or "anything")
    limits = [
        words.format(schema[limit])
        for limit, words in _LIMITS.items()
        if isinstance(schema.get(limit), int | float)
    ]
    return ", ".join([written, *limits])


def _line(text: str) -> str:
    """Text in a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
