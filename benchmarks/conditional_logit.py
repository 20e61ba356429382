"""The parts that fits of conditional logit models share: the softmax, and the steps of Adam.

The model is that of McFadden, "Conditional logit analysis of qualitative choice behavior", 1974;
the descent that of Kingma and Ba, "Adam: a method for stochastic optimization", 2015.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: The shares of the present gradient in the means of gradients and of their squares.
_NEW, _NEW_SQUARE = 0.1, 0.01


def softmax(scores: NDArray[Any]) -> NDArray[Any]:
    """The probabilities of the choices with these *scores*, along the last axis."""
    odds = np.exp(scores - scores.max(axis=-1, keepdims=True))
    likely: NDArray[Any] = odds / odds.sum(axis=-1, keepdims=True)
    return likely


class Adam:
    """A descent. *epsilon* keeps steps finite where gradients are 0."""

    def __init__(self, start: NDArray[Any], *, epsilon: float = 1e-8) -> None:
        """Begin a descent from *start*, which stays as it is."""
        self._mean, self._square = np.zeros_like(start), np.zeros_like(start)
        self._epsilon, self._steps = epsilon, 0

    def step(self, gradient: NDArray[Any]) -> NDArray[Any]:
        """The next step against *gradient*, of the shape of the start, to be scaled by a rate."""
        self._steps += 1
        self._mean += _NEW * (gradient - self._mean)
        self._square += _NEW_SQUARE * (gradient**2 - self._square)
        mean = self._mean / (1 - (1 - _NEW) ** self._steps)
        square = self._square / (1 - (1 - _NEW_SQUARE) ** self._steps)
        step: NDArray[Any] = -mean / (np.sqrt(square) + self._epsilon)
        return step
