"""Find every use of a regular expression in the sources of the project.

A pattern is often not a literal but an expression, which is evaluated with the globals of its
module. A name that is only bound in a running function gets a sample value that fits its
annotation. A pattern that cannot be evaluated becomes a `Use` with a `problem`, which fails a
test, so that no pattern is missed.
"""

import ast
import builtins
import importlib
import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from memoryapp.language.german import GERMAN

#: Functions of `re` that take a pattern first, with the position of their flags.
FUNCTIONS = {
    "compile": 1,
    "search": 2,
    "match": 2,
    "fullmatch": 2,
    "findall": 2,
    "finditer": 2,
    "split": 3,
    "sub": 4,
    "subn": 4,
}
#: Other functions that take a pattern, with the positions of the pattern and of the flags.
CONSTRUCTORS = {"RegexValidator": ("regex", 4), "RegexField": ("regex", 9), "re_path": ("route", 9)}
#: Other regex engines, which this module does not support.
ENGINES = {"regex", "re2", "pyre2", "hyperscan", "sre_compile"}
#: Operations for patterns whose use is unknown: the most expensive of each kind.
ANY_OPERATION = ("finditer", "fullmatch")

#: Placeholder for a text that is only known while a function runs, and is escaped there.
SAMPLE = "aa"
SAMPLES: Mapping[str, object] = {
    "str": SAMPLE,
    "Collection[str]": [SAMPLE, "ab"],
    "Iterable[str]": [SAMPLE, "ab"],
    "Sequence[str]": [SAMPLE, "ab"],
    "list[str]": [SAMPLE, "ab"],
    "set[str]": {SAMPLE, "ab"},
    "TimeWords": GERMAN.times,
    "TimeWords | None": GERMAN.times,
}
#: Maximum number of values of one pattern.
MAX_VALUES = 100

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class Use:
    """A pattern, its operation and its place in the code; or the problem with finding them."""

    place: str
    pattern: str = ""
    flags: int = 0
    operation: str = ""
    problem: str = ""

    def __str__(self) -> str:
        return f"{self.place} {self.operation}".rstrip()


class NotEvaluated(Exception):
    """The value of an expression is only known while the program runs."""


def find(root: Path, packages: Sequence[str]) -> list[Use]:
    """Return the uses in all modules of *packages* in *root*."""
    modules = [
        Module(path.read_text(), ".".join(path.relative_to(root).with_suffix("").parts))
        for package in packages
        for path in sorted((root / package).rglob("*.py"))
    ]
    return [use for module in modules for use in module.uses(modules)]


