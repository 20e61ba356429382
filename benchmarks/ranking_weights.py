"""Fits the weights of the ranking to several data sets at once, and prints them beside the present.

For each question, all candidates of a search are taken with the parts of their scores, each divided
by its weight: what is left are the signals. A conditional logit model (McFadden, "Conditional logit
analysis of qualitative choice behavior", 1974) gives the weights with which those that answer are
the most likely ones. Each data set counts the same, however many questions it has.

Part "said" follows from "meaning" and "words": a second run begins from the weights of the first.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from benchmarks import command
from benchmarks.conditional_logit import Adam, softmax
from benchmarks.datasets import everyday_people, languages, open_data

if TYPE_CHECKING:
    from memoryapp.recall import Hit

DATABASE = "keepsake_benchmark_weights"
#: Candidates per question.
CANDIDATES = 40
#: What an answer is worth that may stand beside the one that should stand first.
BESIDE = 0.35
#: The penalty for large weights, and the number and the rate of the steps of the descent.
RIDGE, STEPS, RATE = 0.02, 300, 0.15
#: Every so many conversations are left out of a fit, which is then judged by them.
FOLDS = 3


@dataclass(frozen=True)
class Candidates:
    """The candidates of a question: their signals, of shape (n, signals), and what each is worth as
    an answer, of shape (n,). The conversation is a number within its data set.
    """

    conversation: int
    signals: NDArray[np.float64]
    worth: NDArray[np.float64]


def fitted(
    sets: Sequence[Sequence[Candidates]], present: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The weights of shape (signals,) that fit *sets*, found from those at *present*."""
    usable = [
        (each, 1 / len(questions)) for questions in sets for each in questions if each.worth.any()
    ]
    if not usable:
        return present
    scale = np.concatenate([each.signals for each, _ in usable]).std(axis=0)
    varies = scale > 0
    weights, descent = present.copy(), Adam(present)
    for _ in range(STEPS):
        gradient = RIDGE * weights * scale**2
        for each, share in usable:
            likely = softmax(each.signals @ weights)
            gradient += share * (each.signals.T @ (likely - each.worth / each.worth.sum()))
        gradient = np.divide(gradient, scale, out=np.zeros_like(gradient), where=varies)
        step = RATE * descent.step(gradient)
        weights += np.divide(step, scale, out=np.zeros_like(step), where=varies)
    return weights


def first_right(questions: Sequence[Candidates], weights: NDArray[np.float64]) -> float:
    """The share of *questions* for which an answer stands first, of those that have one."""
    answered = [each for each in questions if each.worth.any()]
    firsts = [each.worth[np.argmax(each.signals @ weights)] > 0 for each in answered]
    return float(np.mean(firsts)) if firsts else 0.0


def held_out(sets: Sequence[Sequence[Candidates]], present: NDArray[np.float64]) -> list[float]:
    """`first_right` of each of *sets* with weights that its own conversations did not fit."""
    shares: list[list[float]] = [[] for _ in sets]
    for fold in range(FOLDS):
        rest = [[each for each in one if each.conversation % FOLDS != fold] for one in sets]
        weights = fitted([one for one in rest if one], present)
        for share, one in zip(shares, sets, strict=True):
            if judged := [each for each in one if each.conversation % FOLDS == fold]:
                share.append(first_right(judged, weights))
    return [float(np.mean(share)) if share else 0.0 for share in shares]


def _candidates(
    conversation: int, hits: "Sequence[Hit]", worth: Sequence[float], weights: Mapping[str, float]
) -> Candidates:
    signals = [
        [hit.parts.get(name, 0.0) / weight for name, weight in weights.items()] for hit in hits
    ]
    return Candidates(conversation, np.array(signals), np.array(worth))


def _of_conversations(path: Path, weights: Mapping[str, float]) -> Iterator[Candidates]:
    """The candidates of the questions of a data set of `benchmarks.recall`."""
    from benchmarks.dataset_runner import furnished
    from benchmarks.query_runner import on_the_day_of
    from memoryapp.recall import RecallOptions, recall

    format, samples = open_data(path, "")
    options = RecallOptions(limit=CANDIDATES, only_relevant=False)
    for number, (_, sample) in enumerate(samples):
        with furnished(sample) as instance:
            for question in sample.questions:
                if not question.evidence or question.category in format.aside:
                    continue
                with on_the_day_of(question, instance):
                    hits = recall(instance, question.text, options).hits
                if hits:
                    worth = [float(_turn(hit) in question.evidence) for hit in hits]
                    yield _candidates(number, hits, worth, weights)
        print(f"{sample.id}: {len(sample.questions)} questions", file=sys.stderr, flush=True)


def _turn(hit: "Hit") -> str:
    return hit.message.external_id if hit.message and not hit.memory else ""


def _of_everyday(people: int | None, weights: Mapping[str, float]) -> Iterator[Candidates]:
    """The candidates of the questions of the first *people* of everyday use; None: of all."""
    from benchmarks.everyday import at, told
    from memoryapp.recall import RecallOptions, recall

    options = RecallOptions(limit=CANDIDATES, only_relevant=False, is_message=True)
    for number, person in enumerate(list(everyday_people.people())[:people]):
        with told(person) as story:
            for question in person.questions:
                with at(question.on, story.instance):
                    hits = recall(story.instance, question.text, options).hits
                worth = [
                    1.0 if question.first & ids else BESIDE if question.right & ids else 0.0
                    for ids in map(story.ids, hits)
                ]
                if hits:
                    yield _candidates(number, hits, worth, weights)
        print(f"{person.name}: {len(person.questions)} questions", file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit and print the weights; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ranking_weights",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--data",
        action="append",
        default=[],
        metavar="PATH",
        help="a data set as for benchmarks.recall; the chats in several languages and everyday use "
        "are always among them",
    )
    parser.add_argument(
        "--people", type=int, metavar="N", help="take only the first N people of everyday use"
    )
    command.add_embedder(parser)
    command.add_database(parser, DATABASE)
    options = parser.parse_args(arguments)
    with command.running(parser):
        command.use_embedder(options.embedder)
        # Only now: these need the set-up.
        from benchmarks.databases import fresh_database
        from memoryapp.recall.scoring import NAMES, WEIGHTS

        weights = {name: getattr(WEIGHTS, name) for name in NAMES}
        present = np.array(list(weights.values()))
        paths = [*map(Path, options.data), languages.FILE]
        with fresh_database(options.database):
            sets = [list(_of_conversations(path, weights)) for path in paths]
            sets.append(list(_of_everyday(options.people, weights)))
    found = fitted(sets, present)
    print(f"{'weight':12} {'present':>8} {'fitted':>8}")
    for name, now, new in zip(weights, present, found, strict=True):
        # A loss is a negative part of a positive weight.
        print(f"{name:12} {now:8.2f} {new:8.2f}")
    print(f"{'first right':12} {'present':>8} {'fitted':>8} {'held out':>8}")
    names = [*(path.name for path in paths), "everyday"]
    for name, one, apart in zip(names, sets, held_out(sets, present), strict=True):
        now, new = first_right(one, present), first_right(one, found)
        print(f"{name[:24]:24} {now:.3f} {new:.3f} {apart:.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
