"""Instances, their settings, secrets and keys, and who may see them."""

from instances.models.instance import (
    DEMO,
    Agent,
    EmbeddingProvider,
    ExtractWhen,
    Instance,
    InstanceQuerySet,
    Membership,
    PIIPolicy,
    Provider,
    Secret,
    SecretName,
    User,
)
from instances.models.keys import ApiKey, Scope

__all__ = [
    "DEMO",
    "Agent",
    "ApiKey",
    "EmbeddingProvider",
    "ExtractWhen",
    "Instance",
    "InstanceQuerySet",
    "Membership",
    "PIIPolicy",
    "Provider",
    "Scope",
    "Secret",
    "SecretName",
    "User",
]
