"""The scale of similarities makes the decisions of all embedding models alike."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from memoryapp.policy.dedup import Action, Neighbour, decide
from memoryapp.policy.similarity_scale import (
    BUILTIN_MEAN,
    MIN_FACTS,
    UNKNOWN_MEAN,
    SimilarityScale,
    estimated_scale,
)
from memoryapp.providers.builtin_embedder import BuiltinEmbedder

Vectors = NDArray[np.float32]

FACTS = [
    "The user keeps bees on the roof.",
    "The user keeps a dog.",
    "The user keeps a hamster.",
    "The user loves tea.",
    "The user loves coffee.",
    "The user works as a nurse at night.",
    "The user works for a bakery in the old town.",
    "The user plays the violin in an orchestra.",
    "The user plays chess on Sundays.",
    "The user is afraid of flying.",
    "The user wants to learn to sail.",
    "The user bought a used camper van.",
    "The user prefers trains to planes.",
    "The user studied geology.",
]
#: Facts with a rewording of each.
REWORDINGS = {
    "The user keeps bees on the roof.": "It is the user who keeps bees on the roof.",
    "The user plays chess on Sundays.": "On Sundays the user plays chess.",
    "The user bought a used camper van.": "The user has bought a used camper van.",
    "The user works as a nurse at night.": "At night the user works as a nurse.",
}


@cache
def vectors_of(*texts: str) -> Vectors:
    return np.array(list(BuiltinEmbedder().embed(list(texts)).vectors), np.float32)


def squeezed(vectors: Vectors) -> Vectors:
    """Add a direction that all texts share: cosines of 0.8 and more."""
    common = np.full((len(vectors), 1), 2.0, np.float32)
    return normalised(np.hstack([vectors, common]))


def spread_down(vectors: Vectors) -> Vectors:
    """Take away what the texts share: cosines around 0."""
    return normalised(vectors - vectors.mean(axis=0))


def normalised(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / lengths, np.float32)


def decided(scale: SimilarityScale, vectors: Vectors, old: int, new: int, *texts: str) -> Action:
    similarity = scale.similarity(float(vectors[old] @ vectors[new]))
    return decide(texts[new], [Neighbour(1, texts[old], similarity)]).action


@pytest.mark.parametrize("model", [lambda vectors: vectors, squeezed, spread_down])
def test_any_model_decides_as_the_built_in_one(model: Callable[[Vectors], Vectors]) -> None:
    texts = (*FACTS, *REWORDINGS.values())
    vectors = model(vectors_of(*texts))
    scale = estimated_scale(vectors[: len(FACTS)])
    for new, text in enumerate(FACTS):
        for old in range(len(FACTS)):
            if old != new:
                action = decided(scale, vectors, old, new, *texts)
                assert action is Action.STORED, (text, FACTS[old])
    for fact, rewording in REWORDINGS.items():
        action = decided(scale, vectors, texts.index(fact), texts.index(rewording), *texts)
        assert action in (Action.UPDATED, Action.DUPLICATE), rewording


def test_raw_cosines_of_a_squeezed_model_would_merge_different_facts() -> None:
    vectors = squeezed(vectors_of(*FACTS))
    raw = SimilarityScale()
    pairs = [(old, new) for old in range(len(FACTS)) for new in range(old)]
    actions = {decided(raw, vectors, old, new, *FACTS) for old, new in pairs}
    assert Action.UPDATED in actions


@pytest.mark.parametrize("mean", [-0.1, 0.2, BUILTIN_MEAN, 0.8, 0.97])
def test_equal_texts_stay_equal_and_different_facts_different(mean: float) -> None:
    scale = SimilarityScale(mean)
    assert scale.similarity(1.0) == 1.0
    assert scale.similarity(mean) == pytest.approx(BUILTIN_MEAN)
    for similarity in (0.5, 0.75, 0.9, 0.98):
        cosine = scale.cosine(similarity)
        assert cosine == -1 or scale.similarity(cosine) == pytest.approx(similarity)
    assert -1 <= scale.cosine(-1.0) <= scale.cosine(0.5) <= scale.cosine(0.98) < 1


def test_cosines_of_the_built_in_model_stay_as_they_are() -> None:
    assert SimilarityScale().similarity(0.731) == pytest.approx(0.731)


def test_what_rounding_takes_is_given_back() -> None:
    scale = SimilarityScale(rounding=0.01)
    assert scale.similarity(0.97) == pytest.approx(0.98)
    assert scale.similarity(0.995) == scale.similarity(1.0) == 1.0
    assert scale.similarity(np.array([0.5, 0.999], np.float32)) == pytest.approx([0.51, 1.0])
    for similarity in (-1.0, 0.5, 0.9, 0.98):
        assert scale.similarity(scale.cosine(similarity)) == pytest.approx(max(similarity, -0.99))


def test_few_or_equal_facts_tell_nothing() -> None:
    vectors = vectors_of(*FACTS)
    assert estimated_scale(vectors[: MIN_FACTS - 1]).mean == UNKNOWN_MEAN
    assert estimated_scale(np.array([], np.float32)).mean == UNKNOWN_MEAN
    same = estimated_scale(np.stack([vectors[0]] * 8))
    assert same.similarity(0.999) < 1
    assert same.similarity(1.0) == 1.0
