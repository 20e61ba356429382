"""Layout of a graph as a picture: positions of names, lines and labels. Pure."""

import math
import unicodedata
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from memoryapp.language.shortening import shortened

#: Units are pixels of a picture that is shown unscaled.
LINE, LABEL, GAP, MARGIN = 26, 18, 14, 6
#: Characters of a name, and of the label of a line.
MAX_NAME_CHARACTERS, MAX_EDGE_CHARACTERS = 20, 22
#: The least height between two, so that the head of an arrow is seen.
LEAST_GAP = 9
#: Width of a usual character of a name and of a label in a wide font, such as DejaVu Sans or
#: Verdana, and of what stands beside the name.
NAME_CHARACTER, LABEL_CHARACTER, BESIDE_NAME = 8.0, 7.1, 38
#: How much higher a picture is made so that each label fits on its line.
STRETCHES = (1.0, 1.25, 1.6, 2.0, 2.6, 3.4)
#: Places of a label, the best first: the part of its line before it, and pixels beside the line.
_ALONG, _ASIDE = zip(
    *sorted(
        product([part / 100 for part in range(26, 76, 4)], (0, 8, -8, 16, -16, 26, -26)),
        key=lambda place: (abs(place[0] - 0.5) * 100 + abs(place[1]) * 1.5, place),
    ),
    strict=True,
)
#: The forces that spread names and labels: how far apart each is from the next, how often they
#: move, and how far at first, in halves of the picture.
SPREAD, STEPS, LONGEST_STEP = 1.6, 60, 0.2
#: How often names and labels are pushed apart before the rest is moved down.
PUSHES = 60
_WIDE_LETTERS, _SLIM_LETTERS = frozenset("mwMWQO@%&ÄÖ—…"), frozenset("fijlrtI.,:;'’|!()[] ")


@dataclass(frozen=True)
class Point:
    """An entity or a value."""

    key: Hashable
    name: str
    kind: str
    url: str = ""
    #: The kind in words.
    kind_name: str = ""


@dataclass(frozen=True)
class EdgeIn:
    """A connection of two points, from *begin* to *end*."""

    begin: Hashable
    end: Hashable
    words: str
    #: True if it still holds.
    holds: bool = True


@dataclass(frozen=True)
class Area:
    """A rectangle around (x, y)."""

    x: float
    y: float
    width: float
    height: int

    @property
    def left(self) -> float:
        return round(self.x - self.width / 2, 1)

    @property
    def top(self) -> float:
        return round(self.y - self.height / 2, 1)

    @property
    def baseline(self) -> float:
        """The height at which a text is written."""
        return round(self.y + 4.5, 1)

    def border(self, x: float, y: float) -> tuple[float, float]:
        """Return the point where a line to (x, y) leaves the rectangle."""
        dx, dy = x - self.x, y - self.y
        if not dx and not dy:
            return self.x, self.y
        across = (self.width / 2 + 2) / abs(dx) if dx else math.inf
        along = (self.height / 2 + 2) / abs(dy) if dy else math.inf
        part = min(across, along, 1.0)
        return self.x + dx * part, self.y + dy * part


@dataclass(frozen=True)
class Box(Area):
    """A name in the picture."""

    point: Point
    middle: bool = False

    @property
    def dot(self) -> float:
        return round(self.left + 12, 1)

    @property
    def text(self) -> float:
        return round(self.left + 21, 1)

    @property
    def short(self) -> str:
        return shortened(self.point.name, MAX_NAME_CHARACTERS)


@dataclass(frozen=True)
class Edge:
    """A line from the border of a name to that of another, curved through its label."""

    tie: EdgeIn
    begin: Box
    end: Box
    label: Area

    @property
    def short(self) -> str:
        return shortened(self.tie.words, MAX_EDGE_CHARACTERS)

    @cached_property
    def curve(self) -> list[tuple[float, float]]:
        """The beginning, the control point and the end of a quadratic curve."""
        label, (begin, end) = self.label, (self.begin, self.end)
        x1, y1 = begin.border(label.x, label.y)
        x2, y2 = end.border(label.x, label.y)
        bend = (2 * label.x - (x1 + x2) / 2, 2 * label.y - (y1 + y2) / 2)
        return [(round(x, 1), round(y, 1)) for x, y in ((x1, y1), bend, (x2, y2))]

    @property
    def head(self) -> list[tuple[float, float]]:
        """The three corners of the arrowhead, with the tip in the middle."""
        _, (bend_x, bend_y), (x, y) = self.curve
        angle = math.atan2(y - bend_y, x - bend_x)
        wings = [
            (round(x - 7 * math.cos(angle + turn), 1), round(y - 7 * math.sin(angle + turn), 1))
            for turn in (-0.45, 0.45)
        ]
        return [wings[0], (x, y), wings[1]]


