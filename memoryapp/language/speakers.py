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
#: Words for the parts in a conversation with a model, which are no names of people.
ROLES = frozenset(
    "assistant system user tool developer function model ai bot chatbot operator admin "
    "administrator assistent benutzer asistente usuario assistente utente sistema système "
    "utilisateur ki ia".split()
)
_LOOSE = re.compile(rf"(?<!\w)[{_WITHIN_WORDS}]|[{_WITHIN_WORDS}](?!\w)")


def speaker(role: str, author: str) -> str:
    """Return the label of a message: the role, and the name that the author gave in quotation
    marks. Clients choose the name freely, so it can neither end the label nor replace the role.
    """
    name = author_name(author)
    return f'{role} "{name}"' if name else role


def head(role: str, author: str) -> str:
    """Return the beginning of a message's line in a transcript: who speaks, ``User (Mara)``. The
    name never stands alone: one that looks like another role would be taken for it.
    """
    who = "Assistant" if role == "assistant" else "User"
    name = author_name(author)
    return f"{who} ({name})" if name else who


def author_name(author: str) -> str:
    """Return the letters, digits and spaces of the name *author*, at most
    `MAX_AUTHOR_CHARACTERS`; empty if there are none, or they only name a role.
    """
    name = _plain_name(author)
    return "" if unicodedata.normalize("NFKC", name).casefold() in ROLES else name


def _plain_name(author: str) -> str:
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
