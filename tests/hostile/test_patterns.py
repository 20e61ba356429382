"""Every regular expression of the project takes linear time."""

import ast
import re
from collections import deque
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile import growth
from tests.hostile.attacks import attacks
from tests.hostile.uses import Module, Use, find

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ["memoryapp", "conversations", "instances"]


@pytest.fixture(scope="module")
def uses() -> list[Use]:
    return find(ROOT, PACKAGES)


def operation(use: Use) -> Callable[[str], object]:
    """Return the operation that the code applies to a text."""
    pattern = re.compile(use.pattern, use.flags)
    match use.operation:
        case "search" | "match" | "fullmatch":
            function: Callable[[str], object] = getattr(pattern, use.operation)
            return function
        case _:  # Finds all matches, like `sub` and `split`.
            return lambda text: deque(pattern.finditer(text), maxlen=0)


def weakness(use: Use, length: int) -> str:
    """Describe the text of *length* characters that makes *use* slow; empty if none does."""
    for attack in attacks(use.pattern, use.flags):
        if problem := growth.growth(operation(use), attack.text, length=length):
            return f"{use} {problem}: {attack}"
    return ""


def test_each_pattern_is_linear(uses: list[Use], subtests: pytest.Subtests) -> None:
    for use in uses:
        with subtests.test(str(use)):
            assert not use.problem, f"{use}: {use.problem}"
            if weakness(use, growth.SHORTEST):
                assert not weakness(use, growth.SHORT)


def test_every_call_of_re_is_collected(uses: list[Use]) -> None:
    called = {
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.")
        if ast.unparse(node.func) != "re.escape"
    }
    assert called <= {use.place for use in uses}


def uses_in(source: str) -> list[Use]:
    """Return the uses found in a module with *source*."""
    globals_: dict[str, object] = {}
    exec(source, globals_)  # noqa: S102 - the sources of this file
    return list(Module(source, "sample", globals_).uses())


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import re\nX = re.compile('a+')\nX.sub('', 'b')", [("a+", "sub")]),
        ("import re as r\ndef f(t): return r.search('a+', t)", [("a+", "search")]),
        ("from re import findall as all_of\nall_of('a', 'b')", [("a", "findall")]),
        ("import re\nN = 3\nX = re.compile(f'a{{{N}}}' + 'b')\nX.match('')", [("a{3}b", "match")]),
        ("import re\nre.compile('a').fullmatch('')", [("a", "fullmatch")]),
        ("import re\nre.compile(rb'\\xe4+').search(b'')", [("\\xe4+", "search")]),
        ("import re\nX = {k: re.compile(k) for k in 'ab'}\nX['a'].search('')",
         [("a", "search"), ("b", "search")]),
        ("import re\nX = [re.compile(x + y) for x, y in [('a', 'b')]]",
         [("ab", "finditer"), ("ab", "fullmatch")]),
        ("import re\ndef f(w: str):\n  re.sub(re.escape(w) + 'c', '', '')", [("aac", "sub")]),
        ("import re\ndef f(t):\n  w = 'x' * 2\n  return re.split(w, t)", [("xx", "split")]),
        ("import re\ndef f(t):\n  def g():\n    import re\n    re.match('a', t)", [("a", "match")]),
        ("from django.core.validators import RegexValidator\nRegexValidator('^a+$')",
         [("^a+$", "search")]),
        ("from django.core.validators import RegexValidator as V\nV(regex='^a+$')",
         [("^a+$", "search")]),
        ("from django.urls import re_path\nre_path('^b', print)", [("^b", "search")]),
    ],
)  # fmt: skip
def test_uses_are_collected(source: str, expected: list[tuple[str, str]]) -> None:
    collected = uses_in(source)
    assert [(use.pattern, use.operation) for use in collected] == expected
    assert not any(use.problem for use in collected)


@pytest.mark.parametrize(
    "source",
    [
        "import re\ndef f(unknown: object, t):\n  return re.search(unknown, t)",
        "import re\ndef f(self):\n  return re.search(self.pattern, '')",
        "import re\nf = re.compile\nf('a')",
        "import re\nlist(map(re.compile, 'ab'))",
        "import re\ngetattr(re, 'compile')('a')",
        "from re import compile as c\nlist(map(c, 'ab'))",
    ],
)
def test_unevaluable_pattern_is_reported_with_its_line(source: str) -> None:
    problems = [use for use in uses_in(source) if use.problem]
    assert problems
    assert all(re.fullmatch(r"sample\.py:\d", use.place) for use in problems)


@pytest.mark.parametrize("source", ["import regex", "import re2", "from regex import compile"])
def test_other_regex_engines_are_reported(source: str) -> None:
    assert [use.problem for use in Module(source, "sample", {}).uses()] == [
        "imports an engine that this test does not know"
    ]


#: Bad patterns: a search for masked keys, one for relatives, and others.
MASKED = r"[\w-]*(?:\*{2,}|•{2,}|…|\.{3,})[\w-]{2,}|[\w-]{2,}(?:\*{2,}|•{2,})"
OWNER = r"(?P<owner>[^\W\d_]+)'s? (?:sister|brother)\b"


@pytest.mark.parametrize(
    ("pattern", "used"),
    [
        (MASKED, "sub"),
        (OWNER, "finditer"),
        (r"\s+$", "sub"),
        (r"a*b", "search"),
        (r"[:#]\W*$", "search"),
        (r"```\s*(.*?)```", "findall"),
        (r"(?s)<b>.*?</b>", "sub"),
        (r"(?s)<i>.*</i>", "sub"),
        (r"x*y*x*$", "match"),
        (r"\d+ ?\d*z", "match"),
        (r"(\w+)\s*=\s*\1;", "search"),
        (r"eyJ[\w-]+\.", "search"),
        (r"(?=\w*-)\w+", "finditer"),
        # Exponential
        (r"(a+)+$", "match"),
        (r"(?:a|aa)+b", "fullmatch"),
        (r"(\w+\s?)*;", "search"),
        (r"(?:q|[q-s]q?)*!", "match"),
    ],
)
def test_bad_patterns_are_detected(
    pattern: str, used: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # More attempts only protect good patterns from false alarms.
    monkeypatch.setattr(growth, "ATTEMPTS", 1)
    # A disturbance of the shorter call hides the growth, so one of a few looks has to find it.
    assert any(
        weakness(Use("sample.py:1", pattern, operation=used), growth.SHORTEST) for _ in range(5)
    )


@pytest.mark.parametrize(
    ("pattern", "used"),
    [
        (r"(?<![\w-])[\w-]++\*{2,}", "sub"),
        (r"\S+\s*|^\s+", "findall"),
        (r"<b>[^<]*</b>", "sub"),
        (r"\s{1,20}$", "search"),
        (r"\d{1,3}(?:[ -]\d{1,3}){0,5}", "finditer"),
        (r"\s*-?\d{1,9}\s*", "fullmatch"),
    ],
)
def test_good_patterns_pass(pattern: str, used: str) -> None:
    assert not weakness(Use("sample.py:1", pattern, operation=used), growth.SHORTEST)
