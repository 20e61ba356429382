"""Labels that tell a model who said something. Pure."""

import re
import unicodedata

from conversations.invisible import without_hidden

#: Characters of a name that a model is told.
MAX_AUTHOR_CHARACTERS = 40
#: Stay within a word: O’Brien, Jean-Luc.
_WITHIN_WORDS = "'’-"
#: Letters that look like quotation marks.
_QUOTES = "ʺˮ"
_LOOSE = re.compile(rf"(?<!\w)[{_WITHIN_WORDS}]|[{_WITHIN_WORDS}](?!\w)")


def speaker(role: str, author: str) -> str:
    """Return the label of a message: the role, and the name that the author gave in quotation
    marks. Clients choose the name freely, so it can neither end the label nor replace the role.
    """
    name = author_name(author)
    return f'{role} "{name}"' if name else role


def author_name(author: str) -> str:
    """Return the letters, digits and spaces of the name *author*, at most
    `MAX_AUTHOR_CHARACTERS`; empty if there are none.
    """
    # Ten times as long, because some characters are left out.
    letters = "".join(map(_letter, author[: 10 * MAX_AUTHOR_CHARACTERS]))
    words = _LOOSE.sub(" ", without_hidden(letters))
    return " ".join(words.split())[:MAX_AUTHOR_CHARACTERS].rstrip(f" {_WITHIN_WORDS}")


def _letter(character: str) -> str:
    if character in _WITHIN_WORDS:
        return character
    category = unicodedata.category(character)
    if category in ("Cc", "Cf", "Cs", "Me") and not character.isspace():
        return ""
    return character if category[0] in "LMN" and character not in _QUOTES else " "
