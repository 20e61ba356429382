"""Layout of a graph as a picture: positions of names, lines and labels. Pure."""

import math
import unicodedata
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

import networkx as nx

from memoryapp.text.shortening import shortened

#: Units are pixels of a picture that is shown unscaled.
LINE, PAD, GAP, MARGIN = 26, 20, 10, 6
#: Characters of a name, and of the label of a line.
MAX_NAME_CHARACTERS, MAX_EDGE_CHARACTERS = 20, 22
#: With more lines than this, only the list next to the picture has labels.
MAX_LABELS = 22


@dataclass(frozen=True)
class Point:
    """An entity or a value."""

    key: Hashable
    name: str
    kind: str
    url: str = ""


@dataclass(frozen=True)
class EdgeIn:
    """A connection of two points, from *begin* to *end*."""

    begin: Hashable
    end: Hashable
    words: str
    #: Whether it still holds.
    holds: bool = True


@dataclass
class Box:
    """A name in the picture; (x, y) is its centre."""

    point: Point
    x: float
    y: float
    width: float
    middle: bool = False

    @property
    def left(self) -> float:
        return round(self.x - self.width / 2, 1)

    @property
    def top(self) -> float:
        return round(self.y - LINE / 2, 1)

    @property
    def height(self) -> int:
        return LINE

    @property
    def dot(self) -> float:
        return round(self.left + 12, 1)

    @property
    def text(self) -> float:
        return round(self.left + 21, 1)

    @property
    def baseline(self) -> float:
        return round(self.y + 4.5, 1)

    @property
    def short(self) -> str:
        return shortened(self.point.name, MAX_NAME_CHARACTERS)


@dataclass(frozen=True)
class Edge:
    """A line from border to border; its label is at (x, y), if there is room."""

    tie: EdgeIn
    x1: float
    y1: float
    x2: float
    y2: float
    x: float | None = None
    y: float | None = None

    @property
    def short(self) -> str:
        return shortened(self.tie.words, MAX_EDGE_CHARACTERS)

    @property
    def head(self) -> list[tuple[float, float]]:
        """The three corners of the arrowhead, with the tip in the middle."""
        angle = math.atan2(self.y2 - self.y1, self.x2 - self.x1)
        wings = [
            (
                round(self.x2 - 7 * math.cos(angle + turn), 1),
                round(self.y2 - 7 * math.sin(angle + turn), 1),
            )
            for turn in (-0.45, 0.45)
        ]
        return [wings[0], (self.x2, self.y2), wings[1]]


@dataclass(frozen=True)
class Picture:
    """The laid-out picture."""

    width: int
    height: int
    boxes: list[Box] = field(default_factory=list)
    lines: list[Edge] = field(default_factory=list)
    #: How many points did not fit.
    left_out: int = 0


def draw(
    points: Sequence[Point], ties: Iterable[EdgeIn], *, width: int, middle: Hashable | None = None
) -> Picture:
    """Lay *points* out in a picture of that *width*, with the point *middle* in its centre.

    The same graph gives the same picture. The algorithm of Fruchterman and Reingold decides which
    points are close to each other; then overlapping names are pushed apart.
    """
    widths = {
        point.key: _width(shortened(point.name, MAX_NAME_CHARACTERS), 7.2) + 38 for point in points
    }
    ties = [tie for tie in ties if tie.begin in widths and tie.end in widths]
    area = sum((own + 3 * GAP) * (LINE + 4 * GAP) for own in widths.values())
    # A narrow picture leaves more of each row unused.
    room = area / width * (1.2 + 200 / width)
    height = round(min(1600, max(220, room, 60 * math.sqrt(len(points)))))
    places = _places(points, ties, middle)
    boxes = [
        Box(
            point,
            MARGIN + (places[point.key][0] + 1) / 2 * (width - 2 * MARGIN),
            MARGIN + (places[point.key][1] + 1) / 2 * (height - 2 * MARGIN),
            min(widths[point.key], width - 2 * MARGIN),
            point.key == middle,
        )
        for point in points
    ]
    _push_apart(boxes, width, height)
    return Picture(width, height, boxes, _lines(boxes, ties))


def _width(text: str, narrow: float) -> float:
    """Estimate the width of *text*."""
    return sum(
        0
        if unicodedata.combining(c)
        else narrow * (1.9 if unicodedata.east_asian_width(c) in "WF" else 1)
        for c in text
    )


