"""The first stage: is this fit to be kept, and in which form."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from conversations.turns import clean, clean_json, short_id
from instances.models import Instance
from memoryapp.pipeline.candidates import MAX_METADATA, MAX_TAGS, Candidate, Rejected


@dataclass(frozen=True)
class Unfit:
    """A candidate that cannot become a memory, and why."""

    candidate: Candidate
    problem: Rejected


def admit(
    instance: Instance, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], list[Unfit]]:
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
    return fit, unfit


def admitted(instance: Instance, candidate: Candidate) -> Candidate:
    """Return *candidate* in the form in which it may be kept; raises `Rejected`.

    What has been admitted once comes out of it unchanged.
    """
    content = one_line(candidate.content)
    if not content:
        raise Rejected("Write what is to be remembered.")
    tags = dict.fromkeys(tag for raw in candidate.tags if (tag := one_line(str(raw)).lower()[:50]))
    return replace(
        candidate,
        content=content,
        tags=list(tags)[:MAX_TAGS],
        end_user=clean(candidate.end_user)[:200],
        metadata=_attached(candidate.metadata),
        external_id=short_id(candidate.external_id),
    )


def _attached(metadata: Mapping[str, Any]) -> dict[str, Any]:
    cleaned: dict[str, Any] = clean_json(dict(metadata))
    if len(json.dumps(cleaned, ensure_ascii=False)) > MAX_METADATA:
        raise Rejected(
            f"The metadata has more than {MAX_METADATA:,} characters. Attach less, for example an "
            "id under which you keep the rest."
        )
    return cleaned


def one_line(text: str) -> str:
    """Make *text* storable, without its line breaks and double spaces."""
    return " ".join(clean(text).split())
