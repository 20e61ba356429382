"""Detects phone numbers by forms that only they have, or by the words around them."""

import re
from collections import deque
from collections.abc import Iterable

import phonenumbers

from memoryapp.privacy.pii.normalisation import Span

_EXTENSION = r"(?: ?(?:x|ext\.?|extension|#) ?\d{1,6})?"
#: Not within something longer: a word, a decimal, an amount of money, a path.
_START = r"(?<![\w$€£#@=&])(?<!\d[.,/:-])(?<!\d-\()(?<!\w/)(?<![A-Za-z]-)"
_END = r"(?!\w|[.,:/-]\d|%)(?! ?[€$£])"

#: +46 (0)8 928 571 38, 001-518-640-0854
_INTERNATIONAL = re.compile(
    rf"{_START}(?:\+ ?|00[ -]?)[1-9]\d{{0,3}}(?:[ .()/-]{{0,3}}\d{{1,12}}){{1,8}}{_EXTENSION}{_END}"
)
#: Forms that only phone numbers have.
_LIKE_A_PHONE = re.compile(
    rf"{_START}(?:"
    # (579)888-3058, 541-714-1388, 259.735.7502; 541 714 1388 is anything
    r"(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[.-])\d{3}[ .-]\d{4}"
    # (08) 8747 6301, (99) 645-791
    r"|\(0?\d{1,4}\) ?\d{2,4}(?:[ -]\d{2,4}){1,3}"
    # 0490 75 40 81, 01.84.17.61.18, 07700 063 966: what begins with the 0 of a trunk line, and is
    # no part of a longer number
    r"|(?<!\d\d )0[1-9]\d{0,3}(?:(?: \d{2,4}){2,4}|(?:\.\d{2,4}){3,4}|(?:-\d{2,4}){3,4}"
    r"|/ ?\d{2,4}(?: ?\d{2,4}){1,3})(?! \d\d)"
    rf"){_EXTENSION}{_END}"
)
#: A number of some seven to fifteen digits, in groups or not.
_MAYBE = re.compile(
    rf"{_START}\(?\d{{1,15}}\)?(?:[ .()/-]{{1,2}}\d{{2,8}}){{0,5}}{_EXTENSION}{_END}"
)

_DEVICES = (
    "phone|telephone|tel|mobile|cell|cellphone|fax|landline|hotline|whatsapp|telegram|signal|viber"
    "|imessage|sms|handy|mobil|telefon|telefonnummer|handynummer|rufnummer|téléphone|portable"
    "|téléphonique|fixe|teléfono|telefono|móvil|movil|celular|cellulare|telefone|telemóvel|telefoon"
    "|telefoonnummer|mobiel|gsm"
)
_CALLS = (
    "call|calls|called|calling|ring|text|texts|texted|dial|dials|phone|phones|phoned|reach|reaches"
    "|reached|reachable|answer|answers|answered|answering|contact|message|messages|messaged|fax"
    "|whatsapp|anrufen|ruf|rufe|ruft|erreichbar|erreichen|appeler|appelle|appelez|joindre|joignable"
    "|llamar|llama|llame|llámame|chiamare|chiama|chiamami|ligar|ligue|liga|bellen|bel|bereikbaar"
)
_PLACES = "office|home|work|desk|direct|main|private|business|büro|bureau|oficina|ufficio|kantoor"
#: Words about phoning.
_SAYS_PHONE = re.compile(
    rf"\b(?:{_DEVICES}|{_CALLS})\b|\b(?:{_PLACES})(?: line)? ?(?=:)|\bregistered\b"
    r"|\b(?:my|his|her|their|our|your|user's|new) (?:new )?(?:number|nummer)\b"
    r"|\b(?:mon|son|mi|su|o meu|il mio) (?:nouveau )?(?:numéro|número|numero)\b"
    r"|\bmeine? (?:neue )?nummer\b",
    re.IGNORECASE,
)
#: What may stand between such a word and the number.
_FEW_WORDS = re.compile(r"[^\d.!?;]{0,40}|\.? ?(?:no|nr|num)?\.? ?:? ?", re.IGNORECASE)
_LEADS_TO = re.compile(
    r"^\W*$|(?:[:#]|\b(?:is|was|at|on|to|under|ist|unter|auf|est|au|le|sur|es|al|en|è|il|é|o|no"
    r"|op))\W{0,70}$",
    re.IGNORECASE,
)
#: Words for other kinds of numbers.
_SAYS_ANOTHER = re.compile(
    r"\b(?:order|invoice|ticket|case|ref|reference|tracking|serial|part|model|item|article|sku|isbn"
    r"|issn|ean|upc|gtin|doi|patent|flight|account|customer|client|member|membership|policy"
    r"|booking|reservation|confirmation|vin|imei|version|zip|postal|postcode|plz|box|room|id"
    r"|passport|licen[cs]e|contract|claim|bestellung|bestellnummer|rechnung|rechnungsnummer"
    r"|kundennummer|aktenzeichen|commande|facture|pedido|factura|ordine|fattura|encomenda|fatura"
    r"|bestelling|factuur|code|year|years|population|price|cost|costs|paid|pay|worth|budget)\b",
    re.IGNORECASE,
)
_THEN_SAYS_PHONE = re.compile(
    rf"^(?:-| ?[(\[]?)(?:{_PLACES}|phone|tel|mobile|cell|fax|whatsapp|mobil|handy)\b", re.IGNORECASE
)
_DATE = re.compile(
    r"(?:19|20)\d\d([ ./-])(?:0?\d|1[0-2])\1[0-3]?\d|[0-3]?\d([ ./-])[01]?\d\2(?:19|20)\d\d"
    r"|(?:1[5-9]|20)\d\d[ /-]{1,2}(?:1[5-9]|20)\d\d"
)


