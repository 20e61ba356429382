"""Removes the provider's key from answers that repeat it, and mends what a stream splits.

Only the key itself is removed, and pieces that are too long to occur by chance: text that merely
looks like a key may be what a user asked for. A stream may split the key over several chunks, so
the end of a text that may continue as a piece of the key is held back until more arrives. So is
half a character, which some servers end a chunk with.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from memoryapp.providers.errors import SCRUBBED

#: The shortest piece of a key that is removed.
MIN_PIECE = 20
#: The shortest key that is removed. A shorter one, or one without a digit, is a placeholder such as
#: “ollama” for a server that needs no key.
MIN_KEY = 8
#: The shortest end of a chunk that is held back. A shorter part of the key may pass.
MIN_HELD = 4

#: The fields whose text is spread over chunks.
_IN_PIECES = frozenset(
    ("content", "refusal", "reasoning", "reasoning_content", "text", "thinking", "arguments")
)
#: The same for Anthropic's events. Other fields come whole, and a client takes the last value.
_IN_DELTAS = frozenset(("text", "thinking", "partial_json"))


def without_key(value: Any, key: str) -> Any:
    """Return *value*, any JSON, with the key removed from all strings and names."""
    if not _is_secret(key):
        return value
    if isinstance(value, str):
        return _rendered(value, _pieces(value, key), 0, len(value))
    if isinstance(value, Mapping):
        return {without_key(name, key): without_key(item, key) for name, item in value.items()}
    if isinstance(value, list):
        numbers = set(map(type, value)) <= {int, float}  # A vector has thousands.
        return value if numbers else [without_key(item, key) for item in value]
    return value


class RedactedParts(Protocol):
    """The parts of one streamed answer, without the key."""

    def pass_on(self, part: dict[str, Any], /) -> Iterator[dict[str, Any]]:
        """Yield *part* without the key, behind text that was held back if it ends that."""

    def end(self) -> Iterator[dict[str, Any]]:
        """Yield all text that is still held back, after the last part."""


class RedactedChunks:
    """The chunks of one chat completion, without the key."""

    def __init__(self, key: str) -> None:
        self._key = key if _is_secret(key) else ""
        #: By the index of the choice and the path of the text in it.
        self._texts: dict[tuple[Any, ...], _Text] = {}
        self._last: dict[str, Any] = {}

    def pass_on(self, chunk: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield *chunk* without the key; if it ends a choice, yield its held-back text first."""
        around = {name: value for name, value in chunk.items() if name != "choices"}
        around = without_key(around, self._key)
        self._last = {name: value for name, value in around.items() if name != "usage"}
        choices = []
        for choice in chunk.get("choices", []):
            choices.append(self._choice(choice))
            if choice.get("finish_reason"):
                yield from self._held_of(choice.get("index"))
        yield {**around, "choices": choices} if "choices" in chunk else around

    def end(self) -> Iterator[dict[str, Any]]:
        """Yield all text that is still held back, after the last chunk."""
        for index in dict.fromkeys(place[0] for place in self._texts):
            yield from self._held_of(index)

    def _choice(self, choice: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: self._walked(value, (choice.get("index"),), name)
            if name == "delta"
            else without_key(value, self._key)
            for name, value in choice.items()
        }

    def _walked(self, value: Any, place: tuple[Any, ...], name: str) -> Any:
        """Return a part of a delta without the key; *place* is its path."""
        if isinstance(value, Mapping):
            return {k: self._walked(each, (*place, k), k) for k, each in value.items()}
        if isinstance(value, list):
            return [
                self._walked(each, (*place, _Item(_index_of(each, number))), name)
                for number, each in enumerate(value)
            ]
        if isinstance(value, str) and name in _IN_PIECES:
            return self._texts.setdefault(place, _Text(self._key)).take(value)
        return without_key(value, self._key)

    def _held_of(self, index: Any) -> Iterator[dict[str, Any]]:
        for place in [place for place in self._texts if place[0] == index]:
            if held := self._texts.pop(place).rest():
                choice = {"index": index, "delta": _put(place[1:], held), "finish_reason": None}
                yield {**self._last, "choices": [choice]}


