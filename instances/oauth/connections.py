"""Makes and ends connections of clients."""

from collections.abc import Collection

from django.db import transaction
from django.db.models import QuerySet
from oauth2_provider.models import clear_expired

from instances.activity import InstanceAction, record
from instances.actor import Actor
from instances.models import (
    AccessToken,
    ApiKey,
    AuthorizationCode,
    Instance,
    OAuthClient,
    RefreshToken,
    User,
)


def connect(client: OAuthClient, user: User, instance: Instance, scopes: Collection[str]) -> ApiKey:
    """Return the connection of *client* to *instance* by *user*, which has these *scopes* now."""
    key = ApiKey.objects.filter(
        client=client, created_by=user, instance=instance, revoked_at=None
    ).first()
    if key is None:
        key = ApiKey(client=client, created_by=user, instance=instance, name=client.title)
        key.make_secret()
    key.scopes = list(scopes)
    with transaction.atomic():
        key.save()
        record(instance, Actor(user), InstanceAction.CONNECTED, about=key.name)
    return key


def disconnect(key: ApiKey, *, by: User | None) -> None:
    """End a connection: its codes and tokens are deleted. Without a person, the client ends it."""
    actor = Actor(by) if by else Actor(via=f"api {key.prefix}")
    with transaction.atomic():
        key.revoke()
        for model in (AuthorizationCode, RefreshToken, AccessToken):
            model.objects.filter(key=key).delete()
        record(key.instance, actor, InstanceAction.DISCONNECTED, about=key.name)


def connections_of(user: User) -> QuerySet[ApiKey]:
    """The clients that *user* has connected, the newest first."""
    own = ApiKey.objects.filter(created_by=user, revoked_at=None).exclude(client=None)
    return own.select_related("client", "instance")


def delete_expired() -> None:
    """Delete what has expired: codes, tokens, and clients that were never connected."""
    clear_expired()
    delete_unused_clients()


def delete_unused_clients() -> None:
    """Delete clients that were never connected, but for the newest."""
    newest = OAuthClient.objects.unused().order_by("-created", "-pk")
    cut = newest[OAuthClient.MAX_UNUSED : OAuthClient.MAX_UNUSED + 1].first()
    if cut is not None:
        OAuthClient.objects.unused().filter(created__lte=cut.created).delete()