def phone_numbers(text: str) -> Iterable[Span]:
    """Phone numbers of any country, in the usual forms."""
    for match in _INTERNATIONAL.finditer(text):
        if _is_possible(match[0]) and not _is_something_else(text, match.start()):
            yield match.span()
    for match in _LIKE_A_PHONE.finditer(text):
        if _plausible(match[0], least=8) and not _is_something_else(text, match.start()):
            yield match.span()
    for match in _MAYBE.finditer(text):
        if _plausible(match[0], least=7) and _is_called_phone(text, match):
            yield match.span()


def _is_possible(number: str) -> bool:
    """True if a number with a country code has a length that is possible in that country."""
    international = "+" + re.sub(r"^(?:\+|00)[ -]?", "", number)
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(international))
    except phonenumbers.NumberParseException:
        return False


def _plausible(number: str, *, least: int) -> bool:
    digits = re.sub(r"\D", "", re.split(r"[x#e]", number)[0])
    return least <= len(digits) <= 15 and not _DATE.fullmatch(number) and len(set(digits)) > 1


def _is_called_phone(text: str, match: re.Match[str]) -> bool:
    if _THEN_SAYS_PHONE.match(text[match.end() : match.end() + 16]):
        return not _is_something_else(text, match.start())
    before = text[max(0, match.start() - 70) : match.start()]
    last = _last(_SAYS_PHONE, before)
    if last is None:
        return False
    between = before[last.end() :]
    if match[0].isdigit() and len(match[0]) < 10 and not _LEADS_TO.search(between):
        return False  # A short number in one piece may be anything.
    return bool(_FEW_WORDS.fullmatch(between)) and not _SAYS_ANOTHER.search(between)


def _is_something_else(text: str, start: int) -> bool:
    """True if the words right before it announce a number of another kind."""
    before = text[max(0, start - 30) : start]
    last = _last(_SAYS_ANOTHER, before)
    if last is None:
        return False
    return bool(
        re.fullmatch(
            r"\W{0,3}(?:(?:numbers?|no\.?|nr\.?|id|code|#)\W{0,3})?(?:(?:is|was|ist|est|es"
            r"|è)\W{0,3})?",
            before[last.end() :],
            re.IGNORECASE,
        )
    )


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    return next(iter(deque(pattern.finditer(text), maxlen=1)), None)
