"""Layout of graphs and timelines: nothing overlaps or leaves the picture."""

from datetime import date, timedelta
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.web.graph.entity_page import MAX_DRAWN, MAX_DRAWN_OVERVIEW
from memoryapp.web.graph.graph_layout import Area, EdgeIn, Picture, Point, draw
from memoryapp.web.graph.timeline import TimelineSpan, lay_out

TODAY = date(2026, 5, 1)
NAMES = [
    "Ana",
    "Neighbour with a long name",
    "WWWWWWWWWWWWWWWWWWWWWWWW",
    "由紀子の姉さんの友達の京都の家",
    "سلمى",
]
WORDS = ["knows", "is the sister of, lives with, works for", "友達の友達の友達の友達"]


def star(count: int, name: str = "Neighbour", width: int = 680) -> Picture:
    points = [
        Point(0, "Middle", "person"),
        *(Point(n, f"{name} {n}", "place") for n in range(1, count + 1)),
    ]
    ties = [
        EdgeIn(0, n, "visited") if n % 2 else EdgeIn(n, 0, "knows", n % 4 > 0)
        for n in range(1, count + 1)
    ]
    return draw(points, ties, width=width, middle=0)


def areas(picture: Picture) -> list[Area]:
    """The rectangles of the names and of the labels."""
    return [*picture.boxes, *(line.label for line in picture.lines)]


def overlapping(picture: Picture) -> list[tuple[Area, Area]]:
    return [
        (one, other)
        for one, other in combinations(areas(picture), 2)
        if abs(one.x - other.x) < (one.width + other.width) / 2
        and abs(one.y - other.y) < (one.height + other.height) / 2
    ]


def sticking_out(picture: Picture) -> list[Area]:
    return [
        area
        for area in areas(picture)
        if area.left < 0
        or area.left + area.width > picture.width + 0.1
        or area.top < 0
        or area.top + area.height > picture.height
    ]


@st.composite
def graphs(draw_from: st.DrawFn) -> tuple[list[Point], list[EdgeIn], bool]:
    count = draw_from(st.integers(1, 45))
    points = [Point(n, f"{draw_from(st.sampled_from(NAMES))} {n}", "person") for n in range(count)]
    pairs = draw_from(
        st.lists(
            st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)),
            max_size=60,
            unique=True,
        )
    )
    ties = [EdgeIn(a, b, draw_from(st.sampled_from(WORDS))) for a, b in pairs if a != b]
    return points, ties, draw_from(st.booleans())


@settings(deadline=None, max_examples=60)
@given(graphs(), st.sampled_from([*MAX_DRAWN.items(), *MAX_DRAWN_OVERVIEW.items()]))
def test_names_and_labels_never_overlap_in_any_window(
    graph: tuple[list[Point], list[EdgeIn], bool], window: tuple[int, tuple[int, int]]
) -> None:
    points, ties, has_middle = graph
    width, (most_points, most_lines) = window
    picture = draw(
        points,
        ties,
        width=width,
        middle=0 if has_middle else None,
        most_points=most_points,
        most_lines=most_lines,
    )
    assert overlapping(picture) == []
    assert sticking_out(picture) == []
    assert len(picture.boxes) + picture.left_out == len(points)
    assert len(picture.boxes) <= most_points and len(picture.lines) <= most_lines
    # What is between two names that are shown has its line and its label.
    shown = {box.point.key for box in picture.boxes}
    between = [tie for tie in ties if tie.begin in shown and tie.end in shown]
    assert sorted(map(str, between)) == sorted(str(line.tie) for line in picture.lines)
    assert picture.lines_left_out == len(ties) - len(between)


@pytest.mark.parametrize(
    ("count", "width"),
    [(0, 680), (1, 340), (2, 680), (7, 340), (16, 340), (20, 680), (40, 680)],
)
@pytest.mark.parametrize("name", ["Neighbour", "由紀子の姉さんの友達の京都の家", "سلمى"])
def test_stars_of_any_size_fit(count: int, width: int, name: str) -> None:
    picture = star(count, name, width)
    assert len(picture.boxes) == count + 1 and len(picture.lines) == count
    assert overlapping(picture) == []
    assert sticking_out(picture) == []