@dataclass(frozen=True)
class Picture:
    """The laid-out picture."""

    width: int
    height: int
    boxes: list[Box] = field(default_factory=list)
    lines: list[Edge] = field(default_factory=list)
    #: How many points and how many of their lines are not shown.
    left_out: int = 0
    lines_left_out: int = 0


def draw(
    points: Sequence[Point],
    ties: Iterable[EdgeIn],
    *,
    width: int,
    middle: Hashable | None = None,
    most_points: int = 100,
    most_lines: int = 100,
) -> Picture:
    """Lay *points* out in a picture of that *width*, with the point *middle* in its centre. Of more
    than *most_points* or *most_lines*, the first are shown.

    The same graph gives the same picture. The algorithm of Fruchterman and Reingold places the
    names; what overlaps is pushed apart, and each label gets a place on its line. Where there are
    too many for that, labels are treated like names.
    """
    ties = list(ties)
    shown, drawn = _chosen(points, ties, most_points, most_lines)
    known = {point.key for point in points}
    possible = sum(tie.begin in known and tie.end in known for tie in ties)
    areas = _areas(shown, drawn, width, middle)
    boxes = [
        Box(area.x, area.y, area.width, area.height, point, point.key == middle)
        for point, area in zip(shown, areas, strict=False)
    ]
    by_key = {box.point.key: box for box in boxes}
    lines = [
        Edge(tie, by_key[tie.begin], by_key[tie.end], label)
        for tie, label in zip(drawn, areas[len(shown) :], strict=True)
    ]
    bottom = max((area.y + area.height / 2 for area in areas), default=0)
    return Picture(
        width,
        math.ceil(bottom) + MARGIN,
        boxes,
        lines,
        len(points) - len(shown),
        possible - len(drawn),
    )


def _chosen(
    points: Sequence[Point], ties: Sequence[EdgeIn], most_points: int, most_lines: int
) -> tuple[list[Point], list[EdgeIn]]:
    """Return the first of *points* that have not too many lines between them, and these lines. One
    that is connected with none of them brings the first that it is connected with.
    """
    by_key = {point.key: point for point in points}
    near: dict[Hashable, set[Hashable]] = {key: set() for key in by_key}
    for tie in ties:
        if tie.begin in near and tie.end in near:
            near[tie.begin].add(tie.end)
            near[tie.end].add(tie.begin)
    chosen: dict[Hashable, Point] = {}
    drawn: list[EdgeIn] = []
    for key in by_key:
        more = [key] if key not in chosen else []
        if more and near[key] and near[key].isdisjoint(chosen):
            more.append(next(other for other in by_key if other in near[key]))
        keys = {*chosen, *more}
        lines = [tie for tie in ties if tie.begin in keys and tie.end in keys]
        if len(keys) <= most_points and len(lines) <= most_lines:
            chosen |= {key: by_key[key] for key in more}
            drawn = lines
    return list(chosen.values()), drawn


def _width(text: str, usual: float) -> float:
    """Estimate the width of *text*, rather too wide than too narrow."""
    return sum(usual * _share(character) for character in text)


def _share(character: str) -> float:
    if unicodedata.combining(character):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.9
    if character in _SLIM_LETTERS:
        return 0.6
    return 1.4 if character in _WIDE_LETTERS else 1.2 if character.isupper() else 1


