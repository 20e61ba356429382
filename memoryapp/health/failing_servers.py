"""Servers of an instance that keep failing: listing them, and calling one now."""

from django.utils import timezone

from instances.models import CircuitBreaker, Instance
from instances.provider_urls import server_of
from instances.secrets import UnreadableSecret
from memoryapp.models import EmbeddingJob, Run, Summary
from memoryapp.providers import chat
from memoryapp.providers.configured import chat_endpoint, embedding_endpoint
from memoryapp.providers.embeddings import check_embeddings
from memoryapp.providers.errors import ProviderError

#: Seconds of silence that are allowed while a person waits.
TIMEOUT_SECONDS = 15.0


def failing_servers(instance: Instance) -> list[CircuitBreaker]:
    """Return the open circuit breakers of servers that *instance* still uses."""
    jobs = EmbeddingJob.objects.open().filter(instance=instance)
    choices = [instance.embeddings, *(job.choice for job in jobs)]
    servers = {
        server_of(address) for address in (instance.chat_address, *(c.address for c in choices))
    }
    return list(instance.circuit_breakers.filter(retry_at__isnull=False, server__in=servers))


def try_now(breaker: CircuitBreaker) -> str:
    """Call the server of *breaker* now. If it answers, resume the work that waits for it; else
    return the error.
    """
    CircuitBreaker.objects.filter(pk=breaker.pk).try_now()
    try:
        _ask(breaker.instance, breaker.server)
    except (ProviderError, UnreadableSecret) as error:
        return str(error)
    _resume(breaker.instance)
    return ""


def _ask(instance: Instance, server: str) -> None:
    """Make a small call to *server*; none if only a future embedding model is there."""
    endpoint = chat_endpoint(instance)
    if endpoint is not None and server_of(endpoint.base_url) == server:
        chat.check_chat(endpoint, TIMEOUT_SECONDS)
        return
    endpoint = embedding_endpoint(instance, instance.embeddings)
    if endpoint is not None and server_of(endpoint.base_url) == server:
        check_embeddings(endpoint, TIMEOUT_SECONDS)


def _resume(instance: Instance) -> None:
    """Make all waiting work of *instance* due now; the sweeper sends it."""
    now = timezone.now()
    waiting = {"instance": instance, "due_at__gt": now}
    Run.objects.filter(state=Run.State.QUEUED, **waiting).update(due_at=now, sent_at=None)
    EmbeddingJob.objects.filter(state=EmbeddingJob.State.RUNNING, **waiting).update(due_at=now)
    Summary.objects.filter(**waiting).update(due_at=now, sent_at=None)
