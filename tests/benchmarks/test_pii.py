"""Scores of the PII benchmark: true and false positives."""

import json
import random
from pathlib import Path

import pytest

from benchmarks import pii, pii_variants
from instances.languages import LANGUAGES


def sample(text: str, *labels: tuple[str, str]) -> dict[str, object]:
    return {
        "text": text,
        "spans": [
            {"type": kind, "start": text.index(value), "end": text.index(value) + len(value)}
            for kind, value in labels
        ],
    }


SAMPLES = [
    sample("Call me at 555-0199, please", ("PHONE_NUMBER", "555-0199")),
    # A match with only separators around it.
    sample("Call (541) 714-1388 now", ("PHONE_NUMBER", "541) 714-1388")),
    # A match with one digit too many: a false positive and a miss.
    sample("IBAN DE89370400440532013000", ("IBAN_CODE", "DE8937040044053201300")),
    # Not labelled
    sample("ann@example.org wrote"),
    # Not detected
    sample("My SSN is five three six", ("US_SSN", "five three six")),
    # Of a kind that the data does not label
    sample("My password is hunter2"),
]


def test_scores() -> None:
    scores, unlabelled = pii.score(SAMPLES)

    figures = {
        name: (score.precision, score.recall)
        for name, score in scores.items()
        if score.findings + score.labels
    }
    assert figures == {
        "PHONE_NUMBER": (1.0, 1.0),
        "IBAN_CODE": (0.0, 0.0),
        "EMAIL_ADDRESS": (0.0, 1.0),
        "US_SSN": (1.0, 0.0),
    }
    assert unlabelled == {"PASSWORD": 1}


def test_figures_are_printed_last(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "labelled.json"
    data.write_text(json.dumps(SAMPLES[:2]))

    assert pii.main(["--data", str(data), "--json"]) == 0

    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert set(figures) == {*pii.TYPES.values(), "variants"}
    assert figures["PHONE_NUMBER"] == {"precision": 1.0, "recall": 1.0}


def test_invalid_file_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        pii.main(["--data", str(tmp_path / "none.json")])

    assert "none.json cannot be read" in capsys.readouterr().err


def test_every_language_of_the_search_is_among_the_variants() -> None:
    languages = {label for name, label in LANGUAGES if name != "simple"} - {"English"}

    assert languages <= pii_variants.IN_LANGUAGES.keys()


def test_each_variant_is_found() -> None:
    rng = random.Random(7)  # noqa: S311 - invented values.
    found = {str(each) for each in pii_variants.variants() if each.is_right(rng)}

    assert {str(each) for each in pii_variants.variants()} - found == set()
