"""Layout of graphs and timelines: nothing overlaps or leaves the picture."""

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.web.graph.graph_layout import LINE, EdgeIn, Picture, Point, draw
from memoryapp.web.graph.timeline import TimelineSpan, lay_out

TODAY = date(2026, 5, 1)


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


def overlapping(picture: Picture) -> list[tuple[str, str]]:
    return [
        (one.short, other.short)
        for n, one in enumerate(picture.boxes)
        for other in picture.boxes[n + 1 :]
        if abs(one.x - other.x) < (one.width + other.width) / 2 and abs(one.y - other.y) < LINE
    ]


@pytest.mark.parametrize(
    ("count", "width"),
    [(0, 680), (1, 340), (2, 680), (7, 340), (16, 340), (20, 680), (40, 680)],
)
@pytest.mark.parametrize("name", ["Neighbour", "由紀子の姉さんの友達の京都の家", "سلمى"])
def test_labels_do_not_overlap_or_leave_the_picture(count: int, width: int, name: str) -> None:
    picture = star(count, name, width)
    assert len(picture.boxes) == count + 1
    assert overlapping(picture) == []
    for box in picture.boxes:
        assert box.left >= 0 and box.left + box.width <= width
        assert box.top >= 0 and box.top + LINE <= picture.height


def test_layout_is_deterministic() -> None:
    assert star(12) == star(12)


def test_edges_connect_borders_and_have_labels() -> None:
    picture = star(4)
    assert len(picture.lines) == 4
    for line in picture.lines:
        assert line.x is not None
        for box in picture.boxes:
            inside = abs(line.x2 - box.x) < box.width / 2 and abs(line.y2 - box.y) < LINE / 2
            assert not inside
    assert {line.tie.holds for line in picture.lines} == {True, False}
    # With many edges, labels would hide the lines.
    assert all(line.x is None for line in star(40).lines)


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
        return [tick.label for tick in timeline.ticks] if timeline else []

    assert labels(100) == ["Jan 2026", "Feb 2026", "Mar 2026", "Apr 2026", "May 2026"]
    assert labels(1800) == ["2022", "2023", "2024", "2025", "2026"]
    assert labels(20_000)[0] in ("1970", "1975", "1980")
    assert lay_out([], today=TODAY, width=680) is None
