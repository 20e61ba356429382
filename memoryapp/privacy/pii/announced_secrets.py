"""Detects secrets as people announce them: "my password is …", "pwd: …", "your code is …".

What follows is a secret if it differs from the rest of the sentence: quoted, with digits and signs
as no word has them, or a single word. "My password is too short" states something about a password;
"my password is somewhere in here" announces one without showing where it is.
"""

import re
from collections.abc import Iterable, Iterator

from memoryapp.privacy.pii.normalisation import MARK, Span
from memoryapp.privacy.pii.secret_shapes import (
    QUOTED,
    TOKEN,
    bare,
    clause_end,
    first_secret,
    looks_secret,
    made_up,
)
from memoryapp.privacy.pii.secret_words import (
    FOR_KEYS,
    FOR_PASSWORDS,
    FOR_PHRASES,
    IS,
    LOOSELY_FOR_KEYS,
    LOOSELY_FOR_PASSWORDS,
    NOW,
    OF,
)

#: The sign or word before the secret.
_LINK = rf"(?P<link> ?(?::=|=>|->|=|:)+| {IS}{NOW} ?:?|'s(?= ))"

_ANNOUNCED = {
    words: re.compile(
        rf"(?<![A-Za-z0-9\[])(?P<word>{words})(?!\w){OF}['\"]?{_LINK} ?", re.IGNORECASE
    )
    for words in (
        FOR_PASSWORDS,
        LOOSELY_FOR_PASSWORDS,
        FOR_KEYS,
        LOOSELY_FOR_KEYS,
        FOR_PHRASES,
    )
}
#: password hunter2: the secret right after the word.
_ADJACENT = re.compile(rf"(?<![A-Za-z0-9\[])(?:{FOR_PASSWORDS})(?!\w) (?=\S)", re.IGNORECASE)
#: secret access key wJalrXUt…: too long to be anything else.
_KEY_BESIDE = re.compile(
    rf"(?<![A-Za-z0-9\[])(?:{FOR_KEYS})(?!\w) (?P<secret>[\w+/=.-]{{16,200}})", re.IGNORECASE
)
#: hunter2 is my password
_BEFORE = re.compile(
    rf"(?<!\S)(?P<secret>\S{{4,100}}) (?:is|was|as|ist|als|est|comme|es|como|è|come|é)"
    rf"(?: (?:my|the|her|his|their|our|your|a|user's|mein|das|mon|le|mi|la|mia|minha|a|mijn|het))?"
    rf"(?: (?:new|old|current|neues|nouveau|nueva|nuova|nova|nieuwe|wifi|wi-fi))?"
    rf" (?:{FOR_PASSWORDS}|{FOR_KEYS})(?!\w)",
    re.IGNORECASE,
)
_PHRASE = re.compile(r"[\"']?(?:\w{3,12}[ ,]{1,2}){5,24}\w{3,12}")
_FURTHER = re.compile(r",? (?:and|or|then|und|oder|et|ou|y|o|e|en|of) (?=\S)|, (?=\S)")
#: Password: and then the secret on the next line, by itself.
_ON_THE_NEXT_LINE = re.compile(r" ?\n\s{0,3}(?P<secret>[^\s\ue000]{4,100}) ?(?=\n|$)")

_WHERE = r"(?:web ?sites?|sites?|accounts?|log-?ins?|services?|apps?|pages?|devices?|portals?)"
_MY = r"(?: (?:of|my|the|our|his|her|their|these|those))*+"
#: for all sites I use Sunshine1987
_USED_FOR_ALL = re.compile(
    rf"\b(?:(?:for|on) (?:(?:all|every|each|both|most){_MY} (?:[\w-]{{1,20}} )?{_WHERE}|everything)"
    r"|everywhere|für alles?|überall|para tod[oa]s?|en todas partes|pour tou(?:t|s|tes)|partout"
    r"|per tutt[oie]|dappertutto)[^.!?\n\ue000]{0,30}?"
    r" (?:use|uses|type|types|enter|enters|take|takes|benutze|nehme|verwende|nutze|uso|usa|utilizo"
    r"|j'utilise|utilise)(?: ich)?(?: immer| toujours| siempre| sempre)? (?P<secret>\S{6,100})",
    re.IGNORECASE,
)
#: use Sunshine1987 to log in, type Sunshine1987 at the prompt
_USED_TO_SIGN_IN = re.compile(
    r"\b(?:use|uses|used|using|type|types|typed|typing|enter|enters|entered|entering) (?:in )?"
    r"(?P<secret>\S{6,100}) (?:to (?:log|sign|get|unlock|open|authenticate|connect)\b"
    rf"|(?:for|on) (?:(?:all|every|each|both|most){_MY} (?:[\w-]{{1,20}} )?{_WHERE}|everything)"
    r"|everywhere|(?:at|in|on) the (?:log|sign|prompt|terminal)"
    r"|when (?:it asks|asked|prompted|logging|signing))",
    re.IGNORECASE,
)
#: log in with Sunshine1987
_SIGN_IN_WITH = re.compile(
    r"\b(?:log(?:ged|s|ging)?|sign(?:ed|s|ing)?)[ -](?:in|on|into)\b[^.!?\n\ue000]{0,60}?"
    r" (?:with|using|type|typing|enter|entering) (?P<secret>\S{6,100})",
    re.IGNORECASE,
)
#: type Tr0ub4dor&3: nobody types this for anything else.
_TYPED = re.compile(
    r"\b(?:type|types|typed|typing|enter|entered|tippe|tapez|tape|escribe|teclea|digita)"
    r" (?:in )?(?P<secret>\S{8,100})",
    re.IGNORECASE,
)

