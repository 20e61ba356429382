"""Random texts with matching vectors, as many as a benchmark needs.

The words are real ones, in the order of their frequency, drawn by the law of Zipf and Mandelbrot
(``1 / (rank + 2.7) ** 1.05``), so that stop words, common and rare words are as frequent as in
English. The topic decides half of them. The vector of a text is the sum of its words'
vectors, rare words counting more, with noise: texts that share words or a topic lie near each
other, and an index over them is neither trivial nor impossible. The random vectors of words have
a falling spectrum, as those of trained models do.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from benchmarks.single_tenant_dataset import PEOPLE
from memoryapp.providers.builtin_model.files import TOKENIZER, TOKENIZER_SHA256, opened
from memoryapp.providers.builtin_model.frames import DIMENSIONS

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]

TOPICS, WORDS_A_TOPIC = 400, 80
#: The share of words of a text that are those of its topic.
ON_TOPIC = 0.6
#: Length of the noise in a vector, and of what all texts have in common, beside words of length 1
#: together; and how fast the spectrum of words falls. With these, 60,000 texts of one instance are
#: as near to each other as real facts and turns are in the space of the built-in embedder: see
#: `test_scale.py`.
NOISE, COMMON, FALL = 0.2, 0.5, 0.5
#: Texts that are made at a time: their words' vectors are summed in memory.
BATCH_SIZE = 1_000
#: In the place of a word behind the end of a text.
END = -1


@dataclass(frozen=True)
class SyntheticText:
    """A language: the same one for the same seed. A text is a row of word numbers."""

    seed: int = 7

    @cached_property
    def words(self) -> NDArray[np.object_]:
        """The words, the most frequent one first, and the names of people behind them."""
        with opened(TOKENIZER, TOKENIZER_SHA256) as file:
            vocabulary = Tokenizer.from_buffer(file.read()).get_vocab()
        # The vocabulary of the built-in embedder is numbered by frequency.
        by_frequency = sorted(vocabulary, key=vocabulary.__getitem__)
        words = [word for word in by_frequency if word.isalpha() and word.isascii() and word[1:]]
        return np.array([*words, *PEOPLE], dtype=object)

    @cached_property
    def _chances(self) -> NDArray[np.float64]:
        ranks = np.arange(len(self.words) - len(PEOPLE))
        chances: NDArray[np.float64] = 1 / (ranks + 2.7) ** 1.05
        chances /= chances.sum()
        return chances

    @cached_property
    def _vectors(self) -> Floats:
        dice = np.random.default_rng(self.seed)
        spectrum = (np.arange(DIMENSIONS) + 1.0) ** -FALL
        vectors = dice.normal(size=(len(self.words), DIMENSIONS)) * spectrum
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        rarity = -np.log(np.append(self._chances, np.full(len(PEOPLE), 0.002)))
        weighted: Floats = (vectors * rarity[:, None]).astype(np.float32)
        return weighted

    @cached_property
    def _topics(self) -> Ints:
        dice = np.random.default_rng(self.seed + 1)
        # Neither stop words nor very rare words.
        return dice.integers(150, 15_000, size=(TOPICS, WORDS_A_TOPIC)).astype(np.int32)

    def texts(self, dice: np.random.Generator, topics: Ints, lengths: Ints) -> Ints:
        """Make a text of each of *lengths* about each of *topics*: shape (n, longest)."""
        shape = (len(topics), int(lengths.max()))
        words = _drawn(dice, self._chances, shape)
        within = 1 / (np.arange(WORDS_A_TOPIC) + 1.0) ** 0.8
        on_topic = self._topics[topics[:, None], _drawn(dice, within / within.sum(), shape)]
        words = np.where(dice.random(shape) < ON_TOPIC, on_topic, words)
        words[np.arange(shape[1]) >= lengths[:, None]] = END
        return words.astype(np.int32)

    def name(self, person: Ints) -> Ints:
        """The word numbers of people's names."""
        return (len(self.words) - len(PEOPLE) + person).astype(np.int32)

    def said(self, texts: Ints) -> list[str]:
        """Write *texts* out."""
        return [" ".join(self.words[row[row != END]]) for row in texts]

    def vectors(self, dice: np.random.Generator, texts: Ints) -> Floats:
        """Return the unit vectors of *texts*: shape (n, 384)."""
        found = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        nothing = np.vstack([self._vectors, np.zeros(DIMENSIONS, dtype=np.float32)])
        for begin in range(0, len(texts), BATCH_SIZE):
            some = nothing[texts[begin : begin + BATCH_SIZE]].sum(axis=1)
            some /= np.linalg.norm(some, axis=1, keepdims=True)
            noise = dice.standard_normal(some.shape, dtype=np.float32) / np.sqrt(DIMENSIONS)
            some += NOISE * noise
            some[:, -1] += COMMON
            found[begin : begin + BATCH_SIZE] = some / np.linalg.norm(some, axis=1, keepdims=True)
        return found


def _drawn(
    dice: np.random.Generator, chances: NDArray[np.float64], shape: tuple[int, int]
) -> NDArray[np.int64]:
    """Draw numbers from 0 up, each with its one of *chances*."""
    drawn = np.searchsorted(np.cumsum(chances), dice.random(shape))
    return np.minimum(drawn, len(chances) - 1)
