"""The first stage: is this fit to be kept, and in which form."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from conversations.messages import short_id
from conversations.sanitizer import sanitize, sanitize_json
from instances.models import Instance
from memoryapp.pipeline import suppression
from memoryapp.pipeline.candidates import IDS_ATTACHED, MAX_METADATA, MAX_TAGS, Candidate, Rejected
from memoryapp.policy.keyed_facts import MAX_VALUE, normalised
from memoryapp.text import pii
from memoryapp.text.shortening import one_line

#: The code of what is refused for the secrets in it.
PII_REJECTED = "pii_rejected"


@dataclass(frozen=True)
class Admitted:
    """A candidate in the form in which it may be kept: `remember` does not validate it again."""

    candidate: Candidate


@dataclass(frozen=True)
class Unfit:
    """A candidate that cannot become a memory, and why."""

    candidate: Candidate
    problem: Rejected


def admit(
    instance: Instance, candidates: Sequence[Candidate]
) -> tuple[list[Admitted], list[Unfit]]:
    """Tell the *candidates* that are fit for *instance*'s memory, in the form in which they may be
    kept, from those that are not: one bad item must not lose the others.
    """
    fit: list[Candidate] = []
    unfit: list[Unfit] = []
    for candidate in candidates:
        try:
            fit.append(admitted(instance, candidate))
        except Rejected as problem:
            unfit.append(Unfit(candidate, problem))
    # `remember` checks this again under the lock: a deletion may come in between.
    out = suppression.kept_out(instance, fit)
    suppression.note(out.values())
    unfit += [Unfit(fit[place], reason) for place, reason in out.items()]
    return [Admitted(each) for place, each in enumerate(fit) if place not in out], unfit


def admitted(instance: Instance, candidate: Candidate) -> Candidate:
    """Return *candidate* in the form in which it may be kept; raises `Rejected`.

    What has been admitted once comes out of it unchanged.
    """
    text = one_line(sanitize(candidate.content))
    if not text:
        raise Rejected("Write what is to be remembered.")
    fact = f"{_words(candidate.key)}: {candidate.value}"
    cleaner = _Cleaner(instance, f"{candidate.source_text}\n{fact}")
    content = cleaner.cleaned(text)
    if content != text and not pii.says_more(content):
        raise Rejected(
            f"There is nothing in it but {pii.in_words(cleaner.redactions)}.", PII_REJECTED
        )
    key, value = _fact(instance, candidate)
    return replace(
        candidate,
        content=content,
        tags=_tags(candidate.tags, cleaner),
        key=key,
        value=value,
        end_user=sanitize(candidate.end_user)[:200],
        metadata=_attached(candidate.metadata, cleaner),
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


def _tags(tags: Sequence[str], cleaner: "_Cleaner") -> list[str]:
    # A tag is a word to find things by: one that holds a secret is left out.
    words = [one_line(sanitize(str(raw))).lower()[:50] for raw in tags]
    return list(dict.fromkeys(word for word in words if word and cleaner.cleaned(word) == word))[
        :MAX_TAGS
    ]


class _Cleaner:
    """Takes secrets and identifiers out of texts as an instance wants it, and counts them."""

    def __init__(self, instance: Instance, source_text: str) -> None:
        self.policy = pii.PIIMode(instance.pii_policy)
        off = self.policy is pii.PIIMode.OFF
        self.known = {} if off else pii.secrets_in(source_text)
        self.redactions: Counter[str] = Counter()

    def cleaned(self, text: str) -> str:
        examined = pii.examine(text, self.policy, known=self.known)
        if examined.refusal:
            raise Rejected(examined.refusal, PII_REJECTED)
        self.redactions.update(examined.redactions)
        if examined.findings:
            self.known |= pii.secrets_in(text)
        return examined.text

    def cleaned_within(self, value: Any) -> Any:
        """Clean each text in a JSON value; names and numbers stay."""
        if isinstance(value, str):
            return self.cleaned(value)
        if isinstance(value, list):
            return [self.cleaned_within(one) for one in value]
        if isinstance(value, dict):
            return {name: self.cleaned_within(one) for name, one in value.items()}
        return value


def _fact(instance: Instance, candidate: Candidate) -> tuple[str, str]:
    """The key and the value of *candidate*, without the secrets of its text, which are counted
    there. A key that would tell one is none.
    """
    cleaner = _Cleaner(instance, f"{candidate.source_text}\n{candidate.content}")
    key, value = normalised(sanitize(candidate.key)), one_line(sanitize(candidate.value))
    if bool(key) != bool(value):
        raise Rejected(
            "A key and a value belong together: give both, or neither. A key is a short name such "
            "as home_city."
        )
    if cleaner.cleaned(key) != key:
        return "", ""
    said = f"{_words(key)}: "
    return key, cleaner.cleaned(said + value).removeprefix(said)[:MAX_VALUE]


def _words(key: str) -> str:
    """Write *key* as one would say it: what a value is may stand in its key alone."""
    return key.replace("_", " ")


def _attached(metadata: Mapping[str, Any], cleaner: _Cleaner) -> dict[str, Any]:
    given: dict[str, Any] = sanitize_json(dict(metadata))
    # Like the end user and the id of the memory itself: changed, it would find nothing any more.
    ids = {name: given[name] for name in IDS_ATTACHED if name in given}
    cleaned: dict[str, Any] = cleaner.cleaned_within(given) | ids
    if len(json.dumps(cleaned, ensure_ascii=False)) > MAX_METADATA:
        raise Rejected(
            f"The metadata has more than {MAX_METADATA:,} characters. Attach less, for example an "
            "id under which you keep the rest."
        )
    return cleaned
