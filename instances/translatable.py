"""Texts that are made away from a screen, and shown later to people of any language.

A worker does not know who will read that a server did not answer. So it makes the text with
`translatable`: to logs, APIs and commands it is English, and it keeps the parts of which it is
made, so that a screen can show it in the language of the page with `translated`.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Self

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

#: Separates the English text from its parts in a column. Of no meaning in any other text.
_SEPARATOR = "\x1e"
#: Texts within texts that are read back at most.
_MAX_DEPTH = 5

Value = str | int | float


class TranslatableText(str):
    """An English text that can be translated. Equal to the plain string of its words.

    ``source`` is its text in the catalogs, ``plural`` the form for other numbers than one, if it
    has one; ``values`` fills its placeholders, and may hold translatable texts itself.
    """

    source: str
    plural: str
    values: dict[str, Value]

    def __new__(
        cls, source: str, values: Mapping[str, Value] | None = None, *, plural: str = ""
    ) -> Self:
        values = dict(values or {})
        form = plural if plural and values.get("number") != 1 else source
        filled = form % {name: _english(value) for name, value in values.items()}
        text = super().__new__(cls, filled if values else form)
        text.source, text.plural, text.values = source, plural, values
        return text

    def __str__(self) -> str:
        # Also what `str` of an exception with this text returns.
        return self

    def __reduce__(self) -> tuple[Callable[..., "TranslatableText"], tuple[Any, ...]]:
        return _made, (self.source, self.values, self.plural)

    def translated(self) -> str:
        """The text in the active language, or in English if a translation does not fit."""
        number = self.values.get("number")
        if self.plural and isinstance(number, int):
            form = ngettext(self.source, self.plural, number)
        else:
            form = gettext(self.source)
        if not self.values:
            return form
        try:
            return form % {name: _local(value) for name, value in self.values.items()}
        except (KeyError, TypeError, ValueError):
            return str.__str__(self)

    def cleaned(self, clean: Callable[[str], str]) -> Self:
        """Return the text with *clean* applied to each foreign text in it."""
        values = {
            name: value.cleaned(clean)
            if isinstance(value, TranslatableText)
            else (clean(value) if isinstance(value, str) else value)
            for name, value in self.values.items()
        }
        return type(self)(self.source, values, plural=self.plural)

    def filled(self, **values: Value) -> Self:
        """Return the text with other *values* for some of its placeholders."""
        return type(self)(self.source, {**self.values, **values}, plural=self.plural)

    def parts(self) -> dict[str, Any]:
        """The parts of the text for JSON; `from_parts` reads them."""
        values = {
            name: value.parts() if isinstance(value, TranslatableText) else value
            for name, value in self.values.items()
        }
        return {"text": self.source, "plural": self.plural, "values": values}


def translatable(source: str, **values: Value) -> TranslatableText:
    """Make a text of *source*, which is extracted for translation, and the *values* of its
    placeholders. Foreign words belong in the values.
    """
    return TranslatableText(source, values)


def translatable_plural(source: str, plural: str, number: int, **values: Value) -> TranslatableText:
    """Make a text whose form depends on *number*, which is the value of that name, too."""
    return TranslatableText(source, {"number": number, **values}, plural=plural)


def translatable_kind(one: str, many: str) -> TranslatableText:
    """Name a kind of things, such as "system messages", before they are counted: `told_of` gives it
    the form for their number.
    """
    return translatable_plural(one, many, 0)


def told_of(kind: str, number: int) -> str:
    """Return the name of a *kind* of things as it follows their *number*; any other text as is."""
    if isinstance(kind, TranslatableText) and kind.plural:
        kind = kind.filled(number=number)
    return translated(kind)


def sentences(*texts: str) -> TranslatableText:
    """Join whole sentences."""
    values = {f"sentence{number}": text for number, text in enumerate(filter(None, texts))}
    return TranslatableText(" ".join(f"%({name})s" for name in values), values)


def as_translatable(text: str) -> TranslatableText:
    """Return *text*, which a pure module may have marked for translation, with its parts."""
    return text if isinstance(text, TranslatableText) else TranslatableText(text)


def internal_error(error: BaseException) -> TranslatableText:
    """Name the kind of an unexpected *error*; the log has the rest."""
    return translatable("Internal error: %(kind)s.", kind=type(error).__name__)


def translated(text: str) -> str:
    """Return *text* in the active language if it is translatable, else as it is."""
    return text.translated() if isinstance(text, TranslatableText) else text


def cleaned(text: str, clean: Callable[[str], str]) -> str:
    """Return *text* with *clean* applied to it, or to the foreign words in a translatable one."""
    return text.cleaned(clean) if isinstance(text, TranslatableText) else clean(text)


def shortened(text: str, most: int) -> str:
    """Return *text* with at most *most* characters. Of a translatable one, the longest values are
    cut; only if its own words are too long does it become a plain string.
    """
    if len(text) <= most:
        return text
    if isinstance(text, TranslatableText):
        room = most // max(1, len(text.values))
        for length in (room, room // 2, room // 4):
            cut = text.cleaned(lambda value, length=length: value[:length])  # type: ignore[misc]
            if len(cut) <= most:
                return cut
    return str.__str__(text)[:most]


def encoded(text: str) -> str:
    """Return *text* as it is stored: its English words, then its parts if it is translatable."""
    if isinstance(text, TranslatableText):
        words = str.__str__(text).replace(_SEPARATOR, "")
        return f"{words}{_SEPARATOR}{json.dumps(text.parts(), ensure_ascii=False)}"
    return text.replace(_SEPARATOR, "")


def decoded(stored: str) -> str:
    """Read what `encoded` has returned."""
    words, separator, parts = stored.partition(_SEPARATOR)
    if not separator:
        return stored
    try:
        return from_parts(json.loads(parts))
    except (KeyError, TypeError, ValueError):
        return words


def from_parts(parts: Any, *, depth: int = 0) -> TranslatableText:
    """Read what `TranslatableText.parts` has returned. Raises `KeyError`, `TypeError` or
    `ValueError` for anything else.
    """
    if depth > _MAX_DEPTH:
        raise ValueError("too many texts within each other")
    values = {
        name: from_parts(value, depth=depth + 1) if isinstance(value, dict) else value
        for name, value in parts["values"].items()
    }
    return TranslatableText(parts["text"], values, plural=parts["plural"])


def _made(source: str, values: Mapping[str, Value], plural: str) -> TranslatableText:
    return TranslatableText(source, values, plural=plural)


def _english(value: Value) -> str:
    if isinstance(value, str):
        return str.__str__(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _local(value: Value) -> str:
    if isinstance(value, str):
        return translated(value)
    shown = value if isinstance(value, int) else f"{value:g}"
    return number_format(shown, use_l10n=True, force_grouping=isinstance(value, int))
