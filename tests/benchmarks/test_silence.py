"""The silence benchmark from end to end, on an invented file."""

import json
from pathlib import Path

import pytest

from benchmarks import silence
from benchmarks.datasets import BrokenData
from instances.models import Instance
from memoryapp.models import Memory
from tests.benchmarks import samples

UNRELATED = [
    {"text": "Good morning!", "kind": "small talk"},
    {"text": "Write a haiku about the sea", "kind": "general task"},
    {"text": "asdfghjkl", "kind": "nonsense"},
    {"text": "What did Ines carve?", "kind": "not unrelated"},
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.json"
    path.write_text(json.dumps([samples.LOCOMO]))
    return path


@pytest.mark.django_db
def test_figures_of_each_profile(data: Path) -> None:
    format, outcomes = silence.run(data, UNRELATED)
    assert list(outcomes) == ["default", "rrf"]
    for outcome in outcomes.values():
        summary = outcome.summary(format.aside)
        assert summary["empty"] == 0.75
        assert summary["kinds"]["not unrelated"] == 0.0
        # "What do both own?" names nobody, and no word of it was said.
        assert summary["questions"] == 3
        assert summary["categories"]["2"] == summary["categories"]["4"] == 0.0
    assert not Instance.objects.filter(slug="sample").exists()
    assert not Memory.objects.exists()


def test_lost_evidence_is_counted_by_category_but_for_those_aside() -> None:
    outcome = silence.Outcome()
    for category, losses in (("1", [True, False]), ("4", [False, False]), ("5", [True])):
        share = outcome.lost.setdefault(category, silence.Share())
        for loses in losses:
            share.add("question", counts=loses, is_failure=loses)
    summary = outcome.summary(("5",))
    assert (summary["lost"], summary["questions"]) == (0.25, 4)
    assert summary["categories"] == {"1": 0.5, "4": 0.0, "5": 1.0}
    assert "category 5: 1.0000, not counted" in silence.report("x", outcome, ("5",), failures=False)


@pytest.mark.parametrize("content", ['["text"]', '[{"kind": "x"}]', "no JSON", "3"])
def test_broken_messages_are_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "messages.json"
    path.write_text(content)
    with pytest.raises(BrokenData):
        silence.read_messages(path)
