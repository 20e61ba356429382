"""The file of outcomes: results are kept across restarts, and other files are never changed."""

import json
from pathlib import Path

import pytest

from benchmarks.results import OtherRun, Outcomes, fingerprint

RUN = {"data": "abc", "format": "LoCoMo"}
FIRST = ("found", "workshop", "1", "default")
SECOND = ("found", "workshop", "2", "default")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "outcomes.jsonl"
    with Outcomes(path, RUN) as outcomes:
        outcomes.add(FIRST, found=["D1:1", "Fähre"])
        outcomes.add(SECOND, found=[])
    return path


def test_each_outcome_is_one_line(path: Path) -> None:
    header, first, _ = map(json.loads, path.read_text().splitlines())
    assert header == {"run": RUN}
    assert first == {
        "what": "found",
        "sample": "workshop",
        "question": "1",
        "profile": "default",
        "found": ["D1:1", "Fähre"],
    }


def test_restarted_run_continues(path: Path) -> None:
    third = ("found", "workshop", "2", "rrf")
    with Outcomes(path, RUN) as outcomes:
        assert FIRST in outcomes
        assert third not in outcomes
        outcomes.add(third, found=["D2:2"])
    with Outcomes(path, RUN) as outcomes:
        assert outcomes[FIRST] == {"found": ["D1:1", "Fähre"]}
        assert list(outcomes.of("found", "rrf")) == [{"found": ["D2:2"]}]
        assert len(outcomes) == 3


def test_run_killed_at_any_byte_continues(path: Path) -> None:
    whole = path.read_bytes()
    ends = [number + 1 for number, byte in enumerate(whole) if byte == ord("\n")]
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with Outcomes(path, RUN) as outcomes:
            assert len(outcomes) == max(0, sum(end <= length for end in ends) - 1)
            for key in (FIRST, SECOND):
                if key not in outcomes:
                    outcomes.add(key, found=["D1:1", "Fähre"] if key == FIRST else [])
        assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ('{"run": {"data": "xyz", "format": "LoCoMo"}}\n', "data xyz instead of abc"),
        ("Dear diary,\ntoday\n", "holds no outcomes"),
        ("Dear diary", "holds no outcomes"),
        ("\xff", "holds no outcomes"),
        ('{"run": 1}\n', "holds no outcomes"),
    ],
)
def test_unrelated_file_is_unchanged(tmp_path: Path, content: str, error: str) -> None:
    path = tmp_path / "mine"
    path.write_text(content, encoding="latin-1")
    with pytest.raises(OtherRun, match=error):
        Outcomes(path, RUN)
    assert path.read_text(encoding="latin-1") == content


def test_outcomes_stay_in_memory_without_a_file() -> None:
    with Outcomes(None, RUN) as outcomes:
        outcomes.add(FIRST, found=[])
        assert FIRST in outcomes


def test_fingerprint_depends_on_file_contents(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "a.json").write_text("1")
    before = fingerprint(folder)
    (folder / "notes.txt").write_text("mine")
    assert fingerprint(folder) == before
    (folder / "a.json").write_text("2")
    assert fingerprint(folder) != before
    assert fingerprint(folder / "a.json") != fingerprint(folder)
