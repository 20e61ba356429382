"""The fit of the question adapter, and the questions and statements that it is fitted to."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.datasets import answered_questions
from benchmarks.datasets.answered_questions import Answered, Block
from benchmarks.datasets.sample import BrokenData
from benchmarks.question_adapter import Vectors, first_right, fitted, held_out

SIZE, BLOCKS, EACH = 16, 9, 12


def file(seed: int) -> Vectors:
    """Questions about one half of the numbers, each answered by the statement that has the same in
    the other half: only an adapter finds it.
    """
    chance = np.random.default_rng(seed)
    half = chance.normal(size=(BLOCKS * EACH, SIZE // 2)).astype(np.float32)
    none = np.zeros_like(half)
    unit = half / np.linalg.norm(half, axis=1, keepdims=True)
    blocks = np.repeat(np.arange(BLOCKS), EACH)
    return Vectors(
        np.hstack([unit, none]),
        np.hstack([none, unit]),
        blocks,
        blocks,
        np.eye(len(half), dtype=np.float32),
    )


def test_adapter_leads_from_questions_to_their_answers() -> None:
    made = [file(1), file(2)]
    nothing = np.zeros((SIZE, SIZE), np.float32)
    adapter = fitted(made)
    assert first_right(made, nothing) < 0.1
    assert first_right(made, adapter) > 0.9
    assert first_right([file(3)], adapter) > 0.9, "of questions that it has not seen"
    assert np.array_equal(adapter, fitted(made)), "the same files give the same"


def test_what_judges_a_fit_is_not_in_it() -> None:
    made = [file(1), file(2)]
    without, adapted = held_out(made)
    assert without < 0.2
    assert adapted > 0.7
    seen, judged = made[0].fold(1, rest=True), made[0].fold(1)
    assert not set(seen.stated_in) & set(judged.stated_in)
    assert len(seen.statements) + len(judged.statements) == len(made[0].statements)


def test_file_of_people_and_of_two_who_talk(tmp_path: Path) -> None:
    tmp_path.joinpath("mine.txt").write_text(
        "@ Nora, a nurse in Hull\n"
        "1 No grapefruit: it clashes with my pills.\n"
        "4 A: Pomelo is a relative of it.\n"
        "? what did you say = about pomelo = 4 1\n"
        "@ Maya and Theo, friends since school\n"
        "1 Maya: Guess what: I moved.\n"
        "? Where does Maya live? = 1\n"
    )
    ((nora, friends),) = answered_questions.files(tmp_path)
    assert nora == Block(
        "Nora, a nurse in Hull",
        set(),
        ["No grapefruit: it clashes with my pills.", "Pomelo is a relative of it."],
        [Answered("what did you say = about pomelo", [1, 0])],
    )
    assert friends.speakers == {"Maya"}
    assert friends.statements == ["Guess what: I moved."]


@pytest.mark.parametrize("line", ["? which pills = 7", "nothing of the kind", "? no answer ="])
def test_broken_line_is_named(tmp_path: Path, line: str) -> None:
    tmp_path.joinpath("mine.txt").write_text(f"@ Nora\n1 I have pills.\n{line}\n")
    with pytest.raises(BrokenData, match=r"mine\.txt, line 3"):
        answered_questions.files(tmp_path)


def test_what_ships_is_whole() -> None:
    blocks = [block for file in answered_questions.files() for block in file]
    assert len(blocks) > 80
    assert all(len(block.questions) > 25 and len(block.statements) > 35 for block in blocks)
