"""Floor of relevance: the candidates of a search that pass it."""

from collections.abc import Sequence

from memoryapp.embeddings.background import background_of
from memoryapp.policy.memory_need import Need
from memoryapp.policy.relevance import Background, Evidence, hold_words, relevant
from memoryapp.recall.query import RecallQuery
from memoryapp.recall.results import HitRef
from memoryapp.recall.retrieval import Candidates
from memoryapp.recall.scoring import Traits


def relevant_refs(
    query: RecallQuery, candidates: Candidates, refs: Sequence[HitRef], need: Need
) -> frozenset[HitRef]:
    """Members of *refs* that are relevant to *query*: they pass the floor of this *need*."""
    # What is about the user is not silenced because the model is weak in a language.
    foreign = query.is_foreign and query.need <= Need.OPEN
    background = background_of(query.instance, query.vectors.space, foreign=foreign)
    finds = [_evidence(candidates.traits[ref], background) for ref in refs]
    texts = query.searchable.memories + query.searchable.drawers
    passing = relevant(need, finds, texts=texts, is_search=not query.is_message)
    return frozenset(ref for ref, passes in zip(refs, passing, strict=True) if passes)


def holding_words(candidates: Candidates, passing: frozenset[HitRef]) -> frozenset[HitRef]:
    """Members of *passing* that hold the words of the question; all of them if none holds all."""
    traits = [candidates.traits.get(ref) for ref in passing]
    held = [each.words if each else 0.0 for each in traits]
    holding = hold_words(held)
    return frozenset(ref for ref, holds in zip(passing, holding, strict=True) if holds)


def _evidence(traits: Traits, background: Background) -> Evidence:
    """The evidence for a result: the best of its own and of the messages it was learned from."""
    finds = [traits, *traits.turns]
    cosines = [found.cosine for found in finds if found.cosine is not None]
    return Evidence(
        background.distinction(max(cosines)) if cosines else None,
        max(found.words for found in finds),
    )
