"""Tables of figures in the documentation: new results replace old ones, the rest stays."""

from pathlib import Path

import pytest

from benchmarks.documentation_tables import NoTable, write

PAGE = """\
# Figures

<!-- figures: recall -->
<!-- end -->

Between the two.

<!-- figures: scale -->
| mine |
<!-- end -->
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    return page


def test_rows_are_added_and_replaced(page: Path) -> None:
    write(page, "recall", ["questions", "R@10"], {"LoCoMo, rrf": ["70", "0.5"]})
    write(page, "recall", ["questions", "R@10"], {"BEAM, rrf": ["18", "0.4"]})
    write(page, "recall", ["questions", "R@10"], {"LoCoMo, rrf": ["70", "0.6"]})
    table = """\
<!-- figures: recall -->

|  | questions | R@10 |
| --- | --- | --- |
| BEAM, rrf | 18 | 0.4 |
| LoCoMo, rrf | 70 | 0.6 |

<!-- end -->
"""
    assert page.read_text() == PAGE.replace("<!-- figures: recall -->\n<!-- end -->\n", table)
    before = page.read_text()
    write(page, "recall", ["questions", "R@10"], {"LoCoMo, rrf": ["70", "0.6"]})
    assert page.read_text() == before


def test_other_columns_start_a_new_table(page: Path) -> None:
    write(page, "recall", ["R@10"], {"LoCoMo": ["0.5"]})
    write(page, "recall", ["R@5", "R@10"], {"BEAM": ["0.3", "0.4"]})
    assert "LoCoMo" not in page.read_text()


def test_rows_named_by_numbers_are_in_their_order(page: Path) -> None:
    for size in ("1,000,000", "10,000", "others", "200,000"):
        write(page, "scale", ["p95"], {size: ["5"]})
    rows = [line for line in page.read_text().splitlines() if line.endswith("| 5 |")]
    assert rows == [f"| {size} | 5 |" for size in ("10,000", "200,000", "1,000,000", "others")]


def test_page_without_a_marker_is_unchanged(page: Path) -> None:
    with pytest.raises(NoTable, match="figures: speed"):
        write(page, "speed", ["p95"], {"LoCoMo": ["5"]})
    assert page.read_text() == PAGE
