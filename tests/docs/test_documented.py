"""Settings, endpoints, tools and commands are documented, and documented ones exist."""

import ast
import re
from pathlib import Path

import pytest
from django.core.management import get_commands

from memoryapp.api.mem0.auth import router as mem0
from memoryapp.api.rest.routes import api
from memoryapp.process.environment import DEFAULTS
from memoryapp.tools import TOOLS

ROOT = Path(__file__).resolve().parents[2]


def text(path: str) -> str:
    return (ROOT / path).read_text()


def rows(path: str) -> set[str]:
    """Return the text in backquotes in the first column of the tables in *path*."""
    return set(re.findall(r"^\| `([^`]+)` \|", text(path), re.MULTILINE))


def test_each_setting_is_documented_and_used() -> None:
    read = set(re.findall(r'env\.\w+\(\s*"(\w+)"', text("memoryapp/settings.py")))
    assert rows("docs/settings.md") == read


def default_in_words(default: ast.expr) -> str | None:
    """Return how the page writes a default that is a plain value; None for a computed one."""
    if isinstance(default, ast.Subscript) and isinstance(default.slice, ast.Constant):
        value = DEFAULTS[str(default.slice.value)]
    else:
        try:
            value = ast.literal_eval(default)
        except ValueError:
            return None
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, list):
        value = ",".join(value)
    if isinstance(value, float):
        value = f"{value:g}"
    return f"`{value}`" if value != "" else "none"


def test_each_plain_default_of_a_setting_is_the_documented_one() -> None:
    cells = re.findall(r"^\| `(\w+)` \| (.+?) \| ", text("docs/settings.md"), re.MULTILINE)
    documented = dict(cells)
    wrong, checked = {}, 0
    for call in ast.walk(ast.parse(text("memoryapp/settings.py"))):
        if not (isinstance(call, ast.Call) and ast.unparse(call.func).startswith("env.")):
            continue
        default = next((one.value for one in call.keywords if one.arg == "default"), None)
        if default is None or (plain := default_in_words(default)) is None:
            continue
        name = ast.literal_eval(call.args[0])
        # Or the page says in words what is taken.
        if not re.fullmatch(r"`[^`]*`|none", documented[name]):
            continue
        checked += 1
        if documented[name] != plain:
            wrong[name] = (documented[name], plain)
    assert wrong == {}
    assert checked > 20


def test_each_endpoint_is_documented_and_served() -> None:
    served = {
        f"{method.upper()} {path}"
        for path, methods in api.get_openapi_schema()["paths"].items()
        for method in methods
    }
    assert rows("docs/api.md") == served


def test_each_tool_is_documented() -> None:
    described = re.findall(r"^- `(\w+)` \(`(\w+)`\)", text("docs/api.md"), re.MULTILINE)
    assert described == [(tool.name, tool.needs) for tool in TOOLS.values()]


def test_each_mem0_endpoint_is_documented_and_served() -> None:
    served = {
        f"{method} {path.replace('{path:', '{')}"
        for path, view in mem0.path_operations.items()
        for operation in view.operations
        for method in operation.methods
    }
    served |= {"GET /v1/ping/"}
    assert {row for row in rows("docs/mem0.md") if " /" in row} == served


def test_each_command_is_documented_and_exists() -> None:
    documented = "\n".join(rows("docs/commands.md"))
    ours = {
        name
        for name, app in get_commands().items()
        if app in ("memoryapp", "conversations", "instances")
    }
    assert ours == set(re.findall(r"manage\.py (\w+)", documented)) - {"changepassword"}
    targets = re.search(r"^\.PHONY: (.+)$", text("Makefile"), re.MULTILINE)
    assert targets is not None
    assert set(targets[1].split()) == set(re.findall(r"make ([\w-]+)", documented))


@pytest.mark.parametrize(
    "page", ["README.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
)
def test_links_point_to_existing_files(page: str) -> None:
    for target in re.findall(r"\]\((?!https?://)([^)#]+)\)", text(page)):
        assert (ROOT / page).parent.joinpath(target).exists(), target


def test_security_promises_name_existing_tests() -> None:
    promised = text("docs/security.md").partition("## What is promised")[2].partition("\n## ")[0]
    named = set(re.findall(r"`([\w/]+\.py)`", promised))
    assert len(named) > 20
    assert not [path for path in named if not (ROOT / "tests" / path).is_file()]
    rows_of = [line for line in promised.splitlines() if line.startswith("| ")]
    assert all(".py`" in row or "Shown by" in row for row in rows_of)
