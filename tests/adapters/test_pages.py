"""The pages of adapters: short, listed, and linked."""

import re

import pytest

from tests.adapters.pages import MAX_LINES, PAGES, code_of

NAMES = sorted(path.stem for path in PAGES.glob("*.md"))


@pytest.mark.parametrize("page", NAMES)
def test_an_adapter_is_short_enough_to_be_read(page: str) -> None:
    lines = code_of(page).splitlines()
    assert len(lines) <= MAX_LINES
    assert max(map(len, lines)) <= 120
    compile(code_of(page), page, "exec")


def test_the_page_of_the_store_lists_each() -> None:
    listed = re.findall(r"\(adapters/([\w-]+)\.md\)", (PAGES.parent / "store.md").read_text())
    assert sorted(listed) == NAMES


@pytest.mark.parametrize("page", NAMES)
def test_links_point_to_existing_pages(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+\.md)[^)]*\)", (PAGES / f"{page}.md").read_text()):
        assert (PAGES / target).exists(), target
