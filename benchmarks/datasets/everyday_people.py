"""Months of everyday use, which ship with the benchmark, in the folder ``everyday``.

Each file is a person with an assistant that remembers: what was said over some months, memories
that the person typed or a program stored, imported files, and questions that are asked afterwards.
The folder ``held_out`` holds those with which nothing is developed.

``{"person", "language", "about", "memories": [{"id", "on", "by", "content", …}], "files": [{"name",
"on", "memories"}], "conversations": [{"on", "turns": [[id, role, nature, text]]}], "questions":
[{"id", "on", "kind", "text", "first", "right", "outdated", "wrong"}]}``
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from benchmarks.datasets.sample import BrokenData

FOLDER = Path(__file__).with_name("everyday")
HELD_OUT = FOLDER / "held_out"
#: The natures of turns that are no answer to an ordinary question.
NOISE = frozenset({"question", "request", "greeting", "acknowledgement", "filler"})
#: The kind of questions that nothing is to be recalled for.
SILENT = "silent"


@dataclass(frozen=True)
class Turn:
    """A message of a conversation; its nature is one of the format's words, such as "chatter"."""

    id: str
    role: str
    nature: str
    text: str


@dataclass(frozen=True)
class Conversation:
    """The turns of a conversation, and when it began."""

    began: datetime
    turns: Sequence[Turn]


@dataclass(frozen=True)
class Written:
    """A memory that was not learned from a conversation; *by* is ``person``, ``program``, or the
    name of a file.
    """

    id: str
    on: datetime
    by: str
    content: str
    category: str = ""
    importance: int | None = None
    until: date | None = None


@dataclass(frozen=True)
class Question:
    """A question, and the ids of what may stand first, of what may stand beside it, of what was
    true once, and of what is about somebody or something else.
    """

    id: str
    on: datetime
    kind: str
    text: str
    first: frozenset[str] = frozenset()
    right: frozenset[str] = frozenset()
    outdated: frozenset[str] = frozenset()
    wrong: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Person:
    """A person with all that their assistant was told, in the order of time within each kind."""

    name: str
    language: str
    conversations: Sequence[Conversation]
    written: Sequence[Written]
    questions: Sequence[Question]
    natures: Mapping[str, str] = field(default_factory=dict)


def people(folder: Path = FOLDER) -> Iterator[Person]:
    """The people whose files are in *folder*, by name of file. Raises `BrokenData`."""
    for path in sorted(folder.glob("*.json")):
        try:
            yield _read(json.loads(path.read_text("utf-8")))
        except (ValueError, TypeError, KeyError) as error:
            raise BrokenData(
                f"{path.name} is not in the format of everyday use: {error!r}"
            ) from None


def _read(found: Mapping[str, Any]) -> Person:
    conversations = [
        Conversation(datetime.fromisoformat(raw["on"]), [Turn(*turn) for turn in raw["turns"]])
        for raw in found["conversations"]
    ]
    written = [_written(raw, raw["on"], raw["by"]) for raw in found["memories"]]
    for file in found["files"]:
        written += [_written(raw, file["on"], file["name"]) for raw in file["memories"]]
    natures = {turn.id: turn.nature for each in conversations for turn in each.turns}
    known = natures.keys() | {each.id for each in written}
    questions = [_question(raw, known) for raw in found["questions"]]
    return Person(found["person"], found["language"], conversations, written, questions, natures)


def _written(raw: Mapping[str, Any], on: str, by: str) -> Written:
    return Written(
        raw["id"],
        datetime.combine(date.fromisoformat(on), time(12)),
        by,
        raw["content"],
        raw.get("category") or "",
        raw.get("importance"),
        date.fromisoformat(raw["until"]) if raw.get("until") else None,
    )


def _question(raw: Mapping[str, Any], known: "set[str]") -> Question:
    ids = {name: frozenset(raw.get(name, ())) for name in ("first", "right", "outdated", "wrong")}
    if unknown := frozenset().union(*ids.values()) - known:
        raise ValueError(f"{raw['id']} names {', '.join(sorted(unknown))}")
    return Question(raw["id"], datetime.fromisoformat(raw["on"]), raw["kind"], raw["text"], **ids)