def _areas(
    points: Sequence[Point], ties: Sequence[EdgeIn], width: int, middle: Hashable | None
) -> list[Area]:
    """Return the places of *points*, then those of the labels of *ties*."""
    if not points:
        return []
    names = [shortened(point.name, MAX_NAME_CHARACTERS) for point in points]
    labels = [shortened(tie.words, MAX_EDGE_CHARACTERS) for tie in ties]
    widths = [_width(name, NAME_CHARACTER) + BESIDE_NAME for name in names]
    widths += [_width(label, LABEL_CHARACTER) + 8 for label in labels]
    heights = [LINE] * len(names) + [LABEL] * len(labels)
    sizes = np.array([np.minimum(widths, width - 2 * MARGIN), heights], dtype=float).T
    room = float(((sizes[:, 0] + 2 * GAP) * (sizes[:, 1] + 2 * GAP)).sum())
    # A narrow picture leaves more of each row unused.
    height = min(1600, max(220, room / width * (1.1 + 220 / width)))
    places = _places(points, ties, middle)
    span = np.array([width, height]) - sizes.max(axis=0) * (0.6, 1) - 2 * MARGIN
    centres = np.array([width, height]) / 2 + places / 2 * np.maximum(span, 1)
    fixed = np.array([point.key == middle for point in points] + [False] * len(ties))
    beside = _labels_on_lines(centres, sizes, fixed, (width, height), _ends(points, ties))
    if beside is None:
        _push_apart(centres, sizes, fixed, (width, height))
        _move_down(centres, sizes, width)
    else:
        centres = beside
    return [
        Area(round(float(x), 1), round(float(y), 1), round(float(wide), 1), int(high))
        for (x, y), (wide, high) in zip(centres, sizes, strict=True)
    ]


def _ends(points: Sequence[Point], ties: Sequence[EdgeIn]) -> list[tuple[int, int]]:
    """Return the numbers of the points that each line connects."""
    numbers = {point.key: number for number, point in enumerate(points)}
    return [(numbers[tie.begin], numbers[tie.end]) for tie in ties]


def _labels_on_lines(
    centres: NDArray[np.float64],
    sizes: NDArray[np.float64],
    fixed: NDArray[np.bool_],
    within: tuple[float, float],
    ends: Sequence[tuple[int, int]],
) -> NDArray[np.float64] | None:
    """Return the places of the names, then those of the labels, each label on its own line or right
    beside it; None if there is no room even in a higher picture.
    """
    count = len(centres) - len(ends)
    names, own = centres[:count].copy(), sizes[:count]
    _push_apart(names, own, fixed[:count], within)
    _move_down(names, own, within[0])
    for stretch in STRETCHES:
        higher = names * (1, stretch)
        labels = _label_places(higher, own, sizes[count:], ends, within[0])
        if labels is not None:
            places = np.concatenate([higher, labels])
            places[:, 1] -= (places[:, 1] - sizes[:, 1] / 2).min() - MARGIN
            return places
    return None


def _label_places(
    names: NDArray[np.float64],
    name_sizes: NDArray[np.float64],
    label_sizes: NDArray[np.float64],
    ends: Sequence[tuple[int, int]],
    width: float,
) -> NDArray[np.float64] | None:
    """Return a free place for each label, the nearest to the middle of its line; None if one has
    none.
    """
    begin, end = (names[[pair[side] for pair in ends]].reshape(-1, 2) for side in (0, 1))
    along = end - begin
    lengths = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) / lengths[:, None]
    taken, taken_sizes = list(names), list(name_sizes)
    places = np.zeros((len(ends), 2))
    # A short line has the fewest places.
    for number in np.argsort(lengths, kind="stable"):
        tried = begin[number] + np.array(_ALONG)[:, None] * along[number]
        tried = tried + np.array(_ASIDE)[:, None] * across[number]
        half = label_sizes[number] / 2
        over = np.abs(tried[:, None] - np.array(taken)) < (
            half + np.array(taken_sizes) / 2 + (4, LEAST_GAP / 2)
        )
        free = ~over.all(axis=2).any(axis=1)
        free &= (tried[:, 0] >= half[0] + MARGIN) & (tried[:, 0] <= width - half[0] - MARGIN)
        if not free.any():
            return None
        places[number] = tried[free.argmax()]
        taken.append(places[number])
        taken_sizes.append(label_sizes[number])
    return places


def _places(
    points: Sequence[Point], ties: Sequence[EdgeIn], middle: Hashable | None
) -> NDArray[np.float64]:
    """Return positions from -1 to 1 in both directions: of *points*, then of the labels."""
    numbers = {point.key: number for number, point in enumerate(points)}
    count = len(points) + len(ties)
    pulled = np.zeros((count, count))
    for label, tie in enumerate(ties, len(points)):
        ends = [numbers[tie.begin], numbers[tie.end]]
        pulled[label, ends] = pulled[ends, label] = 1
    fixed = numbers.get(middle) if middle is not None else None
    places = _spread_by_forces(_on_circle(count, fixed), pulled, fixed)
    steps = max(1, count - 1)
    if fixed is not None:
        # A long chain would press the rest together: mostly the order counts.
        places /= np.maximum(np.abs(places).max(axis=0), 1e-9)
        ranks = np.abs(places).argsort(axis=0).argsort(axis=0)
        return places * 0.4 + np.sign(places) * ranks / steps * 0.6
    # Unconnected parts drift far apart, since nothing pulls them together: only the order counts.
    return 2 * places.argsort(axis=0).argsort(axis=0) / steps - 1