def _places(
    points: Sequence[Point], ties: Sequence[EdgeIn], middle: Hashable | None
) -> dict[Hashable, tuple[float, float]]:
    """Return positions from -1 to 1 in both directions."""
    graph = nx.Graph()
    graph.add_nodes_from(point.key for point in points)
    graph.add_edges_from((tie.begin, tie.end) for tie in ties)
    fixed = [middle] if middle in graph else None
    begin = nx.circular_layout([key for key in graph if key != middle])
    if fixed:
        begin[middle] = (0.0, 0.0)
    if len(graph) > 2:
        begin = nx.spring_layout(
            graph, pos=begin, fixed=fixed, k=2.2 / math.sqrt(len(graph)), iterations=120, seed=7
        )
    if not fixed:
        # Unconnected parts drift far apart, since nothing pulls them together.
        return _spread(begin)
    widest = max((abs(x) for x, _ in begin.values()), default=0) or 1
    highest = max((abs(y) for _, y in begin.values()), default=0) or 1
    return {key: (float(x / widest), float(y / highest)) for key, (x, y) in begin.items()}


def _spread(places: dict[Hashable, tuple[float, float]]) -> dict[Hashable, tuple[float, float]]:
    """Return positions in the same order, at even steps from -1 to 1."""
    steps = max(1, len(places) - 1)
    columns, rows = (
        {
            key: 2 * n / steps - 1
            for n, key in enumerate(sorted(places, key=lambda k: places[k][axis]))
        }
        for axis in (0, 1)
    )
    return {key: (columns[key], rows[key]) for key in places}


def _push_apart(boxes: Sequence[Box], width: int, height: int) -> None:
    """Move names along the shorter axis until none overlap."""
    for _ in range(300):
        moved = False
        for n, one in enumerate(boxes):
            for other in boxes[n + 1 :]:
                over_x = (one.width + other.width) / 2 + GAP - abs(one.x - other.x)
                over_y = LINE + GAP - abs(one.y - other.y)
                # A gap that is a pixel too narrow is invisible.
                if over_x <= 1 or over_y <= 1:
                    continue
                moved = True
                axis, over = ("y", over_y) if over_y <= over_x else ("x", over_x)
                sign = 1 if getattr(one, axis) <= getattr(other, axis) else -1
                for box, direction in ((one, -sign), (other, sign)):
                    # A name in the centre stays there; the other one moves the whole distance.
                    share = 0.0 if box.middle else over if one.middle or other.middle else over / 2
                    setattr(box, axis, getattr(box, axis) + direction * share)
        for box in boxes:
            half = box.width / 2 + MARGIN
            box.x = min(max(box.x, half), width - half)
            box.y = min(max(box.y, LINE / 2 + MARGIN), height - LINE / 2 - MARGIN)
        if not moved:
            break


def _lines(boxes: Sequence[Box], ties: Sequence[EdgeIn]) -> list[Edge]:
    by_key = {box.point.key: box for box in boxes}
    taken = [(box.left, box.top, box.left + box.width, box.top + LINE) for box in boxes]
    lines = []
    for tie in ties:
        begin, end = by_key[tie.begin], by_key[tie.end]
        x1, y1 = _border(begin, end)
        x2, y2 = _border(end, begin)
        spot = None
        if len(ties) <= MAX_LABELS:
            half = _width(shortened(tie.words, MAX_EDGE_CHARACTERS), 6.0) / 2 + 2
            for part in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74):
                x, y = x1 + (x2 - x1) * part, y1 + (y2 - y1) * part
                box = (x - half, y - 8, x + half, y + 8)
                if not any(_overlap(box, other) for other in taken):
                    taken.append(box)
                    spot = (round(x, 1), round(y + 4, 1))
                    break
        ends = (round(number, 1) for number in (x1, y1, x2, y2))
        lines.append(Edge(tie, *ends, *(spot or ())))
    return lines


def _border(box: Box, other: Box) -> tuple[float, float]:
    """Return the point where the line to *other* leaves *box*."""
    dx, dy = other.x - box.x, other.y - box.y
    if not dx and not dy:
        return box.x, box.y
    half_width, half_height = box.width / 2 + 2, LINE / 2 + 2
    part = min(
        half_width / abs(dx) if dx else math.inf, half_height / abs(dy) if dy else math.inf, 1.0
    )
    return box.x + dx * part, box.y + dy * part


def _overlap(
    one: tuple[float, float, float, float], other: tuple[float, float, float, float]
) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
