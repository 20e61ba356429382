"""The map lists every module, and the architecture page names only existing paths."""

import re
from pathlib import Path

import conversations
import instances
import memoryapp

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^ {4,6}(\S.*?)  +\S")
MODULES = re.compile(r"^ {30}(\S.*)$")


def rows(drawn: str) -> dict[str, set[str]]:
    """Return the packages and modules that begin a row of the map, with the modules in it."""
    listed_by_row: dict[str, set[str]] = {}
    names: list[str] = []
    for line in drawn.splitlines():
        if listed := MODULES.match(line):
            for name in names:
                listed_by_row[name] |= set(listed[1].split())
        elif begun := ROW.match(line):
            names = begun[1].split()
            listed_by_row |= {name: set() for name in names}
    return listed_by_row


def modules(app: str) -> set[str]:
    """Return the modules of *app* except migrations, as paths below it without ``.py``."""
    paths = (path.relative_to(ROOT / app) for path in (ROOT / app).rglob("*.py"))
    return {
        path.with_suffix("").as_posix()
        for path in paths
        if "migrations" not in path.parts and path.stem != "__init__"
    }


def test_map_lists_exactly_the_existing_modules() -> None:
    drawn = rows(memoryapp.__doc__ or "")
    on_the_map = {f"{package}/{module}" for package, listed in drawn.items() for module in listed}
    on_the_map |= {name for name in drawn if (ROOT / "memoryapp" / f"{name}.py").is_file()}
    assert on_the_map == modules("memoryapp")


def test_lower_apps_list_their_modules() -> None:
    for app in (conversations, instances):
        named = set(re.findall(r"\w+", app.__doc__ or ""))
        existing = {path.split("/")[0] for path in modules(app.__name__)} - {"apps"}
        assert not existing - named


def test_architecture_page_names_existing_paths() -> None:
    page = (ROOT / "docs/architecture.md").read_text()
    paths = re.findall(r"`((?:memoryapp|instances|conversations|templates|tests)/[\w/.]*)`", page)
    assert len(paths) > 40
    assert [path for path in paths if not (ROOT / path).exists()] == []