def _on_circle(count: int, middle: int | None) -> NDArray[np.float64]:
    """Return that many positions on a circle, with the one of this number in its middle."""
    around = [number for number in range(count) if number != middle]
    places = np.zeros((count, 2))
    angles = np.arange(len(around)) * 2 * math.pi / max(1, len(around))
    places[around] = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return places


def _spread_by_forces(
    places: NDArray[np.float64], pulled: NDArray[np.float64], fixed: int | None
) -> NDArray[np.float64]:
    """Return *places* after so many steps of Fruchterman and Reingold (1991): any two push each
    other away by k²/distance, and two that are *pulled* together attract each other by distance²/k.
    The steps get shorter. The one of the number *fixed* stays.
    """
    least_apart = SPREAD / math.sqrt(len(places))
    for step in np.linspace(LONGEST_STEP, 0, STEPS + 2)[:STEPS]:
        apart = places[:, None] - places
        distance = np.maximum(np.hypot(apart[..., 0], apart[..., 1]), 0.01)
        force = (least_apart / distance) ** 2 - pulled * distance / least_apart
        moves = (apart * force[..., None]).sum(axis=1)
        lengths = np.maximum(np.hypot(moves[:, 0], moves[:, 1]), 0.01)
        if fixed is not None:
            moves[fixed] = 0
        places = places + moves * (step / lengths)[:, None]
    return places


def _push_apart(
    centres: NDArray[np.float64],
    sizes: NDArray[np.float64],
    fixed: NDArray[np.bool_],
    within: tuple[float, float],
) -> None:
    """Move overlapping areas along the shorter axis, half of the way each."""
    wide = (sizes[:, 0, None] + sizes[None, :, 0]) / 2 + GAP
    high = (sizes[:, 1, None] + sizes[None, :, 1]) / 2 + GAP
    np.fill_diagonal(wide, -1)
    numbers = np.arange(len(centres))
    #: Where two are at the same place, the later one goes on.
    order = np.sign(np.subtract.outer(numbers, numbers)) * 1e-6
    least, most = sizes / 2 + MARGIN, np.array(within) - sizes / 2 - MARGIN
    most = np.maximum(least, most)
    share = np.where(fixed, 0, 0.5)
    for _ in range(PUSHES):
        across = np.subtract.outer(centres[:, 0], centres[:, 0]) + order
        along = np.subtract.outer(centres[:, 1], centres[:, 1]) + order
        over_x, over_y = wide - np.abs(across), high - np.abs(along)
        touching = (over_x > 0.5) & (over_y > 0.5)
        if not touching.any():
            return
        down = over_y <= over_x
        part = share / np.sqrt(np.maximum(touching.sum(axis=1), 1))
        step_x = np.where(touching & ~down, np.copysign(over_x, across), 0)
        step_y = np.where(touching & down, np.copysign(over_y, along), 0)
        centres[:, 0] += step_x.sum(axis=1) * part
        centres[:, 1] += step_y.sum(axis=1) * part
        np.minimum(np.maximum(centres, least, out=centres), most, out=centres)


def _move_down(centres: NDArray[np.float64], sizes: NDArray[np.float64], width: float) -> None:
    """Keep what overlaps nothing where it is, from top to bottom; move the rest further down."""
    half = sizes / 2
    np.clip(centres[:, 0], half[:, 0] + MARGIN, width - half[:, 0] - MARGIN, out=centres[:, 0])
    order = np.lexsort((centres[:, 0], centres[:, 1] - half[:, 1]))
    placed: list[int] = []
    for own in order:
        while placed:
            needed = half[own] + half[placed] + (4, LEAST_GAP)
            over = (np.abs(centres[own] - centres[placed]) < needed - 0.05).all(axis=1)
            if not over.any():
                break
            lower = (centres[placed] + half[placed])[over, 1].max()
            centres[own, 1] = lower + half[own, 1] + LEAST_GAP
        placed.append(own)
    # What is left over above the first one is cut off.
    centres[:, 1] -= (centres[:, 1] - half[:, 1]).min() - MARGIN
