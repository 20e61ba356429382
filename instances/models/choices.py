"""Choices for the settings of an instance."""

from django.db import models


class Provider(models.TextChoices):
    """The provider of an OpenAI-compatible language model."""

    NONE = "", "None yet"
    OPENAI = "openai", "OpenAI"
    OPENROUTER = "openrouter", "OpenRouter"
    ANTHROPIC = "anthropic", "Anthropic"
    BEDROCK = "bedrock", "Amazon Bedrock"
    OLLAMA = "ollama", "Ollama"
    CUSTOM = "custom", "Another OpenAI-compatible server"


class EmbeddingProvider(models.TextChoices):
    """The provider of embeddings, independent of the language model's."""

    BUILTIN = "builtin", "Built in (no key, runs on this machine)"
    OPENAI = "openai", "OpenAI"
    OPENROUTER = "openrouter", "OpenRouter"
    OLLAMA = "ollama", "Ollama"
    CUSTOM = "custom", "Another OpenAI-compatible server"


class PIIPolicy(models.TextChoices):
    """What happens to secrets and identifiers in new memories."""

    REDACT = "redact", "Replace them"
    REJECT = "reject", "Refuse the memory"
    OFF = "off", "Keep everything as it is"


class ExtractWhen(models.TextChoices):
    """When conversations are read for facts."""

    AFTER_RESPONSE = "after_response", "After every response"
    STALE = "stale", "When a conversation goes stale"
    BY_HAND = "by_hand", "Only by hand"


class RecallProfile(models.TextChoices):
    """How search results are ranked."""

    #: Meaning, words, speaker, time and more, with measured weights.
    DEFAULT = "default", "Measured (recommended)"
    #: Reciprocal Rank Fusion of the plain lists.
    RRF = "rrf", "Plain (RRF)"


class ContextPlacement(models.TextChoices):
    """Where a model is shown what was recalled for a message."""

    #: Behind the text of the message that is answered, and with no later one.
    USER_MESSAGE = "user_message", "In the user’s message (recommended)"
    SYSTEM_MESSAGE = "system_message", "In the system message"


class SecretName(models.TextChoices):
    """The purpose of a stored secret."""

    CHAT_API_KEY = "chat_api_key", "Language model key"
    EMBEDDING_API_KEY = "embedding_api_key", "Embedding key"
    #: While an instance switches to another model, there are two; see `Instance.embedding_key`.
    OTHER_EMBEDDING_API_KEY = "other_embedding_api_key", "Embedding key of another model"
