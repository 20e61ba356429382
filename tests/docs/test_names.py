"""Classes have names of their own, and docstrings begin with the noun that they are about."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APPS = ("memoryapp", "conversations", "instances")
#: Folders whose classes Django finds by a name that it chooses.
NAMED_BY_DJANGO = {"migrations", "commands"}
#: Words that stand for a noun, which a first line has to name: "Rows of …", "True if …".
PRONOUNS = set(
    "he her his it its she somebody someone that their them these they this those "
    "what whatever whether which who whoever whom whose".split()
)


def parsed() -> Iterator[tuple[str, ast.Module]]:
    """Yield the path and the syntax tree of each module of the apps."""
    for path in (path for app in APPS for path in sorted((ROOT / app).rglob("*.py"))):
        if NAMED_BY_DJANGO.isdisjoint(path.parts):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text())


def test_no_two_public_classes_have_one_name() -> None:
    modules = defaultdict(list)
    for path, tree in parsed():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules[node.name].append(path)
    assert len(modules) > 1_000
    assert {name: paths for name, paths in modules.items() if len(paths) > 1} == {}


def test_docstrings_name_their_noun_first() -> None:
    first_lines = [
        (path, docstring.partition("\n")[0])
        for path, tree in parsed()
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and (docstring := ast.get_docstring(node))
    ]
    assert len(first_lines) > 5_000
    assert [
        f"{path}: {line}"
        for path, line in first_lines
        if line.split()[0].strip("*`.,:'").lower() in PRONOUNS
    ] == []
