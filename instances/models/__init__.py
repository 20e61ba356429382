"""Instances, their settings, secrets and keys, and who may see them."""

from instances.models.choices import (
    ContextPlacement,
    EmbeddingProvider,
    ExtractWhen,
    PIIPolicy,
    Provider,
    Reach,
    RecallProfile,
    SecretName,
)
from instances.models.circuit_breaker import CircuitBreaker
from instances.models.end_users import EndUserAlias
from instances.models.failed_sign_ins import FailedSignIns
from instances.models.groups import Group, GroupMember
from instances.models.instance import DEMO, Instance, InstanceQuerySet
from instances.models.invitations import MembershipInvitation, PasswordLink
from instances.models.keys import ApiKey, Permission
from instances.models.oauth import (
    AccessToken,
    AuthorizationCode,
    DeviceGrant,
    IDToken,
    OAuthClient,
    RefreshToken,
)
from instances.models.outgoing import AllowedAddress, OutgoingConnections, OutgoingMode
from instances.models.people import Agent, InstanceRole, Membership, User
from instances.models.secret import HashKey, Secret
from instances.models.webhooks import Webhook, WebhookEvent

__all__ = [
    "DEMO",
    "AccessToken",
    "Agent",
    "AllowedAddress",
    "ApiKey",
    "AuthorizationCode",
    "CircuitBreaker",
    "ContextPlacement",
    "DeviceGrant",
    "EmbeddingProvider",
    "EndUserAlias",
    "ExtractWhen",
    "FailedSignIns",
    "Group",
    "GroupMember",
    "HashKey",
    "IDToken",
    "Instance",
    "InstanceQuerySet",
    "InstanceRole",
    "Membership",
    "MembershipInvitation",
    "OAuthClient",
    "OutgoingConnections",
    "OutgoingMode",
    "PIIPolicy",
    "PasswordLink",
    "Permission",
    "Provider",
    "Reach",
    "RecallProfile",
    "RefreshToken",
    "Secret",
    "SecretName",
    "User",
    "Webhook",
    "WebhookEvent",
]
