"""Scores what a recall has shown for the questions of `benchmarks.everyday`. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmarks.datasets.everyday_people import NOISE, SILENT, Question

PLACES = 5


@dataclass(frozen=True)
class Place:
    """A result in its place, and the ids of what it states."""

    ids: frozenset[str]
    is_memory: bool
    text: str = ""


@dataclass(frozen=True)
class Shown:
    """The places of a question, best first, and whether a memory answers it at all."""

    question: Question
    places: Sequence[Place]
    answered_by_memory: bool = False


def figures(asked: Sequence[tuple[Shown, Mapping[str, str]]]) -> dict[str, float]:
    """The figures of the questions *asked*, each with the nature of each turn of its person; those
    that no question bears on are left out.
    """
    answered = [pair for pair in asked if pair[0].question.kind != SILENT]
    silent = [float(not shown.places) for shown, _ in asked if shown.question.kind == SILENT]
    found: dict[str, Iterable[float | None]] = {
        "hit_at_1": (hit_at(1, shown) for shown, _ in answered),
        "hit_at_5": (hit_at(PLACES, shown) for shown, _ in answered),
        "noise_at_5": (noise(shown, natures) for shown, natures in answered),
        "current_first": (current_first(shown) for shown, _ in answered),
        "memory_first": (memory_first(shown) for shown, _ in answered),
        "silent": silent,
    }
    means = {name: _mean(values) for name, values in found.items()}
    places = [(shown, place) for shown, _ in answered for place in shown.places]
    means["right_at_5"] = _mean(float(is_right(shown.question, place)) for shown, place in places)
    return {name: round(mean, 4) for name, mean in means.items() if mean is not None} | {
        "questions": len(asked)
    }


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def is_right(question: Question, place: Place) -> bool:
    """True if *place* helps to answer."""
    return bool(place.ids & (question.first | question.right))


def hit_at(k: int, shown: Shown) -> float:
    """1 if what should stand first is among the first *k* places, else 0."""
    return float(any(place.ids & shown.question.first for place in shown.places[:k]))


def noise(shown: Shown, natures: Mapping[str, str]) -> float:
    """The share of the five places taken by what is no answer to any question, is about somebody
    else, or was true once.
    """
    return sum(_is_noise(shown.question, place, natures) for place in shown.places) / PLACES


def _is_noise(question: Question, place: Place, natures: Mapping[str, str]) -> bool:
    if is_right(question, place):
        return False
    if place.ids & (question.outdated | question.wrong):
        return True
    return not place.is_memory and all(natures.get(id) in NOISE for id in place.ids)


def current_first(shown: Shown) -> float | None:
    """1 if the current value stands above every outdated one, 0 if not; None where nothing has
    changed.
    """
    question = shown.question
    if not question.outdated:
        return None
    return float(
        _first(shown, lambda place: is_right(question, place))
        < _first(
            shown,
            lambda place: bool(place.ids & question.outdated) and not is_right(question, place),
        )
    )


def memory_first(shown: Shown) -> float | None:
    """1 if a memory that answers stands first, 0 if not; None where no memory answers."""
    if not shown.answered_by_memory:
        return None
    first = shown.places[0] if shown.places else None
    return float(bool(first and first.is_memory and is_right(shown.question, first)))


def _first(shown: Shown, fits: Callable[[Place], bool]) -> int:
    """The place of the first that *fits*; behind all where none does."""
    return next((at for at, place in enumerate(shown.places) if fits(place)), PLACES)
