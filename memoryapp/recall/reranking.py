"""Search with reranking: a language model picks the best of the first hits."""

import logging
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import timedelta

from django.core.cache import cache
from django.utils import timezone
from django.utils.crypto import salted_hmac
from redis.exceptions import RedisError

from instances.models import Instance
from instances.secrets import UnreadableSecret
from instances.translatable import translatable
from memoryapp.llm.answers import UnusableAnswer
from memoryapp.llm.structured import ask
from memoryapp.models import Usage, may_spend
from memoryapp.policy.relevance import share_places
from memoryapp.providers.configured import chat_endpoint
from memoryapp.providers.errors import ProviderError
from memoryapp.recall.entries import Entry
from memoryapp.recall.hit_entries import entries_for
from memoryapp.recall.options import DEFAULT_OPTIONS, RecallOptions
from memoryapp.recall.pointers import POINTER
from memoryapp.recall.rerank_prompt import CANDIDATES, SYSTEM, RerankAnswer, prompt, reordered
from memoryapp.recall.results import RecallResult
from memoryapp.recall.search import recall
from memoryapp.suppression.sending import policy_for_model
from memoryapp.telemetry import traces

logger = logging.getLogger(__name__)

#: Seconds for the model: a person waits for the answer.
TIMEOUT_SECONDS = 5.0
#: Pause after a failure of the model.
RETRY_AFTER = timedelta(seconds=30)
#: Seconds for which the picks for the same question and texts are cached.
CACHE_SECONDS = 3600

NO_MODEL = translatable("Not reranked: no language model is set up.")
CAPPED = translatable("Not reranked: this month’s cost cap is reached.")


@traces.traced("recall and rerank")
def recall_and_rerank(
    instance: Instance, question: str, options: RecallOptions = DEFAULT_OPTIONS
) -> RecallResult:
    """Search as `recall` does, and let the instance's reranking model pick the best of the first
    twenty relevant hits. If that fails, the order stays, and ``rerank_problem`` says why.
    """
    limit = options.limit
    result = recall(
        instance, question, replace(options, limit=max(limit, CANDIDATES), weaker_too=True)
    )
    hits, problem = result.hits, ""
    # What the question names by its pointer is no matter of rank.
    named = [hit for hit in hits if POINTER in hit.parts]
    hits = hits[len(named) :]
    entries = entries_for(instance, hits[:CANDIDATES], policy_for_model(instance))
    if len(entries) > 1:
        lines, about = [line for _, line in entries], {hit.end_user for hit, _ in entries}
        picked, problem = _pick(instance, question, lines, about=about)
        hits = reordered(hits, [hits.index(entries[number][0]) for number in picked or []])
    hits = [*named, *hits]
    complete = result.complete and len(hits) <= limit
    shown = share_places(hits, limit, is_due=lambda hit: hit.memory is not None)
    weaker = result.weaker[: limit - len(shown)]
    return replace(result, hits=shown, weaker=weaker, complete=complete, rerank_problem=problem)


@traces.traced("rerank")
def _pick(
    instance: Instance, question: str, entries: Sequence[Entry], *, about: Collection[str]
) -> tuple[list[int] | None, str]:
    """Return the indexes of the *entries* that the model picks; or None and the reason."""
    try:
        endpoint = chat_endpoint(instance)
    except UnreadableSecret as error:
        return None, _not_reranked(str(error))
    if endpoint is None:
        return None, NO_MODEL
    endpoint = replace(endpoint, model=instance.rerank_model or endpoint.model)
    user_prompt = prompt(question, entries, today=instance.date_of(timezone.now()))
    # A keyed digest of everything that the model reads: Redis reveals none of it, and a changed
    # memory makes another key.
    digest = salted_hmac("keepsake.rerank", f"{endpoint.base_url} {endpoint.model}\n{user_prompt}")
    name = f"rerank:{instance.pk}:{digest.hexdigest()}"
    if (known := _cached(name)) is not None:
        return known, ""
    if not may_spend(instance):
        return None, CAPPED
    source = Usage.Source.RERANK
    if failed := Usage.objects.latest_error(instance, source, endpoint.model, within=RETRY_AFTER):
        return None, _not_reranked(failed)
    try:
        answer = ask(
            instance,
            source,
            endpoint,
            RerankAnswer,
            about=about,
            system=SYSTEM,
            user=user_prompt,
            context=len(entries),
            timeout=TIMEOUT_SECONDS,
            record_unusable=True,
        )
    except ProviderError as error:
        return None, _not_reranked(str(error))
    except UnusableAnswer:
        return None, translatable(
            "Not reranked: %(model)s gave no usable answer.", model=endpoint.model
        )
    picked = answer.picks(len(entries))
    _cache(name, picked)
    return picked, ""


def _not_reranked(problem: str) -> str:
    return translatable("Not reranked: %(problem)s", problem=problem)


def _cached(name: str) -> list[int] | None:
    try:
        known: list[int] | None = cache.get(name)
    except RedisError:
        return None
    return known


def _cache(name: str, picked: list[int]) -> None:
    try:
        cache.set(name, picked, timeout=CACHE_SECONDS)
    except RedisError as error:
        logger.info("the reranked order could not be cached: %s", error)
