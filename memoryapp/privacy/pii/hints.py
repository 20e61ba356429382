"""Quick tests that a text passes if it may hold a secret of a kind. Most texts pass none of them,
so that their patterns need not be tried: this is several times as fast.
"""

import re
from collections.abc import Callable, Sequence

Hint = Callable[[str], bool]

_DIGIT = re.compile(r"[0-9]")
_LONG_WORD = re.compile(r"\S{11}")
#: A digit, or a sign within a word.
_MIXED = re.compile(r"[0-9]|\w[!@#$%^&*+?~]\w")

#: Every word of `secret_words` in the languages of `announced_secrets` has one of these in it.
_PASSWORD_STEMS = (
    *("pas", "pa$", "pa5", "p@s", "p@$", "p@5", "p4s", "p4$", "p45", "psw", "pss", "p$", "p5"),
    *("passw", "kennwort", "pwd", "pw", "word", "wort", "mdp", "mot de", "mots de", "contrase"),
    *("clave de", "parola", "senha", "palavra", "wachtwoord"),
)
_KEY_STEMS = (
    *("key", "token", "secret", "schlüssel", "clé", "clave", "chiave", "chave", "cred", "phrase"),
    *("mnemonic", "words"),
)
_USE_STEMS = (
    *("use", "using", "typ", "enter", "log", "sign", "nehme", "verwende", "nutze", "uso", "usa"),
    *("utili", "tape", "tipp", "escribe", "teclea", "digita"),
)
#: Of the words of other languages, those in ASCII.
_STEMS_ELSEWHERE = (
    *("pasahitz", "contraseny", "clau de", "adgangskode", "kodeord", "parool", "salasana"),
    *("tunnus", "jelsz", "sandi", "kata ", "asfhocal", "focal faire", "slaptazod", "passord"),
    *("parol", "lozink", "losenord", "sifre", "hesl", "hasl", "gesl", "mat khau"),
)
_SPOKEN_DOTS = (" dot ", " punkt ", " punto ", " point ", " ponto ")


def always(text: str) -> bool:
    """For detectors that are quick themselves."""
    return True


def has_digits(text: str) -> bool:
    """True if there is a number."""
    return _DIGIT.search(text) is not None


def has_long_words(text: str) -> bool:
    """True if there is a word as long as a key."""
    return _LONG_WORD.search(text) is not None


def has_address(text: str) -> bool:
    """True if there is an @ or what people write for it."""
    return (
        "@" in text
        or any(bracket in text for bracket in "[({")
        or _holds(text.lower(), _SPOKEN_DOTS)
    )


def has_ip_address(text: str) -> bool:
    """True if there are digits with dots, colons or the word for a dot."""
    return has_digits(text) and ("." in text or ":" in text or _holds(text.lower(), _SPOKEN_DOTS))


def speaks_of_passwords(text: str) -> bool:
    """True if there is a word for a password, or one for signing in and what may be a password."""
    lower = text.lower()
    return _holds(lower, _PASSWORD_STEMS) or uses_something(text)


def uses_something(text: str) -> bool:
    """True if somebody uses or types what may be a password."""
    return _MIXED.search(text) is not None and _holds(text.lower(), _USE_STEMS)


def speaks_of_keys(text: str) -> bool:
    """True if there is a word for a key."""
    return _holds(text.lower(), _KEY_STEMS)


def speaks_of_secrets(text: str) -> bool:
    """True if there is a word for a password or a key."""
    return _holds(text.lower(), _PASSWORD_STEMS) or speaks_of_keys(text)


def may_speak_of_passwords_elsewhere(text: str) -> bool:
    """True if there is a word for a password in another language, or another script."""
    return not text.isascii() or _holds(text.lower(), _STEMS_ELSEWHERE)


def _holds(text: str, words: Sequence[str]) -> bool:
    return any(word in text for word in words)
