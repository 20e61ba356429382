"""Model servers that can be connected with one click, and the models that a server offers."""

from dataclasses import dataclass
from typing import Self

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from instances.access import Request, managed_instance
from instances.models import SecretName, User
from instances.presets import PRESETS
from memoryapp.embeddings.language_support import multilingual_model
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError
from memoryapp.providers.server_info import FoundOllama, find_ollama, model_names
from memoryapp.web.settings.forms.providers import EmbeddingsForm, LanguageModelForm
from memoryapp.web.settings.pages import PAGE_OF
from memoryapp.web.settings.views import render_page

#: The forms in which a model is chosen, by what the model is for.
FORMS: dict[str, tuple[type[LanguageModelForm | EmbeddingsForm], str]] = {
    "chat": (LanguageModelForm, "language-model"),
    "embeddings": (EmbeddingsForm, "embeddings"),
}
#: Models that are shown as buttons, at most. More are found by typing.
MAX_BUTTONS = 8


@require_POST
def offered_models(request: Request, slug: str, what: str) -> HttpResponse:
    """Show the models of the server in the form, or of the saved one if another form asks; none if
    the server does not answer.
    """
    instance = managed_instance(request, slug)
    if what not in FORMS:
        raise Http404
    form_class, prefix = FORMS[what]
    sent = any(name.startswith(f"{prefix}-") for name in request.POST)
    form = form_class(request.POST if sent else None, instance=instance, prefix=prefix)
    names = _models_of(form)
    if what == "embeddings":
        # Servers list all models together. What is made for embeddings mostly says so.
        names.sort(key=lambda name: "embed" not in name.lower())
    context = {"what": what, "names": names, "few": len(names) <= MAX_BUTTONS}
    return render(request, "settings/_models.html", context)


def _models_of(form: LanguageModelForm | EmbeddingsForm) -> list[str]:
    """Return the names of the models of the server in *form*, whose instance is not saved."""
    provider, address, _ = form.names
    if form.is_bound and {provider, address} & set(form.errors):
        return []
    preset = PRESETS.get(getattr(form.instance, provider))
    if preset is None or not form.address:
        return []
    entered = form.cleaned_data.get("key", "").strip() if form.is_bound else ""
    key = entered or form.instance.key_for(form.address, form.secret_name, SecretName.CHAT_API_KEY)
    if preset.needs_key and not key:
        return []
    named = getattr(form.instance, provider)
    endpoint = Endpoint(named, form.address, key, "any", holder=form.instance.holder)
    try:
        return model_names(endpoint)
    except ProviderError:
        return []  # "Test connection" says why.


@dataclass(frozen=True)
class EmbeddingOffer:
    """A way to embed many languages with Ollama, besides the built-in one."""

    #: The server that answers, if one does.
    server: FoundOllama | None
    #: Its model that reads many languages, if it has one.
    model: str | None

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
        return _("at %(address)s") % {"address": away} if away else _("on this machine")


@require_GET
def embedding_offer(request: Request, slug: str) -> HttpResponse:
    """Show a multilingual model of Ollama that the instance could embed with, if there is one: in
    its card, or on the whole page without JavaScript.
    """
    instance = managed_instance(request, slug)
    offer = EmbeddingOffer.to(request.user)
    if request.htmx:
        context = {"instance": instance, "offer": offer}
        return render(request, "embeddings/_offer.html", context)
    return render_page(request, instance, PAGE_OF["embeddings"], offer=offer)
