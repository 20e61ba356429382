"""Markdown of a model becomes harmless HTML."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.web.chat.markdown import Growing, render


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**Bold** and *quiet*", "<p><strong>Bold</strong> and <em>quiet</em></p>"),
        ("# Title", "<h3>Title</h3>"),
        ("###### Deep", "<h3>Deep</h3>"),
        ("~~gone~~", "<p><s>gone</s></p>"),
        (
            "```py\na < b\n```",
            '<div class="snippet"><pre tabindex="0"><code class="language-py">a &lt; b\n'
            "</code></pre>\n</div>",
        ),
        (
            "    indented",
            '<div class="snippet"><pre tabindex="0"><code>indented\n</code></pre>\n</div>',
        ),
        ("<b onclick=x>hi</b>", "<p>&lt;b onclick=x&gt;hi&lt;/b&gt;</p>"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
        ("[x](data:text/html,hi)", "<p>[x](data:text/html,hi)</p>"),
        ("[x](/accounts/logout)", "<p>[x](/accounts/logout)</p>"),
        (
            '[x](https://example.org "t")',
            '<p><a href="https://example.org" title="t" rel="noopener noreferrer nofollow" '
            'target="_blank">x</a></p>',
        ),
        (
            "![a <cat>](https://example.org/a.png)",
            '<p><a href="https://example.org/a.png" rel="noopener noreferrer nofollow" '
            'target="_blank">a &lt;cat&gt;</a></p>',
        ),
    ],
)
def test_markdown_is_rendered(text: str, html: str) -> None:
    assert render(text).strip() == html


def test_headings_do_not_skip_levels() -> None:
    html = render("## a\n#### b\n> ###### c\n\n### d\n# e\n## f\n### g\n#### h\n##### i")
    tags = re.findall(r"<(h\d)>(\w)</\1>", html)
    assert " ".join(letter + tag[1] for tag, letter in tags) == "a3 b4 c5 d4 e3 f4 g5 h6 i6"


def test_table_has_no_inline_styles() -> None:
    html = render("| a | b |\n|--:|:-:|\n| 1 | 2 |")
    assert '<div class="scroll" tabindex="0"><table>' in html
    assert '<th class="to-right">a</th>' in html
    assert '<td class="to-center">2</td>' in html
    assert "style" not in html


def test_ids_of_shown_memories_are_links() -> None:
    html = render(
        "So it is [m12], [m12; m7], not [m9] nor `[m12]` nor [m12](https://x.org).",
        {"m12": "/memory/12", "m7": "/memory/7"},
    )
    assert re.findall(r'<a class="cite" href="/memory/(\d+)">m\1</a>', html) == ["12", "12", "7"]
    assert "[m9]" in html
    assert "<code>[m12]</code>" in html


@pytest.mark.parametrize(
    "cited",
    [
        "[§ W-042/R-11/D-007]",
        "[W-042/R-11/D-007]",
        "[w-42/r-11/d-7]",
        "[§W-042/R-11/D-007 @p Mara]",
    ],
)
def test_pointer_in_any_notation_is_a_link(cited: str) -> None:
    html = render(f"She paints {cited}.", {"§ W-042/R-11/D-007": "/conversations/palace/drawers/3"})
    link = '<a class="cite" href="/conversations/palace/drawers/3">§ W-042/R-11/D-007</a>'
    assert html.strip() == f"<p>She paints {link}.</p>"


@pytest.mark.parametrize(
    "text", ["[§ W-042/R-11/D-008]", "[m12, m13]", "[m12, and more]", "[s12]", "[]", "[12]"]
)
def test_ids_that_were_not_shown_are_not_links(text: str) -> None:
    html = render(text, {"m12": "/memory/12", "§ W-042/R-11/D-007": "/x"})
    assert html.strip() == f"<p>{text}</p>"


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


HARMLESS = {
    *"p h3 h4 h5 h6 ul ol li blockquote hr br pre code strong em s a".split(),
    *"div table thead tbody tr th td".split(),
}
pieces = st.lists(
    st.text(max_size=12)
    | st.sampled_from(
        [
            *("# ", "\n\n", "\n", "- ", "1. ", "> ", "```\n", "`", "**", "| a | b |\n|:-|-:|\n"),
            *("<script>", "<img src=x onerror=y>", "[a](javascript:x)", "![", "](https://e.org)"),
            *("[m1]", "[m1, m2]", "[x]: https://e.org\n", "[x]", "&lt;", "    ", "<https://e.org>"),
        ]
    ),
    max_size=25,
)


@given(pieces)
def test_only_safe_tags_are_rendered(parts: list[str]) -> None:
    tags = _Tags()
    tags.feed(render("".join(parts), {"m1": "/memory/1", "m2": "/memory/2"}))
    for tag, attributes in tags.seen:
        assert tag in HARMLESS
        assert attributes.keys() <= {"href", "title", "rel", "target", "class", "tabindex", "start"}
        if tag == "a":
            assert re.match(r"(https?:|mailto:|/memory/\d+$)", attributes["href"] or "", re.I)


def _without_gaps(html: str) -> str:
    return re.sub(r"\s+", " ", html).strip()


BLOCKS = [
    "A paragraph of words.",
    "## Heading",
    "#### Deeper",
    "# Higher",
    "- one\n- two\n\n  more of two",
    "1. first\n2. second",
    "```py\ncode\n\nmore code\n```",
    "> quoted\n> on",
    "| a | b |\n|--|--|\n| 1 | 2 |",
    "***",
    "Ends with [m1].",
    "日本語の文。",
]


@given(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=7), st.integers(1, 9))
def test_streamed_rendering_equals_complete_rendering(blocks: list[str], step: int) -> None:
    text = "\n\n".join(blocks)
    growing = Growing()
    done = last = ""
    for end in [*range(step, len(text), step), len(text)]:
        more, last = growing.more(text[:end], {"m1": "/memory/1"})
        done += more
    assert _without_gaps(done + last) == _without_gaps(render(text, {"m1": "/memory/1"}))


def test_complete_blocks_are_sent_once() -> None:
    growing = Growing()
    assert growing.more("One") == ("", "<p>One</p>\n")
    assert growing.more("One\n\nTw") == ("<p>One</p>\n", "<p>Tw</p>\n")
    assert growing.more("One\n\nTwo.") == ("", "<p>Two.</p>\n")
