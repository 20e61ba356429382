"""Secrets that were found in a text, in words that can be translated."""

from collections.abc import Mapping

from instances.translatable import TranslatableText, translatable, translatable_plural
from memoryapp.privacy import pii
from memoryapp.privacy.pii import PIIKind

_WORDS = {
    PIIKind.PRIVATE_KEY: lambda number: translatable_plural(
        "a private key", "%(number)s private keys", number
    ),
    PIIKind.PASSWORD: lambda number: translatable_plural(
        "a password", "%(number)s passwords", number
    ),
    PIIKind.KEY: lambda number: translatable_plural(
        "a key or token", "%(number)s keys or tokens", number
    ),
    PIIKind.CODE: lambda number: translatable_plural(
        "a PIN or code", "%(number)s PINs or codes", number
    ),
    PIIKind.EMAIL: lambda number: translatable_plural(
        "an e-mail address", "%(number)s e-mail addresses", number
    ),
    PIIKind.IBAN: lambda number: translatable_plural("an IBAN", "%(number)s IBANs", number),
    PIIKind.CARD: lambda number: translatable_plural(
        "a card number", "%(number)s card numbers", number
    ),
    PIIKind.SSN: lambda number: translatable_plural(
        "a social security number", "%(number)s social security numbers", number
    ),
    PIIKind.IP: lambda number: translatable_plural(
        "an IP address", "%(number)s IP addresses", number
    ),
    PIIKind.PHONE: lambda number: translatable_plural(
        "a phone number", "%(number)s phone numbers", number
    ),
}


def redactions_in_words(redactions: Mapping[str, int]) -> str:
    """Describe *redactions*, the numbers of secrets by kind: "2 card numbers and a password"."""
    parts = [_WORDS[kind](number) for kind in PIIKind if (number := redactions.get(kind.value, 0))]
    if not parts:
        return ""
    *others, last = parts
    if not others:
        return last
    listed: str = others[0]
    for each in others[1:]:
        listed = translatable("%(first)s, %(second)s", first=listed, second=each)
    return translatable("%(first)s and %(last)s", first=listed, last=last)


def refusal_in_words(examined: pii.ExaminedText) -> TranslatableText:
    """Say why *examined*, which is refused, may not be stored."""
    if examined.refusal == pii.UNCLEAR:
        return TranslatableText(pii.UNCLEAR)
    return translatable(
        "It contains %(secrets)s, which this instance does not store. Remove that.",
        secrets=redactions_in_words(examined.redactions),
    )
