"""Choices for the settings of an instance."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Provider(models.TextChoices):
    """The provider of an OpenAI-compatible language model."""

    NONE = "", _("None yet")
    OPENAI = "openai", "OpenAI"
    OPENROUTER = "openrouter", "OpenRouter"
    ANTHROPIC = "anthropic", "Anthropic"
    BEDROCK = "bedrock", "Amazon Bedrock"
    OLLAMA = "ollama", "Ollama"
    CUSTOM = "custom", _("Another OpenAI-compatible server")


class EmbeddingProvider(models.TextChoices):
    """The provider of embeddings, independent of the language model's."""

    MULTILINGUAL = "multilingual", _("Built in: multilingual")
    BUILTIN = "builtin", _("Built in: small, for English")
    OPENAI = "openai", "OpenAI"
    OPENROUTER = "openrouter", "OpenRouter"
    OLLAMA = "ollama", "Ollama"
    CUSTOM = "custom", _("Another OpenAI-compatible server")


def default_embedder() -> str:
    """The provider of embeddings of a new instance: a built-in one, by the setting ``EMBEDDER``."""
    if settings.EMBEDDER == "small":
        return EmbeddingProvider.BUILTIN
    return EmbeddingProvider.MULTILINGUAL


class PIIPolicy(models.TextChoices):
    """Policy for secrets and identifiers in new memories."""

    REDACT = "redact", _("Redact")
    REJECT = "reject", _("Reject the memory")
    OFF = "off", _("Keep")


class ExtractWhen(models.TextChoices):
    """When conversations are read for facts."""

    AFTER_RESPONSE = "after_response", _("After every response")
    STALE = "stale", _("When a conversation has gone quiet")
    BY_HAND = "by_hand", _("Only by hand")


class RecallProfile(models.TextChoices):
    """How search results are ranked."""

    #: Meaning, words, speaker, time and more, with measured weights.
    DEFAULT = "default", _("Measured (recommended)")
    #: Reciprocal Rank Fusion of the plain lists.
    RRF = "rrf", _("Plain (RRF)")


class Reach(models.TextChoices):
    """The part of the memories that a person may see which an agent is told."""

    ALL = "all", _("The person’s own and shared ones")
    OWN = "own", _("Only the person’s own")
    SHARED = "shared", _("Only shared ones")


class ContextPlacement(models.TextChoices):
    """Where a model is shown what was recalled for a message."""

    #: Behind the text of the message that is answered, and with no later one.
    USER_MESSAGE = "user_message", _("In the user’s message (recommended)")
    SYSTEM_MESSAGE = "system_message", _("In the system message")


class SecretName(models.TextChoices):
    """The purpose of a stored secret."""

    CHAT_API_KEY = "chat_api_key", _("Language model key")
    EMBEDDING_API_KEY = "embedding_api_key", _("Embedding key")
    #: While an instance switches to another model, there are two; see `Instance.embedding_key`.
    OTHER_EMBEDDING_API_KEY = "other_embedding_api_key", _("Embedding key of another model")
