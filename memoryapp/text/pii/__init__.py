"""Secrets and identifiers in a text: found, and replaced or refused. Pure functions.

`examine` masks what its detectors find, and lets them look again at what is left, until none of
them finds anything. What is found never leaves here: a `PIIFinding` says what kind of thing stood
where, and nothing of what it was.

The detectors are in `keys` (what machines issue), `spoken` (what people say in words), `numbers`
(what has check digits or a fixed form) and `phones`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memoryapp.text.pii import announced_secrets, credentials, identifiers, phones
from memoryapp.text.pii.masking import Masked, Span, occurrences, plain


class PIIKind(StrEnum):
    """What was found; the value stands in the placeholder: ``[REDACTED:CARD]``."""

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


class PIIMode(StrEnum):
    """What an instance does about findings."""

    #: Replace each by its placeholder.
    REDACT = "redact"
    #: Refuse the whole text.
    REJECT = "reject"
    #: Look for nothing.
    OFF = "off"


#: One and several of a kind, in words.
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

#: What is shorter than this, such as a PIN, may stand elsewhere by chance.
MIN_SECRET_CHARACTERS = 5

#: In this order: what a keyword announces is that, whatever else it looks like.
DETECTORS: Sequence[tuple[PIIKind, Callable[[str], Iterable[Span]]]] = (
    (PIIKind.PRIVATE_KEY, credentials.private_keys),
    (PIIKind.PASSWORD, credentials.credentials_in_addresses),
    (PIIKind.KEY, credentials.tokens),
    (PIIKind.PASSWORD, announced_secrets.passwords),
    (PIIKind.KEY, announced_secrets.named_keys),
    (PIIKind.EMAIL, identifiers.email_addresses),
    (PIIKind.IBAN, identifiers.ibans),
    (PIIKind.CARD, identifiers.cards),
    (PIIKind.SSN, identifiers.social_security_numbers),
    (PIIKind.CODE, announced_secrets.codes),
    (PIIKind.IP, identifiers.ip_addresses),
    (PIIKind.PHONE, phones.phone_numbers),
)


@dataclass(frozen=True)
class PIIFinding:
    """Something found in a text: what it is, and the characters from start to end (exclusive)."""

    kind: PIIKind
    start: int
    end: int


@dataclass(frozen=True)
class ExaminedText:
    """A text that may be kept; or the reason, in words, why it may not."""

    text: str
    findings: tuple[PIIFinding, ...] = ()
    refusal: str = ""

    @property
    def redactions(self) -> dict[str, int]:
        """How many of each kind were found."""
        return counted(self.findings)


#: Secrets by what they are, in the characters that `plain` makes of them.
Known = Mapping[str, PIIKind]


def examine(
    text: str, policy: PIIMode = PIIMode.REDACT, *, known: Known | None = None
) -> ExaminedText:
    """Look for secrets and identifiers in *text*, and deal with them as *policy* says.

    What is ``known`` for a secret from elsewhere is one here too, whatever stands around it: who
    has said "my password is swordfish" may be said to "log in with swordfish".

    A cleaned text examined again is left as it is. Takes time in proportion to the length of the
    text, whatever it holds.
    """
    if policy is PIIMode.OFF:
        return ExaminedText(text)
    masked = Masked(text, [kind.placeholder for kind in PIIKind])
    findings: list[PIIFinding] = []
    for secret, kind in (known or {}).items():
        spans = masked.mask(occurrences(secret, masked.text))
        findings += [PIIFinding(kind, start, end) for start, end in spans]
    # What is masked can make a number stand free that was part of something longer, so they look
    # again until there is nothing left.
    looking = True
    while looking:
        looking = False
        for kind, detect in DETECTORS:
            spans = masked.mask(detect(masked.text))
            findings += [PIIFinding(kind, start, end) for start, end in spans]
            looking = looking or bool(spans)
    findings.sort(key=lambda finding: finding.start)
    if policy is PIIMode.REJECT and findings:
        return ExaminedText(text, tuple(findings), _not_wanted(counted(findings)))
    if announced_secrets.announces_a_secret(masked.text):
        return ExaminedText(text, tuple(findings), UNCLEAR)
    return ExaminedText(_redacted(text, findings), tuple(findings))


def secrets_in(text: str) -> dict[str, PIIKind]:
    """What *text* holds of secrets, for `examine` to find again. Never to be stored."""
    return {
        secret: finding.kind
        for finding in examine(text).findings
        if len(secret := plain(text[finding.start : finding.end])) >= MIN_SECRET_CHARACTERS
    }


UNCLEAR = (
    "It speaks of a password or key, and where that begins and ends is not clear. Take it out, or "
    "put it in quotation marks so that it can be replaced."
)


def placeholders_in(text: str) -> dict[str, int]:
    """Count what has been taken out of *text*, by kind."""
    counts = {kind.value: text.count(kind.placeholder) for kind in PIIKind}
    return {kind: number for kind, number in counts.items() if number}


def says_more(text: str) -> bool:
    """Whether *text* says anything but what was taken out of it."""
    for kind in PIIKind:
        text = text.replace(kind.placeholder, "")
    return any(character.isalnum() for character in text)


def counted(findings: Iterable[PIIFinding]) -> dict[str, int]:
    """Count *findings* by kind."""
    return dict(Counter(finding.kind.value for finding in findings))


def in_words(redactions: Mapping[str, int]) -> str:
    """Say what a text held: "2 card numbers and a password"."""
    parts = [
        NAMES[kind][0] if number == 1 else f"{number} {NAMES[kind][1]}"
        for kind in PIIKind
        if (number := redactions.get(kind.value, 0))
    ]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _not_wanted(redactions: Mapping[str, int]) -> str:
    return f"It holds {in_words(redactions)}, which this instance does not keep. Take that out."


def _redacted(text: str, findings: Sequence[PIIFinding]) -> str:
    pieces, done = [], 0
    for finding in findings:
        pieces += [text[done : finding.start], finding.kind.placeholder]
        done = finding.end
    return "".join([*pieces, text[done:]])
