"""Detects PINs, one-time codes and the codes of doors, by the words around them."""

import re
from collections.abc import Iterable

from memoryapp.privacy.pii.normalisation import Span
from memoryapp.privacy.pii.secret_words import COPULAS, FOR_PINS, IS, NOW, OF

_OF_WHAT = (
    r"verification|confirmation|security|log[ -]?in|sign[ -]?in|access|authentication|auth"
    r"|one[ -]time"
    r"|2fa|mfa|two[ -]factor|sms|text|door|gate|alarm|entry|entrance|unlock|lock|safe|garage|locker"
    r"|lockbox|keypad|pairing|backup|recovery|activation|authenticator|reset|pass|secret|vault"
)
_CODE = re.compile(
    rf"(?<!\w)(?:(?:{_OF_WHAT}) (?:codes?|number)|(?:your|my|the user's|user's|his|her|their"
    rf"|our) code|OTP|TOTP|TAN|CVV2?|CVC2?|CID|passcode|{FOR_PINS}"
    r"|(?:lock |safe |locker |padlock )?combination|zahlenkombination"
    r"|(?:bestätigungs|verifizierungs|sicherheits|zugangs|tür|einmal|freischalt|aktivierungs"
    r"|alarm)-?codes?"
    r"|code (?:de (?:vérification|confirmation|sécurité|la porte|l'immeuble)|d'accès|secret|PIN)"
    r"|código (?:de (?:verificación|seguridad|acceso|confirmación|verificação|segurança|acesso"
    r"|confirmação|la puerta)|PIN)|codice (?:di (?:verifica|sicurezza|accesso|conferma)|PIN)"
    r"|(?:verificatie|bevestigings|toegangs|beveiligings|pin)code)(?!\w)"
    rf"{OF}(?: ?[:=]\s?| {IS}{NOW} ?:?|(?: [^\s\d:=.,;\ue000]{{1,12}}){{0,2}}? (?:{COPULAS})(?= ))?"
    r" ?['\"`]?(?P<code>(?:[A-Z]-)?\d(?:[ -]?\d){2,8})"
    r"(?![\w]|[.,:/-]\d)(?! ?(?:characters|digits|times|days|minutes|seconds|€|\$|%))",
    re.IGNORECASE,
)
#: Codes with letters, only after an unambiguous word.
_MIXED_CODE = re.compile(
    r"(?<!\w)(?:access|security|log[ -]?in|verification|authentication|door|gate|entry|unlock"
    rf"|backup|recovery|activation|pairing) code(?!\w){OF}(?: ?[:=]| {IS}{NOW} ?:?) ?['\"]?"
    r"(?P<code>(?=[A-Z0-9-]{0,19}\d)(?=[A-Z0-9-]{0,19}[A-Z])[A-Z0-9-]{4,20})(?![\w-])"
)
#: Use code 482913
_CODE_USED = re.compile(
    r"\b(?:use|enter|type|with|mit|avec|con)(?: the| this)? code ?:? (?P<code>\d{4,8})"
    r"(?!\w|[.,-]\d)",
    re.IGNORECASE,
)
#: Use 482913 to sign in
_USED_TO_SIGN_IN = re.compile(
    r"\b(?:use|enter|type|press|dial|with|mit|gib|nutze|verwende|usa|utiliza|introduce|marca"
    r"|utilisez|utilise|saisissez|saisis|entrez|tapez|tape|inserisci|digita|insira|gebruik|voer)"
    r" (?P<code>\d{3}[ -]?\d{3}|\d{4,8})(?: ein)?,? (?:to|for|zum|zur|um|para|pour|per|om)"
    r"(?: [^\W\d]{1,12}){0,2}? (?:log|sign|login|verif|confirm|unlock|authent|access|open|enter"
    r"|get in|reset|anzumelden|anmelden|einloggen|bestätig|entsperren|öffnen|iniciar|acceder"
    r"|entrar|abrir|desbloquear|connecter|accéder|valider|ouvrir|déverrouiller|accedere|entrare"
    r"|aprire|sbloccare|inloggen|loggen|openen)",
    re.IGNORECASE,
)
#: The door opens with 48219
_OPENS_WITH = re.compile(
    r"\b(?:doors?|gates?|garage|safe|lockers?|locks?|padlock|lockbox|suitcase|phone|tablet|laptop"
    r"|entrance|building|house|shed|barrier|alarm|tür|haustür|tor|tresor|schloss|handy|koffer"
    r"|porte|portail|coffre|cadenas|puerta|candado|caja fuerte|porta|portone|cancello|lucchetto"
    r"|deur|kluis|slot)\b[^.!?\n\ue000]{0,40}?"
    r" (?:opens?|opened|unlocks?|unlocked|disarms?|disarmed|öffnet|auf|s'ouvre|se abre|si apre"
    r"|abre|open)(?: [^\W\d]{1,12}){0,2}? (?:with|by|using|mit|avec|con|com|met)"
    r"(?: (?:the|a|code|number|combination|der|dem|le|el|il))*+ ['\"`]?(?P<code>\d{3,10})"
    r"(?=['\"`]?(?:[.,;!?)#\n]|$| (?:and|then|but|or|und|et|y|e|en)\b))(?![.,]\d)",
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
    """Digits after or before a word for a code."""
    for pattern in (
        _CODE,
        _MIXED_CODE,
        _CODE_USED,
        _USED_TO_SIGN_IN,
        _OPENS_WITH,
        _CODE_BEFORE,
    ):
        for match in pattern.finditer(text):
            yield match.span("code")
