"""How likely a statement is worth keeping: a logistic regression over its surface. Pure.

The weights are made by ``python -m benchmarks.reader_training``, from sentences that come with it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path

WEIGHTS = Path(__file__).with_name("weights.json")


@dataclass(frozen=True)
class Classifier:
    """The weight of each feature, and from which probability on a statement is kept: people talk to
    each other about themselves most of the time, and to an assistant only with a reason.
    """

    weights: Mapping[str, float]
    bias: float
    threshold: float
    threshold_to_assistant: float

    def probability(self, features: Mapping[str, float]) -> float:
        """From 0 to 1."""
        total = self.bias + sum(self.weights[name] * value for name, value in features.items())
        return 1 / (1 + exp(-total))

    def keeps(self, features: Mapping[str, float], *, to_assistant: bool) -> bool:
        """True if a statement with these *features* is worth keeping."""
        threshold = self.threshold_to_assistant if to_assistant else self.threshold
        return self.probability(features) >= threshold


@cache
def trained() -> Classifier:
    """The classifier that comes with Keepsake."""
    stored = json.loads(WEIGHTS.read_text("utf-8"))
    return Classifier(**stored)
