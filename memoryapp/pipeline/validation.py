"""The first stage of the write path: validates candidates, and redacts secrets in them."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from conversations.messages import short_id
from conversations.sanitizer import sanitize, sanitize_json
from instances.models import Instance
from instances.translatable import translatable
from memoryapp.language.shortening import one_line
from memoryapp.pipeline import sensitivity, suppression
from memoryapp.pipeline.candidates import MAX_METADATA, MAX_TAGS, Candidate, Rejected
from memoryapp.policy.endings import is_ended
from memoryapp.policy.keyed_facts import MAX_VALUE, normalised
from memoryapp.policy.labels import taken_out
from memoryapp.privacy import pii
from memoryapp.privacy.redaction_words import redactions_in_words, refusal_in_words

#: The code of candidates that are refused for their secrets.
PII_REJECTED = "pii_rejected"


@dataclass(frozen=True)
class Admitted:
    """A validated candidate, which `remember` does not validate again."""

    candidate: Candidate


@dataclass(frozen=True)
class Unfit:
    """A candidate that cannot become a memory, and the reason."""

    candidate: Candidate
    problem: Rejected


def admit(
    instance: Instance, candidates: Sequence[Candidate]
) -> tuple[list[Admitted], list[Unfit]]:
    """Validate each of *candidates*, and return those that can be stored and the others."""
    fit: list[Candidate] = []
    unfit: list[Unfit] = []
    for candidate in candidates:
        try:
            fit.append(admitted(instance, candidate))
        except Rejected as problem:
            unfit.append(Unfit(candidate, problem))
    # `remember` checks this again under the lock: a deletion may come in between.
    suppressed = suppression.kept_out(instance, fit)
    suppression.count_hits(suppressed.values())
    unfit += [Unfit(fit[index], reason) for index, reason in suppressed.items()]
    return [Admitted(each) for index, each in enumerate(fit) if index not in suppressed], unfit


def admitted(instance: Instance, candidate: Candidate, former: str = "") -> Candidate:
    """Return *candidate* in the form in which it may be stored; raises `Rejected`. An admitted
    candidate is not changed by a second call. *former* is the text that it takes the place of.
    """
    text = one_line(sanitize(candidate.content))
    if not text:
        raise Rejected(translatable("Enter a text."))
    fact = f"{_words(candidate.key)}: {candidate.value}" if candidate.key else candidate.value
    cleaner = _Cleaner(instance, f"{candidate.source_text}\n{fact}".strip())
    content = cleaner.cleaned(text)
    if content != text and not pii.says_more(content):
        raise Rejected(
            translatable(
                "It contains nothing but %(secrets)s.",
                secrets=redactions_in_words(cleaner.redactions),
            ),
            PII_REJECTED,
        )
    key, value = _fact(instance, candidate)
    sensitivity.check(instance, replace(candidate, content=content, key=key, value=value), former)
    labels, metadata = taken_out(sanitize_json(dict(candidate.metadata)))
    return replace(
        candidate,
        content=content,
        tags=_tags(candidate.tags, cleaner),
        key=key,
        value=value,
        end_user=instance.canonical_end_user(sanitize(candidate.end_user)[:200]),
        metadata=_attached(metadata, cleaner),
        # Ids stay as they are, or programs would not find the memory by them.
        labels=list(dict.fromkeys([*candidate.labels, *labels])),
        external_id=short_id(candidate.external_id),
        redactions=dict(Counter(candidate.redactions) + cleaner.redactions),
        source_text="",
    )


def with_tags(instance: Instance, candidate: Candidate, tags: Sequence[str]) -> Candidate:
    """Return an admitted *candidate* with these *tags*; raises `Rejected`."""
    cleaner = _Cleaner(instance, f"{_words(candidate.key)}: {candidate.value}")
    return replace(
        candidate,
        tags=_tags(tags, cleaner),
        redactions=dict(Counter(candidate.redactions) + cleaner.redactions),
    )


def admitted_tags(instance: Instance, tags: Sequence[str]) -> list[str]:
    """Return *tags* in the form in which they may be stored, without those that hold a secret."""
    return _tags(tags, _Cleaner(instance, ""))


def admitted_text(instance: Instance, text: str) -> str:
    """Return a short *text* in the form in which it may be stored; raises `Rejected`."""
    return _Cleaner(instance, "").cleaned(one_line(sanitize(text)))


def _tags(tags: Sequence[str], cleaner: "_Cleaner") -> list[str]:
    # A redacted tag would be useless, so tags with secrets are dropped.
    words = [one_line(sanitize(str(raw))).lower()[:50] for raw in tags]
    return list(dict.fromkeys(word for word in words if word and cleaner.cleaned(word) == word))[
        :MAX_TAGS
    ]


class _Cleaner:
    """Redacts secrets and identifiers by the policy of an instance, and counts them."""

    def __init__(self, instance: Instance, source_text: str) -> None:
        self.policy = pii.PIIMode(instance.pii_policy)
        off = self.policy is pii.PIIMode.OFF
        self.known = pii.secrets_in(source_text) if source_text and not off else {}
        self.redactions: Counter[str] = Counter()

    def cleaned(self, text: str) -> str:
        examined = pii.examine(text, self.policy, known=self.known)
        if examined.refusal:
            raise Rejected(refusal_in_words(examined), PII_REJECTED)
        self.redactions.update(examined.redactions)
        if examined.findings:
            self.known |= pii.secrets_in(text)
        return examined.text

    def cleaned_within(self, value: Any) -> Any:
        """Clean each text in a JSON value; names and numbers stay."""
        if isinstance(value, str):
            return self.cleaned(value)
        if isinstance(value, list):
            return [self.cleaned_within(item) for item in value]
        if isinstance(value, dict):
            return {name: self.cleaned_within(item) for name, item in value.items()}
        return value


def _fact(instance: Instance, candidate: Candidate) -> tuple[str, str]:
    """The key and the value of *candidate*, without the secrets of its text, which are counted
    there; both empty if the key itself holds a secret, or the text ends the value.
    """
    if not (candidate.key or candidate.value):
        return "", ""
    cleaner = _Cleaner(instance, f"{candidate.source_text}\n{candidate.content}")
    key, value = normalised(sanitize(candidate.key)), one_line(sanitize(candidate.value))
    if bool(key) != bool(value):
        raise Rejected(
            translatable(
                "A key and a value belong together: give both, or neither. A key is a short name "
                "such as home_city."
            )
        )
    # What holds no longer is not the value.
    if cleaner.cleaned(key) != key or (key and is_ended(value, candidate.content)):
        return "", ""
    # Only the key may say that the value is a secret.
    prefix = f"{_words(key)}: "
    return key, cleaner.cleaned(prefix + value).removeprefix(prefix)[:MAX_VALUE]


def _words(key: str) -> str:
    """Write *key* as separate words."""
    return key.replace("_", " ")


def _attached(metadata: dict[str, Any], cleaner: _Cleaner) -> dict[str, Any]:
    cleaned: dict[str, Any] = cleaner.cleaned_within(metadata)
    if len(json.dumps(cleaned, ensure_ascii=False)) > MAX_METADATA:
        raise Rejected(
            translatable(
                "The metadata has more than %(most)s characters. Attach less, for example an ID "
                "under which you keep the rest.",
                most=MAX_METADATA,
            )
        )
    return cleaned