#: Words that begin a statement about a secret.
_STATES = frozenset(
    "refused rejected accepted denied "
    "too very so really quite rather not never always often stored kept saved managed written "
    "encrypted hashed salted generated reset changed updated rotated renewed protected shared sent "
    "known due about only at least more expired expiring required needed mandatory optional "
    "unknown "
    "lost forgotten missing set being going supposed used reused visible no none nothing annoying "
    "what why how because when if that which who where a an the in on under inside behind with by "
    "from for my to your our their his her its and or but one manager policy hint "
    # German
    "abgelaufen gespeichert geändert vergessen zu nicht sehr immer nie eine einer der die das "
    "im in "
    "auf am bei "
    # French
    "expiré oublié pas trop très toujours jamais un une la dans chez "
    # Spanish, Italian, Portuguese
    "caducada no muy demasiado nunca siempre una un el la en scaduta non molto troppo sempre mai "
    "il nella expirada não muito uma um na "
    # Dutch
    "verlopen niet te altijd nooit een het de bij".split()
)
#: The same, if the clause ends after them or continues with a word of either list: "correct horse
#: battery staple" is a secret.
_QUALITIES = frozenset(
    "weak strong stronger safe unsafe secure insecure wrong right correct incorrect long longer "
    "short "
    "shorter same different unique old new easy hard difficult simple complicated secret private "
    "confidential invalid valid empty blank random important sensitive enough again now today "
    "since "
    "until as than "
    "schwach stark sicher unsicher falsch richtig neu alt lang kurz leer faible fort incorrect "
    "nouveau "
    "débil segura fuerte incorrecta nueva debole sicura forte sbagliata nuova fraca errada nova "
    "zwak sterk veilig verkeerd nieuw".split()
)
#: leaked in 2019, guessed by Ben
_DONE_TO_IT = re.compile(r"[a-z]{3,}(?:ed|ing)|stolen|broken|given|chosen|taken|shown")
#: Places in the text itself, where the secret may be.
_IN_THE_TEXT = re.compile(
    r"(?:(?:in|on|at|under|within|inside|im|in|dans|en|nel|no|na)? ?(?:the|this|my|that|diesem|der"
    r"|dem|ce|cette|le|la|este|esta|el|questo|questa|il|o|a|deze|dit|de|het)? ?"
    r"(?:following|next|last|previous|above|below|first|second)? ?"
    r"(?:text|message|sentence|line|note|words?|chat|conversation|paragraph|nachricht|satz|phrase"
    r"|mensaje|frase|messaggio|mensagem|bericht|zin)\b)"
    r"|(?:in|on|right|over|somewhere|hidden|to be found|irgendwo|quelque part|en algún|da qualche"
    r"|em algum|ergens)? ?(?:here|there|above|below|hier|oben|unten|ici|ci-dessous|aquí|arriba"
    r"|qui|sopra|aqui|acima|hieronder)\b",
    re.IGNORECASE,
)
_IN_THIS_TEXT = re.compile(
    r"\b(?:this|diese[mnr]?|ce|cet|cette|est[ae]|quest[oa]|nest[ae]|deze|dit) "
    r"(?:text|message|sentence|line|note|chat|conversation|paragraph|nachricht|satz|phrase|texte"
    r"|texto|mensaje|frase|messaggio|mensagem|bericht|zin)\b",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r"(?:at least |about |only )?\d{1,20}+ ?(?:-|to)? ?\d{0,20}+ ?"
    r"(?:characters?|chars?|letters?|digits?|signs"
    r"|words?|bits?|bytes?|days?|weeks?|months?|years?|times|zeichen|stellen|tage|jahre|caractères"
    r"|caracteres|caratteri|tekens)\b",
    re.IGNORECASE,
)


