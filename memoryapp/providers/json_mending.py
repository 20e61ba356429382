"""Reads JSON with small faults, as language models write it. Pure; linear time.

Read as well: trailing and missing commas, other quotation marks, quotation marks within a string,
keys and words without any, comments, Python's literals, line breaks in strings, a bracket too few,
and prose around. Of text that ends too early, what was complete before the end is kept.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

#: Levels of lists and objects. A text with more is read up to there.
MAX_DEPTH = 40
#: Characters of a text that are read: many times those of the longest answer that is asked for.
MAX_CHARACTERS = 200_000


class CutObject(dict[str, Any]):
    """An object whose end is missing: not all of its members are there."""


class CutList(list[Any]):
    """A list of which something is missing: its end, or an item that could not be read."""


class UnfinishedList(CutList):
    """A list with whose last item, or the comma before it, the text ends: more was to come."""


class _TooDeep(ValueError):
    """The text is nested too deeply."""


#: A bracket with something behind it that can stand in a list or an object. Others are prose.
_BRACKET = re.compile(
    r"\[(?=\s{0,40}(?:[\"'“„‘\]{\[/#\d-]|(?:[Tt]rue|[Ff]alse|[Nn]ull|None)\b))"
    r"|\{(?=\s{0,40}(?:[\"'“„‘}{\[/#]|[\w-]{1,80}\s?[:=]))"
)
_SPACE = re.compile(r"(?:[\s,;]|//[^\n]*+|#[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+")
_COLON = re.compile(r"\s{0,40}(?::|=>?)")
_KEY = re.compile(r"[^\s\"'“”„‘’{}\[\],:=]{1,80}")
_BARE = re.compile(r"[^,;{}\[\]\n\"]{1,2000}")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
#: The closing marks of a string, by the opening one; or a backslash.
_CLOSING = {
    '"': re.compile(r'["\\]'),
    "'": re.compile(r"['\\]"),
    "“": re.compile(r'[”“"\\]'),
    "”": re.compile(r'[”"\\]'),
    "„": re.compile(r'[“”"\\]'),
    "‘": re.compile(r"[’'\\]"),
}
#: What follows the end of a string. Other quotation marks are part of the string.
_AFTER_STRING = re.compile(
    r"\s{0,40}(?:$|[:}\]]|//|/\*|,\s{0,40}(?:$|[\"'“„‘{}\[\]/#\d-]|[A-Za-z_]{1,40}[ ]?:"
    r"|(?:[Tt]rue|[Ff]alse|[Nn]ull|None)\b)|[\"'“„]?[\w-]{1,40}[\"'”“]?[ ]?:)"
    r"|[ \t\r]{0,40}\n\s{0,40}[\"'{\[]"
)
_LITERALS: dict[str, Any] = {"true": True, "false": False, "null": None, "none": None}
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def groups(text: str) -> Iterator[list[Any]]:
    """Yield the lists and objects in *text*; those with nothing but space between them together."""
    text = text[:MAX_CHARACTERS].rstrip()
    reader = _Reader(text)
    group: list[Any] = []
    while bracket := _BRACKET.search(text, reader.at):
        if group and text[reader.at : bracket.start()].strip(" \t\r\n,;"):
            yield group
            group = []
        reader.at = bracket.start()
        try:
            group.append(reader.container(0)[0])
        except _TooDeep:
            break
    if group:
        yield group


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def container(self, depth: int) -> tuple[Any, bool]:
        """Read the list or object that begins here, and whether its end is there."""
        if depth >= MAX_DEPTH:
            raise _TooDeep
        is_list = self.text[self.at] == "["
        self.at += 1
        return self._list(depth) if is_list else self._object(depth)

    def _list(self, depth: int) -> tuple[list[Any], bool]:
        items: list[Any] = []
        complete = whole = True
        while mark := self._next():
            if mark == "]" or (mark == "}" and depth):
                # The bracket of another kind is that of the object around this list.
                self.at += mark == "]"
                return (items if complete else CutList(items)), True
            value, whole, is_word = self._value(mark, depth)
            # A half list or object is kept for what is in it: a half object is marked as such.
            if not is_word and (whole or isinstance(value, dict | list)):
                items.append(value)
            else:
                complete = False
        is_unfinished = not whole or self.text.endswith(",")
        return (UnfinishedList if is_unfinished else CutList)(items), False

    def _object(self, depth: int) -> tuple[dict[str, Any], bool]:
        members: dict[str, Any] = {}
        while mark := self._next():
            if mark == "}" or (mark == "]" and depth):
                self.at += mark == "}"
                return members, True
            if mark in "{[":
                # Braces around the object, as in templates.
                members[""], _ = self.container(depth + 1)
                continue
            name = self._name(mark)
            colon = _COLON.match(self.text, self.at)
            if name is None or colon is None:
                continue
            self.at = colon.end()
            mark = self._next()
            if mark in "}]":
                continue
            value, whole, _ = self._value(mark, depth)
            if whole or isinstance(value, dict | list):
                members[name] = value
        return CutObject(members), False

    def _next(self) -> str:
        """Pass over space, commas and comments; return the character there, empty at the end."""
        space = _SPACE.match(self.text, self.at)
        if space is not None:
            self.at = space.end()
        return self.text[self.at : self.at + 1]

    def _name(self, mark: str) -> str | None:
        if mark in _CLOSING:
            return self._string(mark)[0]
        if word := _KEY.match(self.text, self.at):
            self.at = word.end()
            return word[0]
        self.at += 1
        return None

    def _value(self, mark: str, depth: int) -> tuple[Any, bool, bool]:
        """Read a value that begins with *mark*; whether it is whole, and a word without marks."""
        if mark in "{[" and mark:
            return *self.container(depth + 1), False
        if mark in _CLOSING:
            return *self._string(mark), False
        bare = _BARE.match(self.text, self.at)
        if bare is None:
            self.at += 1
            return None, True, True
        self.at = bare.end()
        word = bare[0].partition("//")[0].strip()
        if word.lower() in _LITERALS:
            return _LITERALS[word.lower()], True, False
        try:
            return json.loads(word), True, False
        except (ValueError, RecursionError):
            return word, True, True

    def _string(self, mark: str) -> tuple[str, bool]:
        closing, begin = _CLOSING[mark], self.at + 1
        at = begin
        while found := closing.search(self.text, at):
            at = found.end() + (found[0] == "\\")
            if found[0] != "\\" and _AFTER_STRING.match(self.text, at):
                self.at = at
                return _unescaped(self.text[begin : at - 1]), True
        self.at = len(self.text)
        return _unescaped(self.text[begin:]), False


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(_character, text)
    # Two halves of a character, each escaped, become one; a half alone becomes U+FFFD.
    return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _character(escape: re.Match[str]) -> str:
    name = escape[1]
    return chr(int(name[1:], 16)) if len(name) == 5 else _ESCAPED.get(name, name)
