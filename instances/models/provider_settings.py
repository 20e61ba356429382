"""The providers that an instance uses, the keys that open them, and what their calls cost."""

from dataclasses import astuple
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar

from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from instances.embedding_choice import EmbeddingChoice
from instances.models.choices import EmbeddingProvider, Provider, SecretName, default_embedder
from instances.presets import PRESETS
from instances.provider_urls import validate_base_url

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise
    from django_stubs_ext.db.models.manager import RelatedManager

    from instances.models.secret import Secret


def _price(
    label: "StrOrPromise", help_text: "StrOrPromise", *, digits: int = 10, decimals: int = 4
) -> "models.DecimalField[Decimal | float | str | None, Decimal | None]":
    """An amount of money that may be left out, in a currency of the users' choice."""
    return models.DecimalField(
        label,
        max_digits=digits,
        decimal_places=decimals,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text=help_text,
    )


class ProviderSettings(models.Model):
    """The settings of the page "Models"."""

    #: The columns of the embedding model, in the order of the fields of `EmbeddingChoice`; they
    #: change together.
    EMBEDDING_COLUMNS: ClassVar = (
        *("embedding_provider", "embedding_base_url", "embedding_model"),
        *("embedding_dimensions", "embedding_key"),
    )

    provider = models.CharField(
        _("Provider"),
        max_length=20,
        choices=Provider,
        default=Provider.NONE,
        blank=True,
        help_text=_("Any server with an OpenAI-compatible API works."),
    )
    base_url = models.CharField(
        _("Address"),
        max_length=300,
        blank=True,
        validators=[validate_base_url],
        help_text=_("Such as http://localhost:8080/v1."),
    )
    fast_model = models.CharField(
        _("Model"),
        max_length=200,
        blank=True,
        help_text=_("A small, fast model is enough."),
    )
    embedding_provider = models.CharField(
        _("Provider"),
        max_length=20,
        choices=EmbeddingProvider,
        default=default_embedder,
        help_text=_("Independent of the language model."),
    )
    embedding_base_url = models.CharField(
        _("Address"),
        max_length=300,
        blank=True,
        validators=[validate_base_url],
        help_text=_("Only for other servers."),
    )
    embedding_model = models.CharField(
        _("Model"),
        max_length=200,
        blank=True,
        help_text=_("Only for other servers."),
    )
    #: Length of that model's vectors; None until it has answered for the first time.
    embedding_dimensions = models.PositiveIntegerField(null=True, blank=True, editable=False)
    #: Which of two secrets is the key of that provider. A change of model gives this name in the
    #: same row, so that a process with an older copy of the row never sends one provider's key to
    #: another.
    embedding_key = models.CharField(max_length=40, default="embedding_api_key", editable=False)
    #: What models of the present provider can do, by name; see `ModelAbilities`. They are measured
    #: anew after a change of model or address.
    model_abilities = models.JSONField(default=dict, editable=False)
    #: When a measurement began that has not ended.
    measuring_since = models.DateTimeField(null=True, editable=False)
    prompt_price = _price(_("Price per million input tokens"), _("In any currency."))
    completion_price = _price(_("Price per million output tokens"), _("In any currency."))
    embedding_price = _price(
        _("Price per million embedded tokens"), _("The built-in embedder is free.")
    )
    monthly_cap = _price(
        _("Monthly cap"),
        digits=12,
        decimals=2,
        help_text=_("Once reached, background work waits for the next month. Empty: no cap."),
    )

    if TYPE_CHECKING:
        secrets: RelatedManager[Secret]

    class Meta:
        abstract = True

    def key_for(self, address: str, *names: str) -> str:
        """Return the first of the secrets *names* that belongs to the server at *address*,
        decrypted; empty if none does.

        This is the only way to a key, so a key is never sent to a server that it was not entered
        for, even if the settings change.
        """
        secret = self._secret_for(address, *names)
        return secret.reveal(address) if secret else ""

    def has_key_for(self, address: str, *names: str) -> bool:
        """Return whether one of the secrets *names* belongs to the server at *address*."""
        return self._secret_for(address, *names) is not None

    def _secret_for(self, address: str, *names: str) -> "Secret | None":
        stored = {secret.name: secret for secret in self.secrets.all()}
        named = (stored[name] for name in names if name in stored)
        return next((secret for secret in named if secret.opens(address)), None)

    @property
    def chat_address(self) -> str:
        """The address of the language model; empty without a provider."""
        preset = PRESETS.get(self.provider)
        return (self.base_url or preset.base_url) if preset else ""

    @property
    def has_language_model(self) -> bool:
        """True if a language model is set up."""
        if self.provider in (Provider.OLLAMA, Provider.CUSTOM):
            return bool(self.chat_address)
        # Without a provider, no secret is looked up: each fact that is stored asks.
        return bool(self.chat_address) and self.has_key_for(
            self.chat_address, SecretName.CHAT_API_KEY
        )

    @property
    def embeddings(self) -> EmbeddingChoice:
        """The present embedding model."""
        return EmbeddingChoice(*(getattr(self, name) for name in self.EMBEDDING_COLUMNS))

    def embed_with(self, choice: EmbeddingChoice) -> None:
        """Set the embedding model to *choice*; save `EMBEDDING_COLUMNS` afterwards."""
        for name, value in zip(self.EMBEDDING_COLUMNS, astuple(choice), strict=True):
            setattr(self, name, value)

    @property
    def has_embeddings(self) -> bool:
        """True if an embedding model is set up."""
        return self.can_embed_with(self.embeddings)

    def can_embed_with(self, choice: EmbeddingChoice) -> bool:
        """True if *choice* has the address and the key that it needs."""
        if choice.is_builtin or choice.provider == EmbeddingProvider.OLLAMA:
            return True
        if choice.provider == EmbeddingProvider.CUSTOM:
            return bool(choice.base_url)
        return self.has_key_for(choice.address, choice.key, SecretName.CHAT_API_KEY)

    def key_that_opens(self, choice: EmbeddingChoice) -> str:
        """The key for *choice*: its own, or the language model's on the same server."""
        return self.key_for(choice.address, choice.key, SecretName.CHAT_API_KEY)
