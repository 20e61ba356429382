"""Why a proposal is refused. Pure."""

from dataclasses import dataclass
from enum import StrEnum


class RefusalReason(StrEnum):
    """Why a proposal is refused."""

    QUESTION = "question"
    COMMAND = "command"
    NAME = "name"
    NUMBER = "number"
    DATE = "date"
    UNSUPPORTED = "unsupported"
    SUBJECT = "subject"
    NEGATION = "negation"
    END_DATE = "end_date"


@dataclass(frozen=True)
class Refusal:
    """Why a proposal is not taken, for programs and in words that follow "it"."""

    reason: RefusalReason
    words: str