class Module:
    """One source file. Its module is imported only if it uses a pattern."""

    def __init__(self, source: str, name: str, globals_: Mapping[str, object] | None = None):
        self.name = name
        self.tree = ast.parse(source)
        self._globals = globals_
        self._parents = {
            child: parent
            for parent in ast.walk(self.tree)
            for child in ast.iter_child_nodes(parent)
        }

    def uses(self, project: Iterable["Module"] = ()) -> Iterator[Use]:
        """Yield the uses of patterns in this module; *project* may use those that it exports."""
        for node, problem in self._sites():
            place = f"{self.name.replace('.', '/')}.py:{node.lineno}"
            if problem:
                yield Use(place, problem=problem)
                continue
            try:
                yield from self._used(node, place, [self, *project])
            except Exception as error:
                yield Use(place, problem=f"cannot be evaluated: {error!r}")

    def _sites(self) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
        """Yield the calls that take a pattern, and problems with code that cannot be analyzed."""
        modules = {
            alias.asname or alias.name
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Import)
            for alias in node.names
            if alias.name == "re"
        }
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {alias.name for alias in node.names}
                if isinstance(node, ast.ImportFrom):
                    names = {node.module or ""}
                if names & ENGINES:
                    yield node, "imports an engine that this test does not know"
            elif isinstance(node, ast.Name) and node.id in modules:
                outer = self._parents[node]
                if not isinstance(outer, ast.Attribute):
                    yield node, "passes the module `re` on"
                elif outer.attr in FUNCTIONS:
                    yield self._called(outer)
            elif (isinstance(node, ast.Name) and node.id in self._imported) or (
                isinstance(node, ast.Attribute) and node.attr in CONSTRUCTORS
            ):
                yield self._called(node)

    def _called(self, function: ast.expr) -> tuple[ast.expr, str]:
        call = self._parents[function]
        if isinstance(call, ast.Call) and call.func is function:
            return call, ""
        return function, "takes a function of `re` without calling it"

    def _used(self, call: ast.AST, place: str, project: Sequence["Module"]) -> Iterator[Use]:
        assert isinstance(call, ast.Call)
        function = _last_name(call.func)
        function = self._imported.get(function, function)
        argument, flags_at = CONSTRUCTORS.get(function, ("pattern", FUNCTIONS.get(function, 9)))
        pattern = _argument(call, 0, argument)
        flags = _argument(call, flags_at, "flags")
        if pattern is None:
            raise NotEvaluated("no pattern among its arguments")
        if function == "compile":
            operations = self._operations(call, project)
        else:
            operations = ["search" if function in CONSTRUCTORS else function]
        for value, flag in itertools.product(
            self._values(pattern), self._values(flags) if flags else [0]
        ):
            if isinstance(value, re.Pattern):
                value, flag = value.pattern, value.flags
            if isinstance(value, bytes) and isinstance(flag, int):
                # Bytes as characters of the same numbers, in texts of such.
                value, flag = value.decode("latin-1"), flag | re.ASCII
            if not isinstance(value, str) or not isinstance(flag, int):
                raise NotEvaluated(f"{value!r} is no pattern")
            for operation in operations:
                yield Use(place, value, int(flag), operation)

    @cached_property
    def _imported(self) -> dict[str, str]:
        """Return the functions that take a pattern, by their names in this module."""
        return {
            alias.asname or alias.name: alias.name
            for node in ast.walk(self.tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
            if alias.name in CONSTRUCTORS or (node.module == "re" and alias.name in FUNCTIONS)
        }

    # -- Operations on compiled patterns

    def _operations(self, call: ast.Call, project: Sequence["Module"]) -> Sequence[str]:
        outer = self._parents[call]
        if isinstance(outer, ast.Attribute):
            return [outer.attr]
        while not isinstance(outer, ast.stmt):
            outer = self._parents[outer]
        match outer:
            case ast.Assign(targets=targets):
                names = _stored(*targets)
            case ast.AnnAssign(target=target):
                names = _stored(target)
            case _:
                names = set()
        operations: set[str] = set()
        for name in names:
            for module in [self] if name.startswith("_") else project:
                operations |= module._operations_on(name)
        return sorted(operations) or ANY_OPERATION

    def _operations_on(self, name: str) -> set[str]:
        operations: set[str] = set()
        for node in self._loaded.get(name, []):
            outer = self._parents[node]
            if isinstance(outer, ast.Subscript) and outer.value is node:
                outer = self._parents[outer]
            if not isinstance(outer, ast.Attribute):
                operations |= {*ANY_OPERATION}
            elif outer.attr in FUNCTIONS:
                operations.add(outer.attr)
        return operations

    @cached_property
    def _loaded(self) -> dict[str, list[ast.expr]]:
        """Return the places that read a name or an attribute, by its last name."""
        places: dict[str, list[ast.expr]] = defaultdict(list)
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                places[_last_name(node)].append(node)
        return places

    # -- Values of expressions

    @cached_property
    def _module(self) -> dict[str, object]:
        if self._globals is not None:
            return dict(self._globals)
        return vars(importlib.import_module(self.name.removesuffix(".__init__")))

    def _values(self, expression: ast.expr) -> list[object]:
        """Return all values of *expression*, with samples for unknown parts."""
        stored = _stored(expression)
        names = {
            node.id
            for node in ast.walk(expression)
            if isinstance(node, ast.Name) and node.id not in stored
        }
        known = {name: self._values_of(name, expression) for name in sorted(names)}
        code = compile(ast.Expression(expression), self.name, "eval")
        values = [
            eval(  # noqa: S307 - the project's own sources
                code, {**self._module, **dict(zip(known, combination, strict=True))}
            )
            for combination in itertools.product(*known.values())
        ]
        if len(values) > MAX_VALUES:
            raise NotEvaluated(f"{len(values)} values")
        return values

    def _values_of(self, name: str, at: ast.AST) -> list[object]:
        """Return the values of *name* at *at*, from the innermost scope that binds it."""
        inner = at
        while inner in self._parents:
            outer = self._parents[inner]
            if isinstance(outer, Comprehension) and name in _stored(*outer.generators):
                return self._listed(name, outer)
            if isinstance(outer, Function):
                bound = _bound(name, outer)
                if bound is not None:
                    return [value for each in bound for value in self._values(each)]
                parameter = _parameter(name, outer)
                if parameter:
                    return [_sample(parameter)]
                if name in _stored(outer):
                    return [SAMPLE]
            inner = outer
        if name not in self._module and not hasattr(builtins, name):
            raise NotEvaluated(f"{name} is unknown")
        return [self._module.get(name, getattr(builtins, name, None))]

    def _listed(self, name: str, comprehension: Comprehension) -> list[object]:
        listed = ast.ListComp(ast.Name(name, ast.Load()), comprehension.generators)
        ast.copy_location(listed, comprehension)
        ast.fix_missing_locations(listed)
        self._parents[listed] = self._parents[comprehension]
        (values,) = self._values(listed)
        assert isinstance(values, list)
        return values


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _argument(call: ast.Call, place: int, name: str) -> ast.expr | None:
    if len(call.args) > place:
        return call.args[place]
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _stored(*nodes: ast.AST) -> set[str]:
    return {
        each.id
        for node in nodes
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


def _bound(name: str, function: Function) -> list[ast.expr] | None:
    """Return what is assigned to *name* in *function*, except updates of its own value."""
    assigned: list[ast.expr] = []
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                assigned.append(value)
            case (
                ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value)
                | ast.NamedExpr(target=ast.Name(id=target), value=value)
            ) if target == name:
                assigned.append(value)
    of_itself = [
        value
        for value in assigned
        if any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(value))
    ]
    return [value for value in assigned if value not in of_itself] or None


def _parameter(name: str, function: Function) -> ast.arg | None:
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return next((argument for argument in every if argument.arg == name), None)


def _sample(parameter: ast.arg) -> object:
    annotation = ast.unparse(parameter.annotation) if parameter.annotation else "str"
    if annotation not in SAMPLES:
        raise NotEvaluated(f"no sample for {parameter.arg}: {annotation}")
    return SAMPLES[annotation]
