"""Finds secrets and personal identifiers in a text, and redacts or refuses them. Pure.

`examine` masks what its detectors find, and repeats until they find nothing more. A `PIIFinding`
tells the kind and the place of a secret, never its value.

The detectors see a text in plain spelling (`normalisation`). They are in `credentials` (issued by
machines), `wallets`, `announced_secrets` and `announced_elsewhere` (as people say them, in several
languages and in all others), `codes`, `identifiers` (with check digits or a fixed form) and
`phones`.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from memoryapp.language.marking import gettext_noop
from memoryapp.privacy.pii import (
    announced_elsewhere,
    announced_secrets,
    codes,
    credentials,
    encodings,
    hints,
    identifiers,
    phones,
    wallets,
)
from memoryapp.privacy.pii.masking import Masked, places_of, plain
from memoryapp.privacy.pii.normalisation import Span


class PIIKind(StrEnum):
    """The kind of a finding; its value is part of the placeholder: ``[REDACTED:CARD]``."""

    PRIVATE_KEY = "PRIVATE_KEY"
    PASSWORD = "PASSWORD"  # noqa: S105 — the name of a kind, not one of them
    KEY = "KEY"
    CODE = "CODE"
    EMAIL = "EMAIL"
    IBAN = "IBAN"
    CARD = "CARD"
    SSN = "SSN"
    IP = "IP"
    PHONE = "PHONE"

    @property
    def placeholder(self) -> str:
        return f"[REDACTED:{self.value}]"


PLACEHOLDERS = tuple(kind.placeholder for kind in PIIKind)


class PIIMode(StrEnum):
    """How an instance treats findings."""

    #: Replace each with its placeholder.
    REDACT = "redact"
    #: Refuse the whole text.
    REJECT = "reject"
    #: No detection.
    OFF = "off"


#: Singular and plural of each kind, in words.
NAMES = {
    PIIKind.PRIVATE_KEY: ("a private key", "private keys"),
    PIIKind.PASSWORD: ("a password", "passwords"),
    PIIKind.KEY: ("a key or token", "keys or tokens"),
    PIIKind.CODE: ("a PIN or code", "PINs or codes"),
    PIIKind.EMAIL: ("an e-mail address", "e-mail addresses"),
    PIIKind.IBAN: ("an IBAN", "IBANs"),
    PIIKind.CARD: ("a card number", "card numbers"),
    PIIKind.SSN: ("a social security number", "social security numbers"),
    PIIKind.IP: ("an IP address", "IP addresses"),
    PIIKind.PHONE: ("a phone number", "phone numbers"),
}

#: Shorter secrets, such as PINs, may occur elsewhere by chance.
MIN_SECRET_CHARACTERS = 5


class Detector(NamedTuple):
    """Finds secrets of one kind in texts that pass the *hint*."""

    kind: PIIKind
    detect: Callable[[str], Iterable[Span]]
    hint: hints.Hint

    def found(self, text: str) -> Iterable[Span]:
        return self.detect(text) if self.hint(text) else ()


#: In order of precedence: an announced password is a password whatever it looks like.
DETECTORS = [
    Detector(PIIKind.PRIVATE_KEY, credentials.private_keys, hints.always),
    Detector(PIIKind.PRIVATE_KEY, wallets.private_keys, hints.has_long_words),
    Detector(PIIKind.KEY, wallets.recovery_phrases, hints.always),
    Detector(PIIKind.PASSWORD, credentials.credentials_in_addresses, hints.has_address),
    Detector(PIIKind.KEY, credentials.tokens, hints.has_long_words),
    Detector(PIIKind.PASSWORD, announced_secrets.passwords, hints.speaks_of_passwords),
    Detector(PIIKind.KEY, announced_secrets.named_keys, hints.speaks_of_keys),
    Detector(
        PIIKind.PASSWORD, announced_elsewhere.passwords, hints.may_speak_of_passwords_elsewhere
    ),
    Detector(PIIKind.EMAIL, identifiers.email_addresses, hints.has_address),
    Detector(PIIKind.IBAN, identifiers.ibans, hints.has_digits),
    Detector(PIIKind.CARD, identifiers.cards, hints.has_digits),
    Detector(PIIKind.SSN, identifiers.social_security_numbers, hints.has_digits),
    Detector(PIIKind.CODE, codes.codes, hints.has_digits),
    Detector(PIIKind.IP, identifiers.ip_addresses, hints.has_ip_address),
    Detector(PIIKind.PHONE, phones.phone_numbers, hints.has_digits),
]


@dataclass(frozen=True)
class PIIFinding:
    """The kind of a secret in a text, and its characters from start to end (exclusive)."""

    kind: PIIKind
    start: int
    end: int


@dataclass(frozen=True)
class ExaminedText:
    """A text that may be stored, or the reason, in words, why not."""

    text: str
    findings: tuple[PIIFinding, ...] = ()
    refusal: str = ""

    @property
    def redactions(self) -> dict[str, int]:
        """How many of each kind were found."""
        return counted(self.findings)


#: Secrets, normalised by `plain`, with their kinds.
Known = Mapping[str, PIIKind]


def examine(
    text: str, policy: PIIMode = PIIMode.REDACT, *, known: Known | None = None
) -> ExaminedText:
    """Find secrets and identifiers in *text*, and treat them by *policy*.

    Secrets that are ``known`` from another text are found in any context: after "my password is
    swordfish", also in "logs in with swordfish". A redacted text is not changed by a second call.
    The time is linear in the length of the text.
    """
    if policy is PIIMode.OFF:
        return ExaminedText(text)
    masked = Masked(text, PLACEHOLDERS)
    findings: list[PIIFinding] = []
    # A mask can isolate a number that was part of something longer, so the detectors are repeated
    # until they find nothing.
    while found := list(_found(masked, known or {})):
        findings += found
        masked.read()
    findings.sort(key=lambda finding: finding.start)
    if policy is PIIMode.REJECT and findings:
        return ExaminedText(text, tuple(findings), _refusal(counted(findings)))
    if hints.speaks_of_secrets(masked.text) and announced_secrets.announces_a_secret(masked.text):
        return ExaminedText(text, tuple(findings), UNCLEAR)
    return ExaminedText(_redacted(text, findings), tuple(findings))


def _found(masked: Masked, known: Known) -> Iterator[PIIFinding]:
    """Mask what is found in *masked* as it is now."""
    for kind in dict.fromkeys(known.values()):
        secrets = (secret for secret, its_kind in known.items() if its_kind is kind)
        spans = masked.mask(places_of(secrets, masked.text))
        yield from (PIIFinding(kind, start, end) for start, end in spans)
    for span, encoded in encodings.base64_texts(masked.text):
        kinds = (each.kind for each in DETECTORS if any(each.found(encoded)))
        for kind in itertools.islice(kinds, 1):
            yield from (PIIFinding(kind, start, end) for start, end in masked.mask([span]))
    for detector in DETECTORS:
        spans = masked.mask(detector.found(masked.text))
        yield from (PIIFinding(detector.kind, start, end) for start, end in spans)


def secrets_in(text: str) -> dict[str, PIIKind]:
    """The secrets in *text*, for `examine` to find elsewhere. Must never be stored."""
    return {
        secret: finding.kind
        for finding in examine(text).findings
        if len(secret := plain(text[finding.start : finding.end])) >= MIN_SECRET_CHARACTERS
    }


UNCLEAR = gettext_noop(
    "This seems to contain a password or key. Remove it, or put it in quotation marks so that it "
    "can be masked."
)


def placeholders_in(text: str) -> dict[str, int]:
    """Count the placeholders in *text*, by kind."""
    counts = {kind.value: text.count(kind.placeholder) for kind in PIIKind}
    return {kind: number for kind, number in counts.items() if number}


def says_more(text: str) -> bool:
    """True if *text* contains anything besides placeholders."""
    for kind in PIIKind:
        text = text.replace(kind.placeholder, "")
    return any(character.isalnum() for character in text)


def counted(findings: Iterable[PIIFinding]) -> dict[str, int]:
    """Count *findings* by kind."""
    return dict(Counter(finding.kind.value for finding in findings))


def in_words(redactions: Mapping[str, int]) -> str:
    """Describe *redactions*: "2 card numbers and a password"."""
    parts = [
        NAMES[kind][0] if number == 1 else f"{number} {NAMES[kind][1]}"
        for kind in PIIKind
        if (number := redactions.get(kind.value, 0))
    ]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _refusal(redactions: Mapping[str, int]) -> str:
    return f"It contains {in_words(redactions)}, which this instance does not store. Remove that."


def _redacted(text: str, findings: Sequence[PIIFinding]) -> str:
    pieces, done = [], 0
    for finding in findings:
        pieces += [text[done : finding.start], finding.kind.placeholder]
        done = finding.end
    return "".join([*pieces, text[done:]])
