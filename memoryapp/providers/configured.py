"""From an instance's settings to the provider that they name."""

from dataclasses import replace

from instances.embedding_choice import EmbeddingChoice
from instances.models import EmbeddingProvider, Instance, SecretName
from instances.presets import PRESETS
from memoryapp.providers.abilities import UNMEASURED, ModelAbilities
from memoryapp.providers.builtin_embedder import TRAITS, BuiltinEmbedder
from memoryapp.providers.builtin_model.catalogue import BuiltinModel
from memoryapp.providers.embeddings import Embedder, OpenAIEmbedder
from memoryapp.providers.endpoints import Endpoint

_BUILT_IN = {
    EmbeddingProvider.BUILTIN: BuiltinModel.SMALL,
    EmbeddingProvider.MULTILINGUAL: BuiltinModel.MULTILINGUAL,
}


def chat_endpoint(instance: Instance) -> Endpoint | None:
    """The endpoint of the instance's language model; None if none is set up."""
    if not instance.has_language_model:
        return None
    return _of_model(instance, instance.fast_model or PRESETS[instance.provider].chat_model)


def _of_model(instance: Instance, model: str) -> Endpoint:
    address = instance.chat_address
    return Endpoint(
        provider=instance.provider,
        base_url=address,
        api_key=instance.key_for(address, SecretName.CHAT_API_KEY),
        model=model,
        instance_id=instance.pk,
        holder=instance.holder,
        abilities=abilities_of(instance, model),
    )


def reader_abilities(instance: Instance) -> ModelAbilities:
    """Abilities of the model that reads conversations, as far as they are known."""
    if not instance.provider:
        return UNMEASURED
    model = instance.fast_model or PRESETS[instance.provider].chat_model
    return abilities_of(instance, model)


def assistant_abilities(instance: Instance) -> ModelAbilities:
    """Abilities of the model that answers in the chat, as far as they are known."""
    if not instance.chat_model:
        return reader_abilities(instance)
    return abilities_of(instance, instance.chat_model)


def abilities_of(instance: Instance, model: str) -> ModelAbilities:
    """Abilities of *model*, as far as they were measured at the present address."""
    stored = instance.model_abilities.get(model, {})
    if stored.get("address") != instance.chat_address:
        return UNMEASURED
    return ModelAbilities.stored(stored)


def assistant_endpoint(instance: Instance) -> Endpoint | None:
    """The endpoint for the instance's chat: the same provider, with its own model if one is set."""
    reader = chat_endpoint(instance)
    if reader is None or instance.chat_model in ("", reader.model):
        return reader
    return _of_model(instance, instance.chat_model)


def embedding_endpoint(instance: Instance, choice: EmbeddingChoice) -> Endpoint | None:
    """The endpoint for embeddings; None for the built-in embedder, or without a provider's key."""
    if choice.is_builtin or not instance.can_embed_with(choice):
        return None
    endpoint = _endpoint(choice, instance.key_that_opens(choice), instance.pk)
    return replace(endpoint, holder=instance.holder)


def embedder_for(
    instance: Instance, choice: EmbeddingChoice | None = None, *, timeout: float = 30.0
) -> Embedder | None:
    """The embedder of the space that *instance* searches, or of another *choice*; None if its
    provider is not usable.

    To compare vectors, take their space from the embedder's answer, not from the settings again:
    the instance may have switched to another space in between.
    """
    choice = choice or instance.embeddings
    if choice.is_builtin:
        return BuiltinEmbedder(builtin_model(choice), timeout=timeout)
    endpoint = embedding_endpoint(instance, choice)
    if endpoint is None:
        return None
    return OpenAIEmbedder(endpoint, choice.dimensions, timeout=timeout)


def space_of(choice: EmbeddingChoice) -> str:
    """The name of the space of *choice*, which ends in ``/?`` while its dimensions are unknown."""
    if choice.is_builtin:
        return TRAITS[builtin_model(choice)].space
    return OpenAIEmbedder(_endpoint(choice, ""), choice.dimensions).space


def builtin_model(choice: EmbeddingChoice) -> BuiltinModel:
    """The built-in model of *choice*."""
    return _BUILT_IN[EmbeddingProvider(choice.provider)]


def _endpoint(choice: EmbeddingChoice, api_key: str, instance_id: int | None = None) -> Endpoint:
    return Endpoint(
        provider=choice.provider,
        base_url=choice.base_url or PRESETS[choice.provider].base_url,
        api_key=api_key,
        model=choice.model_name,
        instance_id=instance_id,
    )
