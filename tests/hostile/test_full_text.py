"""PostgreSQL's full-text search takes time in proportion to the length of a text."""

import itertools
import math
import time
from collections.abc import Callable

import pytest
from django.db import connection

from conversations.search import MAX_QUESTION_CHARACTERS, TextQuery
from tests.hostile.attacks import FAMILIES
from tests.hostile.growth import MAX_RATIO

#: Characters other than letters and digits that start or end a token of the parser.
SIGNS = ("-", "_", ".", "/", "@", ":", "~", "=", "?", "&", "+", "<", ">", "#", ";", "%", "'", "é")
PUMPS = sorted(
    {
        *FAMILIES,
        *("".join(pair) for pair in itertools.permutations(("a", "1", *SIGNS), 2)),
        *("".join(some) for sign in SIGNS for some in itertools.permutations(("a", "1", sign))),
        *(
            "<!--",
            "<!-- ",
            "<!-- a ",
            "<a ",
            "</a ",
            "<a href='",
            "http://a/",
            "a@a.a ",
            "/a/b",
            "1e1",
        ),
        *("a" * 31 + sign for sign in SIGNS),
        *("猫", "猫a", "猫 ", "กา", "고 "),
    }
)
#: Quadratic queries take longer than this for the long text.
FLOOR_SECONDS = 0.03
#: The same for a question: PostgreSQL takes quadratic time to write a long query as text, which is
#: 20 ms for the longest question.
QUESTION_FLOOR_SECONDS = 0.1

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def deadline(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = '5s'")


def execute(sql: str) -> Callable[[list[str]], object]:
    def run(texts: list[str]) -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql, [texts])

    return run


def ask(questions: list[str]) -> None:
    for question in questions:
        if query := TextQuery.parse(question, instance_id=1, languages=["english"]):
            query.to_tsquery()


def grows_too_fast(
    run: Callable[[list[str]], object], pump: str, length: int, floor_seconds: float
) -> bool:
    """Return whether a text takes much longer than its four quarters one after the other.

    The time of the quarters is that of a statement as long, because this is wall-clock time: on a
    busy machine a long statement has to share the processor and a short one does not.
    """
    whole = quarters = math.inf
    text = pump * (length // len(pump))
    quarter = pump * (length // 4 // len(pump))
    for _ in range(20):
        whole = min(whole, seconds(run, [text]))
        if whole < floor_seconds:
            return False
        quarters = min(quarters, seconds(run, [quarter] * 4))
        if whole < MAX_RATIO / 4 * quarters:
            return False
    return True


def seconds(run: Callable[[list[str]], object], texts: list[str]) -> float:
    begin = time.monotonic()
    run(texts)
    return time.monotonic() - begin


@pytest.mark.parametrize(
    ("run", "length", "floor_seconds"),
    [
        (
            execute("SELECT keepsake_tsvector(1, 'english', text) FROM unnest(%s::text[]) AS text"),
            32_000,
            FLOOR_SECONDS,
        ),
        pytest.param(
            execute(
                "SELECT ts_headline('english', keepsake_parsable(keepsake_characters(text)),"
                " 'tea'::tsquery) FROM unnest(%s::text[]) AS text"
            ),
            32_000,
            FLOOR_SECONDS,
            marks=pytest.mark.soak,
        ),
        pytest.param(ask, MAX_QUESTION_CHARACTERS, QUESTION_FLOOR_SECONDS, marks=pytest.mark.soak),
    ],
    ids=["indexing", "marking", "asking"],
)
def test_full_text_search_takes_linear_time(
    run: Callable[[list[str]], object], length: int, floor_seconds: float
) -> None:
    assert [pump for pump in PUMPS if grows_too_fast(run, pump, length, floor_seconds)] == []