class RedactedEvents:
    """The events of one message of Anthropic's API, without the key."""

    def __init__(self, key: str) -> None:
        self._key = key if _is_secret(key) else ""
        #: By the index of the block, then by the type and field of its deltas.
        self._texts: dict[int, dict[tuple[str, str], _Text]] = {}

    def pass_on(self, event: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield *event* without the key; if it ends a block, yield its held-back text first."""
        if event["type"] == "content_block_delta":
            yield {**event, "delta": self._delta(event["index"], event["delta"])}
        else:
            if event["type"] == "content_block_stop":
                yield from self._held_of(event["index"])
            yield without_key(event, self._key)

    def end(self) -> Iterator[dict[str, Any]]:
        """Yield all text that is still held back, after the last event."""
        for index in list(self._texts):
            yield from self._held_of(index)

    def _delta(self, index: int, delta: Mapping[str, Any]) -> dict[str, Any]:
        kind = delta["type"]
        shown: dict[str, Any] = {}
        for name, value in delta.items():
            if name in _IN_DELTAS and isinstance(value, str):
                texts = self._texts.setdefault(index, {})
                text = texts.setdefault((kind, name), _Text(self._key))
                shown[name] = text.take(value)
            else:
                shown[name] = without_key(value, self._key)
        return shown

    def _held_of(self, index: int) -> Iterator[dict[str, Any]]:
        for (kind, name), text in self._texts.pop(index, {}).items():
            if held := text.rest():
                delta = {"type": kind, name: held}
                yield {"type": "content_block_delta", "index": index, "delta": delta}


class _Text:
    """A text that arrives in pieces."""

    def __init__(self, key: str) -> None:
        self._key = key
        #: The last characters that were passed on, and the text held back after them.
        self._said = ""
        self._held = ""

    def take(self, piece: str) -> str:
        """Add *piece*; return what can be passed on."""
        text = self._said + self._held + piece
        until = len(text) - _open_end(text, self._key)
        if "\ud800" <= text[until - 1 : until] <= "\udbff":
            until -= 1
        if until < len(self._said):
            # What was passed on may begin the key, and must not be passed on again.
            self._held += piece
            return ""
        return self._passed(text, until)

    def rest(self) -> str:
        """Return the text held back, at the end."""
        text = self._said + self._held
        return self._passed(text, len(text))

    def _passed(self, text: str, until: int) -> str:
        begin = len(self._said)
        pieces = _pieces(text, self._key)
        for start, end in pieces:
            if start < until < end:
                until = end
        self._held = text[until:]
        last = max((end for _, end in pieces if end <= until), default=0)
        self._said = text[max(last, until - MIN_HELD + 1, 0) : until]
        return _mended(_rendered(text, pieces, begin, until))


class _Item(int):
    """The number of an item of a list, where a name would be in an object."""


def _is_secret(key: str) -> bool:
    return len(key) >= MIN_PIECE or (len(key) >= MIN_KEY and any(c.isdigit() for c in key))


def _pieces(text: str, key: str) -> list[tuple[int, int]]:
    """Find the key and long pieces of it in *text*: starts and ends, in order, without overlaps.

    A piece of `MIN_PIECE` characters contains one of the blocks of half that length that the key
    consists of. Searching for these blocks is fast, and each match is extended in both directions.
    """
    if not key:
        return []
    size = MIN_PIECE // 2 if len(key) >= MIN_PIECE else len(key)
    offsets = range(len(key) - len(key) % size - size, -1, -size)
    blocks = {key[offset : offset + size]: offset for offset in offsets}  # The first of equal ones.
    pieces = []
    for block, offset in blocks.items():
        at, floor = text.find(block), 0
        while at >= 0:
            start, end, first, last = at, at + size, offset, offset + size
            while start > floor and first and text[start - 1] == key[first - 1]:
                start, first = start - 1, first - 1
            while end < len(text) and last < len(key) and text[end] == key[last]:
                end, last = end + 1, last + 1
            if end - start >= min(MIN_PIECE, len(key)):
                pieces.append((start, end))
                floor = end
            at = text.find(block, max(at + 1, floor))
    apart: list[tuple[int, int]] = []
    for start, end in sorted(pieces):
        start = max(start, apart[-1][1] if apart else 0)
        if start < end:
            apart.append((start, end))
    return apart


def _mended(text: str) -> str:
    """Return *text* with each two halves of a character joined, and U+FFFD for a half alone."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _open_end(text: str, key: str) -> int:
    """The number of characters at the end of *text* that may continue as a piece of the key."""
    length = MIN_HELD
    if len(text) < length or text[-length:] not in key:
        return 0
    while length < len(text) and text[-length - 1 :] in key:
        length += 1
    return length


def _rendered(text: str, pieces: list[tuple[int, int]], begin: int, until: int) -> str:
    """Return *text* from *begin* to *until*, with a mark in place of each of *pieces*."""
    parts = []
    for start, end in pieces:
        if end > begin and start < until:
            parts += [text[begin:start], SCRUBBED]
            begin = end
    return "".join([*parts, text[begin:until]])


def _index_of(item: Any, number: int) -> int:
    """The index of a list item in the whole answer."""
    index = item.get("index") if isinstance(item, Mapping) else None
    return index if isinstance(index, int) else number


def _put(place: tuple[Any, ...], text: str) -> Any:
    """Return a delta with *text* at *place*."""
    value: Any = text
    for name in reversed(place):
        if not isinstance(name, _Item):
            value = {name: value}
        else:
            value = [{"index": int(name), **value} if isinstance(value, dict) else value]
    return value
