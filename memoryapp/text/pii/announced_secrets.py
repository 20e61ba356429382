"""Detects secrets as people announce them: "my password is …", "pwd: …", "your code is …".

What follows is a secret if it differs from the rest of the sentence: quoted, with digits and signs
as no word has them, or a single word. "My password is too short" states something about a password;
"my password is somewhere in here" announces one without showing where it is.
"""

import itertools
import re
from collections.abc import Iterable, Iterator

from memoryapp.text.pii.masking import MARK, Span

_FOR_PASSWORDS = (
    r"pass ?words?|pass ?code|pass ?phrase|passwd|passwort|passwörter|kennwort|pwd|pw|psw"
    r"|mots? de passe|mdp|contraseñas?|contrasena|parola d'ordine|parola chiave|senhas?"
    r"|palavras?-passe|wachtwoord(?:en)?|lösenord|adgangskode|hasło|пароль|şifre|密码|密碼|パスワード"
    r"|비밀번호"
)
_FOR_KEYS = (
    r"(?:api|secret|access|client|app|auth|account|encryption|master|shared|license|storage)"
    r"[ _-]?(?:access[ _-]?)?(?:key|token|secret)|api[ _-]?(?:schlüssel|token)|clé (?:d')?api"
    r"|clave (?:de )?api|chiave api|chave (?:de )?api|(?:secret|bearer|session|refresh"
    r"|personal access)"
    r" tokens?|credentials?|creds|webhook secret|sig(?:ning)?[ _-]?(?:key|secret)"
)
_LOOSELY_FOR_KEYS = r"token|secret|key|schlüssel|clave|chiave|chave|clé"
#: Ambiguous: only what looks like a secret after it is one.
_LOOSELY_FOR_PASSWORDS = r"pass"
_FOR_PHRASES = (
    r"(?:seed|recovery|backup|secret recovery|mnemonic|wallet)[ -]phrase|mnemonic|seed words"
    r"|recovery words"
)
#: for the router, of my account, du wifi: what the secret opens.
_OF = (
    r"(?: (?:for|to|of|on|at|in|from|für|fürs|vom|von|zum|zu|im|pour|de|du|des|del|della|dello|para"
    r"|per|di|do|da|voor|van|bij)\b[^.!?;:=\n\ue000]{1,60}?)?"
)
_NOW = (
    r"(?: (?:now|still|just|simply|currently|always|set to|changed to|actually|also|jetzt|nun|immer"
    r"|noch|aktuell|maintenant|toujours|ahora|adesso|ora|agora|nu|zur Zeit))?"
)
_IS = (
    r"(?:is|are|was|were|will be|has been|became|should be|ist|sind|war|lautet|heißt|est|sont|était"
    r"|es|son|era|è|sono|é|são|zijn|är|er|to|is set to|was changed to)"
)
#: The sign or word before the secret.
_LINK = rf"(?P<link> ?(?::=|=>|->|=|:)+| {_IS}{_NOW} ?:?|'s(?= ))"

