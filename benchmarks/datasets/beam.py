"""BEAM: a long chat with an assistant, in batches, and probing questions of ten abilities.

As its repository has it, a folder for each chat::

    chat.json                       [{"batch_number": 1, "time_anchor": …, "turns": [[message, …]]}]
    chat_trunecated.json            in its place where the chat was cut to its length, so spelt
    probing_questions/probing_questions.json      {"temporal_reasoning": [question, …], …}

The longest chats put plans around the batches: ``[{"plan-1": [batch, …]}, …]``. As the data set's
rows have it: ``chat``, a list of batches that are lists of messages, and ``probing_questions``,
the same object written as text.

A message is ``{"role", "id", "content"}``; that of a user ends with its place in the plan that the
chat was made from (``->-> 3,12``), which nobody said and which is taken off. The first one of a
batch has the batch's date. Evidence are the ids under ``source_chat_ids``: numbers, lists of
them, or lists by name. Where two messages share an id, it names neither.
"""

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.datasets.sample import BrokenData, Sample, SampleMessage, sample, text_of
from benchmarks.query_runner import Question

QUESTIONS = Path("probing_questions", "probing_questions.json")
#: Of the two, the one that the benchmark's own evaluation takes.
CHATS = ("chat_trunecated.json", "chat.json")

_PLACE_IN_PLAN = re.compile(r"\s*->->[\d\s,)N/A]*$")
_ANSWERS = ("answer", "ideal_answer", "ideal_response", "ideal_summary", "expected_compliance")
#: What a question that stands in a plain list calls its kind.
_ABILITIES = ("ability", "category", "question_type", "type")
_DATES = ("%B-%d-%Y", "%B %d, %Y", "%Y-%m-%d")


def is_beam(found: Mapping[str, Any]) -> bool:
    """True if this is a chat with its questions."""
    return "chat" in found and "probing_questions" in found


def is_folder(folder: Path) -> bool:
    """True if this is the folder of one chat."""
    return (folder / QUESTIONS).is_file() and any((folder / name).is_file() for name in CHATS)


def read_folder(folder: Path, chat: Path | None = None) -> dict[str, Any]:
    """Combine the files of one chat, *chat* if it is given; raises `BrokenData`."""
    chat = chat or next((p for p in (folder / name for name in CHATS) if p.is_file()), None)
    if chat is None or not (folder / QUESTIONS).is_file():
        raise BrokenData(f"{folder} needs {' or '.join(CHATS)}, and {QUESTIONS} beside it.")
    try:
        return {
            "conversation_id": folder.name,
            "chat": json.loads(chat.read_bytes()),
            "probing_questions": json.loads((folder / QUESTIONS).read_bytes()),
        }
    except ValueError as error:
        raise BrokenData(f"{folder} holds a file that is no JSON: {error}.") from None


def read(found: Mapping[str, Any], default_id: str) -> Sample:
    """Read one chat and its questions; raises `BrokenData`."""
    id = text_of(found.get("conversation_id")) or default_id
    said: list[SampleMessage] = []
    date: datetime | None = None
    for session, messages in _batches(found["chat"]):
        for message in messages:
            date = _date(message.get("time_anchor")) or date
            said.append(
                SampleMessage(
                    text_of(message.get("id")),
                    session,
                    _PLACE_IN_PLAN.sub("", text_of(message.get("content"))),
                    role=text_of(message.get("role")).lower(),
                    sent_at=date,
                )
            )
    if not said:
        raise BrokenData(f"The chat {id} has no messages.")
    times = Counter(turn.id for turn in said)
    known = {turn.id for turn in said if times[turn.id] == 1}
    unlike = [
        turn if times[turn.id] == 1 else _renamed(turn, f"{turn.session}/{turn.id}/{number}")
        for number, turn in enumerate(said)
    ]
    seed = found.get("conversation_seed")
    title = text_of(seed.get("title")) if isinstance(seed, Mapping) else ""
    return sample(id, {title or id: unlike}, list(_questions(found["probing_questions"], known)))


def _batches(chat: Any, within: str = "") -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    """Yield the messages of each batch, with a name for it."""
    for number, batch in enumerate(chat if isinstance(chat, list) else [chat], start=1):
        plans = isinstance(batch, Mapping) and "turns" not in batch and not _is_message(batch)
        if plans:
            for plan, inner in batch.items():
                if isinstance(inner, list):
                    yield from _batches(inner, f"{plan}/")
        else:
            messages = list(_messages(batch))
            anchor = batch.get("time_anchor") if isinstance(batch, Mapping) else None
            if messages and anchor and not messages[0].get("time_anchor"):
                messages[0] = {**messages[0], "time_anchor": anchor}
            if messages:
                yield f"{within}batch-{number}", messages


def _messages(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        if _is_message(value):
            yield value
        else:
            yield from _messages(value.get("turns"))
    elif isinstance(value, list):
        for item in value:
            yield from _messages(item)


def _is_message(value: Mapping[str, Any]) -> bool:
    return "role" in value and "content" in value


def _questions(raw: Any, known: set[str]) -> Iterator[Question]:
    if isinstance(raw, str):
        raw = _object_in(raw)
    if isinstance(raw, list):
        by_ability: dict[str, list[Any]] = {}
        for question in raw:
            by_ability.setdefault(_ability(question), []).append(question)
        raw = by_ability
    if not isinstance(raw, Mapping):
        raise BrokenData("“probing_questions” is not an object with lists of questions.")
    for ability, questions in raw.items():
        for number, question in enumerate(questions, start=1):
            yield Question(
                text_of(question.get("question")),
                ability,
                [id for id in dict.fromkeys(_ids(question.get("source_chat_ids"))) if id in known],
                id=f"{ability}-{number}",
                answer=next((text_of(question[key]) for key in _ANSWERS if key in question), ""),
                unanswerable=ability == "abstention",
            )


def _ability(question: Mapping[str, Any]) -> str:
    return next((text_of(question[key]) for key in _ABILITIES if key in question), "question")


def _object_in(text: str) -> Any:
    """Read an object written in JSON, or as Python writes it."""
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError):
        raise BrokenData("“probing_questions” is text that is neither JSON nor Python.") from None


def _ids(value: Any) -> Iterator[str]:
    """Yield every id in *value*, however deep it stands."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _ids(item)
    elif value is not None and str(value).strip().isdigit():
        yield str(int(value))


def _renamed(turn: SampleMessage, id: str) -> SampleMessage:
    return SampleMessage(
        id, turn.session, turn.text, turn.role, turn.author, turn.caption, turn.sent_at
    )


def _date(value: Any) -> datetime | None:
    for form in _DATES:
        try:
            return datetime.strptime(text_of(value).strip(), form)
        except ValueError:
            pass
    return None
