"""Readers of the data sets: sessions, questions, and the turns with the answers."""

import copy
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.datasets import BrokenData, Sample, open_data
from benchmarks.datasets.speakers import evidence
from tests.benchmarks import samples


def open_samples(path: Path) -> tuple[str, list[Sample]]:
    format, loaded = open_data(path)
    return format.name, [sample for _, sample in loaded]


def write_json(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=4))
    return path


def lines(sample: Sample) -> list[dict[str, Any]]:
    return [json.loads(line) for line in sample.file.splitlines()]


def questions_of(sample: Sample) -> dict[str, tuple[str, list[str]]]:
    return {q.id: (q.category, q.evidence) for q in sample.questions}


@pytest.mark.parametrize(
    ("raw", "ids"),
    [
        (["D8:6; D9:17"], ["D8:6", "D9:17"]),
        (["D30:05"], ["D30:5"]),
        (["D:11:26"], ["D11:26"]),
        (["D1:3", "D1:3", "D01:03"], ["D1:3"]),
        (["D2:1 D2:2,D2:3"], ["D2:1", "D2:2", "D2:3"]),
        (["D2:1-D2:3"], ["D2:1", "D2:2", "D2:3"]),
        (["D2:3-D2:4;D8:6"], ["D2:3", "D8:6"]),
        (["D2:1-D9:17"], ["D2:1", "D9:17"]),
        (["D1:3:D2:1"], ["D1:3", "D2:1"]),
        (["D1:3. D2:1."], ["D1:3", "D2:1"]),
        (["D 2:1", "D2;2", "9:17"], ["D2:1", "D2:2", "D9:17"]),
        (["at 9:17, D1:3"], ["D1:3"]),
        (["D"], []),
        (["D17"], []),
        ([""], []),
        ([], []),
        (None, []),
        ("D1:3", ["D1:3"]),
        (["D99:1", "D1:3"], ["D1:3"]),
    ],
)
def test_evidence(raw: Any, ids: list[str]) -> None:
    known = {"D1:3", "D2:1", "D2:2", "D2:3", "D8:6", "D9:17", "D30:5", "D11:26"}
    assert evidence(raw, known) == ids


@pytest.mark.parametrize("content", [[samples.LOCOMO], samples.LOCOMO])
def test_locomo(tmp_path: Path, content: Any) -> None:
    name, (sample,) = open_samples(write_json(tmp_path / "locomo10.json", content))
    assert name == "LoCoMo"
    assert sample.id == "workshop"
    assert json.loads(sample.file) == samples.LOCOMO, "the importer rejects the session"
    assert sample.sessions == {
        "D1:1": "session_1",
        "D1:2": "session_1",
        "D2:1": "session_2",
        "D2:2": "session_2",
    }
    assert questions_of(sample) == {
        "1": ("4", ["D1:1"]),
        "2": ("2", ["D2:1"]),
        "3": ("1", ["D1:1", "D2:1"]),
        "4": ("5", ["D1:2"]),
        "5": ("4", []),
    }
    assert [q.answer for q in sample.questions] == ["A heron", "2023", "Tools", "", "This"]
    assert [q.unanswerable for q in sample.questions] == [False, False, False, True, False]


def test_realtalk(tmp_path: Path) -> None:
    write_json(tmp_path / "data" / "Chat_10_Noor_Tomas.json", samples.REALTALK)
    write_json(tmp_path / "data" / "Chat_2_Noor_Tomas.json", samples.REALTALK)
    name, (first, second) = open_samples(tmp_path / "data")
    assert name == "REALTALK"
    assert (first.id, second.id) == ("Chat_2_Noor_Tomas", "Chat_10_Noor_Tomas")
    assert first.sessions["D1:4"] == "session_2", "the session of the id instead of the actual one"
    assert questions_of(first) == {
        "1": ("1", ["D1:2"]),
        "2": ("2", ["D1:4", "D1:6"]),
        "3": ("3", ["D1:6", "D1:3"]),
        "4": ("3", []),
    }
    messages = lines(first)
    assert messages[1] == {
        "conversation": "Chat_2_Noor_Tomas:1",
        "title": "Noor and Tomas B.",
        "id": "D1:2",
        "role": "user",
        "author": "Tomas B.",
        "content": "Stormy, we docked at Kiel at 3am lol",
        "created_at": "2023-12-29T22:44:10",
    }
    assert messages[2]["caption"] == "a ferry in a harbour at night"


