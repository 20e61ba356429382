"""Detects e-mail and IP addresses, IBANs, card numbers and SSNs by form and check digits."""

import ipaddress
import re
from collections.abc import Iterable, Iterator

from stdnum import iban, luhn
from stdnum.us import itin, ssn

from memoryapp.privacy.pii.normalisation import Span

_EMAIL = re.compile(
    r"(?<![\w.+%@/-])[\w+%'&-][\w.+%'&-]{0,63}@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}[^\W\d_]{2,24"
    r"}"
    r"(?![\w@])"
)
#: ann (at) example (dot) org, as people write it for people.
_EMAIL_IN_WORDS = re.compile(
    r"(?<![\w.])[\w.+-]{1,64} ?[\[({] ?(?i:at) ?[\])}] ?[\w-]{1,63}"
    r"(?: ?(?:[\[({] ?(?i:dot) ?[\])}]|\.) ?[\w-]{2,63}){1,4}(?!\w)"
)
#: ana AT example DOT org, ana arroba example punto org
_EMAIL_SPOKEN = re.compile(
    r"(?<![\w.])(?!(?:look|looks|looked|be|is|are|was|were|stay|him|her|it|them|me|us) )"
    r"[\w.+-]{2,64}"
    r" (?i:at|ät|arroba|arobase|chiocciola|klammeraffe)"
    r" (?!(?:the|a|an|this|that|my|your|our|any|every|each|some|all) )[\w-]{2,63}"
    r"(?: (?i:dot|punkt|punto|point|ponto) [\w-]{2,63}){0,2} (?i:dot|punkt|punto|point|ponto)"
    r" (?i:com|org|net|edu|gov|io|co|info|biz|dev|app|eu|uk|us|de|at|ch|fr|be|nl|es|it|pt|br|mx|ar"
    r"|pl|cz|se|no|dk|fi|ie|in|au|ca|jp)(?!\w)"
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ ./_-]?[A-Za-z0-9]){11,45}")
#: Words that may be glued to the number of a card.
_GLUED = r"visa|card|cards|mastercard|amex|maestro|cc|karte|carte|carta|tarjeta|cartão|no|nr"
_DIGITS = re.compile(
    rf"(?<![\w.,])(?<!\d[-/])(?i:(?:{_GLUED}))?"
    r"(?P<digits>\d{1,19}(?: ?[ ./_·|-] ?\d{1,19}){0,40})"
    r"(?!,\d)(?i:(?=exp|cv[cv2]|visa|[^\w]|$))"
)
_SSN = re.compile(r"(?<![\w.-])\d{3}([ ./_-]?)\d{2}\1\d{4}(?![\w-])(?!\.\d)")
_SAYS_SSN = re.compile(
    r"(?:\bSSN|\bITIN|\bsocial(?: security)?(?: (?:number|no\.?|#))?)\W{0,3}(?:(?:is|was"
    r"|ends in)\b)?\W{0,3}$",
    re.IGNORECASE,
)
_IPV4 = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?!\w|\.\d)")
#: 203 dot 0 dot 113 dot 77
_IPV4_SPOKEN = re.compile(
    r"(?<![\w.])\d{1,3}(?: (?i:dot|punkt|punto|point|ponto) \d{1,3}){3}(?!\w|\.\d)"
)
_SPOKEN_DOT = re.compile(r" [a-z]{3,5} ", re.IGNORECASE)
_IPV6 = re.compile(r"(?<![\w:.])(?=[\w.]{0,4}:)[0-9A-Fa-f:]{3,39}(?:\d\.[\d.]{3,12})?(?![\w:])")
_VERSION = re.compile(
    r"(?:\b(?:version|ver|release|releases|build|update|firmware|driver|section|chapter|clause"
    r"|paragraph|kernel)\b\.?|§|\bv\.?)\W{0,2}$",
    re.IGNORECASE,
)
#: Addresses that identify no machine.
_COMMON_ADDRESSES = frozenset({"0.0.0.0", "127.0.0.1", "::", "::1"})  # noqa: S104 — compared, not bound

