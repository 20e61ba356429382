"""The "test connection" button: one small call to the provider that an instance's settings name."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from instances.access import Request, managed_instance
from instances.models import CircuitBreaker, EmbeddingProvider, Instance
from instances.outgoing.current_policy import refusal_of
from instances.provider_urls import server_of
from instances.secrets import UnreadableSecret
from memoryapp.models import Usage
from memoryapp.providers import chat
from memoryapp.providers.configured import chat_endpoint, embedding_endpoint, space_of
from memoryapp.providers.embeddings import check_embeddings
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError


@require_POST
def test(request: Request, slug: str, what: str) -> HttpResponse:
    """Call the provider, and show its answer or the error."""
    instance = managed_instance(request, slug)
    if what not in ("chat", "embeddings"):
        raise Http404
    ok, answer = _test_embeddings(instance) if what == "embeddings" else test_chat(instance)
    address = instance.embeddings.address if what == "embeddings" else instance.chat_address
    refusal = None if ok or not request.user.is_superuser else refusal_of(address)
    entry = refusal.entry if refusal else ""
    if request.htmx:
        context = {"ok": ok, "answer": answer, "entry": entry, "instance": instance}
        return render(request, "instances/_test_result.html", context)
    (messages.success if ok else messages.error)(request, answer)
    if entry:
        return redirect(reverse("outgoing_connections", query={"address": entry}))
    return redirect(instance)


def test_chat(instance: Instance) -> tuple[bool, str]:
    """Call the language model; return whether it answered, and a message about it."""
    try:
        endpoint = chat_endpoint(instance)
        if endpoint is None:
            return False, "Choose a provider first, and give its key where it needs one."
        _allow_next_call(instance, endpoint)
        return True, chat.check_chat(endpoint)
    except (ProviderError, UnreadableSecret) as error:
        return False, str(error)


def _test_embeddings(instance: Instance) -> tuple[bool, str]:
    if instance.embedding_provider == EmbeddingProvider.BUILTIN:
        return True, "The built-in embedder needs no connection: 384 dimensions, on this machine."
    try:
        endpoint = embedding_endpoint(instance, instance.embeddings)
        if endpoint is None:
            return False, "Give the provider’s key or address first."
        _allow_next_call(instance, endpoint)
        answer = check_embeddings(endpoint)
    except (ProviderError, UnreadableSecret) as error:
        return False, str(error)
    # After a successful call, search by meaning is tried again at once.
    Usage.objects.record(instance, Usage.Source.EMBED, space_of(instance.embeddings))
    return True, answer


def _allow_next_call(instance: Instance, endpoint: Endpoint) -> None:
    """Allow the next call even if the circuit breaker is open: a person requested it."""
    server = server_of(endpoint.base_url)
    CircuitBreaker.objects.filter(instance=instance, server=server).try_now()