@pytest.mark.parametrize("count", [1, 4, 7, 12])
@pytest.mark.parametrize("width", [340, 680])
def test_labels_are_beside_their_own_lines(count: int, width: int) -> None:
    for line in star(count, width=width).lines:
        begin, end, label = (
            np.array((each.x, each.y)) for each in (line.begin, line.end, line.label)
        )
        along, to_label = end - begin, label - begin
        part = float(to_label @ along / (along @ along))
        assert 0.2 < part < 0.8
        assert float(np.hypot(*(to_label - part * along))) < 30


def test_layout_is_deterministic() -> None:
    assert star(12) == star(12)


def test_lines_lead_from_border_to_border_through_their_labels() -> None:
    picture = star(4)
    for line in picture.lines:
        (x1, y1), (bend_x, bend_y), (x2, y2) = line.curve
        assert (x1 + 2 * bend_x + x2) / 4 == pytest.approx(line.label.x, abs=0.2)
        assert (y1 + 2 * bend_y + y2) / 4 == pytest.approx(line.label.y, abs=0.2)
        for box in picture.boxes:
            for x, y in ((x1, y1), (x2, y2)):
                assert abs(x - box.x) >= box.width / 2 or abs(y - box.y) >= box.height / 2
    assert {line.tie.holds for line in picture.lines} == {True, False}


def test_no_name_is_shown_without_its_neighbours() -> None:
    points = [Point(n, f"Thing {n}", "item") for n in range(12)]
    ties = [EdgeIn(n, 11 - n, "next to") for n in range(6)]
    picture = draw(points, ties, width=680, most_points=5)
    assert [box.point.key for box in picture.boxes] == [0, 11, 1, 10]
    assert (len(picture.lines), picture.left_out, picture.lines_left_out) == (2, 8, 4)


def test_disconnected_parts_stay_close() -> None:
    points = [Point(n, f"Thing {n}", "item") for n in range(12)]
    picture = draw(points, [EdgeIn(n, n + 1, "next to") for n in range(0, 12, 2)], width=680)
    assert overlapping(picture) == []
    columns = sorted(box.x for box in picture.boxes)
    assert max(b - a for a, b in pairwise(columns)) < 680 / 4


days = st.none() | st.dates(date(1000, 1, 1), date(2200, 12, 31))


@settings(deadline=None)
@given(st.lists(st.tuples(days, days), min_size=1, max_size=12), st.sampled_from([680, 340]))
def test_every_bar_is_on_the_axis(pairs: list[tuple[date | None, date | None]], width: int) -> None:
    spans = [
        TimelineSpan("works at Acme", *((a, b) if not (a and b) else (min(a, b), max(a, b))))
        for a, b in pairs
    ]
    timeline = lay_out(spans, today=TODAY, width=width)
    assert timeline
    for strip in timeline.strips:
        assert -0.1 <= strip.x <= width and strip.width >= 3
        assert strip.x + strip.width <= width + 3
    assert 0 < timeline.now < width
    assert len(timeline.ticks) <= width // 90 + 2
    assert all(0 <= tick.x <= width for tick in timeline.ticks)


def test_axis_labels_fit_its_length() -> None:
    def labels(length: int) -> list[str]:
        timeline = lay_out(
            [TimelineSpan("…", TODAY - timedelta(length), None)], today=TODAY, width=680
        )
        ticks = timeline.ticks if timeline else []
        return [f"{tick.day:%Y-%m}" if tick.is_month else f"{tick.day:%Y}" for tick in ticks]

    assert labels(100) == ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05"]
    assert labels(1800) == ["2022", "2023", "2024", "2025", "2026"]
    assert labels(20_000)[0] in ("1970", "1975", "1980")
    assert lay_out([], today=TODAY, width=680) is None
