"""Cases and scores of the gate benchmark, on a small conversation of its data's form."""

import json
from pathlib import Path

import pytest

from benchmarks import gate
from benchmarks.gate_cases import CORRUPTED, NEGATED, TRUE, cases, read


def conversation(one: str, other: str, place: str) -> dict[str, object]:
    said = [
        (one, f"Yesterday I visited my sister in {place} with my 3 kids."),
        (other, "That sounds great! How was the long journey with them?"),
        (one, f"Fine, thanks, {other}. I did not take the car."),
        (other, f"I bought a red bicycle last week, {one}, and I love it."),
    ] * 6
    return {
        "sample_id": place,
        "conversation": {
            "speaker_a": one,
            "speaker_b": other,
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": who, "dia_id": f"D1:{number}", "text": text}
                for number, (who, text) in enumerate(said, 1)
            ],
        },
        "observation": {
            "session_1_observation": {
                one: [
                    [f"{one} visited her sister in {place} with her 3 kids.", "D1:1"],
                    [f"{one} did not take the car.", ["D1:3"]],
                ],
                other: [[f"{other} bought a red bicycle last week.", "D1:4"]],
            }
        },
        "qa": [
            {
                "question": f"When did {one} visit her sister?",
                "answer": "7 May 2023",
                "evidence": ["D1:1"],
                "category": 2,
            }
        ],
    }


DATA = [conversation("Mia", "Tom", "Lisbon"), conversation("Eva", "Jan", "Oslo")]


def test_all_kinds_of_cases_are_made_and_always_the_same() -> None:
    made = list(cases(read(DATA)))

    assert {(case.of_class, case.kind) for case in made} == {
        (TRUE, "fact"),
        (TRUE, "dated fact"),
        (TRUE, "standing wish"),
        (CORRUPTED, "number"),
        (CORRUPTED, "name"),
        (CORRUPTED, "person"),
        (CORRUPTED, "date"),
        (CORRUPTED, "other conversation"),
        (CORRUPTED, "question"),
        (CORRUPTED, "command"),
        (NEGATED, "put in"),
        (NEGATED, "taken out"),
    }
    assert made == list(cases(read(DATA)))


def test_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "data.json"
    path.write_text(json.dumps(DATA))

    assert gate.main(["--data", str(path), "--json"]) == 0

    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert figures["kept"] == 1
    assert figures["refused"] > 0.9
    assert figures["negations_refused"] > 0.7
    assert "corrupted: person" in figures["kinds"]


def test_a_file_of_another_kind_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_text("[]")

    with pytest.raises(SystemExit):
        gate.main(["--data", str(path)])
