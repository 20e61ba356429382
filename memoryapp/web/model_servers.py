"""Model servers that can be connected with one click, and the models of those that are named."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from conversations.sanitizer import sanitize
from instances.access import Request, managed_instance
from instances.models import Instance, SecretName, User
from instances.presets import PRESETS
from instances.provider_urls import base_url_problem
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
