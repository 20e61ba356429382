"""The benchmark of sensitive areas, and a floor under what it measures."""

import pytest

from benchmarks.sensitive_areas import DEVELOPMENT, HELD_OUT, main, measured, sentences
from memoryapp.policy.sensitivity import LANGUAGES, SensitiveArea


def test_each_area_has_sentences_in_each_language() -> None:
    for path in (DEVELOPMENT, HELD_OUT):
        told = {(case.language, area) for case in sentences(path) for area in case.areas}
        assert told == {(language, area) for language in LANGUAGES for area in SensitiveArea}


def test_halves_share_no_sentence() -> None:
    halves = [{case.text for case in sentences(path)} for path in (DEVELOPMENT, HELD_OUT)]
    assert halves[0].isdisjoint(halves[1])


def test_what_was_fitted_stays_recognised() -> None:
    figures = measured(list(sentences(DEVELOPMENT)))
    for row in (*(area.value for area in SensitiveArea), *LANGUAGES):
        assert figures.precision(row) >= 0.95, row
        assert figures.recall(row) >= 0.95, row


def test_sentences_to_which_no_word_was_fitted_are_recognised() -> None:
    figures = measured(list(sentences(HELD_OUT)))
    assert figures.precision() >= 0.9
    assert figures.recall() >= 0.85


def test_report_names_each_row(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[2:]] == [*SensitiveArea, *LANGUAGES, "all"]
