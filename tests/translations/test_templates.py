"""Templates hold no text that is not translated."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

#: Where text is not for translation.
_LEFT_OUT = re.compile(
    r"""
    {%\s*blocktranslate\b.*?{%\s*endblocktranslate\s*%}
    | {%\s*block\ (?:main_class|with_panel|bodyclass)\s*%}.*?{%\s*endblock\b.*?%}
    | {%\s*comment\b.*?{%\s*endcomment\s*%}
    | {\#.*?\#} | {%.*?%} | {{.*?}}
    | <!--.*?--> | <!doctype[^>]*>
    | <(script|style|code|kbd|pre)\b[^>]*>.*?</\1>
    """,
    re.DOTALL | re.VERBOSE,
)
_ATTRIBUTE = re.compile(r"\s([\w:-]+)=(\"[^\"]*\"|'[^']*')", re.DOTALL)
_READ_ATTRIBUTES = {"alt", "aria-label", "aria-description", "placeholder", "title", "label"}
_TAG = re.compile(r"<[^>]*>", re.DOTALL)
_ENTITY = re.compile(r"&\w+;|&#\d+;")
_WORD = re.compile(r"[^\W\d_]{2,}")
#: The same in all languages: names, and what people type.
_NAMES = {
    "ms",
    "Keepsake",
    "Valkey",
    "PostgreSQL",
    "JSONL",
    "CSV",
    "ID",
    "API",
    "MCP",
    "RRF",
    "tsvector",
}


def texts(source: str) -> list[str]:
    """Return the words that a template shows in every language."""
    found = []
    rest = _LEFT_OUT.sub(" ", source)

    def take(match: re.Match[str]) -> str:
        if match[1] in _READ_ATTRIBUTES:
            found.append(match[2][1:-1])
        return " "

    found.append(_TAG.sub("\n", _ATTRIBUTE.sub(take, rest)))
    lines = (line.strip() for text in found for line in _ENTITY.sub(" ", text).splitlines())
    return [line for line in lines if set(_WORD.findall(line)) - _NAMES]


def test_plain_text_is_found() -> None:
    assert texts('<p class="x">Some {{ n }} text</p>') == ["Some   text"]
    assert texts('<a title="A hint" href="/x">{% translate "Fine" %}</a>') == ["A hint"]
    assert texts("{% blocktranslate trimmed %}All <b>fine</b>{% endblocktranslate %} · 3") == []


def test_all_text_is_translated() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): words
        for path in sorted((ROOT / "templates").rglob("*.html"))
        if (words := texts(path.read_text()))
    }
    assert found == {}
