"""Model servers that can be connected with one click, and the models of those that are named."""

from dataclasses import dataclass
from typing import ClassVar, Self

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from conversations.sanitizer import sanitize
from instances.access import Request, managed_instance
from instances.models import Instance, SecretName, User
from instances.presets import PRESETS
from instances.provider_urls import base_url_problem
from instances.views.settings import settings_context
from memoryapp.embeddings.language_support import MULTILINGUAL_MODELS, multilingual_model
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError
from memoryapp.providers.server_info import FoundOllama, find_ollama, model_names

#: The prefix of the fields of the language model's form.
PREFIX = "language-model"


def found_ollama(instance: Instance, user: User) -> FoundOllama | None:
    """Return an Ollama server to offer to *user* for *instance*; None if it has a model already."""
    if instance.has_language_model:
        return None
    return find_ollama(on_this_machine=user.is_superuser)


@require_POST
def offered_models(request: Request, slug: str) -> HttpResponse:
    """Show the names of the models of the server in the form, as options; none if it does not
    answer.
    """
    instance = managed_instance(request, slug)
    provider, address, key = (
        sanitize(request.POST.get(f"{PREFIX}-{name}", "")).strip()[:1000]
        for name in ("provider", "base_url", "key")
    )
    preset = PRESETS.get(provider)
    address = address or (preset.base_url if preset else "")
    names: list[str] = []
    if preset and address and not base_url_problem(address):
        key = key or instance.key_for(address, SecretName.CHAT_API_KEY)
        if key or not preset.needs_key:
            endpoint = Endpoint(provider, address, key, "any", holder=instance.holder)
            try:
                names = model_names(endpoint)
            except ProviderError:
                names = []  # "Test connection" says why.
    return render(request, "instances/_models.html", {"names": names})


@dataclass(frozen=True)
class EmbeddingOffer:
    """A way to embed many languages, with Ollama."""

    #: The server that answers, if one does.
    server: FoundOllama | None
    #: Its model that reads many languages, if it has one.
    model: str | None
    #: The one to fetch otherwise.
    recommended: ClassVar = MULTILINGUAL_MODELS[0]

    @classmethod
    def to(cls, user: User) -> Self:
        """Look for a server that *user* may connect."""
        server = find_ollama(on_this_machine=user.is_superuser)
        return cls(server, multilingual_model(server.models) if server else None)

    @property
    def address(self) -> str:
        """The address to save. An empty one would stand for that of the language model."""
        return (self.server and self.server.address) or PRESETS["ollama"].base_url

    @property
    def place(self) -> str:
        """Where the server is, in words."""
        away = self.server and self.server.address
        return f"at {away}" if away else "on this machine"


@require_GET
def embedding_offer(request: Request, slug: str) -> HttpResponse:
    """Show a multilingual model that the instance could embed with, or how to get one: in its card,
    or on the whole page without JavaScript.
    """
    instance = managed_instance(request, slug)
    offer = EmbeddingOffer.to(request.user)
    if request.htmx:
        context = {"instance": instance, "offer": offer}
        return render(request, "embeddings/_offer.html", context)
    context = settings_context(request, instance) | {"offer": offer}
    return render(request, "instances/settings.html", context)
