"""Lines of templates and stylesheets are short, because they are reviewed line by line."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 160


def test_template_and_stylesheet_lines_are_short() -> None:
    files = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "static").rglob("*.css")]
    assert len(files) > 100
    too_long = [
        f"{path.relative_to(ROOT)}:{number} has {len(line)} characters"
        for path in files
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if len(line) > LONGEST
    ]
    assert not too_long, "\n".join(too_long)
