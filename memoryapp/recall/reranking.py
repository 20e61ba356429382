"""Recall whose first hits a language model reads and puts in order before they are shown."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from django.core.cache import cache
from django.utils import timezone
from django.utils.crypto import salted_hmac
from redis.exceptions import RedisError

from instances.models import Instance
from instances.secrets import UnreadableSecret
from memoryapp.llm.answers import UnusableAnswer
from memoryapp.llm.structured import ask
from memoryapp.models import Usage, may_spend
from memoryapp.providers.configured import chat_endpoint
from memoryapp.providers.errors import ProviderError
from memoryapp.recall import rerank_prompt
from memoryapp.recall.entries import Entry
from memoryapp.recall.hit_entries import entries_for
from memoryapp.recall.options import DEFAULT_OPTIONS, RecallOptions
from memoryapp.recall.results import RecallResult
from memoryapp.recall.search import recall

logger = logging.getLogger(__name__)

#: Seconds that the model may take: a person waits for the answer.
TIMEOUT_SECONDS = 5.0
#: How long a model that has failed is not asked again.
RETRY_AFTER = timedelta(seconds=30)
#: Seconds for which the same question to the same texts is not asked again.
CACHE_SECONDS = 3600

NO_MODEL = "Not reranked: no language model is set up."
CAPPED = "Not reranked: this month’s cost cap is reached."


def recall_and_rerank(
    instance: Instance, question: str, options: RecallOptions = DEFAULT_OPTIONS
) -> RecallResult:
    """Like `recall`, but the instance's reranking model picks the best of the first twenty hits.
    Where that fails, the order stays as it was, and ``rerank_problem`` says why.
    """
    limit = options.limit
    further = replace(options, limit=max(limit, rerank_prompt.CANDIDATES))
    found = recall(instance, question, further)
    hits, problem = found.hits, ""
    read = entries_for(instance, found.hits[: rerank_prompt.CANDIDATES])
    if len(read) > 1:
        picked, problem = _pick(instance, question, [line for _, line in read])
        chosen = [hits.index(read[number][0]) for number in picked or []]
        hits = rerank_prompt.reordered(hits, chosen)
    complete = found.complete and len(hits) <= limit
    return replace(found, hits=hits[:limit], complete=complete, rerank_problem=problem)


def _pick(
    instance: Instance, question: str, entries: Sequence[Entry]
) -> tuple[list[int] | None, str]:
    """Which of *entries* the model picks; or None, and why not in words."""
    try:
        endpoint = chat_endpoint(instance)
    except UnreadableSecret as error:
        return None, f"Not reranked: {error}"
    if endpoint is None:
        return None, NO_MODEL
    endpoint = replace(endpoint, model=instance.rerank_model or endpoint.model)
    user_prompt = rerank_prompt.prompt(question, entries, today=instance.date_of(timezone.now()))
    # A keyed digest of all that the model would read: nothing of it can be told from Redis, and
    # whatever changes in a memory makes it another question.
    digest = salted_hmac("keepsake.rerank", f"{endpoint.base_url} {endpoint.model}\n{user_prompt}")
    name = f"rerank:{instance.pk}:{digest.hexdigest()}"
    if (known := _cached(name)) is not None:
        return known, ""
    if not may_spend(instance):
        return None, CAPPED
    source = Usage.Source.RERANK
    if failed := Usage.objects.latest_error(instance, source, endpoint.model, within=RETRY_AFTER):
        return None, f"Not reranked: {failed}"
    try:
        answer = ask(
            instance,
            source,
            endpoint,
            rerank_prompt.RerankAnswer,
            system=rerank_prompt.SYSTEM,
            user=user_prompt,
            context=len(entries),
            timeout=TIMEOUT_SECONDS,
            record_unusable=True,
        )
    except ProviderError as error:
        return None, f"Not reranked: {error}"
    except UnusableAnswer:
        return None, f"Not reranked: {endpoint.model} gave no usable answer."
    picked = answer.picks(len(entries))
    _cache(name, picked)
    return picked, ""


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