def passwords(text: str) -> Iterable[Span]:
    """Passwords after or before a word for them."""
    yield from _announced(text, FOR_PASSWORDS)
    for match in _ADJACENT.finditer(text):
        yield from first_secret(text, match.end())
    for match in _ANNOUNCED[LOOSELY_FOR_PASSWORDS].finditer(text):
        yield from first_secret(text, match.end())
    for match in _BEFORE.finditer(text):
        start, end = bare(match["secret"], match.start("secret"))
        if looks_secret(text[start:end]):
            yield start, end
    for pattern, least in (
        (_USED_FOR_ALL, 2),
        (_USED_TO_SIGN_IN, 2),
        (_SIGN_IN_WITH, 3),
        (_TYPED, 3),
    ):
        for match in pattern.finditer(text):
            start, end = bare(match["secret"], match.start("secret"))
            if made_up(text[start:end], least=least):
                yield start, end


def named_keys(text: str) -> Iterable[Span]:
    """Keys and tokens after a word for them, and recovery phrases."""
    yield from _announced(text, FOR_KEYS)
    for match in _KEY_BESIDE.finditer(text):
        if looks_secret(match["secret"], mixed=True):
            yield match.span("secret")
    for match in _ANNOUNCED[LOOSELY_FOR_KEYS].finditer(text):
        for start, end in first_secret(text, match.end()):
            if end - start >= 8:
                yield start, end
    for match in _ANNOUNCED[FOR_PHRASES].finditer(text):
        words = _PHRASE.match(text, match.end())
        if words:
            yield words.span()


def announces_a_secret(text: str) -> bool:
    """True if *text* announces a secret that has not been found."""
    for words in (FOR_PASSWORDS, FOR_KEYS, FOR_PHRASES):
        for match in _ANNOUNCED[words].finditer(text):
            rest = text[match.end() : clause_end(text, match.end())].strip(" \"'")
            if MARK in text[match.start() : match.end()] or not rest or MARK in rest:
                continue
            if (
                _IN_THE_TEXT.match(rest)
                or _IN_THIS_TEXT.search(rest)
                or not _states_something(rest)
            ):
                return True
    return False


def _announced(text: str, words: str) -> Iterator[Span]:
    for match in _ANNOUNCED[words].finditer(text):
        start = match.end()
        quoted = QUOTED.match(text, start)
        if quoted:
            yield quoted.span("secret")
            continue
        token = TOKEN.match(text, start)
        if token is None:
            following = _ON_THE_NEXT_LINE.match(text, start)
            if following and looks_secret(following["secret"]):
                yield bare(following["secret"], following.start("secret"))
            continue
        if match["link"].strip() == "=":
            # As in a connection string: up to the next separator, whatever it is.
            value = re.split(r"[;&,\s]", token[0])[0]
            yield bare(value, start)
            continue
        span = bare(token[0], start)
        clause = text[start : clause_end(text, start)]
        if _MEASURE.match(clause):
            continue
        if looks_secret(text[slice(*span)]):
            yield span
            yield from _further_ones(text, token.end())
        elif span[1] - span[0] >= len(clause.rstrip(" .,;!?\"')")) and not _states_something(
            clause
        ):
            # A single word that makes up the whole clause.
            if span[1] - span[0] >= 3 and not _IN_THE_TEXT.match(clause):
                yield span
        else:
            yield from first_secret(text, start)


def _further_ones(text: str, start: int) -> Iterator[Span]:
    """Further passwords in a list."""
    while (link := _FURTHER.match(text, start)) and (token := TOKEN.match(text, link.end())):
        span = bare(token[0], token.start())
        if not looks_secret(text[slice(*span)], mixed=True):
            return
        yield span
        start = token.end()


def _states_something(clause: str) -> bool:
    words = re.findall(r"[\w'-]+", clause.casefold())
    if not words or _MEASURE.match(clause):
        return bool(words)
    if len(words) > 1 and _DONE_TO_IT.fullmatch(words[0]):
        return True
    quality = words[0] in _QUALITIES
    return words[0] in _STATES or (quality and set(words[1:2]) <= _STATES | _QUALITIES)
