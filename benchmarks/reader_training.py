"""``python -m benchmarks.reader_training``: fit the classifier of the built-in reader.

Reads the sentences in ``benchmarks/datasets/reader_training.txt``, which were made for this, and
writes ``memoryapp/reader/weights.json``. A logistic regression with a penalty on large
weights, by Newton's method; the same sentences always give the same weights.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks import command
from memoryapp.reader.classifier import WEIGHTS
from memoryapp.reader.languages import LANGUAGES
from memoryapp.reader.statement import features, statement, words_of

SENTENCES = Path(__file__).with_name("datasets") / "reader_training.txt"
#: Penalty on the squares of the weights of standardised features.
PENALTY = 5.0
#: From which probability on a statement is kept: precision goes before recall.
THRESHOLDS = {"threshold": 0.5, "threshold_to_assistant": 0.2}
_STEPS = 25


def examples(text: str) -> Iterator[tuple[dict[str, float], bool]]:
    """The features of each statement in *text*, and whether it is worth keeping."""
    language = LANGUAGES["english"]
    for message in text.split("\n\n"):
        lines = [line for line in message.splitlines() if line[:1] in "+-"]
        said = [line[2:] for line in lines]
        turn_words = sum(len(words_of(each)) for each in said)
        for line, sentence in zip(lines, said, strict=True):
            if made := statement(sentence, language):
                found = features(made, language, turn_words=turn_words)
                yield dict(found), line.startswith("+")


def fit(rows: Sequence[tuple[dict[str, float], bool]]) -> tuple[dict[str, float], float]:
    """The weight of each feature, and the bias."""
    names = sorted(rows[0][0])
    table = np.array([[row[name] for name in names] for row, _ in rows])
    wanted = np.array([float(keep) for _, keep in rows])
    mean, spread = table.mean(axis=0), table.std(axis=0)
    spread[spread == 0] = 1.0
    inputs = np.hstack([(table - mean) / spread, np.ones((len(rows), 1))])
    penalty = np.diag([PENALTY] * len(names) + [0.0])
    weights = np.zeros(len(names) + 1)
    for _ in range(_STEPS):
        predicted = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (predicted - wanted) + penalty @ weights
        curve = (inputs * (predicted * (1 - predicted))[:, None]).T @ inputs + penalty
        weights -= np.linalg.solve(curve, slope)
    own = weights[:-1] / spread
    bias = float(weights[-1] - own @ mean)
    return {name: round(float(one), 4) for name, one in zip(names, own, strict=True)}, bias


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit the classifier, write its weights and print them; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.reader_training",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sentences", type=Path, default=SENTENCES, help="default: %(default)s")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="default: %(default)s")
    options = parser.parse_args(arguments)
    with command.running(parser):
        rows = list(examples(options.sentences.read_text("utf-8")))
        weights, bias = fit(rows)
        stored = {"weights": weights, "bias": round(bias, 4), **THRESHOLDS}
        options.weights.write_text(json.dumps(stored, indent=2) + "\n", "utf-8")
    print(f"{len(rows)} statements, {sum(keep for _, keep in rows)} worth keeping")
    for name, weight in weights.items():
        print(f"{name:18} {weight:+.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
