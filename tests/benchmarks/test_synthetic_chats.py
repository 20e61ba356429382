"""Synthetic chats: deterministic, with the answer to each question in the turn it names."""

import json
from pathlib import Path

import pytest

from benchmarks import synthetic_chats
from benchmarks.datasets import open_data

KINDS = {
    "in passing",
    "in other words",
    "changed",
    "on a day",
    "in several turns",
    "by the assistant",
}


def test_generated_file_is_deterministic(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "one.json", tmp_path / "other.json"
    assert synthetic_chats.main([str(first), "--chats", "2"]) == 0
    assert synthetic_chats.main([str(second), "--chats", "2"]) == 0
    assert "2 chats with 560 messages" in capsys.readouterr().out
    assert first.read_bytes() == second.read_bytes()
    assert synthetic_chats.main([str(second), "--chats", "2", "--seed", "5"]) == 0
    assert first.read_bytes() != second.read_bytes()


def test_generated_file_is_read_as_beam(tmp_path: Path) -> None:
    path = tmp_path / "invented.json"
    synthetic_chats.main([str(path), "--chats", "1"])
    format, opened = open_data(path)
    ((_, sample),) = opened
    assert format.name == "BEAM"
    assert {question.category for question in sample.questions} == KINDS
    messages = {line["id"]: line for line in map(json.loads, sample.file.splitlines())}
    for question in sample.questions:
        assert question.evidence, question.text
        evidence = [messages[turn] for turn in question.evidence]
        by = "assistant" if question.category == "by the assistant" else "user"
        assert {turn["role"] for turn in evidence} == {by}
        if question.category in ("in passing", "on a day", "in several turns", "by the assistant"):
            texts = " ".join(turn["content"] for turn in evidence)
            assert all(word in texts for word in question.answer.split(", ")), question.text
    days = {turn["created_at"] for turn in messages.values()}
    assert len(days) == synthetic_chats.BATCHES


def test_each_day_contains_its_events(tmp_path: Path) -> None:
    row = synthetic_chats.invent(0)
    messages = {
        m["id"]: (batch[0]["time_anchor"], m["content"]) for batch in row["chat"] for m in batch
    }
    for question in row["probing_questions"]["on a day"]:
        (place,) = question["source_chat_ids"]
        anchor, content = messages[place]
        month, day, year = anchor.split("-")
        assert f"{int(day)} {month} {year}" in question["question"]
        assert question["answer"] in content


def test_assistant_answers_are_long() -> None:
    row = synthetic_chats.invent(0)
    lengths = sorted(len(m["content"]) for b in row["chat"] for m in b if m["role"] == "assistant")
    assert 1_200 < lengths[len(lengths) // 2] < 2_500
    assert lengths[-1] > 2_700


def test_too_small_size_is_rejected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        synthetic_chats.main([str(tmp_path / "few.json"), "--exchanges", "2"])
    assert "ten exchanges" in capsys.readouterr().err
