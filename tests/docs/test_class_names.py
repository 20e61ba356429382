"""A public class has a name of its own, so that a search for the name finds one meaning."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APPS = ("memoryapp", "conversations", "instances")
#: Folders whose classes Django finds by a name that it chooses.
NAMED_BY_DJANGO = {"migrations", "commands"}


def test_no_two_public_classes_have_one_name() -> None:
    modules = defaultdict(list)
    for path in (path for app in APPS for path in (ROOT / app).rglob("*.py")):
        if NAMED_BY_DJANGO.isdisjoint(path.parts):
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    modules[node.name].append(path.relative_to(ROOT).as_posix())
    assert len(modules) > 1_000
    assert {name: paths for name, paths in modules.items() if len(paths) > 1} == {}
