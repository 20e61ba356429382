"""The forms of the cards that connect a provider: language model and embeddings."""

from dataclasses import replace
from typing import Any, ClassVar

from django import forms
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from instances.embedding_choice import EmbeddingChoice
from instances.models import Instance, Provider, SecretName
from instances.presets import PRESETS
from instances.provider_urls import name_of, server_of
from memoryapp.embeddings import reembedding


class ProviderSelect(forms.Select):
    """A choice of provider that carries the default address and model of each."""

    def __init__(self, model: str) -> None:
        super().__init__(attrs={"data-presets": True})
        #: Which of a preset's models is meant.
        self.model = model

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        preset = PRESETS.get(str(value))
        if preset:
            option["attrs"] |= {
                "data-address": preset.base_url,
                "data-model": getattr(preset, self.model),
                "data-help": getattr(preset, f"about_{self.model}"),
                "data-address-help": preset.address_help,
                "data-model-help": getattr(preset, f"{self.model}_help"),
            }
        return option


class _ProviderForm(forms.ModelForm[Instance]):
    """A provider, its address and its model, with a key that is written and never read back."""

    #: The fields for provider, address and model; and which of a preset's models is meant.
    names: ClassVar[tuple[str, str, str]]
    model_of_preset: ClassVar[str]
    #: The id of the list with the server's models, which the page loads.
    offered: ClassVar[str]

    key = forms.CharField(
        required=False,
        label=_("Key"),
        max_length=1000,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )
    remove_key = forms.BooleanField(required=False, label=_("Remove the stored key"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # All are loaded with the instance.
        stored = {secret.name: secret for secret in self.instance.secrets.all()}
        self.stored = stored.get(self.secret_name)
        if self.stored is None:
            del self.fields["remove_key"]
        elif foreign := self._foreign_key():
            self.fields["key"].help_text = foreign
        else:
            self.fields["key"].help_text = self._stored_key()
        self._show_what_is_usual()

    def _show_what_is_usual(self) -> None:
        """Show the usual address and model of the chosen provider in the empty fields, and below
        them whether they may stay empty. A script does the same when another one is chosen.
        """
        provider, address, model = self.names
        for name, usual in ((address, "address"), (model, "model")):
            self.fields[name].widget.attrs |= {"data-usual": usual, "autocomplete": "off"}
        self.fields[model].widget.attrs["list"] = self.offered
        self.preset = preset = PRESETS.get(self[provider].value() or "")
        self.preset_help = ""
        if preset is None:
            return
        self.preset_help = getattr(preset, f"about_{self.model_of_preset}")
        self.fields[address].widget.attrs["placeholder"] = preset.base_url
        self.fields[address].help_text = preset.address_help
        self.fields[model].widget.attrs["placeholder"] = getattr(preset, self.model_of_preset)
        self.fields[model].help_text = getattr(preset, f"{self.model_of_preset}_help")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        provider, address, model = self.names
        if data.get(provider) == Provider.CUSTOM:
            if not data.get(address):
                self.add_error(address, _("Enter the server’s address."))
            if not data.get(model):
                self.add_error(model, _("Enter the name of a model on this server."))
        return data

    @property
    def secret_name(self) -> str:
        """The name under which the key is stored."""
        return SecretName.CHAT_API_KEY

    @property
    def address(self) -> str:
        """The address of the provider in the form; empty for one without a server."""
        return self.instance.chat_address

    def save_key(self) -> str:
        """Store or remove the key, as the form says. A stored key of another server is removed as
        well; return the message about that, else an empty string.
        """
        if key := self.cleaned_data["key"].strip():
            stored = self.stored or self.instance.secrets.model(
                instance=self.instance, name=self.secret_name
            )
            stored.seal(key, self.address)
            stored.save()
            return ""
        foreign = self._foreign_key()
        if self.stored and (foreign or self.cleaned_data.get("remove_key")):
            self.stored.delete()
        return foreign

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]  # Django has it, its stubs do not.
        if self.cleaned_data.get("key", "").strip() and not self.address:
            self.add_error("key", _("Choose a provider first: a key belongs to its server."))

    def _stored_key(self) -> str:
        """Say that there is a key, and by which ending people recognise it."""
        if self.stored is None or not self.stored.ending:
            return gettext("set. Enter another one to replace it.")
        text = gettext("set · ends in …%(ending)s. Enter another one to replace it.")
        return text % {"ending": self.stored.ending}

    def _foreign_key(self) -> str:
        """Return a message if the stored key belongs to another server; else nothing."""
        server = server_of(self.address)
        if self.stored is None or not server or self.stored.server == server:
            return ""
        owner = name_of(self.stored.server, next_to=server)
        other = name_of(server, next_to=self.stored.server)
        return gettext(
            "The stored key belongs to %(owner)s and is not sent to %(other)s. If that server "
            "needs a key, enter it."
        ) % {"owner": owner, "other": other}


class LanguageModelForm(_ProviderForm):
    """The language model."""

    names = ("provider", "base_url", "fast_model")
    model_of_preset = "chat_model"
    offered = "offered-chat"

    class Meta:
        model = Instance
        fields = ("provider", "base_url", "fast_model")
        widgets: ClassVar = {"provider": ProviderSelect("chat_model")}


class EmbeddingsForm(_ProviderForm):
    """The embedding model.

    Another model than the present one is saved at once only while there are no vectors: else it is
    confirmed with a tick, and gets its vectors next to the present ones first.
    """

    names = ("embedding_provider", "embedding_base_url", "embedding_model")
    model_of_preset = "embedding_model"
    offered = "offered-embeddings"
    reembed = forms.BooleanField(required=False, label=_("Embed everything again"))

    class Meta:
        model = Instance
        fields = ("embedding_provider", "embedding_base_url", "embedding_model")
        widgets: ClassVar = {"embedding_provider": ProviderSelect("embedding_model")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.present = self.instance.embeddings

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        chosen = "embedding_provider" in self.changed_data and data.get("embedding_provider")
        if chosen == self.instance.provider and not data.get("embedding_base_url"):
            # The language model's server, unless another address is entered.
            data["embedding_base_url"] = self.instance.base_url
        return super().clean()

    @property
    def secret_name(self) -> str:
        return self.instance.embedding_key

    @property
    def address(self) -> str:
        choice = self.instance.embeddings
        return "" if choice.is_builtin else choice.address

    @property
    def choice(self) -> EmbeddingChoice:
        """The chosen model, whose dimensions are not known yet."""
        return replace(self.instance.embeddings, dimensions=None)

    @property
    def changes_space(self) -> bool:
        """True if the stored vectors are of another model than the chosen one."""
        return self.choice.identity != self.present.identity

    @cached_property
    def has_vectors(self) -> bool:
        """True if a change of model would lose vectors."""
        return self.instance.memories.filter(embeddings__isnull=False).exists()

    @cached_property
    def estimate(self) -> reembedding.ReembeddingEstimate:
        """Estimate of making the vectors of the chosen model."""
        return reembedding.estimate(self.instance, self.choice)

    @property
    def reembeds(self) -> bool:
        """True if the new model gets its vectors next to the present ones."""
        return self.changes_space and self.has_vectors

    def _post_clean(self) -> None:
        super()._post_clean()
        if not self.changes_space:
            return
        if reembedding.is_under_way(self.instance):
            self.add_error(None, str(reembedding.ReembeddingRunning()))
        elif self.has_vectors and not self.cleaned_data.get("reembed"):
            self.add_error(
                "reembed",
                _(
                    "Your memories are indexed with the current model. Confirm below that "
                    "everything is indexed again with the new one."
                ),
            )
