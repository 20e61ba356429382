"""LongMemEval: for each question a haystack of dated chats, and the sessions that answer it.

``longmemeval_s``, ``_m`` and ``_oracle`` are lists of ``{"question_id", "question_type",
"question", "answer", "question_date", "haystack_session_ids", "haystack_dates",
"haystack_sessions": [[{"role", "content", "has_answer"}]], "answer_session_ids"}``. A question
whose id ends with ``_abs`` cannot be answered from its haystack. Turns have no ids: the published
evaluation calls the third turn of a session ``<session>_3``, and so does this.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from benchmarks.datasets.sample import BrokenData, Sample, SampleMessage, sample, text_of
from benchmarks.query_runner import Question

# "2023/05/20 (Sat) 02:21"; the day of the week says nothing new.
_DATE = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})(?:\s*\(\w+\))?(?:\s+(\d{1,2}):(\d{2}))?")


def is_longmemeval(found: Mapping[str, Any]) -> bool:
    """True if this is a question with its haystack."""
    return "haystack_sessions" in found


def read(found: Mapping[str, Any], default_id: str) -> Sample:
    """Read one question and its sessions; raises `BrokenData`."""
    id = text_of(found.get("question_id")) or default_id
    sessions = found["haystack_sessions"]
    ids = found.get("haystack_session_ids") or [f"session_{n}" for n in range(len(sessions))]
    dates = found.get("haystack_dates") or [""] * len(sessions)
    if not len(sessions) == len(ids) == len(dates):
        raise BrokenData(
            f"The question {id} has {len(sessions)} sessions, {len(ids)} session ids and "
            f"{len(dates)} dates."
        )
    talks: dict[str, list[SampleMessage]] = {}
    evidence: dict[str, None] = {}
    for number, (session, turns, date) in enumerate(
        zip(ids, sessions, dates, strict=True), start=1
    ):
        said_at = parse_date(date)
        said = []
        for place, turn in enumerate(turns, start=1):
            turn_id = f"{session}_{place}"
            said.append(
                SampleMessage(
                    turn_id,
                    session,
                    text_of(turn.get("content")),
                    role=text_of(turn.get("role")).lower(),
                    sent_at=said_at,
                )
            )
            if turn.get("has_answer"):
                evidence[turn_id] = None
        # Not the session's id, which says of some that they hold the answer.
        talks[f"Chat {number}"] = said
    unanswerable = id.endswith("_abs")
    answers = found.get("answer_session_ids") or []
    question = Question(
        text_of(found.get("question")),
        text_of(found.get("question_type")),
        # Nothing is to be found for a question that has no answer.
        [] if unanswerable else list(evidence),
        id=id,
        answer=text_of(found.get("answer")),
        asked_at=parse_date(found.get("question_date")),
        unanswerable=unanswerable,
        sessions=[] if unanswerable else [text_of(one) for one in answers],
    )
    return sample(id, talks, [question])


def parse_date(value: Any) -> datetime | None:
    """Read a date such as "2023/05/20 (Sat) 02:21"; None when it is none."""
    matched = _DATE.match(text_of(value).strip())
    if not matched:
        return None
    year, month, day, hour, minute = (int(part or 0) for part in matched.groups())
    try:
        return datetime(year, month, day, hour, minute)
    except ValueError:
        return None
