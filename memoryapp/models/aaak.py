"""AAAK: a drawer's pointer and tags, on one line. Pure functions.

::

    § W-042/R-11/D-007 @p Mara Lind @l Ghent @t 2024-03

The pointer names wing, room and drawer by numbers that are never reused. The tags name people
(``@p``), places (``@l``), events (``@e``), things (``@i``) and times (``@t``). An ambiguous value
is in quotation marks, with a backslash before each quotation mark or backslash.

Pasted pointers are read without the section sign, in lower case, with other hyphens and spaces,
and without leading zeros. Other texts are refused.
"""

import re
from dataclasses import dataclass, field

#: The greatest number that a column holds.
_MAX_NUMBER = 2**31 - 1
#: Signs that people use as a hyphen.
_HYPHENS = "\u002d\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d"
_SPACE = r"[\s\u200b\u2060\ufeff]{0,8}"


def _numbered(letter: str, hyphen: str = f"[{_HYPHENS}]?") -> str:
    either = f"{letter}{letter.lower()}"
    wide = "".join(chr(ord(either_case) + 0xFEE0) for either_case in either)
    return rf"[{either}{wide}]{_SPACE}{hyphen}{_SPACE}(\d{{1,20}})"


_POINTER = re.compile(
    rf"(?:§{_SPACE})?(?<!\w){_numbered('W')}{_SPACE}[/／]{_SPACE}{_numbered('R')}"
    rf"{_SPACE}[/／]{_SPACE}{_numbered('D')}(?!\w)"
)
_SLASH = rf"{_SPACE}[/／]{_SPACE}"
_STRICT = _SLASH.join(_numbered(letter, f"[{_HYPHENS}]") for letter in "WRD")
#: A pointer among other words. Without the section sign it has its hyphens, and is no part of a
#: path, a number or a word.
_IN_TEXT = re.compile(
    rf"(?:§{_SPACE}{_SLASH.join(map(_numbered, 'WRD'))}"
    rf"|(?<![\w/\\])(?<!\w[{_HYPHENS}]){_STRICT})"
    rf"(?!\w|[/\\]\w|[{_HYPHENS}.,:]\d)"
)
#: A marker with its value: in quotation marks, or up to the next marker.
_TAG = re.compile(
    r"\s*@(?P<kind>\w)(?:\s+|(?=\"))(?:\"(?P<quoted>(?:[^\"\\]|\\.)*)\"(?=\s|$)|(?P<bare>[^\"@§\\]+))",
    re.DOTALL,
)
_PLAIN = re.compile(r"[^\s\"@§\\]+(?: [^\s\"@§\\]+)*")

#: The kinds of tags by the letter after the ``@``.
KINDS = {"p": "people", "l": "places", "e": "events", "i": "items", "t": "times"}


class NotAPointer(ValueError):
    """The text is no pointer; the message shows one."""


@dataclass(frozen=True, order=True)
class Pointer:
    """The place where a drawer was filed first, which stays its name."""

    wing: int
    room: int
    drawer: int

    def __str__(self) -> str:
        return f"§ W-{self.wing:03}/R-{self.room:02}/D-{self.drawer:03}"


@dataclass(frozen=True)
class Tags:
    """The people and things that a message mentions."""

    people: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    times: tuple[str, ...] = ()

    def __str__(self) -> str:
        marked = (
            (letter, value) for letter, kind in KINDS.items() for value in getattr(self, kind)
        )
        return " ".join(f"@{letter} {_written(value)}" for letter, value in marked)


@dataclass(frozen=True)
class AAAKLine:
    """A pointer with tags."""

    pointer: Pointer
    tags: Tags = field(default_factory=Tags)

    def __str__(self) -> str:
        return f"{self.pointer} {self.tags}".rstrip()


def parse(text: str) -> AAAKLine:
    """Parse a line of `AAAKLine`, also after manual edits. Raises `NotAPointer`."""
    match = _POINTER.match(text.strip().lstrip("\ufeff\u200b\u2060"))
    pointer = _pointer(match) if match else None
    if match is None or pointer is None:
        raise NotAPointer("This is no pointer. One looks like § W-042/R-11/D-007.")
    return AAAKLine(pointer, _tags(match.string[match.end() :]))


def parse_pointer(text: str) -> Pointer:
    """Read a pointer, with or without tags; raises `NotAPointer`."""
    return parse(text).pointer


def pointers_in(text: str) -> list[Pointer]:
    """Return the pointers in *text*, each once, in their order."""
    pointers = (_pointer(match) for match in _IN_TEXT.finditer(text))
    return list(dict.fromkeys(pointer for pointer in pointers if pointer))


def without_pointers(text: str) -> str:
    """Return *text* without what `pointers_in` finds in it."""
    return _IN_TEXT.sub(" ", text)


def _pointer(match: re.Match[str]) -> Pointer | None:
    """The numbers, in digits of any script; None if no drawer can have them."""
    numbers = [int(digits) for digits in match.groups() if digits]
    return Pointer(*numbers) if all(0 < number <= _MAX_NUMBER for number in numbers) else None


def _tags(text: str) -> Tags:
    values: dict[str, list[str]] = {kind: [] for kind in KINDS.values()}
    text, at = text.rstrip(), 0
    while at < len(text):
        match = _TAG.match(text, at)
        kind = KINDS.get(match["kind"].lower()) if match else None
        if match is None or kind is None:
            raise NotAPointer(
                "Behind the pointer, each tag is @p, @l, @e, @i or @t with a value, such as @p "
                "Mara. Put a value with @ or a quotation mark in it into quotation marks."
            )
        if match["quoted"] is not None:
            value = re.sub(r"\\(.)", r"\1", match["quoted"], flags=re.DOTALL)
        else:
            value = " ".join(match["bare"].split())
        if value:
            values[kind].append(value)
        at = match.end()
    return Tags(**{kind: tuple(all_of) for kind, all_of in values.items()})


def _written(value: str) -> str:
    if _PLAIN.fullmatch(value):
        return value
    escaped = re.sub(r'(["\\])', r"\\\1", value)
    return f'"{escaped}"'
