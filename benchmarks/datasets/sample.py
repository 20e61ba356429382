"""What every data set comes down to: something to import, and questions about it. Pure."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from benchmarks.query_runner import Question


class BrokenData(ValueError):
    """The data cannot be read; the message says where and why."""


@dataclass(frozen=True)
class SampleMessage:
    """One turn. ``id`` is what the evidence of a question names."""

    id: str
    session: str
    text: str
    role: str = "user"
    author: str = ""
    caption: str = ""
    #: As the data has it, without a time zone.
    sent_at: datetime | None = None


@dataclass(frozen=True)
class Sample:
    """What belongs into an instance of its own, and the questions that are asked of it."""

    id: str
    #: A file as a user would import it.
    file: bytes
    questions: list[Question]
    #: Each turn, by the id that the importer gives it, and the session it is of.
    sessions: Mapping[str, str]
    #: Those of the turns that an assistant said.
    of_assistant: frozenset[str] = field(default_factory=frozenset)


def sample(
    id: str, talks: Mapping[str, Iterable[SampleMessage]], questions: list[Question]
) -> Sample:
    """Make a sample of *talks*: conversations by their titles. The file is JSONL, which the
    importer takes with an id, an author and a date for each turn.
    """
    lines: list[str] = []
    turns: list[SampleMessage] = []
    for number, (title, said) in enumerate(talks.items(), start=1):
        for turn in said:
            turns.append(turn)
            lines.append(json.dumps(_line(turn, f"{id}:{number}", title), ensure_ascii=False))
    return Sample(
        id,
        "\n".join(lines).encode("utf-8", "replace"),
        questions,
        {turn.id: turn.session for turn in turns},
        frozenset(turn.id for turn in turns if turn.role == "assistant"),
    )


def _line(turn: SampleMessage, conversation: str, title: str) -> dict[str, Any]:
    line = {
        "conversation": conversation,
        "title": title,
        "id": turn.id,
        "role": turn.role,
        "author": turn.author,
        "content": turn.text,
        "caption": turn.caption,
        "created_at": turn.sent_at.isoformat() if turn.sent_at else "",
    }
    return {key: value for key, value in line.items() if value}


def text_of(value: Any) -> str:
    """Return *value* as text: some answers are numbers, and some are not there."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)
