"""The rows of the import benchmark."""

from benchmarks.bulk import rows


def test_rows_are_distinct_and_always_the_same() -> None:
    sentences = list(rows(2_000))
    assert len({sentence.casefold() for sentence in sentences}) == 2_000
    assert sentences == list(rows(2_000))
    assert sentences[:800] == list(rows(800))
