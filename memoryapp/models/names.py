"""Comparison of names: slugs in the letters of every script. Pure functions.

A name is identified by its slug, and by the slugs of other spellings of the same name: "Moser,
Anna" and "Dr. Anna Moser" are Anna Moser. Nothing here guesses: Ann is not Anne, José is not Jose,
and Moser alone can be any person of that name.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from conversations.invisible import without_hidden

#: The longest slug and the longest name.
MAX_NAME_CHARACTERS = 200

#: Removed from the middle of a word: O’Brien is OBrien.
_APOSTROPHES = frozenset("'’‘‛ʼʹ`´＇")
#: Signs after a letter are part of the name: they distinguish C, C++ and C#.
_SIGNS = {"+": "plus", "#": "sharp"}
#: Titles that are optional for the same person. Not "Mrs" and the like, which may distinguish the
#: two members of a couple.
_TITLES = frozenset({"dr", "prof", "professor", "doctor"})


def clean_name(name: str) -> str:
    """Make *name* fit its column: without line breaks, double spaces and invisible characters."""
    seen = "".join(
        c
        for c in without_hidden(name)
        if unicodedata.category(c) not in ("Cc", "Cs") or c.isspace()
    )
    return " ".join(seen.split())[:MAX_NAME_CHARACTERS].strip()


def slug(name: str) -> str:
    """Write *name* in lower case letters and digits of its own script, with hyphens between words.

    Never empty for a name with a visible character: a name of signs alone, such as an emoji, is
    written as code points. A slug stays as it is.
    """
    words = "-".join(_words(_folded(name)))
    if not words:
        signs = (c for c in _folded(name) if not c.isspace() and not _is_unseen(c))
        words = "-".join(f"u{ord(c):x}" for c in signs)
    if len(words) <= MAX_NAME_CHARACTERS:
        return words
    digest = hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:16]
    return f"{words[: MAX_NAME_CHARACTERS - 17].rstrip('-')}-{digest}"


def slugs(name: str) -> list[str]:
    """Return the slug of *name*, followed by those of its other spellings."""
    spellings = [name]
    before, comma, behind = name.partition(",")
    if comma and "," not in behind and len(before.split()) == 1 and 0 < len(behind.split()) <= 2:
        spellings.append(f"{behind} {before}")
    for spelling in list(spellings):
        words = spelling.split()
        while words and slug(words[0]) in _TITLES:
            words = words[1:]
        # A family name alone could be any member of the family.
        if 2 <= len(words) < len(spelling.split()):
            spellings.append(" ".join(words))
    return list(filter(None, dict.fromkeys(map(slug, spellings))))


class KnownName(Protocol):
    """Something with a name."""

    @property
    def slug(self) -> str: ...

    @property
    def aliases(self) -> Sequence[str]: ...


Thing = TypeVar("Thing", bound=KnownName)


def best_match(name: str, known: Iterable[Thing]) -> Thing | None:
    """Return the item of *known* that *name* means; None if there is none, or several."""
    own, *others = slugs(name) or [""]
    if not own:
        return None
    by_alias: list[Thing] = []
    by_name: list[Thing] = []
    for item in known:
        if item.slug == own:
            return item
        if own in item.aliases:
            by_alias.append(item)
        elif item.slug in others or set(others) & set(item.aliases):
            by_name.append(item)
    matches = by_alias or by_name
    return matches[0] if len(matches) == 1 else None


def aliases_of(name: str, more: Sequence[str] = ()) -> list[str]:
    """Return the aliases of something named *name*, with *more* names."""
    own, *others = slugs(name) or [""]
    aliases = dict.fromkeys([*others, *(alias for other in more for alias in slugs(other))])
    return [alias for alias in aliases if alias != own]


def _folded(name: str) -> str:
    """*name* in one form, however it was typed."""
    for _ in range(4):
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
        if folded == name:
            break
        name = folded
    return name


def _words(text: str) -> list[str]:
    spelled: list[str] = []
    for character in text:
        inside = bool(spelled) and spelled[-1] != " "
        match unicodedata.category(character)[0]:
            case _ if _is_unseen(character):
                pass
            case "L" | "N":
                spelled.append(character)
            case "M":
                # A mark belongs to its letter, and is no word by itself.
                if inside:
                    spelled.append(character)
            case _ if character in _APOSTROPHES:
                pass
            case _ if inside and character in _SIGNS:
                spelled.append(_SIGNS[character])
            case _:
                spelled.append(" ")
    return "".join(spelled).split()


def _is_unseen(character: str) -> bool:
    """True if it only changes how others are drawn, such as joiners and direction marks."""
    if unicodedata.category(character) in ("Cf", "Cc", "Cs", "Me"):
        return not character.isspace()
    return bool(
        re.match(
            "[\u034f\u0640\u115f\u1160\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]", character
        )
    )
