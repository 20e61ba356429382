"""The benchmark of everyday use, on an invented person."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks import everyday
from benchmarks.datasets import BrokenData, everyday_people
from benchmarks.datasets.everyday_people import Question
from benchmarks.everyday_scoring import Place, Shown, figures
from instances.models import Instance

PERSON: dict[str, Any] = {
    "person": "Iris",
    "language": "english",
    "about": "a potter",
    "memories": [
        {"id": "m1", "on": "2026-02-01", "by": "person", "content": "I am allergic to walnuts."}
    ],
    "files": [
        {
            "name": "guild.jsonl",
            "on": "2026-02-03",
            "memories": [{"id": "f1", "content": "Berta likes walnuts.", "importance": 9}],
        }
    ],
    "conversations": [
        {
            "on": "2026-02-02 08:00",
            "turns": [
                ["t1", "user", "greeting", "Good morning!"],
                ["t2", "assistant", "filler", "Good morning, Iris."],
                ["t3", "user", "statement", "I live in Hull, near the station."],
                ["t4", "assistant", "filler", "Noted."],
            ],
        },
        {
            "on": "2026-05-02 08:00",
            "turns": [
                ["t5", "user", "statement", "I live in Leeds now."],
                ["t6", "assistant", "filler", "Congratulations!"],
            ],
        },
    ],
    "questions": [
        {
            "id": "q1",
            "on": "2026-07-01 19:00",
            "kind": "changed",
            "text": "Where do I live?",
            "first": ["t5"],
            "outdated": ["t3"],
        },
        {"id": "q2", "on": "2026-07-01 19:01", "kind": "silent", "text": "Thank you!"},
    ],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "iris.json").write_text(json.dumps(PERSON))
    return tmp_path


@pytest.mark.django_db
def test_a_person_is_told_and_asked(folder: Path) -> None:
    (person,) = everyday_people.people(folder)
    with everyday.told(person) as story:
        memories = {memory.content: memory for memory in story.instance.memories.all()}
        assert memories["I am allergic to walnuts."].created_at.isoformat().startswith("2026-02-01")
        home = next(memory for text, memory in memories.items() if "Leeds" in text)
        assert "t5" in story.stated[home.pk]
        home_asked, thanks = (everyday.shown(story, each) for each in person.questions)
    assert "t5" in home_asked.places[0].ids
    assert home_asked.answered_by_memory
    assert thanks.places == []
    found = everyday.report({"Iris": [home_asked, thanks]}, [person])
    assert (found["hit_at_1"], found["silent"], found["questions"]) == (1.0, 1.0, 2)
    assert found["kinds"]["changed"]["current_first"] == 1.0
    assert not Instance.objects.filter(slug="everyday").exists()


def test_figures_of_places() -> None:
    question = Question(
        "q",
        datetime(2026, 7, 1),
        "changed",
        "?",
        frozenset({"new"}),
        frozenset({"beside"}),
        frozenset({"old"}),
        frozenset({"friend"}),
    )
    natures = {"ask": "question", "chat": "chatter"}

    def of(*places: str, memory: bool = False) -> dict[str, float]:
        shown = Shown(
            question,
            [Place(frozenset(ids.split("+")), is_memory=memory) for ids in places],
            answered_by_memory=True,
        )
        return figures([(shown, natures)])

    old_first = of("old", "new", "ask", "chat", "friend")
    assert (old_first["hit_at_1"], old_first["hit_at_5"]) == (0.0, 1.0)
    assert (old_first["right_at_5"], old_first["noise_at_5"]) == (0.2, 0.6)
    assert (old_first["current_first"], old_first["memory_first"]) == (0.0, 0.0)
    # A memory that was learned from both states what is true now.
    assert of("old+new", memory=True)["current_first"] == 1.0
    assert of("new", "old", memory=True)["memory_first"] == 1.0
    nothing = of()
    assert nothing["current_first"] == nothing["hit_at_5"] == nothing["noise_at_5"] == 0.0
    assert "right_at_5" not in nothing


@pytest.mark.parametrize(
    "change", [{"language": None, "questions": [{"id": "q"}]}, {"conversations": 3}]
)
def test_a_broken_file_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    (tmp_path / "x.json").write_text(json.dumps(PERSON | change))
    with pytest.raises(BrokenData, match=r"x\.json"):
        list(everyday_people.people(tmp_path))


def test_an_unknown_id_is_refused(tmp_path: Path) -> None:
    questions = [PERSON["questions"][0] | {"first": ["t99"]}]
    (tmp_path / "x.json").write_text(json.dumps(PERSON | {"questions": questions}))
    with pytest.raises(BrokenData, match="t99"):
        list(everyday_people.people(tmp_path))
