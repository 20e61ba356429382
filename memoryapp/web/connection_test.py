"""The "test connection" button: one small call to the provider that an instance's settings name."""

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from instances.access import Request, managed_instance
from instances.models import CircuitBreaker, Instance
from instances.outgoing.current_policy import refusal_of
from instances.provider_urls import server_of
from instances.secrets import UnreadableSecret
from instances.translatable import translated
from memoryapp.llm import model_measurement
from memoryapp.models import Usage
from memoryapp.providers import chat
from memoryapp.providers.configured import (
    assistant_abilities,
    chat_endpoint,
    embedding_endpoint,
    reader_abilities,
    space_of,
)
from memoryapp.providers.embeddings import check_embeddings
from memoryapp.providers.endpoints import Endpoint, host_of
from memoryapp.providers.errors import ProviderError
from memoryapp.tasks.dispatch import hand_over_measurement
from memoryapp.web import ability_words
from memoryapp.web.settings.pages import card_url


@dataclass(frozen=True)
class ModelReport:
    """Abilities of an instance's language models, in words."""

    measuring: bool
    #: The name of each, what it can do, and what Keepsake does about it.
    models: list[tuple[str, list[str], list[str]]]


def model_report(instance: Instance) -> ModelReport:
    """Return what was measured of the models of *instance*."""
    known = (reader_abilities(instance), assistant_abilities(instance))
    return ModelReport(
        model_measurement.is_under_way(instance),
        [
            (each.model, ability_words.words(each), ability_words.consequences(each))
            for each in dict.fromkeys(known)
            if each.model
        ],
    )


@require_GET
def report(request: Request, slug: str) -> HttpResponse:
    """Show what the models can do; the card asks while they are being measured."""
    instance = managed_instance(request, slug)
    if not request.htmx:
        return redirect(card_url(slug, "language-model"))
    context = {"instance": instance, "model_report": model_report(instance)}
    return render(request, "settings/_model_report.html", context)


@require_POST
def test(request: Request, slug: str, what: str) -> HttpResponse:
    """Call the provider, and show its answer or the error."""
    instance = managed_instance(request, slug)
    if what not in _TESTS:
        raise Http404
    card, call, address_of = _TESTS[what]
    ok, answer = call(instance)
    refusal = None if ok or not request.user.is_superuser else refusal_of(address_of(instance))
    entry = refusal.entry if refusal else ""
    if request.htmx:
        instance.refresh_from_db(fields=["measuring_since"])
        measured = model_report(instance) if what == "chat" and ok else None
        context = {"ok": ok, "answer": answer, "entry": entry, "instance": instance}
        context |= {"model_report": measured, "back": card_url(slug, card)}
        return render(request, "settings/_test_result.html", context)
    (messages.success if ok else messages.error)(request, answer)
    if entry:
        return redirect(reverse("outgoing_connections", query={"address": entry}))
    return redirect(card_url(slug, card))


def test_chat(instance: Instance) -> tuple[bool, str]:
    """Call the language model; return whether it answered, and a message about it."""
    ok, answer = _call(
        instance,
        lambda: chat_endpoint(instance),
        chat.check_chat,
        missing=_("Choose a provider first, and enter its key if it needs one."),
    )
    if ok and model_measurement.begin(instance):
        hand_over_measurement(instance.pk)
    return ok, answer


def _test_embeddings(instance: Instance) -> tuple[bool, str]:
    if instance.embeddings.is_builtin:
        return True, _(
            "The built-in embedders need no connection: 384 dimensions, on this machine."
        )
    ok, answer = _call(
        instance,
        lambda: embedding_endpoint(instance, instance.embeddings),
        check_embeddings,
        missing=_("Enter the provider’s key or address first."),
    )
    if ok:
        # After a successful call, search by meaning is tried again at once.
        Usage.objects.record(
            instance,
            Usage.Source.EMBED,
            space_of(instance.embeddings),
            host=host_of(instance.embeddings.address),
            about=(),
        )
    return ok, answer


def _call(
    instance: Instance,
    configured: Callable[[], Endpoint | None],
    check: Callable[[Endpoint], str],
    *,
    missing: str,
) -> tuple[bool, str]:
    """Run *check* on the configured endpoint. Return whether it answered, and its answer, the error
    or what is *missing*.
    """
    try:
        endpoint = configured()
        if endpoint is None:
            return False, missing
        # The circuit breaker may be open, but a person has asked for this call.
        server = server_of(endpoint.base_url)
        CircuitBreaker.objects.filter(instance=instance, server=server).try_now()
        return True, translated(check(endpoint))
    except (ProviderError, UnreadableSecret) as error:
        return False, translated(str(error))


#: What can be tested, by its name in the URL: its card, the test, and the address that is called.
_TESTS: dict[str, tuple[str, Callable[[Instance], tuple[bool, str]], Callable[[Instance], str]]] = {
    "chat": ("language-model", test_chat, lambda instance: instance.chat_address),
    "embeddings": ("embeddings", _test_embeddings, lambda instance: instance.embeddings.address),
}
