"""The formats by name, how each shows, and what kinds of question it has."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.datasets import beam, languages, longmemeval, speakers
from benchmarks.datasets.sample import Sample
from benchmarks.query_runner import LIMIT
from benchmarks.scoring import DEPTHS, EVIDENCE, HAYSTACK, Measure


@dataclass(frozen=True)
class Format:
    """How the samples of a data set are recognised and read."""

    name: str
    is_sample: Callable[[Mapping[str, Any]], bool]
    read: Callable[[Mapping[str, Any], str], Sample]
    #: Kinds of question and what they are about; others go by their own name.
    categories: Mapping[str, str] = field(default_factory=dict)
    #: Kinds that are reported beside the headline and do not count towards it.
    aside: tuple[str, ...] = ()
    measures: Sequence[Measure] = EVIDENCE
    #: The table of the documentation that has a row of it.
    table: str = "recall"
    #: Results that a question asks for.
    limit: int = LIMIT


FORMATS = {
    "longmemeval": Format(
        "LongMemEval",
        longmemeval.is_longmemeval,
        longmemeval.read,
        measures=HAYSTACK,
        table="longmemeval",
        limit=max(DEPTHS),
    ),
    "beam": Format("BEAM", beam.is_beam, beam.read),
    "languages": Format("Languages", languages.is_languages, languages.read),
    "locomo": Format(
        "LoCoMo",
        speakers.is_locomo,
        speakers.read_locomo,
        {
            "1": "several turns",
            "2": "dates",
            "3": "open domain",
            "4": "a single turn",
            "5": "wrong speaker",
        },
        aside=("5",),
    ),
    "realtalk": Format(
        "REALTALK",
        speakers.is_realtalk,
        speakers.read_realtalk,
        {"1": "several turns", "2": "dates", "3": "common sense"},
    ),
}


def find_format(found: Mapping[str, Any]) -> Format | None:
    """Return the format that an object has by its looks."""
    return next((one for one in FORMATS.values() if one.is_sample(found)), None)
