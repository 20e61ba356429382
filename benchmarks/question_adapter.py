"""``python -m benchmarks.question_adapter [FILE]``: the question adapter.

The multilingual embedder puts texts near each other that are about the same. What answers a
question is often about something else: "What should I not cook?" and a nut allergy. The adapter is
a matrix ``A`` that moves the vector ``q`` of a question towards those of its answers, ``q + qA``;
texts keep their vectors. It is fitted to questions and statements that were made for this
(`benchmarks.datasets.answered_questions`): for each question, those that answer it shall be the
most likely ones of all statements of its file, by a softmax over cosines.

With FILE, the matrix is written there; without, it is compared with the one in use.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from benchmarks import command
from benchmarks.conditional_logit import Adam, softmax
from benchmarks.datasets import answered_questions
from benchmarks.datasets.answered_questions import Block

if TYPE_CHECKING:
    from memoryapp.providers.builtin_embedder import BuiltinEmbedder

Matrix = NDArray[np.float32]

#: The worth of an answer that is not the best one.
BESIDE = 0.5
#: The factor of cosines in the softmax.
SHARPNESS = 20.0
#: The penalty for large entries; rounds over all blocks, and the rate of the steps, which falls to
#: 0; and what keeps the steps of small gradients small.
RIDGE, ROUNDS, RATE, EPSILON = 0.03, 6, 7e-4, 1e-6
#: Every so many blocks are left out of a fit, which is then judged by them.
FOLDS = 3


@dataclass(frozen=True)
class Vectors:
    """A file as vectors: its questions of shape (q, n) and its statements of shape (s, n), each
    with the number of its block, and what each statement is worth as an answer, of shape (q, s)
    with rows that sum up to 1.
    """

    questions: Matrix
    statements: Matrix
    asked_in: NDArray[np.int64]
    stated_in: NDArray[np.int64]
    worth: Matrix

    def batches(self) -> "Iterator[Vectors]":
        """The questions of one block after another, each among all statements."""
        everything = np.ones(len(self.statements), bool)
        return (self._of(self.asked_in == one, everything) for one in np.unique(self.asked_in))

    def fold(self, number: int, *, rest: bool = False) -> "Vectors":
        """The blocks of a fold, or all the others: nothing that is judged has been seen."""
        return self._of(
            (self.asked_in % FOLDS != number) == rest, (self.stated_in % FOLDS != number) == rest
        )

    def _of(self, questions: NDArray[np.bool_], statements: NDArray[np.bool_]) -> "Vectors":
        return Vectors(
            self.questions[questions],
            self.statements[statements],
            self.asked_in[questions],
            self.stated_in[statements],
            self.worth[np.ix_(questions, statements)],
        )


def fitted(files: Sequence[Vectors]) -> Matrix:
    """The adapter that fits *files*: shape (n, n). The same files give the same."""
    batches = [batch for file in files for batch in file.batches()]
    size = batches[0].questions.shape[1]
    adapter: Matrix = np.zeros((size, size), np.float32)
    descent, chance = Adam(adapter, epsilon=EPSILON), np.random.default_rng(0)
    order = [at for _ in range(ROUNDS) for at in chance.permutation(len(batches))]
    for number, at in enumerate(order, start=1):
        gradient = _gradient(adapter, batches[at]) + RIDGE * adapter
        adapter += RATE * (1 - number / len(order)) * descent.step(gradient)
    return adapter


def _gradient(adapter: Matrix, batch: Vectors) -> Matrix:
    scores = SHARPNESS * _asked(batch, adapter) @ batch.statements.T
    likely: Matrix = softmax(scores)
    surplus: Matrix = likely - batch.worth
    gradient: Matrix = batch.questions.T @ (surplus @ batch.statements)
    return np.float32(SHARPNESS / len(surplus)) * gradient


def _asked(vectors: Vectors, adapter: Matrix) -> Matrix:
    asked: Matrix = vectors.questions + vectors.questions @ adapter
    return asked


def first_right(files: Sequence[Vectors], adapter: Matrix) -> float:
    """The share of questions whose nearest statement of their file answers them."""
    firsts = [
        file.worth[np.arange(len(file.worth)), nearest] > 0
        for file in files
        for nearest in [(_asked(file, adapter) @ file.statements.T).argmax(axis=1)]
    ]
    return float(np.concatenate(firsts).mean())


def held_out(files: Sequence[Vectors]) -> tuple[float, float]:
    """`first_right` of blocks without an adapter, and with one that they did not fit."""
    shares = []
    for number in range(FOLDS):
        adapter = fitted([file.fold(number, rest=True) for file in files])
        # A file may have fewer blocks than there are folds.
        judged = [fold for file in files if len((fold := file.fold(number)).questions)]
        shares.append((first_right(judged, np.zeros_like(adapter)), first_right(judged, adapter)))
    without, adapted = np.mean(shares, axis=0)
    return float(without), float(adapted)


def vectors_of(blocks: Sequence[Block], embedder: "BuiltinEmbedder") -> Vectors:
    """The vectors of a file of *blocks*, before an adapter. A question about one of two people is
    asked as this person would ask, as a search for turns does.
    """
    from memoryapp.recall.query_analysis import analyse

    asked = [
        analyse(each.text, participants=block.speakers, today=date.min).in_first_person
        for block in blocks
        for each in block.questions
    ]
    statements = [text for block in blocks for text in block.statements]
    return Vectors(
        embedder.embed(asked, as_questions=True).vectors,
        embedder.embed(statements).vectors,
        np.repeat(np.arange(len(blocks)), [len(block.questions) for block in blocks]),
        np.repeat(np.arange(len(blocks)), [len(block.statements) for block in blocks]),
        _worth(blocks, len(statements)),
    )


def _worth(blocks: Sequence[Block], statements: int) -> Matrix:
    rows, before = [], 0
    for block in blocks:
        for question in block.questions:
            row = np.zeros(statements, np.float32)
            row[[before + each for each in question.by]] = BESIDE
            row[before + question.by[0]] = 1.0
            rows.append(row / row.sum())
        before += len(block.statements)
    return np.array(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit the adapter; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.question_adapter",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE")
    parser.add_argument(
        "--folder", type=Path, default=answered_questions.FOLDER, help="default: %(default)s"
    )
    options = parser.parse_args(arguments)
    with command.running(parser):
        from memoryapp.providers.builtin_embedder import BuiltinEmbedder, question_adapter
        from memoryapp.providers.builtin_model.catalogue import BuiltinModel

        embedder = BuiltinEmbedder(BuiltinModel.MULTILINGUAL, adapts_questions=False)
        files = [vectors_of(each, embedder) for each in answered_questions.files(options.folder)]
        adapter = fitted(files)
        if options.file:
            np.save(options.file, adapter.astype(np.float16))
        used = question_adapter()
    without, apart = held_out(files)
    print(f"{sum(len(each.questions) for each in files)} questions, answered first")
    print(f"  with the adapter in use  {first_right(files, used):.3f}")
    print(f"  with the fitted one      {first_right(files, adapter):.3f}")
    print(f"  a third of the blocks, without an adapter          {without:.3f}")
    print(f"  the same, with one that is fitted to the others    {apart:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
