"""The parts of a result's score as one stacked bar, in numbers that a template draws."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memoryapp.recall.results import LISTS

#: The possible parts of a score, in the order in which they are stacked, with explanations. The
#: names are those of the signals of the measured profile and of the lists of the plain one.
PARTS = {
    "meaning": "It is near the question in meaning.",
    "words": "Words of the question stand in it; the rarer they are, the more.",
    "said": "Words of the question stand in what was said, where it was learned.",
    "drawer_meaning": "The turn is near the question in meaning.",
    "drawer_words": "Words of the question stand in the turn, or in the one before it.",
    "kept": "Somebody found it worth keeping, so that it is a memory and not only a turn.",
    "speaker": "It was said by whom the question asks about.",
    "following": "The turn after it is about the question.",
    "session": "Its conversation is the one that is about the question.",
    "date": "It is of a day that the question names.",
    "importance": "It matters more than most, or less.",
    "recency": "It is recent, and the question is about the present.",
    "preference": "It is a preference that was said more than once.",
    "expired": "Its last day has passed.",
    "stale": "It has not been asked for in a long time.",
}
#: Labels that differ from the name.
LABELS = LISTS

#: Units of the picture.
WIDTH = 100


@dataclass(frozen=True)
class ScorePart:
    """A part of a score, with its place in the bar."""

    name: str
    amount: float
    #: The amount, with enough digits to distinguish it from others.
    written: str
    x: float
    width: float

    @property
    def label(self) -> str:
        return LABELS.get(self.name, self.name)

    @property
    def is_loss(self) -> bool:
        return self.amount < 0


@dataclass(frozen=True)
class ScoreBar:
    """A bar. Losses are drawn over the end of the positive parts."""

    pieces: list[ScorePart]
    score: float
    written: str

    @property
    def in_words(self) -> str:
        """Text alternative for screen readers."""
        return ", ".join(f"{piece.label} {piece.written}" for piece in self.pieces)


def draw(parts: Mapping[str, float], longest: float) -> ScoreBar:
    """Stack *parts* in a bar whose whole width stands for *longest*."""
    order = {name: number for number, name in enumerate(PARTS)}
    ordered = sorted(parts.items(), key=lambda part: (part[1] < 0, order.get(part[0], len(order))))
    scale = WIDTH / longest if longest > 0 else 0.0
    # The sum of reciprocal ranks is tiny.
    digits = 4 if longest < 1 else 2
    pieces, end = [], 0.0
    for name, amount in ordered:
        if amount:
            width = amount * scale if amount > 0 else min(end, -amount * scale)
            x = end if amount > 0 else end - width
            end = end + width if amount > 0 else x
            pieces.append(
                ScorePart(name, amount, write(amount, digits), round(x, 2), round(width, 2))
            )
    score = sum(parts.values())
    return ScoreBar(pieces, score, write(score, digits))


def longest(of: Iterable[Mapping[str, float]]) -> float:
    """Return the score that fills the whole width: the highest one."""
    return max((sum(part for part in parts.values() if part > 0) for parts in of), default=0.0)


def write(amount: float, digits: int) -> str:
    """Format a score or a part of one."""
    return f"{amount:.{digits}f}".replace("-", "−")
