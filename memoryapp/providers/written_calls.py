"""Tool calls that a model writes as text, instead of calling. Pure, in linear time.

Models write them in the form that they were trained with: Hermes and Qwen as
``<tool_call>{"name": …, "arguments": …}</tool_call>`` or ``<function=…><parameter=…>``, Llama as
``<|python_tag|>{"name": …, "parameters": …}``, Mistral as ``[TOOL_CALLS] [{…}]`` or
``[TOOL_CALLS]name{…}``, others in a fenced block or with doubled braces; several in a row, with
talk around them. All these are a JSON object that names a tool, among marks. So what counts is an
object with the name of an offered tool, with the marks next to it. All other text is talk.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from memoryapp.providers import call_values
from memoryapp.providers.call_values import FIRST_KEYS, NAME_KEYS, TYPES, Unreadable, WrittenCall

#: Keepsake's own tools.
MEMORY_TOOLS = frozenset({"search_memory", "list_memories", "save_memory", "forget_memory"})

#: Marks before a call; the last two are followed by the name.
_OPENERS = (
    *("<tool_call>", "<tool_calls>", "<function_call>", "<functioncall>", "<tools>"),
    *("<|tool_call|>", "<|tool_call>", "<tool_code>", "<|python_tag|>", "[TOOL_CALLS]"),
    "<function=",
)
_NAME_FOLLOWS = ("<|python_tag|>", "[TOOL_CALLS]", "<function=")
#: Marks between a name and the arguments.
_BEFORE_ARGUMENTS = ("[ARGS]", ">")
_CLOSERS = (
    *("</tool_call>", "</tool_calls>", "</function_call>", "</functioncall>", "</tools>"),
    *("<|/tool_call|>", "<tool_call|>", "</tool_code>", "</function>", "<|eom_id|>", "<|eot_id|>"),
    *("<|im_end|>", "</s>", ",", ";"),
)
_FENCE = "```"
_PARAMETERS, _END_OF_FUNCTION = "<parameter=", "</function>"
_LONGEST_MARK = max(map(len, (*_OPENERS, *_CLOSERS, _PARAMETERS)))
#: The most marks before an object, and lists among them; and characters of space, of its first key,
#: and of a name.
_MAX_MARKS, _MAX_LISTS, _MAX_SPACE, _MAX_KEY, _MAX_NAME = 6, 2, 80, 20, 100

_MAY_BEGIN = re.compile(r"[<\[{`]")
_STRUCTURE = re.compile(r"""["'\\{}]""")
_WORD = re.compile(rf"[\w.-]{{0,{_MAX_NAME}}}")


class _More(Exception):
    """The text that follows decides what is at the position *at*, if it has changed."""

    def __init__(self, at: int | None = None) -> None:
        self.at = at


@dataclass
class _Candidate:
    """Text that may be a call. Positions are counted from its first mark."""

    #: Where its object begins, and up to where that is known.
    begin: int
    known: int
    #: The name in front of the object, which holds only the arguments then.
    name: str = ""
    braces: int = 1
    #: What its strings stand in; empty for arguments that are marked up, and are no object.
    quote: str = '"'
    #: True if it is another object, which is shown as it comes.
    is_talk: bool = False
    #: Marks before it that are closed behind it.
    fenced: bool = False
    lists: int = 0
    depth: int = 0
    in_string: bool = False
    #: True if an object within two braces has been tried alone.
    tried: bool = False


def is_call(text: str) -> bool:
    """True if *text*, a stored message of an assistant, is nothing but calls of our tools."""
    if not any(name in text for name in MEMORY_TOOLS):
        return False
    reader = CallReader(MEMORY_TOOLS)
    talk = reader.feed(text) + reader.end()
    return not talk.strip() and (bool(reader.calls) or reader.unreadable)