#: The first digits of card issuers, and the lengths of their numbers.
_ISSUERS = [
    (re.compile(beginning), frozenset(lengths))
    for beginning, lengths in [
        (r"4", (13, 16, 19)),  # Visa
        (r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720", (16,)),  # Mastercard
        (r"3[47]", (15,)),  # American Express
        (r"30[0-5]|3095|3[689]", (14, 16)),  # Diners Club
        (r"6011|64[4-9]|65|62|81|82", (16, 17, 18, 19)),  # Discover, UnionPay, RuPay
        (r"35", (16, 17, 18, 19)),  # JCB
        (r"1800|2131", (15,)),  # JCB
        (r"220[0-4]", (16, 17, 18, 19)),  # Mir
        (r"9792", (16,)),  # Troy
        # Maestro
        (r"50|5[6-8]|6[03-9]|0604", (12, 13, 14, 15, 16, 17, 18, 19)),
    ]
]
#: How the digits of a card may be grouped.
_GROUPED = re.compile(r"4 4 4 4( [1-3])?|4 6 [45]|4 4 4 1|4 4 4 3")
#: The same, if there are no other digits beside it.
_GROUPED_ALONE = re.compile(r"4 4 [45]( 1)?|8 8|2( 2){6,7}")
#: Words before numbers that are no cards, even if the check digit is right.
_ANOTHER_NUMBER = re.compile(
    r"\b(?:ISBN|ISSN|EAN|UPC|GTIN|IMEI|IMSI|ICCID|barcode|serial|tracking|order|invoice|ticket|case"
    r"|parcel|shipment|part|item|article|SKU|Sendungsnummer|Bestellnummer|Rechnungsnummer"
    r"|commande|facture|pedido|factura|ordine|fattura|bestelling|factuur)\b"
    r"(?:\W{0,2}(?:number|no\.?|nr\.?|id|code|#))?\W{0,2}(?:is|was|ist|est|es)?\W{0,3}$",
    re.IGNORECASE,
)


def email_addresses(text: str) -> Iterable[Span]:
    """E-mail addresses; not ``git@host:path``."""
    for match in _EMAIL.finditer(text):
        if not (match[0].startswith("git@") and text[match.end() :].startswith((":", "/"))):
            yield match.span()
    for pattern in (_EMAIL_IN_WORDS, _EMAIL_SPOKEN):
        for match in pattern.finditer(text):
            yield match.span()


def ibans(text: str) -> Iterable[Span]:
    """IBANs, in groups or not, whose length, form and check digits are right."""
    for match in _IBAN.finditer(text):
        places = [place for place in range(*match.span()) if text[place].isalnum()]
        letters = "".join(text[place] for place in places)
        # The next word of the sentence may follow.
        for length in range(min(34, len(letters)), 14, -1):
            end = places[length - 1] + 1
            if not text[end : end + 1].isalnum() and iban.is_valid(letters[:length]):
                yield match.start(), end
                break


def cards(text: str) -> Iterable[Span]:
    """Card numbers, by the first digits and the length of an issuer, and the check digit."""
    for match in _DIGITS.finditer(text):
        groups = [
            (match.start("digits") + group.start(), match.start("digits") + group.end())
            for group in re.finditer(r"\d+", match["digits"])
        ]
        first = 0
        while first < len(groups):
            last = _card_from(text, groups, first)
            if last is not None:
                yield groups[first][0], groups[last][1]
                first = last
            first += 1


def _card_from(text: str, groups: list[Span], first: int) -> int | None:
    """The last group of the longest card number that begins with group *first*."""
    digits, longest = "", None
    for last in range(first, len(groups)):
        digits += text[slice(*groups[last])]
        if len(digits) > 19:
            break
        sizes = " ".join(str(end - start) for start, end in groups[first : last + 1])
        alone = first == 0 and last == len(groups) - 1 and _GROUPED_ALONE.fullmatch(sizes)
        if (last == first or _GROUPED.fullmatch(sizes) or alone) and _is_card(digits):
            longest = last
    if longest is None:
        return None
    before = text[max(0, groups[first][0] - 40) : groups[first][0]]
    # Sixteen digits in an issuer's form count as a card whatever the text calls them.
    short = groups[longest][1] - groups[first][0] < 16
    return None if short and _ANOTHER_NUMBER.search(before) else longest


def _is_card(digits: str) -> bool:
    return (
        len(set(digits)) > 1
        and any(first.match(digits) and len(digits) in lengths for first, lengths in _ISSUERS)
        and luhn.is_valid(digits)
    )


def social_security_numbers(text: str) -> Iterable[Span]:
    """US social security and taxpayer numbers, with hyphens or announced by the text."""
    for match in _SSN.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        said = _SAYS_SSN.search(text[max(0, match.start() - 40) : match.start()])
        if (match[1] == "-" or said) and (ssn.is_valid(digits) or itin.is_valid(digits)):
            yield match.span()


def ip_addresses(text: str) -> Iterable[Span]:
    """IP addresses; not versions and section numbers that look alike."""
    for match in _candidate_addresses(text):
        try:
            address = ipaddress.ip_address(_SPOKEN_DOT.sub(".", match[0]).rstrip("."))
        except ValueError:
            continue
        netmask = match[0].startswith("255.")
        before = text[max(0, match.start() - 20) : match.start()]
        if str(address) not in _COMMON_ADDRESSES and not netmask and not _VERSION.search(before):
            yield match.start(), match.start() + len(match[0].rstrip("."))


def _candidate_addresses(text: str) -> Iterator[re.Match[str]]:
    yield from _IPV4.finditer(text)
    yield from _IPV4_SPOKEN.finditer(text)
    for match in _IPV6.finditer(text):
        if match[0].count(":") >= 2 and any(character.isdigit() for character in match[0]):
            yield match
