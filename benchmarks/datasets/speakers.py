"""Two named people in many dated sessions: LoCoMo, and REALTALK, which follows it.

Both keep sessions as ``session_3`` with its turns and ``session_3_date_time``, and questions as
``qa``, whose evidence names turns (``D3:14``). LoCoMo puts the sessions under ``conversation`` and
the text under ``text``. REALTALK has them at the top, the text under ``clean_text``, a date for
each turn, and the people under ``name``; its turn ids count on over some borders of sessions, so
that ``D7:30`` may stand in ``session_8``.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

from benchmarks.datasets.sample import BrokenData, Sample, SampleMessage, sample, text_of
from benchmarks.query_runner import Question

_SESSION = re.compile(r"session_(\d+)")
# The annotators also wrote D30:05, D:11:26, "D 2:18", D17;39 and, on its own, 23:29.
_TURN = re.compile(r"(?:D\s*:?\s*|^\s*)(\d+)\s*[:;]\s*(\d+)")
_RANGE = re.compile(rf"{_TURN.pattern}\s*[-–]\s*{_TURN.pattern}")
#: Turns that a range may name: more is a slip of the pen.
_LONGEST_RANGE = 100
_REALTALK_DATE = "%d.%m.%Y, %H:%M:%S"


def is_locomo(found: Mapping[str, Any]) -> bool:
    """True if this is a sample of LoCoMo."""
    conversation = found.get("conversation")
    return isinstance(conversation, Mapping) and any(_turns(conversation))


def is_realtalk(found: Mapping[str, Any]) -> bool:
    """True if this is a conversation of REALTALK."""
    return any(_turns(found))


def read_locomo(found: Mapping[str, Any], default_id: str) -> Sample:
    """Read a sample, which the importer takes as it is."""
    turns = list(_turns(found["conversation"]))
    id = text_of(found.get("sample_id")) or default_id
    return Sample(
        id,
        json.dumps({**found, "sample_id": id}).encode(),
        _questions(found, [text_of(turn.get("dia_id")) for _, turn in turns]),
        {text_of(turn.get("dia_id")): session for session, turn in turns},
    )


def read_realtalk(found: Mapping[str, Any], default_id: str) -> Sample:
    """Read a conversation, turn by turn."""
    names = found.get("name")
    people = [text_of(name) for name in names.values()] if isinstance(names, Mapping) else []
    said = [
        SampleMessage(
            text_of(turn.get("dia_id")) or f"{session}:{number}",
            session,
            text_of(turn.get("clean_text") or turn.get("text")),
            author=text_of(turn.get("speaker")),
            caption=text_of(turn.get("blip_caption")),
            sent_at=_date(turn.get("date_time") or found.get(f"{session}_date_time")),
        )
        for number, (session, turn) in enumerate(_turns(found), start=1)
    ]
    return sample(
        text_of(found.get("sample_id")) or default_id,
        {" and ".join(filter(None, people)) or default_id: said},
        _questions(found, [turn.id for turn in said]),
    )


def evidence(raw: Any, known: Collection[str]) -> list[str]:
    """Return the turns that a question's evidence names, each once, in the one form ``D30:5``;
    those not *known* are left out. A range such as ``D12:3-D12:5`` names all of its turns.
    """
    texts = raw if isinstance(raw, list) else [raw]
    named = dict.fromkeys(turn for text in texts for turn in _named(text_of(text)))
    return [turn for turn in named if turn in known]


def _named(text: str) -> Iterator[str]:
    for session, first, to_session, last in _RANGE.findall(text):
        if int(session) == int(to_session):
            most = min(int(last), int(first) + _LONGEST_RANGE)
            yield from (f"D{int(session)}:{turn}" for turn in range(int(first), most + 1))
    yield from (f"D{int(session)}:{int(turn)}" for session, turn in _TURN.findall(text))


def _questions(found: Mapping[str, Any], ids: list[str]) -> list[Question]:
    """Read the questions. A turn id in the file may have been written in another form, too."""
    forms = {form: id for id in ids for form in _named(id)} | {id: id for id in ids}
    questions = []
    raw_questions = found.get("qa") or []
    if not isinstance(raw_questions, list):
        raise BrokenData("“qa” is not a list of questions.")
    for number, raw in enumerate(raw_questions, start=1):
        named = evidence(raw.get("evidence"), forms)
        questions.append(
            Question(
                text_of(raw.get("question")),
                text_of(raw.get("category")),
                list(dict.fromkeys(forms[turn] for turn in named)),
                id=str(number),
                # The fifth category has what somebody might take for the answer.
                answer=text_of(raw.get("answer")),
                unanswerable="answer" not in raw,
            )
        )
    return questions


def _turns(found: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each turn with its session, in the order in which they were said."""
    sessions = [
        (int(matched[1]), key)
        for key, turns in found.items()
        if (matched := _SESSION.fullmatch(key)) and isinstance(turns, list)
    ]
    for _, key in sorted(sessions):
        yield from ((key, turn) for turn in found[key] if isinstance(turn, Mapping))


def _date(value: Any) -> datetime | None:
    try:
        return datetime.strptime(text_of(value).strip(), _REALTALK_DATE)
    except ValueError:
        return None
