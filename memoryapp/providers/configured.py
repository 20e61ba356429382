"""From an instance's settings to the provider that they name."""

from dataclasses import replace

from instances.models import EmbeddingProvider, Instance, SecretName
from memoryapp.providers.builtin import BuiltinEmbedder
from memoryapp.providers.embeddings import Embedder, OpenAIEmbedder
from memoryapp.providers.endpoints import PRESETS, Endpoint


def chat_endpoint(instance: Instance) -> Endpoint | None:
    """Who reads the instance's conversations for facts; None when nobody is set up."""
    if not instance.has_language_model:
        return None
    preset = PRESETS[instance.provider]
    return Endpoint(
        provider=instance.provider,
        base_url=instance.base_url or preset.base_url,
        api_key=instance.secret(SecretName.CHAT_API_KEY),
        model=instance.fast_model or preset.chat_model,
    )


def assistant_endpoint(instance: Instance) -> Endpoint | None:
    """Who answers in the instance's chat: the same provider, with a model of its own if one is
    named.
    """
    reader = chat_endpoint(instance)
    return reader and replace(reader, model=instance.chat_model or reader.model)


def embedding_endpoint(instance: Instance) -> Endpoint | None:
    """Who embeds for the instance over the network; None for the built-in embedder, and when
    the provider's key is missing.
    """
    if instance.embedding_provider == EmbeddingProvider.BUILTIN or not instance.has_embeddings:
        return None
    preset = PRESETS[instance.embedding_provider]
    key = instance.embedding_key_name
    return Endpoint(
        provider=instance.embedding_provider,
        base_url=instance.embedding_base_url or preset.base_url,
        api_key=instance.secret(key) if key else "",
        model=instance.embedding_model or preset.embedding_model,
    )


def embedder_for(instance: Instance, *, timeout: float = 30.0) -> Embedder | None:
    """The embedder that the instance's settings name; None when its provider is not usable."""
    if instance.embedding_provider == EmbeddingProvider.BUILTIN:
        return BuiltinEmbedder()
    endpoint = embedding_endpoint(instance)
    if endpoint is None:
        return None
    return OpenAIEmbedder(endpoint, instance.embedding_dimensions, timeout=timeout)
