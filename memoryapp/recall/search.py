"""The stages of a search: prepare the query, retrieve candidates, rank them, load the hits."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from math import inf

from instances.models import Instance
from memoryapp.policy.memory_need import Need
from memoryapp.policy.relevance import share_places
from memoryapp.recall.floor import holding_words, relevant_refs
from memoryapp.recall.fusion import Fused, fuse
from memoryapp.recall.hydration import load_hits
from memoryapp.recall.options import DEFAULT_OPTIONS, RecallOptions
from memoryapp.recall.pointers import beside_pointers, first, pointed_at
from memoryapp.recall.precedence import current_first, memories_first, replies_first
from memoryapp.recall.query import RecallQuery
from memoryapp.recall.results import MEANING, WORDS, Hit, HitRef, RecallResult
from memoryapp.recall.retrieval import Candidates, retrieve
from memoryapp.recall.scoring import (
    NEARLY_AS_LIKELY,
    Traits,
    Weights,
    not_clearly_weaker,
    says_the_same,
    weigh,
)
from memoryapp.recall.search_scope import SearchScope
from memoryapp.recall.vector_search import scale_of
from memoryapp.telemetry import traces
from memoryapp.telemetry.timings import timed_recall

#: Minimum depth to which each list is read for scoring by signals. Measured: 20 costs one percent
#: of recall, and more than 40 gains nothing.
DEPTH = 40
#: The same for fusion by rank.
RRF_DEPTH = 20


@timed_recall
@traces.traced("recall")
def recall(
    instance: Instance, question: str, options: RecallOptions = DEFAULT_OPTIONS
) -> RecallResult:
    """Find what *instance* remembers that answers *question*, best first. If the embedding provider
    fails, the search is by words alone, and the result says so. What is filed at the pointers in
    the question comes first; if it is nothing but pointers, nothing else is searched.
    """
    if pointed := pointed_at(instance, question, options):
        rest = beside_pointers(question)
        others = _recall(instance, rest, options) if rest else RecallResult()
        return first(pointed, others, options.limit)
    return _recall(instance, question, options)


def _recall(instance: Instance, question: str, options: RecallOptions) -> RecallResult:
    only_relevant = options.only_relevant and not options.max_weaker
    query = RecallQuery.prepare(
        instance,
        question,
        options.profile,
        end_user=options.end_user,
        only_relevant=only_relevant,
        is_message=options.is_message,
    )
    return search(query, options) if query else RecallResult()


@traces.traced("search")
def search(query: RecallQuery, options: RecallOptions) -> RecallResult:
    """Answer a *query* that was prepared for the profile of *options*."""
    is_silent = query.is_message and query.need is Need.NONE
    if is_silent and options.only_relevant and not options.max_weaker:
        return RecallResult(query=query)
    candidates = retrieve(
        SearchScope(query.instance, options, query.words),
        query.vectors,
        query.searchable,
        depth=max(2 * options.limit, DEPTH if query.is_weighted else RRF_DEPTH),
        filed_twice=not query.is_weighted,
        every_nature=query.every_nature,
        with_health=query.wants_health,
    )
    for pk, importance in options.importances.items():
        if traits := candidates.traits.get(HitRef("memory", pk)):
            # As if a person had given it.
            traits.importance, traits.importance_counts = importance, True
    rank = partial(_weighed if query.is_weighted else _fused, query, candidates, options)
    answers = {ref for ref, each in candidates.traits.items() if each.states or query.every_nature}
    ranked = rank(answers)
    need = min(query.need, Need.TASK) if options.only_clear else query.need
    passing = relevant_refs(query, candidates, [entry.item for entry in ranked], need)
    if options.words_decide:
        passing = holding_words(candidates, passing)
    elif query.is_weighted and not options.weaker_too:
        passing = not_clearly_weaker(ranked, passing, candidates.traits)
    if query.wants_health:
        passing |= {ref for ref, each in candidates.traits.items() if each.is_health}
    found = [entry for entry in ranked if entry.item in passing or not options.only_relevant]
    least = found[0].score - NEARLY_AS_LIKELY if found and query.is_weighted else -inf
    shown = share_places(
        found, options.limit, is_due=lambda entry: _is_memory(entry) and entry.score >= least
    )
    if query.wants_health:
        shown = _with_health(shown, found, candidates.traits)
    weaker: list[Fused[HitRef]] = []
    if options.only_relevant and options.max_weaker:
        rest = [entry for entry in ranked if entry.item not in passing]
        rest += rank(candidates.traits.keys() - answers)
        weaker = sorted(rest, key=lambda entry: -entry.score)[: options.max_weaker]
    hits = load_hits(query.instance, [*shown, *weaker], candidates, passing, options.columns)
    best = [hit for hit in hits if hit.is_relevant or not options.only_relevant]
    if query.is_weighted:
        best = _in_order(query, candidates, best)
    return RecallResult(
        best,
        [hit for hit in hits if not hit.is_relevant and options.only_relevant],
        query.vectors.problem,
        complete=len(found) <= options.limit,
        query=query,
    )


def _in_order(query: RecallQuery, candidates: Candidates, hits: Sequence[Hit]) -> list[Hit]:
    """*hits*, best first, what is current before what is outdated, replies before questions, and
    memories before turns.
    """
    traits, language = candidates.traits, query.instance.language
    if query.wants_current:
        hits = current_first(hits, traits, language)
    if query.wants_replies:
        hits = replies_first(hits, language)
    scale = scale_of(query.instance, query.vectors.space)
    return memories_first(hits, candidates.learned, traits, scale)


def _with_health(
    shown: Sequence[Fused[HitRef]],
    found: Sequence[Fused[HitRef]],
    traits: Mapping[HitRef, Traits],
) -> list[Fused[HitRef]]:
    """*shown*, with the best of what may harm somebody in the last place if it would have none."""
    best = next((entry for entry in found if traits[entry.item].is_health), None)
    if best is None or any(traits[entry.item].is_health for entry in shown):
        return list(shown)
    return [*shown[:-1], best]


def _is_memory(entry: Fused[HitRef]) -> bool:
    return entry.item.kind == "memory"


def _fused(
    _query: RecallQuery,
    candidates: Candidates,
    options: RecallOptions,
    answers: AbstractSet[HitRef],
) -> list[Fused[HitRef]]:
    """Rank *answers* among the candidates by ranks alone."""
    listed = {pk for _, pk in candidates.lists[MEANING] + candidates.lists[WORDS]}
    stand_ins = {
        HitRef("message", message): [HitRef("memory", pk) for pk in memories if pk in listed]
        or ([] if options.with_messages else [HitRef("memory", pk) for pk in memories])
        for message, memories in candidates.learned.items()
    }
    fused = fuse(_lists(candidates, stand_ins, answers))
    return [entry for entry in fused if options.with_messages or entry.item.kind == "memory"]


def _weighed(
    query: RecallQuery, candidates: Candidates, options: RecallOptions, answers: AbstractSet[HitRef]
) -> list[Fused[HitRef]]:
    """Rank *answers* among the candidates by the scores of memories and messages."""
    traits, with_messages = candidates.traits, options.with_messages
    scale = scale_of(query.instance, query.vectors.space)
    weights = options.weights or Weights.of(query.instance.recall_weights)
    stand_ins: dict[HitRef, list[HitRef]] = {}
    for pk, memory_pks in candidates.learned.items():
        message = HitRef("message", pk)
        memories = [HitRef("memory", pk) for pk in memory_pks]
        stand_ins[message] = [
            memory
            for memory in memories
            if not with_messages or says_the_same(traits[memory], traits[message], scale)
        ]
    ranks: dict[HitRef, dict[str, int]] = {}
    for name, refs in _lists(candidates, stand_ins, answers).items():
        for rank, ref in enumerate(dict.fromkeys(refs)):
            ranks.setdefault(ref, {})[name] = rank
    return weigh(
        query.analysed,
        {ref: traits[ref] for ref in ranks if with_messages or ref.kind == "memory"},
        ranks,
        scale=scale,
        today=query.today,
        turns_compete=with_messages,
        weights=weights,
    )


def _lists(
    candidates: Candidates,
    stand_ins: Mapping[HitRef, Sequence[HitRef]],
    answers: AbstractSet[HitRef],
) -> dict[str, list[HitRef]]:
    """The lists of *answers*, with memories in place of the messages that they stand for."""
    return {
        name: [
            stand_in
            for ref in refs
            for stand_in in stand_ins.get(ref) or [ref]
            if stand_in in answers
        ]
        for name, refs in candidates.lists.items()
    }