_ANNOUNCED = {
    words: re.compile(
        rf"(?<![A-Za-z0-9\[])(?P<word>{words})(?!\w){_OF}['\"]?{_LINK} ?", re.IGNORECASE
    )
    for words in (
        _FOR_PASSWORDS,
        _LOOSELY_FOR_PASSWORDS,
        _FOR_KEYS,
        _LOOSELY_FOR_KEYS,
        _FOR_PHRASES,
    )
}
#: password hunter2: the secret right after the word.
_ADJACENT = re.compile(rf"(?<![A-Za-z0-9\[])(?:{_FOR_PASSWORDS})(?!\w) (?=\S)", re.IGNORECASE)
#: secret access key wJalrXUt…: too long to be anything else.
_KEY_BESIDE = re.compile(
    rf"(?<![A-Za-z0-9\[])(?:{_FOR_KEYS})(?!\w) (?P<secret>[\w+/=.-]{{16,200}})", re.IGNORECASE
)
#: hunter2 is my password
_BEFORE = re.compile(
    rf"(?<!\S)(?P<secret>\S{{4,100}}) (?:is|was|as|ist|als|est|comme|es|como|è|come|é)"
    rf"(?: (?:my|the|her|his|their|our|your|a|user's|mein|das|mon|le|mi|la|mia|minha|a|mijn|het))?"
    rf"(?: (?:new|old|current|neues|nouveau|nueva|nuova|nova|nieuwe|wifi|wi-fi))?"
    rf" (?:{_FOR_PASSWORDS}|{_FOR_KEYS})(?!\w)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"([\"'`])(?P<secret>[^\"`\ue000]{1,100}?)\1(?!\w)")
_CLOSING = "\"'`)>]"
_TOKEN = re.compile(r"[^\s\ue000]{1,200}")
#: The end of the clause about the secret.
_CLAUSE_END = re.compile(r"[.!?;](?:\s|$)|,\s|\s[-(]|\n|$")

#: Words that begin a statement about a secret.
_STATES = frozenset(
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
#: Names with digits that are no secrets.
_NO_SECRETS = re.compile(
    r"1password|sha-?\d+|md5|argon2\w*|bcrypt|pbkdf2|utf-?\d+|oauth2?|2fa|mfa|base64|aes-?\d+"
    r"|rsa-?\d+|ed25519|v?\d+(?:\.\d+)+|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d+(?:st|nd|rd|th)"
    r"|(?:https?|ftp)://\S+|(?:windows|web|office|microsoft|python|iphone)-?\d+",
    re.IGNORECASE,
)


def passwords(text: str) -> Iterable[Span]:
    """Passwords after or before a word for them."""
    yield from _announced(text, _FOR_PASSWORDS)
    for match in _ADJACENT.finditer(text):
        yield from _first_secret(text, match.end())
    for match in _ANNOUNCED[_LOOSELY_FOR_PASSWORDS].finditer(text):
        yield from _first_secret(text, match.end())
    for match in _BEFORE.finditer(text):
        start, end = _bare(match["secret"], match.start("secret"))
        if _looks_secret(text[start:end]):
            yield start, end


def named_keys(text: str) -> Iterable[Span]:
    """Keys and tokens after a word for them, and recovery phrases."""
    yield from _announced(text, _FOR_KEYS)
    for match in _KEY_BESIDE.finditer(text):
        if _looks_secret(match["secret"], mixed=True):
            yield match.span("secret")
    for match in _ANNOUNCED[_LOOSELY_FOR_KEYS].finditer(text):
        for start, end in _first_secret(text, match.end()):
            if end - start >= 8:
                yield start, end
    for match in _ANNOUNCED[_FOR_PHRASES].finditer(text):
        words = re.compile(r"[\"']?(?:\w{3,12}[ ,]{1,2}){5,24}\w{3,12}").match(text, match.end())
        if words:
            yield words.span()


def announces_a_secret(text: str) -> bool:
    """Whether *text* announces a secret that has not been found."""
    for words in (_FOR_PASSWORDS, _FOR_KEYS, _FOR_PHRASES):
        for match in _ANNOUNCED[words].finditer(text):
            rest = text[match.end() : _clause_end(text, match.end())].strip(" \"'")
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
        quoted = _QUOTED.match(text, start)
        if quoted:
            yield quoted.span("secret")
            continue
        token = _TOKEN.match(text, start)
        if token is None:
            continue
        if match["link"].strip() == "=":
            # As in a connection string: up to the next separator, whatever it is.
            value = re.split(r"[;&,\s]", token[0])[0]
            yield _bare(value, start)
            continue
        span = _bare(token[0], start)
        clause = text[start : _clause_end(text, start)]
        if _MEASURE.match(clause):
            continue
        if _looks_secret(text[slice(*span)]):
            yield span
            yield from _further_ones(text, token.end())
        elif span[1] - span[0] >= len(clause.rstrip(" .,;!?\"')")) and not _states_something(
            clause
        ):
            # A single word that makes up the whole clause.
            if span[1] - span[0] >= 3 and not _IN_THE_TEXT.match(clause):
                yield span
        else:
            yield from _first_secret(text, start)


def _first_secret(text: str, start: int) -> Iterator[Span]:
    """The first of the next few words of the clause that looks like a secret."""
    end = _clause_end(text, start)
    for token in itertools.islice(_TOKEN.finditer(text, start), 8):
        span = _bare(token[0], token.start())
        if span[0] >= end:
            return
        if _looks_secret(text[slice(*span)], mixed=True):
            yield span
            return


def _further_ones(text: str, start: int) -> Iterator[Span]:
    """Further passwords in a list."""
    following = re.compile(r",? (?:and|or|then|und|oder|et|ou|y|o|e|en|of) (?=\S)|, (?=\S)")
    while (link := following.match(text, start)) and (token := _TOKEN.match(text, link.end())):
        span = _bare(token[0], token.start())
        if not _looks_secret(text[slice(*span)], mixed=True):
            return
        yield span
        start = token.end()


def _bare(token: str, start: int) -> Span:
    """The place of *token* without the punctuation around it."""
    left = len(token) - len(token.lstrip("\"'`(<["))
    # A secret may end with a sign, but not with a full stop or a closing quotation mark.
    right = len(token.rstrip(_CLOSING).rstrip(".,;:?").rstrip(_CLOSING))
    return start + left, start + max(right, left)


def _looks_secret(token: str, *, mixed: bool = False) -> bool:
    """Whether *token* does not look like a word: digits among letters, signs, or a number; with
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


def _states_something(clause: str) -> bool:
    words = re.findall(r"[\w'-]+", clause.casefold())
    if not words or _MEASURE.match(clause):
        return bool(words)
    if len(words) > 1 and _DONE_TO_IT.fullmatch(words[0]):
        return True
    quality = words[0] in _QUALITIES
    return words[0] in _STATES or (quality and set(words[1:2]) <= _STATES | _QUALITIES)


def _clause_end(text: str, start: int) -> int:
    end = _CLAUSE_END.search(text, start, start + 300)
    return end.start() if end else min(len(text), start + 300)


_OF_WHAT = (
    r"verification|confirmation|security|log[ -]?in|sign[ -]?in|access|authentication|auth"
    r"|one[ -]time"
    r"|2fa|mfa|two[ -]factor|sms|text|door|gate|alarm|entry|entrance|unlock|lock|safe|garage|locker"
    r"|lockbox|keypad|pairing|backup|recovery|activation|authenticator|reset|pass|secret|vault"
)
_CODE = re.compile(
    rf"(?<!\w)(?:(?:{_OF_WHAT}) (?:codes?|number)|(?:your|my|the user's|user's|his|her|their"
    rf"|our) code"
    r"|OTP|TOTP|TAN|CVV2?|CVC2?|CID|passcode|PIN(?: ?-?(?:code|number|nummer))?|PINs|Geheimzahl"
    r"|(?:bestätigungs|verifizierungs|sicherheits|zugangs|tür|einmal|freischalt|aktivierungs"
    r"|alarm)-?codes?"
    r"|code (?:de (?:vérification|confirmation|sécurité|la porte|l'immeuble)|d'accès|secret|PIN)"
    r"|código (?:de (?:verificación|seguridad|acceso|confirmación|verificação|segurança|acesso"
    r"|confirmação)|PIN)|codice (?:di (?:verifica|sicurezza|accesso|conferma)|PIN)"
    r"|(?:verificatie|bevestigings|toegangs|beveiligings|pin)code)(?!\w)"
    rf"{_OF}(?: ?[:=]| {_IS}{_NOW} ?:?)? ?['\"]?(?P<code>(?:[A-Z]-)?\d(?:[ -]?\d){{2,8}})"
    r"(?![\w]|[.,:/-]\d)(?! ?(?:characters|digits|times|days|minutes|seconds|€|\$|%))",
    re.IGNORECASE,
)
#: Codes with letters, only after an unambiguous word.
_MIXED_CODE = re.compile(
    r"(?<!\w)(?:access|security|log[ -]?in|verification|authentication|door|gate|entry|unlock"
    rf"|backup|recovery|activation|pairing) code(?!\w){_OF}(?: ?[:=]| {_IS}{_NOW} ?:?) ?['\"]?"
    r"(?P<code>(?=[A-Z0-9-]{0,19}\d)(?=[A-Z0-9-]{0,19}[A-Z])[A-Z0-9-]{4,20})(?![\w-])"
)
#: Use code 482913
_CODE_USED = re.compile(
    r"\b(?:use|enter|type|with|mit|avec|con)(?: the| this)? code ?:? (?P<code>\d{4,8})"
    r"(?!\w|[.,-]\d)",
    re.IGNORECASE,
)
_CODE_BEFORE = re.compile(
    rf"(?<![\w.,-])(?P<code>(?:[A-Z]-)?\d(?:[ -]?\d){{3,8}}) (?:is|as|ist|est|es|è|é) (?:your"
    rf"|the|my|ihr|dein|votre"
    rf"|ton|tu|su|il tuo|o seu|je|uw|als|the user's) (?:[\w-]+ )?(?:(?:{_OF_WHAT}) code|code"
    rf"|OTP|PIN|TAN"
    r"|\w{0,20}code|código|codice)(?!\w)",
    re.IGNORECASE,
)


def codes(text: str) -> Iterable[Span]:
    """PINs, one-time codes and door codes: digits after or before a word for them."""
    for pattern in (_CODE, _MIXED_CODE, _CODE_USED, _CODE_BEFORE):
        for match in pattern.finditer(text):
            yield match.span("code")
