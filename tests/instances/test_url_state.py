"""List state in the query string of a URL."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from django.http import QueryDict

from instances.url_state import NOT_IN_URL, FilterChip, URLState, one_of, parsed


@dataclass(frozen=True)
class Listing(URLState):
    url_name = "people"

    q: str = parsed(str.strip)
    state: str = one_of({"open", "closed"})
    on: date | None = parsed(lambda text: date.fromisoformat(text) if text else None)
    page: str = parsed(str)
    extra: dict[str, str] = field(default_factory=dict, metadata=NOT_IN_URL)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", {}),
        ("q=+boat+&state=open&page=2", {"q": "boat", "state": "open", "page": "2"}),
        ("state=lost&unknown=1", {}),
        ("on=2026-01-31", {"on": date(2026, 1, 31)}),
    ],
)
def test_parse_reads_known_values_and_ignores_others(query: str, expected: dict[str, Any]) -> None:
    assert Listing.parse(QueryDict(query)) == Listing(**expected)


def test_given_values_are_not_read_from_the_url() -> None:
    assert Listing.parse(QueryDict("q=boat"), q="sea", extra={"a": "b"}) == Listing(
        q="sea", extra={"a": "b"}
    )


def test_query_omits_empty_values_and_non_parameters() -> None:
    listing = Listing(q="boat", on=date(2026, 1, 31), page="2", extra={"a": "b"})
    assert listing.query() == "q=boat&on=2026-01-31&page=2"
    assert listing.query(page="", state="open") == "q=boat&state=open&on=2026-01-31"
    assert listing.path == "/server/people"


def test_chips_link_to_the_first_page() -> None:
    listing = Listing(q="boat", state="open", page="2")
    assert listing.chips_for("state", {"": "All", "open": "Open"}, {"open": 3}) == [
        FilterChip("All", "q=boat", current=False, count=0),
        FilterChip("Open", "q=boat&state=open", current=True, count=3),
    ]
    assert [chip.count for chip in listing.chips_for("state", {"": "All"})] == [None]
