"""What a model writes, as HTML that is safe on our pages.

Its HTML is text, its pictures are links (loading one would tell a stranger what is read here), and
its links lead outside without saying where from. Nothing needs an inline style.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

_CITED = re.compile(r"\[(m\d{1,18}(?:[,;]\s*m\d{1,18})*)\](?!\()")
#: A line that will be an item of a numbered list when one more letter has come.
_NUMBER = re.compile(r"^ *\d{1,9}[.)]?\Z", re.MULTILINE)
_LINKS = re.compile(r"(?:https?:|mailto:)", re.IGNORECASE)


def render(text: str, memory_ids: Collection[int] = ()) -> SafeString:
    """Render *text*; ids in it such as [m12] link to those of *memory_ids* that they name."""
    return _safe(_markdown.render(text, {"memory_ids": frozenset(memory_ids)}))


@dataclass
class Growing:
    """A text that is still being written: blocks that are complete are rendered once."""

    _done: int = 0
    #: Definitions of links, and the headings that those to come stand under.
    _env: dict[str, Any] = field(default_factory=dict)

    def more(self, text: str, memory_ids: Collection[int] = ()) -> tuple[SafeString, SafeString]:
        """Return the HTML of the blocks that are complete by now and have not been returned
        before, and that of the last one, which may still change. *text* is all of it so far.
        """
        rest = text[self._done :]
        self._env["memory_ids"] = frozenset(memory_ids)
        tokens = _markdown.parse(rest, self._env)
        starts = [
            (index, token.map[0])
            for index, token in enumerate(tokens)
            if token.level == 0 and token.nesting >= 0 and token.map
        ]
        if _NUMBER.search(rest):
            starts = starts[:-1]  # What looks like a paragraph is the next item of the list before.
        if len(starts) < 2:
            return _safe(""), self._html(tokens)
        index, line = starts[-1]
        self._done += sum(len(each) for each in rest.splitlines(keepends=True)[:line])
        for token in tokens[:index]:
            if "above" in token.meta:
                self._env["above"] = token.meta["above"]
        return self._html(tokens[:index]), self._html(tokens[index:])

    def _html(self, tokens: Sequence[Token]) -> SafeString:
        return _safe(_markdown.renderer.render(tokens, _markdown.options, self._env))


def _safe(html: str) -> SafeString:
    # Safe because the parser below passes no HTML on, and checks where links lead.
    return mark_safe(html)  # noqa: S308


def _parser() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    markdown.validateLink = lambda url: bool(_LINKS.match(url))  # type: ignore[method-assign]
    markdown.inline.ruler.before("link", "cited", _cited)
    markdown.core.ruler.push("house", _house)
    for name, rule in {
        "image": _image,
        "fence": _code,
        "code_block": _code,
        "table_open": _table_open,
        "table_close": _table_close,
    }.items():
        markdown.add_render_rule(name, rule)
    return markdown


def _cited(state: StateInline, silent: bool) -> bool:
    """Turn [m12] or [m12, m15] into links to memories, if all of them are known."""
    if state.src[state.pos] != "[" or state.linkLevel:
        return False
    found = _CITED.match(state.src, state.pos)
    ids = [int(each) for each in re.findall(r"\d+", found[1])] if found else []
    if not found or not set(ids) <= state.env.get("memory_ids", frozenset()):
        return False
    if not silent:
        for number in ids:
            opening = state.push("link_open", "a", 1)
            opening.attrs = {"class": "cite", "href": reverse("memory", args=[number])}
            state.push("text", "", 0).content = f"m{number}"
            state.push("link_close", "a", -1)
    state.pos = found.end()
    return True


def _house(state: StateCore) -> None:
    """Fit what was parsed into a page of ours."""
    above: tuple[int, ...] = state.env.get("above", ())
    for token in state.tokens:
        if token.type == "heading_open":
            level = int(token.tag[1:])
            above = (*(each for each in above if each < level), level)
            token.meta["above"] = above
        if token.type in ("heading_open", "heading_close"):
            # The page has headings of its own above these, and none of them skips a level.
            token.tag = f"h{min(6, len(above) + 2)}"
        elif token.type in ("th_open", "td_open") and "style" in token.attrs:
            aligned = str(token.attrs.pop("style")).rpartition(":")[2]
            token.attrs["class"] = f"to-{aligned}"
        for child in token.children or ():
            if child.type == "link_open" and "class" not in child.attrs:
                child.attrs["rel"] = "noopener noreferrer nofollow"
                child.attrs["target"] = "_blank"


def _image(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    options: OptionsDict,
    env: EnvType,
) -> str:
    token = tokens[index]
    words = renderer.renderInlineAsText(token.children, options, env) or "picture"
    return (
        f'<a href="{escape(token.attrs["src"])}" rel="noopener noreferrer nofollow" '
        f'target="_blank">{escape(words)}</a>'
    )


def _code(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    options: OptionsDict,
    env: EnvType,
) -> str:
    rule = renderer.fence if tokens[index].type == "fence" else renderer.code_block
    # It scrolls sideways, so the keyboard must be able to reach it.
    scrolling = rule(tokens, index, options, env).replace("<pre>", '<pre tabindex="0">', 1)
    return f'<div class="snippet">{scrolling}</div>\n'


def _table_open(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    options: OptionsDict,
    env: EnvType,
) -> str:
    return '<div class="scroll" tabindex="0"><table>\n'


def _table_close(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    options: OptionsDict,
    env: EnvType,
) -> str:
    return "</table></div>\n"


_markdown = _parser()