def beam_folder(folder: Path, name: str = "chat.json", chat: Any = samples.BEAM_CHAT) -> Path:
    write_json(folder / name, chat)
    write_json(folder / "probing_questions" / "probing_questions.json", samples.BEAM_QUESTIONS)
    return folder


BEAM_EXPECTED = {
    "abstention-1": ("abstention", []),
    "event_ordering-1": ("event_ordering", ["0", "4"]),
    "information_extraction-1": ("information_extraction", ["2"]),
    "information_extraction-2": ("information_extraction", []),
    "knowledge_update-1": ("knowledge_update", ["0", "4"]),
}


def test_beam_folders(tmp_path: Path) -> None:
    beam_folder(tmp_path / "100K" / "10")
    cut = beam_folder(tmp_path / "100K" / "2")
    beam_folder(cut, "chat_trunecated.json", samples.BEAM_CHAT[:1])
    write_json(tmp_path / "100K" / "topics.json", {})
    name, (second, tenth) = open_samples(tmp_path)
    assert name == "BEAM"
    assert (second.id, tenth.id) == ("100K/2", "100K/10")
    assert set(second.sessions) == {"0", "1", "2", "3"}, "not the shortened chat"
    assert questions_of(second)["knowledge_update-1"] == ("knowledge_update", ["0"])
    assert questions_of(tenth) == BEAM_EXPECTED
    assert tenth.of_assistant == {"1", "3", "5"}
    assert tenth.sessions["3"] == "batch-1"
    assert tenth.sessions["4"] == "batch-2"
    first, *_, planted, _ = lines(tenth)
    assert first["content"] == "I plan to plant 14 plum trees along the creek."
    assert first["created_at"] == "2024-03-15T00:00:00"
    assert planted["content"] == "We planted 16 plum trees in the end."
    assert planted["created_at"] == "2024-04-02T00:00:00"
    answers = {q.id: q.answer for q in tenth.questions}
    assert answers["abstention-1"] == "The chat does not say."


def test_beam_by_the_path_of_the_chat(tmp_path: Path) -> None:
    chat = beam_folder(tmp_path / "3") / "chat.json"
    _, (sample,) = open_samples(chat)
    assert (sample.id, questions_of(sample)) == ("3", BEAM_EXPECTED)


def test_beam_with_plans(tmp_path: Path) -> None:
    first, second = copy.deepcopy(samples.BEAM_CHAT)
    # Ids that restart are ambiguous: two messages have them.
    second["turns"][0][1]["id"] = 2
    plans = [{"plan-1": [first]}, {"plan-1": None, "plan-2": [second]}]
    _, (sample,) = open_samples(beam_folder(tmp_path / "1", chat=plans))
    assert sample.sessions["0"] == "plan-1/batch-1"
    assert sample.sessions["4"] == "plan-2/batch-1"
    assert len(sample.sessions) == 6
    assert questions_of(sample)["information_extraction-1"] == ("information_extraction", [])


@pytest.mark.parametrize("rows", [[samples.BEAM_ROW], samples.BEAM_ROW])
def test_beam_rows(tmp_path: Path, rows: Any) -> None:
    _, (sample,) = open_samples(write_json(tmp_path / "beam.json", rows))
    assert (sample.id, questions_of(sample)) == ("7", BEAM_EXPECTED)
    assert lines(sample)[0]["title"] == "Plum trees"
    assert sample.sessions["4"] == "batch-2"


def test_beam_with_questions_in_a_list(tmp_path: Path) -> None:
    listed = [
        {**question, "category": ability}
        for ability, questions in samples.BEAM_QUESTIONS.items()
        for question in questions
    ]
    row = {"chat": samples.BEAM_CHAT, "probing_questions": listed}
    _, (sample,) = open_samples(write_json(tmp_path / "plums.json", row))
    assert (sample.id, questions_of(sample)) == ("plums", BEAM_EXPECTED)


