"""Templates and stylesheets are read and compared line by line, so their lines are short."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 160


def test_no_line_of_a_template_or_stylesheet_is_too_long() -> None:
    files = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "static").rglob("*.css")]
    assert len(files) > 100
    too_long = [
        f"{path.relative_to(ROOT)}:{number} has {len(line)} characters"
        for path in files
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if len(line) > LONGEST
    ]
    assert not too_long, "\n".join(too_long)
