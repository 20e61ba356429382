"""The maps list each package and loose module; the architecture page names only existing paths."""

import re
from pathlib import Path

import conversations
import instances
import memoryapp

ROOT = Path(__file__).resolve().parents[2]


def listed(drawn: str) -> list[str]:
    """The packages and modules that begin a row of a map."""
    rows = re.findall(r"^ {4}(\w[\w ]*?)(?:  +\S.*)?$", drawn, re.MULTILINE)
    return [name for row in rows for name in row.split()]


def rooms(app: str) -> set[str]:
    """The packages and modules of *app* except migrations."""
    packages = {path.parent.name for path in (ROOT / app).glob("*/__init__.py")}
    modules = {path.stem for path in (ROOT / app).glob("*.py")}
    return (packages | modules) - {"__init__", "migrations"}


def test_map_lists_exactly_the_existing_rooms() -> None:
    drawn = (memoryapp.__doc__ or "").split("from the top layer")[1]
    on_the_map = listed(drawn)
    assert sorted(on_the_map) == sorted(rooms("memoryapp"))


def test_lower_apps_list_their_rooms() -> None:
    for app in (conversations, instances):
        named = set(re.findall(r"\w+", app.__doc__ or ""))
        assert not rooms(app.__name__) - {"apps"} - named


def test_architecture_page_names_existing_paths() -> None:
    page = (ROOT / "docs/architecture.md").read_text()
    paths = re.findall(r"`((?:memoryapp|instances|conversations|templates|tests)/[\w/.]*)`", page)
    assert len(paths) > 40
    assert [path for path in paths if not (ROOT / path).exists()] == []
