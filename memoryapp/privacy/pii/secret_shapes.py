"""Shapes of secrets among the words of a sentence."""

import itertools
import re
from collections.abc import Iterator

from memoryapp.privacy.pii.normalisation import Span

QUOTED = re.compile(r"([\"'`])(?P<secret>[^\"`\ue000]{1,100}?)\1(?!\w)")
_CLOSING = "\"'`)>]"
TOKEN = re.compile(r"[^\s\ue000]{1,200}")
#: The end of the clause about the secret.
_CLAUSE_END = re.compile(r"[.!?;](?:\s|$)|,\s|\s[-(]|\n|$")
#: Names with digits that are no secrets.
_NO_SECRETS = re.compile(
    r"1password|sha-?\d+|md5|argon2\w*|bcrypt|pbkdf2|utf-?\d+|oauth2?|2fa|mfa|base64|aes-?\d+"
    r"|rsa-?\d+|ed25519|v?\d+(?:\.\d+)+|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d+(?:st|nd|rd|th)"
    r"|(?:https?|ftp)://\S+|(?:windows|web|office|microsoft|python|iphone)-?\d+",
    re.IGNORECASE,
)

#: No brackets, slashes and colons, as in code and addresses.
_SIGNS_OF_PASSWORDS = re.compile(r"(?!\S{1,64}@\S{1,64}\.\w)[\w!@#$%^&*+?~.-]{6,100}")


def first_secret(text: str, start: int, *, within: int = 8) -> Iterator[Span]:
    """The first of the next few words of the clause that looks like a secret."""
    end = clause_end(text, start)
    for token in itertools.islice(TOKEN.finditer(text, start), within):
        span = bare(token[0], token.start())
        if span[0] >= end:
            return
        if looks_secret(text[slice(*span)], mixed=True):
            yield span
            return


def bare(token: str, start: int) -> Span:
    """The place of *token* without the punctuation around it."""
    left = len(token) - len(token.lstrip("\"'`(<["))
    # A secret may end with a sign, but not with a full stop or a closing quotation mark.
    right = len(token.rstrip(_CLOSING).rstrip(".,;:?").rstrip(_CLOSING))
    return start + left, start + max(right, left)


def looks_secret(token: str, *, mixed: bool = False) -> bool:
    """True if *token* does not look like a word: digits among letters, signs, or a number; with
    ``mixed``, not a number alone.
    """
    if _NO_SECRETS.fullmatch(token) or len(token) < 4:
        return False
    digits = sum(character.isdigit() for character in token)
    letters = sum(character.isalpha() for character in token)
    if digits and letters:
        return not mixed or len(token) >= 5
    if digits and digits == len(token):
        return not mixed
    inner = token[1:].rstrip("!?.,")
    if re.search(r"[!@#$%^&*_+=~?\\|<>{}]", inner) or (
        token[-1:] in "!$#%&*" and letters and not mixed
    ):
        return letters + digits >= 3
    upper = sum(character.isupper() for character in token[1:])
    return not mixed and 0 < upper < letters - 1 and any(c.islower() for c in token)


def made_up(token: str, *, least: int) -> bool:
    """True if *token* can hardly be the name of a thing: it has at least *least* of upper case,
    lower case, digits and signs, and more of them than a name. Addresses are no secrets.
    """
    if not looks_secret(token, mixed=True) or not _SIGNS_OF_PASSWORDS.fullmatch(token):
        return False
    digits = sum(character.isdigit() for character in token)
    signs = any(not character.isalnum() and character not in "-._" for character in token)
    cases = [any(map(str.isupper, token)), any(map(str.islower, token)), digits > 0, signs]
    # KeePass2 and FIDO2 are names.
    return sum(cases) >= least and (
        digits >= 3 or signs or (token.islower() and not token.startswith("http"))
    )


def clause_end(text: str, start: int) -> int:
    """The end of the clause that begins at *start*, at most 300 characters further on."""
    end = _CLAUSE_END.search(text, start, start + 300)
    return end.start() if end else min(len(text), start + 300)
