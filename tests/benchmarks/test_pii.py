"""The measure: what counts as found, and what as wrong."""

import json
from pathlib import Path

import pytest

from benchmarks import pii


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
    # Found with nothing more than separators around it.
    sample("Call (541) 714-1388 now", ("PHONE_NUMBER", "541) 714-1388")),
    # Found with a digit too many: wrong, and missed.
    sample("IBAN DE89370400440532013000", ("IBAN_CODE", "DE8937040044053201300")),
    # Not labelled.
    sample("ann@example.org wrote"),
    # Not found.
    sample("My SSN is five three six", ("US_SSN", "five three six")),
    # Of a kind that the data does not label.
    sample("My password is hunter2"),
]


def test_scores() -> None:
    scores, others = pii.score(SAMPLES)

    figures = {
        name: (one.precision, one.recall)
        for name, one in scores.items()
        if one.findings + one.labels
    }
    assert figures == {
        "PHONE_NUMBER": (1.0, 1.0),
        "IBAN_CODE": (0.0, 0.0),
        "EMAIL_ADDRESS": (0.0, 1.0),
        "US_SSN": (1.0, 0.0),
    }
    assert others == {"PASSWORD": 1}


def test_prints_the_figures_last(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "labelled.json"
    data.write_text(json.dumps(SAMPLES[:2]))

    assert pii.main(["--data", str(data), "--json"]) == 0

    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert set(figures) == set(pii.TYPES.values())
    assert figures["PHONE_NUMBER"] == {"precision": 1.0, "recall": 1.0}


def test_says_what_is_wrong_with_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        pii.main(["--data", str(tmp_path / "none.json")])

    assert "none.json cannot be read" in capsys.readouterr().err
