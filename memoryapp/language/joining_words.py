"""The words with which a language joins clauses, and the members of a list. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True)
class JoiningWords:
    """Words in small letters."""

    #: "and".
    adding: frozenset[str]
    #: "or".
    choosing: frozenset[str]
    #: "but", and what else sets a clause against the one before it.
    opposing: frozenset[str]
    #: "because".
    giving_reasons: frozenset[str]
    #: "so".
    concluding: frozenset[str]
