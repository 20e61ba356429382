"""The chats in several languages that ship with the recall benchmark."""

from collections import Counter

import pytest

from benchmarks import recall
from benchmarks.datasets import Sample, languages, open_data
from benchmarks.results import Outcomes
from tests.benchmarks.test_recall import run_benchmark

LANGUAGES = {
    "english",
    "german",
    "italian",
    "spanish",
    "french",
    "chinese",
    "japanese",
    "mixed",
}


@pytest.fixture(scope="module")
def shipped() -> list[Sample]:
    _, loaded = open_data(languages.FILE)
    return [sample for _, sample in loaded]


def test_each_language_has_its_number(shipped: list[Sample]) -> None:
    assert {sample.id for sample in shipped} == LANGUAGES
    for sample in shipped:
        assert 38 <= len(sample.sessions) <= 44, sample.id
        assert Counter(q.category for q in sample.questions) == {sample.id: 15}


def test_ids_are_unique_and_evidence_exists(shipped: list[Sample]) -> None:
    turns = [line for sample in shipped for line in sample.file.splitlines()]
    ids = [id for sample in shipped for id in sample.sessions]
    assert len(set(ids)) == len(ids) == len(turns)
    questions = [question for sample in shipped for question in sample.questions]
    assert len({question.id for question in questions}) == len(questions)
    for sample in shipped:
        for question in sample.questions:
            assert question.text and question.answer and question.asked_at
            assert question.evidence, question.id
            assert sample.sessions.keys() >= set(question.evidence), question.id


def test_no_question_is_asked_before_its_evidence(shipped: list[Sample]) -> None:
    for sample in shipped:
        for question in sample.questions:
            days = [
                sample.sessions[turn].removeprefix(f"{sample.id} ") for turn in question.evidence
            ]
            assert question.asked_at
            assert max(days) < question.asked_at.date().isoformat(), question.id


def test_they_need_no_path() -> None:
    options = recall._parser().parse_args(["--data", "languages"])
    assert options.data == languages.FILE
    assert recall._parser().parse_args(["--data", "./languages"]).data != languages.FILE


@pytest.mark.django_db
def test_one_language_can_be_asked() -> None:
    report = run_benchmark(languages.FILE, Outcomes(None, {}), samples=1, questions=3)
    summary = report.summary()
    assert summary["format"] == "Languages"
    assert summary["categories"]["english"]["questions"] == 3
    assert summary["turn_recall_at_10"] == 1.0
