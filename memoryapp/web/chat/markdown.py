"""Markdown from a model, rendered as safe HTML.

HTML in it is shown as text. Pictures become links, since loading one would tell its server what is
read here, and links send no referrer. Nothing needs an inline style.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import ngettext
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from memoryapp.models.aaak import NotAPointer, parse_pointer
from memoryapp.privacy.verbatim import PLACEHOLDERS

#: One or more ids in brackets.
_CITED = re.compile(r"\[([^\[\]\n]{2,300})\](?!\()")
_PARTED = re.compile(r"[,;]\s*")
#: A line that becomes an item of a numbered list with the next letter.
_NUMBER = re.compile(r"^ *\d{1,9}[.)]?\Z", re.MULTILINE)
_LINKS = re.compile(r"(?:https?:|mailto:)", re.IGNORECASE)

#: Lines of code that are shown at once where code is folded.
MAX_UNFOLDED_LINES = 20

#: Ids that a text may cite, such as ``m12`` or ``§ W-042/R-11/D-007``, with their addresses.
Sources = Mapping[str, str]


def render(
    text: str, sources: Sources = MappingProxyType({}), *, fold_code: bool = False
) -> SafeString:
    """Render *text*; ids in it such as [m12] link to those of *sources* that they name. With
    ``fold_code``, long code is folded.
    """
    return _safe(_markdown.render(text, {"sources": sources, "fold_code": fold_code}))


@dataclass
class Growing:
    """A text that is still growing: complete blocks are rendered once."""

    _done: int = 0
    #: Definitions of links, and the headings above the next block.
    _env: dict[str, Any] = field(default_factory=dict)

    def more(
        self, text: str, sources: Sources = MappingProxyType({})
    ) -> tuple[SafeString, SafeString]:
        """Return the HTML of the blocks that have been completed since the last call, and of the
        last block, which may still change. *text* is the whole text so far.
        """
        rest = text[self._done :]
        self._env["sources"] = sources
        tokens = _markdown.parse(rest, self._env)
        starts = [
            (index, token.map[0])
            for index, token in enumerate(tokens)
            if token.level == 0 and token.nesting >= 0 and token.map
        ]
        if _NUMBER.search(rest):
            starts = starts[:-1]  # What looks like a paragraph becomes an item of the list before.
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
    # Safe because the parser below escapes HTML, and checks the targets of links.
    return mark_safe(html)  # noqa: S308


def _parser() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    markdown.validateLink = lambda url: bool(_LINKS.match(url))  # type: ignore[method-assign]
    markdown.inline.ruler.before("link", "cited", _cited)
    markdown.inline.ruler.before("link", "masked", _masked)
    markdown.core.ruler.push("adapt", _adapt)
    rules: dict[str, Callable[..., str]] = {
        "image": _image,
        "fence": _code,
        "code_block": _code,
        "masked": lambda renderer, tokens, index, *_: (
            f'<span class="masked">{escape(tokens[index].content)}</span>'
        ),
        "table_open": lambda *_: '<div class="scroll" tabindex="0"><table>\n',
        "table_close": lambda *_: "</table></div>\n",
    }
    for name, rule in rules.items():
        markdown.add_render_rule(name, rule)
    return markdown


def _cited(state: StateInline, silent: bool) -> bool:
    """Turn [m12] or [m12, m15] into links to their sources, if all of them are known."""
    sources: Sources = state.env.get("sources", {})
    if state.src[state.pos] != "[" or state.linkLevel or not sources:
        return False
    match = _CITED.match(state.src, state.pos)
    refs = [_as_shown(part) for part in _PARTED.split(match[1])] if match else []
    if not match or not all(ref in sources for ref in refs):
        return False
    if not silent:
        for ref in refs:
            opening = state.push("link_open", "a", 1)
            opening.attrs = {"class": "cite", "href": sources[ref]}
            state.push("text", "", 0).content = ref
            state.push("link_close", "a", -1)
    state.pos = match.end()
    return True


def _masked(state: StateInline, silent: bool) -> bool:
    """Set a placeholder for a secret apart from what was said."""
    if state.src[state.pos] != "[":
        return False
    end = state.src.find("]", state.pos, state.posMax) + 1
    placeholder = state.src[state.pos : end]
    if placeholder not in PLACEHOLDERS:
        return False
    if not silent:
        state.push("masked", "", 0).content = placeholder
    state.pos = end
    return True


def _as_shown(ref: str) -> str:
    """Return an id that the model has written as it was shown to the model."""
    try:
        return str(parse_pointer(ref))
    except NotAPointer:
        return ref.strip().lower()


def _adapt(state: StateCore) -> None:
    """Adapt the parsed tokens to our pages."""
    above: tuple[int, ...] = state.env.get("above", ())
    for token in state.tokens:
        if token.type == "heading_open":
            level = int(token.tag[1:])
            above = (*(each for each in above if each < level), level)
            token.meta["above"] = above
        if token.type in ("heading_open", "heading_close"):
            # The page has headings above these, and no level may be skipped.
            token.tag = f"h{min(6, len(above) + 2)}"
        elif token.type in ("th_open", "td_open") and "style" in token.attrs:
            alignment = str(token.attrs.pop("style")).rpartition(":")[2]
            token.attrs["class"] = f"to-{alignment}"
        for child in token.children or ():
            if child.type == "link_open" and "class" not in child.attrs:
                child.attrs["rel"] = "noopener noreferrer nofollow"
                child.attrs["target"] = "_blank"


def _image(renderer: RendererHTML, tokens: Sequence[Token], index: int, *context: Any) -> str:
    token = tokens[index]
    words = renderer.renderInlineAsText(token.children, *context) or "picture"
    return (
        f'<a href="{escape(token.attrs["src"])}" rel="noopener noreferrer nofollow" '
        f'target="_blank">{escape(words)}</a>'
    )


def _code(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    rule = renderer.fence if tokens[index].type == "fence" else renderer.code_block
    # It scrolls horizontally, so it must be reachable by keyboard.
    scrolling = rule(tokens, index, options, env).replace("<pre>", '<pre tabindex="0">', 1)
    lines = tokens[index].content.count("\n")
    if not env.get("fold_code") or lines <= MAX_UNFOLDED_LINES:
        return f'<div class="snippet">{scrolling}</div>\n'
    words = ngettext("Code, %(lines)s line", "Code, %(lines)s lines", lines) % {"lines": lines}
    return f'<details class="snippet"><summary>{escape(words)}</summary>{scrolling}</details>\n'


_markdown = _parser()
