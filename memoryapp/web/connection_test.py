"""The "test connection" button: one small call to the provider that an instance's settings name."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from instances.access import Request, managed_instance
from instances.models import CircuitBreaker, EmbeddingProvider, Instance
from instances.outgoing.current_policy import refusal_of
from instances.provider_urls import server_of
from instances.secrets import UnreadableSecret
from memoryapp.llm import model_measurement
from memoryapp.models import Usage
from memoryapp.providers import abilities, chat
from memoryapp.providers.configured import (
    assistant_abilities,
    chat_endpoint,
    embedding_endpoint,
    reader_abilities,
    space_of,
)
from memoryapp.providers.embeddings import check_embeddings
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError
from memoryapp.tasks.dispatch import hand_over_measurement


@dataclass(frozen=True)
class ModelReport:
    """What the language models of an instance can do, in words."""

    measuring: bool
    #: The name of each, what it can do, and what Keepsake does about it.
    models: list[tuple[str, list[str], list[str]]]


def model_report(instance: Instance) -> ModelReport:
    """Return what was measured of the models of *instance*."""
    known = (reader_abilities(instance), assistant_abilities(instance))
    return ModelReport(
        model_measurement.is_under_way(instance),
        [
            (each.model, abilities.words(each), abilities.consequences(each))
            for each in dict.fromkeys(known)
            if each.model
        ],
    )


@require_GET
def report(request: Request, slug: str) -> HttpResponse:
    """Show what the models can do; the card asks while they are being measured."""
    instance = managed_instance(request, slug)
    if not request.htmx:
        return redirect(f"{instance.get_absolute_url()}#language-model")
    context = {"instance": instance, "model_report": model_report(instance)}
    return render(request, "instances/_model_report.html", context)


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
        instance.refresh_from_db(fields=["measuring_since"])
        measured = model_report(instance) if what == "chat" and ok else None
        context = {"ok": ok, "answer": answer, "entry": entry, "instance": instance}
        context |= {"model_report": measured}
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
        answer = chat.check_chat(endpoint)
    except (ProviderError, UnreadableSecret) as error:
        return False, str(error)
    if model_measurement.begin(instance):
        hand_over_measurement(instance.pk)
    return True, answer


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
