"""Generate texts that make a bad regular expression slow.

A pattern backtracks when its repetitions can divide the same characters in several ways, or when a
search from each position runs to the end of the text. So each text consists of a *prefix* that
leads the pattern to a repetition, a *pump* that feeds this repetition, and a *spoiler* that
prevents the match.
"""

import importlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

#: The parser of `re`. It is private because ``sre_parse`` is deprecated without a replacement.
_parser: Any = importlib.import_module("re._parser")
_compiler: Any = importlib.import_module("re._compiler")

#: Attacks tried on each pattern and on each function that reads foreign text.
FAMILIES = (
    *("a", "A", "1", "_", "-", ".", " ", "\n", "\t", "<", "[", "(", "{", '"', "'", "`", "*", "\\"),
    *("a-", "a ", "a.", "a, ", "0 ", "a1", "a'", "é", "ß", "漢", "ส", "\u0301", "\u200b", "🙂"),
    *("ab, ", "Ab cd. ", "a@", "a:", "://", "12-", "--- ", "a\n", "\n\n", "…", "***"),
)
#: Endings that prevent a match after a run: one that occurs in no run of punctuation, and one that
#: occurs in no run of letters or punctuation.
SPOILERS = ("a1", " \x01\n\n")
#: Repetitions with a lower maximum are ignored: they cost at most a constant per position.
RUN = 200
#: Attacks on patterns with one short repetition at most: nothing can be divided in several ways,
#: and only a high cost of each position is left to be found.
FEW = ("a", "A", "1", " ", "ab, ", "漢")
#: Number of alternatives that are followed, from the first and last ones.
MAX_CHOICES = 24
#: Number of characters of a class, and of a whole pattern, that are tried.
MAX_MEMBERS = 6
MAX_CHARACTERS = 40
_MEMBERS = "a1 -._A'\n,:/+=@<éß漢"


@dataclass(frozen=True)
class Attack:
    """Recipe for an attacking text of any length."""

    pump: str
    prefix: str = ""
    spoiler: str = ""

    def text(self, length: int) -> str:
        """Return the text with about *length* characters."""
        return self.prefix + self.pump * max(1, length // len(self.pump)) + self.spoiler

    def __str__(self) -> str:
        return f"{self.prefix!r} + {self.pump!r} * n + {self.spoiler!r}"


def attacks(pattern: str, flags: int = 0) -> list[Attack]:
    """Return the attacks on *pattern*: those derived from it, then the general ones."""
    parsed = _parser.parse(pattern, flags)
    runs = list(_runs(parsed, ""))
    characters = sorted({character for _, pump in runs for character in pump})[:MAX_CHARACTERS]
    general = FAMILIES if runs or _repetitions(parsed) > 1 else FEW
    alone = [*general, *characters, next(_variants(parsed))]
    pairs = dict.fromkeys([*(("", pump) for pump in alone), *runs])
    return [Attack(pump, prefix, end) for prefix, pump in pairs if pump for end in SPOILERS]


def _runs(items: Iterable[Any], prefix: str) -> Iterator[tuple[str, str]]:
    """Yield each repetition in *items* as a pump after its prefix, and both together as a pump."""
    for operation, argument in items:
        if _is_run(operation, argument):
            for pump in _variants(argument[2]):
                yield prefix, pump
                yield "", prefix + pump
        for part in _parts(operation, argument):
            yield from _runs(part, prefix)
        prefix += next(_samples(operation, argument), "")


def _repetitions(items: Iterable[Any]) -> int:
    """The number of repetitions in *items*, also of those in others."""
    return sum(
        ("REPEAT" in str(operation) and int(argument[1]) > 1)
        + sum(map(_repetitions, _parts(operation, argument)))
        for operation, argument in items
    )


def _is_run(operation: Any, argument: Any) -> bool:
    return "REPEAT" in str(operation) and int(argument[1]) >= RUN


def _parts(operation: Any, argument: Any) -> Sequence[Any]:
    """Return the patterns nested in an item of a pattern."""
    match str(operation):
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return [argument[2]]
        case "SUBPATTERN":
            return [argument[3]]
        case "ATOMIC_GROUP":
            return [argument]
        case "ASSERT" | "ASSERT_NOT":
            return [argument[1]]
        case "BRANCH":
            return _some(argument[1])
        case "GROUPREF_EXISTS":
            return [part for part in argument[1:] if part]
    return []


def _some(choices: Sequence[Any]) -> Sequence[Any]:
    half = MAX_CHOICES // 2
    return choices if len(choices) <= MAX_CHOICES else [*choices[:half], *choices[-half:]]


def _samples(operation: Any, argument: Any) -> Iterator[str]:
    """Return texts that an item matches, the simplest first; never empty."""
    match str(operation):
        case "LITERAL":
            yield chr(argument)
        case "NOT_LITERAL":
            yield from (each for each in _MEMBERS if ord(each) != argument)
        case "ANY":
            yield from "a 1"
        case "IN":
            yield from _members(argument)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            least, _, part = argument
            yield from (text * min(max(1, int(least)), 40) for text in _variants(part))
        case "BRANCH":
            for part in _some(argument[1]):
                yield next(_variants(part))
        case "SUBPATTERN":
            yield from _variants(argument[3])
        case "ATOMIC_GROUP":
            yield from _variants(argument)
        case _:
            yield ""


def _variants(part: Any) -> Iterator[str]:
    """Yield texts that a whole pattern matches: first with the simplest of each item."""
    choices = [list(islice(_samples(*item), MAX_MEMBERS)) or [""] for item in part]
    plain = [each[0] for each in choices]
    yield "".join(plain)
    for place, others in enumerate(choices):
        for other in others[1:]:
            yield "".join([*plain[:place], other, *plain[place + 1 :]])


def _members(items: Sequence[Any]) -> Iterator[str]:
    """Return some characters of a class, as different as possible."""
    of_its_own = [
        chr(code)
        for operation, argument in items
        if str(operation) in ("LITERAL", "RANGE")
        for code in (argument if isinstance(argument, tuple) else (argument,))
    ]
    parsed = _parser.SubPattern(_parser.State(), [(_parser.IN, items)])
    member = _compiler.compile(parsed)
    yield from (each for each in dict.fromkeys([*_MEMBERS, *of_its_own]) if member.match(each))
