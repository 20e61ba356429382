"""Handwritten chats in seven languages, which ship with the benchmark, in ``languages.json``.

A list of ``{"language", "turns": [{"id", "on", "author", "text"}], "questions": [{"id", "asked_on",
"question", "answer", "evidence"}]}``. A turn without an author is the user's own. The chats of the
language ``mixed`` are in English and German.
"""

from collections.abc import Mapping
from datetime import datetime, time
from pathlib import Path
from typing import Any

from benchmarks.datasets.sample import Sample, SampleMessage, sample
from benchmarks.query_runner import Question

FILE = Path(__file__).with_name("languages.json")


def is_languages(found: Mapping[str, Any]) -> bool:
    """True if these are the chats of one language."""
    return found.keys() >= {"language", "turns", "questions"}


def read(found: Mapping[str, Any], default_id: str) -> Sample:
    """Read the chats of one language, one for each day, and their questions."""
    language = found["language"]
    talks: dict[str, list[SampleMessage]] = {}
    for turn in found["turns"]:
        talks.setdefault(turn["on"], []).append(
            SampleMessage(
                turn["id"],
                f"{language} {turn['on']}",
                turn["text"],
                author=turn.get("author", ""),
                sent_at=_noon(turn["on"]),
            )
        )
    questions = [
        Question(
            raw["question"],
            language,
            raw["evidence"],
            id=raw["id"],
            answer=raw["answer"],
            asked_at=_noon(raw["asked_on"]),
        )
        for raw in found["questions"]
    ]
    # Titles without the day, which questions may name.
    titled = {f"Chat {number}": said for number, said in enumerate(talks.values(), start=1)}
    return sample(language or default_id, titled, questions)


def _noon(day: str) -> datetime:
    return datetime.combine(datetime.fromisoformat(day), time(12))