@pytest.mark.parametrize(
    "content",
    [
        {"first": samples.REALTALK, "second": samples.REALTALK},
        {"samples": [samples.REALTALK, samples.REALTALK]},
    ],
)
def test_samples_by_name(tmp_path: Path, content: Any) -> None:
    name, loaded = open_samples(write_json(tmp_path / "realtalk.json", content))
    assert name == "REALTALK"
    assert [sample.id for sample in loaded] == ["realtalk", "realtalk-2"]


@pytest.mark.parametrize(
    "content",
    [samples.LONGMEMEVAL, "\n".join(map(json.dumps, samples.LONGMEMEVAL))],
    ids=["list", "lines"],
)
def test_longmemeval(tmp_path: Path, content: Any) -> None:
    name, (dog, bridge, hives) = open_samples(write_json(tmp_path / "longmemeval_s.json", content))
    assert name == "LongMemEval"
    (question,) = dog.questions
    assert question.evidence == ["answer_280352e9_1"]
    assert question.sessions == ["answer_280352e9"]
    assert question.asked_at == datetime(2023, 5, 30, 23, 40)
    assert bridge.questions[0].evidence == ["answer_ultrachat_1_2"]
    assert bridge.of_assistant == {"answer_ultrachat_1_2"}
    (unanswerable,) = hives.questions
    assert unanswerable.unanswerable
    assert (unanswerable.evidence, unanswerable.sessions) == ([], [])
    assert unanswerable.answer == "0"
    first, *_ = lines(dog)
    assert first["created_at"] == "2023-05-20T02:21:00"
    assert len({line["conversation"] for line in lines(dog)}) == 2
    assert "answer" not in " ".join(line["title"] for line in lines(dog)), (
        "the transcript contains hints"
    )


def test_duplicate_session_of_a_haystack_is_imported_twice(tmp_path: Path) -> None:
    twice = copy.deepcopy(samples.LONGMEMEVAL[0])
    for key in ("haystack_dates", "haystack_session_ids", "haystack_sessions"):
        twice[key].append(twice[key][0])
    _, (sample,) = open_samples(write_json(tmp_path / "s.json", [twice]))
    assert len(lines(sample)) == 7
    assert len(sample.sessions) == 5


@pytest.mark.parametrize(
    ("content", "messages"),
    [
        ('{"hello": 1}', "no known format. Accepted are"),
        ("[]", "no objects"),
        ("[1, 2]", "no objects"),
        ("", "cannot be read"),
        ("{", "cannot be read"),
        ('[{"haystack_sessions": [', "cannot be read"),
        (json.dumps([samples.LOCOMO, {"hello": 1}]), "does not look like LoCoMo"),
        (json.dumps([samples.LOCOMO, samples.LOCOMO]), "two samples have the id workshop"),
        ('[{"haystack_sessions": [[]], "haystack_dates": ["a", "b"]}]', "2 dates"),
        ('[{"haystack_sessions": 5}]', "not built as LongMemEval"),
        ('[{"chat": [], "probing_questions": {}}]', "no messages"),
        (
            '[{"chat": [{"role": "user", "content": "a"}], "probing_questions": "{"}]',
            "neither JSON",
        ),
        ('[{"session_1": [{"clean_text": "a"}], "qa": {"1": 1}}]', "not a list of questions"),
    ],
)
def test_unreadable_files_are_reported(tmp_path: Path, content: str, messages: str) -> None:
    with pytest.raises(BrokenData, match=messages):
        open_samples(write_json(tmp_path / "data.json", content))


def test_folders_without_data(tmp_path: Path) -> None:
    with pytest.raises(BrokenData, match="no files of JSON"):
        open_samples(tmp_path)
    with pytest.raises(BrokenData, match="neither a file nor a folder"):
        open_samples(tmp_path / "nowhere")
    chat = write_json(tmp_path / "4" / "chat.json", samples.BEAM_CHAT)
    with pytest.raises(BrokenData, match=r"probing_questions\.json beside it"):
        open_samples(chat)
