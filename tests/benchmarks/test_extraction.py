"""The benchmark of the built-in reader, and the training of its classifier."""

import json
from pathlib import Path

import pytest

from benchmarks import extraction, reader_training
from memoryapp.reader.classifier import WEIGHTS

LOCOMO = [
    {
        "sample_id": "s",
        "conversation": {
            "speaker_a": "Mia",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {
                    "speaker": "Mia",
                    "dia_id": "D1:1",
                    "text": "I moved to Porto with my sister yesterday. It was hard!",
                },
                {"speaker": "Ben", "dia_id": "D1:2", "text": "Wow, that's great!"},
                {
                    "speaker": "Ben",
                    "dia_id": "D1:3",
                    "text": "I adopted two kittens from the shelter in Leeds last week.",
                },
            ],
        },
        "observation": {
            "session_1_observation": {"Mia": [["Mia moved to Porto with her sister.", "D1:1"]]}
        },
        "qa": [],
    }
]


def test_turns_are_compared_with_observations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "locomo.json"
    data.write_text(json.dumps(LOCOMO))
    assert extraction.main(["--data", str(data), "--no-cosine", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (figures["precision"], figures["recall"], figures["facts"]) == (0.5, 1.0, 2)
    assert figures["unresolved"] == figures["refused_by_gate"] == 0.0


def test_chats_are_read_precisely(capsys: pytest.CaptureFixture[str]) -> None:
    assert extraction.main(["--chats", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])["chats"]
    # The rules are made with the first; the others are as hard as messages of anybody else.
    for part, precision in (("development", 0.95), ("held_out", 0.88)):
        assert figures[part]["precision"] >= precision
        assert figures[part]["recall"] >= 0.55
        assert figures[part]["first_days"] >= 0.8


def test_training_gives_the_weights_that_come_with_keepsake(tmp_path: Path) -> None:
    weights = tmp_path / "weights.json"
    assert reader_training.main(["--weights", str(weights)]) == 0
    assert json.loads(weights.read_text()) == json.loads(WEIGHTS.read_text())


def test_data_or_chats_must_be_given() -> None:
    with pytest.raises(SystemExit):
        extraction.main([])
