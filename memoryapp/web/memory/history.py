"""The history of a memory: earlier versions and rejected values."""

import difflib
import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from conversations.scripts import UNSPACED
from memoryapp.models import Memory, MemoryRevision
from memoryapp.web.memory.words import category_name, valid_end


@dataclass(frozen=True)
class ShownVersion:
    """A revision, compared with the version after it."""

    revision: MemoryRevision
    #: Runs of ("same" | "del" | "ins", text); empty if the text is the same.
    diff: list[tuple[str, str]]
    #: (name, before, after) of the other changes.
    changes: list[tuple[str, str, str]]


@dataclass(frozen=True)
class MemoryHistory:
    """The earlier versions of a memory and its rejected values, latest first."""

    versions: list[ShownVersion]
    heard: list[MemoryRevision]


def history_of(memory: Memory) -> MemoryHistory:
    """Load the history in one query, or in none if the revisions are prefetched."""
    revisions = list(memory.revisions.all())
    heard = [r for r in revisions if r.reason == MemoryRevision.Reason.HEARD]
    return MemoryHistory(
        _versions(memory, [r for r in revisions if r.reason not in MemoryRevision.NO_VERSION]),
        # A value that a person has accepted later is no longer a rejected one.
        [r for r in heard if (r.content, r.value) != (memory.content, memory.value)],
    )


def _versions(memory: Memory, revisions: list[MemoryRevision]) -> list[ShownVersion]:
    versions = []
    newer: Memory | MemoryRevision = memory
    for revision in revisions:
        reworded = revision.content != newer.content
        versions.append(
            ShownVersion(
                revision,
                word_diff(revision.content, newer.content) if reworded else [],
                _changes(revision, newer),
            )
        )
        newer = revision
    return versions


def word_diff(old: str, new: str) -> list[tuple[str, str]]:
    """Split two texts into ("same" | "del" | "ins", text) runs, by words and punctuation marks."""
    before, after = list(_tokens(old)), list(_tokens(new))
    runs: list[tuple[str, str]] = []
    # In a long text, autojunk ignores very frequent words. Otherwise the time would grow with the
    # cube of the length.
    matcher = difflib.SequenceMatcher(
        None, [w.strip() for w in before], [w.strip() for w in after], autojunk=True
    )
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            runs.append(("same", "".join(after[j1:j2])))
            continue
        if i2 > i1:
            runs.append(("del", "".join(before[i1:i2])))
        if j2 > j1:
            runs.append(("ins", "".join(after[j1:j2])))
    return runs


#: Scripts without spaces: each character is compared by itself.
_UNSPACED = re.compile(f"[{UNSPACED}]")


def _tokens(text: str) -> Iterator[str]:
    """Yield words with the space after them. Punctuation around a word is a token of its own, so
    that "peanuts." and "peanuts" differ only by the full stop.
    """
    for chunk in re.findall(r"\S+\s*|^\s+", text):
        if _UNSPACED.search(chunk):
            yield from re.findall(r"\S\s*", chunk)
            continue
        end = len(chunk.rstrip())
        start = 0
        while start < end and _is_punctuation(chunk[start]):
            yield chunk[start : start + 1] + (chunk[end:] if start + 1 == end else "")
            start += 1
        stop = end
        while stop > start and _is_punctuation(chunk[stop - 1]):
            stop -= 1
        if stop > start:
            yield chunk[start:stop] + (chunk[end:] if stop == end else "")
        for at in range(stop, end) if stop > start else ():
            yield chunk[at] + (chunk[end:] if at + 1 == end else "")


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] == "P"


def _changes(old: MemoryRevision, new: Memory | MemoryRevision) -> list[tuple[str, str, str]]:
    none = _("none")
    pairs = [
        (_("category"), category_name(old.category), category_name(new.category)),
        (_("key"), old.key or none, new.key or none),
        (_("value"), old.value or none, new.value or none),
        (_("importance"), str(old.importance), str(new.importance)),
        (_("tags"), ", ".join(old.tags) or none, ", ".join(new.tags) or none),
        (_("valid until"), valid_end(old) or none, valid_end(new) or none),
        (_("metadata"), _metadata(old.metadata) or none, _metadata(new.metadata) or none),
    ]
    return [(what, before, after) for what, before, after in pairs if before != after]


def _metadata(metadata: dict[str, Any]) -> str:
    return json.dumps(metadata, ensure_ascii=False) if metadata else ""