class CallReader:
    """Separates the calls of the tools *names* from the talk, in a text that comes in pieces.

    The result does not depend on where the text was cut. What may become a call is held back until
    that is decided.
    """

    def __init__(self, names: Collection[str]) -> None:
        self.calls: list[WrittenCall] = []
        #: True if a call of one of them could not be read. It is not shown either.
        self.unreadable: bool = False
        self._names = frozenset(names)
        self._held = ""
        self._final = False
        self._candidate: _Candidate | None = None
        #: The last call; and the same while its closing marks may follow.
        self._last: _Candidate | None = None
        self._after: _Candidate | None = None
        #: True if nothing more is shown: after a call in a form whose end is unknown.
        self._drops = False
        self._last_shown = ""
        #: True if a call stood before the talk that comes next.
        self._separates = False

    def feed(self, piece: str) -> str:
        """Take the next *piece* of the text; return the talk that is new."""
        self._held += piece
        return self._work()

    def end(self) -> str:
        """Return the rest of the talk: no more text follows."""
        self._final = True
        return self._work()

    def _work(self) -> str:
        shown: list[str] = []
        at = 0
        try:
            while at < len(self._held) and not self._drops:
                if self._candidate is not None:
                    at = self._read(self._candidate, at, shown)
                elif self._after is not None:
                    at = self._close(self._after, at)
                else:
                    found = _MAY_BEGIN.search(self._held, at)
                    begin = found.start() if found else len(self._held)
                    self._show(self._held[at:begin], shown)
                    at = begin
                    if found:
                        self._candidate = self._begin(at)
                    if found and self._candidate is None and not self._drops:
                        self._show(self._held[at], shown)
                        at += 1
        except _More as more:
            at = at if more.at is None else more.at
        self._held = "" if self._drops else self._held[at:]
        return "".join(shown)

    def _show(self, text: str, shown: list[str]) -> None:
        if text and self._separates:
            self._separates = False
            if self._last_shown.strip():
                text = f"\n\n{text}"
        self._last_shown = text[-1:] or self._last_shown
        shown.append(text)

    # The marks before an object.

    def _begin(self, start: int) -> _Candidate | None:
        """Return the candidate whose first mark is at *start*; None if there is none."""
        candidate = _Candidate(0, 0)
        at = start
        try:
            for _ in range(_MAX_MARKS):
                at = self._after_space(at)
                if self._held[at] == "{":
                    return self._object(candidate, start, at)
                if not candidate.fenced and self._has(at, (_FENCE,)):
                    candidate.fenced = True
                    at = self._word(at + len(_FENCE))[1]
                elif mark := self._has(at, _OPENERS):
                    at += len(mark)
                    if mark in _NAME_FOLLOWS and (found := self._named(candidate, start, at)):
                        return found
                elif self._held[at] == "[" and candidate.lists < _MAX_LISTS:
                    at += 1
                    candidate.lists += 1
                    name, end = self._word(at)
                    if name in self._names and self._has(end, ("(",)):
                        self._drop()
                else:
                    return None
                if self._drops:
                    return None
        except _More:
            if not self._final:
                raise
        return None

    def _named(self, candidate: _Candidate, start: int, at: int) -> _Candidate | None:
        """Return *candidate*, if the name of a tool and its arguments follow at *at*."""
        at = self._after_space(at)
        word, end = self._word(at)
        name = word.removesuffix(".call")
        if name not in self._names:
            return None
        if self._has(end, ("(",)):
            # Llama writes Python too.
            self._drop()
            return None
        end += len(self._has(end, _BEFORE_ARGUMENTS))
        end = self._after_space(end)
        candidate.name = name
        candidate.begin = end - start
        candidate.known = candidate.begin
        if self._held[end] == "{":
            return candidate
        if self._has(end, (_PARAMETERS, _END_OF_FUNCTION)):
            candidate.quote = ""
            return candidate
        return None

    def _object(self, candidate: _Candidate, start: int, begin: int) -> _Candidate | None:
        """Return *candidate* with the object at *begin*, unless it does not begin like JSON."""
        candidate.begin = candidate.known = begin - start
        at = self._after_space(begin + 1)
        if self._held[at] == "{":
            candidate.braces = 2
            at = self._after_space(at + 1)
        candidate.quote = self._held[at]
        if candidate.quote not in ("'", '"'):
            return None
        key, at = self._string(at, _MAX_KEY)
        at = self._after_space(at)
        if self._held[at] != ":":
            return None
        candidate.is_talk = key not in FIRST_KEYS
        if key in NAME_KEYS or key == "type":
            at = self._after_space(at + 1)
            if self._held[at] == candidate.quote:
                value, _ = self._string(at, _MAX_NAME)
                candidate.is_talk = value not in (TYPES if key == "type" else self._names)
            else:
                candidate.is_talk = self._held[at] != "{"
        return candidate

    def _string(self, at: int, longest: int) -> tuple[str, int]:
        """Return the string at *at* and its end; without one, an empty string."""
        end = self._held.find(self._held[at], at + 1, at + 2 + longest)
        if end < 0 and len(self._held) < at + 2 + longest:
            raise _More
        return (self._held[at + 1 : end], end + 1) if end >= 0 else ("", at)

    def _after_space(self, at: int) -> int:
        """Return the position of the next character that is not a space."""
        end = at
        while end < len(self._held) and end - at < _MAX_SPACE and self._held[end].isspace():
            end += 1
        if end >= len(self._held):
            raise _More
        return end

    def _word(self, at: int) -> tuple[str, int]:
        word = _WORD.match(self._held, at)
        if word is None or word.end() >= len(self._held):
            raise _More
        return word[0], word.end()

    def _has(self, at: int, marks: tuple[str, ...]) -> str:
        """Return which of *marks* is at *at*, or an empty string. Raises `_More` if one may be."""
        if self._held.startswith(marks, at):
            return next(mark for mark in marks if self._held.startswith(mark, at))
        if len(self._held) - at < _LONGEST_MARK:
            rest = self._held[at:]
            if any(mark.startswith(rest) for mark in marks):
                raise _More
        return ""

    def _drop(self) -> None:
        self.unreadable = self._drops = True

    # The object, and the marks after it.

    def _read(self, candidate: _Candidate, at: int, shown: list[str]) -> int:
        """Read on in *candidate*, which begins at *at*; return where the undecided text begins."""
        end = self._end_of(candidate, at)
        if end is None and candidate.is_talk:
            end = min(at + candidate.known, len(self._held))
            self._show(self._held[at:end], shown)
            candidate.known -= end - at
            candidate.begin = 0
            raise _More(end)
        if end is None and not self._final:
            raise _More
        missing = candidate.depth if end is None and not candidate.in_string else 0
        end = len(self._held) if end is None else end
        calls = [] if candidate.is_talk else self._calls(candidate, at, end, missing)
        self._candidate = None
        if calls == []:
            self._show(self._held[at:end], shown)
            return end
        self.unreadable = self.unreadable or calls is None
        self.calls += calls or []
        if self._separates and self._last:
            candidate.lists += self._last.lists
            candidate.fenced = candidate.fenced or self._last.fenced
        self._last = self._after = candidate
        self._separates = True
        return end

    def _end_of(self, candidate: _Candidate, at: int) -> int | None:
        """Return where the object of *candidate* ends; None if that is not known yet."""
        held = self._held
        if not candidate.quote:
            begin = at + max(candidate.begin, candidate.known - len(_END_OF_FUNCTION))
            candidate.known = len(held) - at
            end = held.find(_END_OF_FUNCTION, begin)
            return end if end >= 0 else None
        place = at + candidate.known
        while found := _STRUCTURE.search(held, place):
            place, sign = found.end(), found[0]
            if sign == "\\":
                place += candidate.in_string
            elif sign == candidate.quote:
                candidate.in_string = not candidate.in_string
            elif sign in "{}" and not candidate.in_string:
                candidate.depth += 1 if sign == "{" else -1
                if sign == "}" and self._ends(candidate, at, place):
                    return place
        candidate.known = max(place, len(held)) - at
        return None

    def _ends(self, candidate: _Candidate, at: int, place: int) -> bool:
        """True if the object ends with the brace before *place*."""
        if candidate.depth != 1 or candidate.braces == 1 or candidate.tried:
            return candidate.depth <= 0
        # The second of two braces may be one too many, and is not closed then.
        candidate.tried = True
        begin = self._held.index("{", at + candidate.begin + 1) - at
        whole = candidate.begin
        candidate.begin = begin
        if self._calls(candidate, at, place, 0):
            return True
        candidate.begin = whole
        return False

    def _calls(
        self, candidate: _Candidate, at: int, end: int, missing: int
    ) -> list[WrittenCall] | None:
        """Return the calls in the object that ends at *end*; None if they cannot be read."""
        text = self._held[at + candidate.begin : end]
        try:
            if not candidate.quote:
                return [call_values.call_with_markup(candidate.name, text)]
            if candidate.name:
                return [call_values.call_of(candidate.name, text, missing=missing)]
            return call_values.calls_in(text, self._names, missing=missing)
        except Unreadable:
            return None

    def _close(self, after: _Candidate, at: int) -> int:
        """Return the position after the next closing mark of *after*, or after the last one."""
        try:
            at = self._after_space(at)
            mark = self._has(at, _CLOSERS) or (after.fenced and self._has(at, (_FENCE,)))
        except _More:
            if self._final:
                return len(self._held)
            raise
        if mark:
            after.fenced = after.fenced and mark != _FENCE
            return at + len(mark)
        if self._held[at] == "]" and after.lists:
            after.lists -= 1
            return at + 1
        if self._held[at] == "}" and after.braces:
            # Many models write one too many.
            after.braces = 0
            return at + 1
        self._after = None
        return at
