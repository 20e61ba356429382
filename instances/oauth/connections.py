"""Makes and ends connections of clients."""

from collections.abc import Collection

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from oauth2_provider.models import clear_expired

from instances.activity import InstanceAction, record
from instances.actor import Actor
from instances.models import (
    AccessToken,
    ApiKey,
    AuthorizationCode,
    Instance,
    OAuthClient,
    Reach,
    RefreshToken,
    User,
)


def connect(
    client: OAuthClient,
    user: User,
    instance: Instance,
    scopes: Collection[str],
    *,
    end_user: str = "",
    reach: Reach = Reach.ALL,
) -> ApiKey:
    """Return the connection of *client* to *instance* by *user*, which has these *scopes* now, and
    is told what *end_user* may see, within *reach*; if that is empty, everything.
    """
    key = ApiKey.objects.filter(
        client=client, created_by=user, instance=instance, revoked_at=None
    ).first()
    if key is None:
        key = ApiKey(client=client, created_by=user, instance=instance, name=client.title)
        key.make_secret()
    key.scopes, key.end_user, key.reach = list(scopes), end_user, reach
    with transaction.atomic():
        key.save()
        record(instance, Actor(user), InstanceAction.CONNECTED, about=key.name)
    return key


def limit(key: ApiKey, *, by: User) -> None:
    """Store the person whom a connection is for, and its reach; both hold from the next request."""
    with transaction.atomic():
        key.save(update_fields=["end_user", "reach"])
        record(key.instance, Actor(by), InstanceAction.SETTINGS, about=f"App {key.name}")


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
    own = _connections().filter(_is_open(), created_by=user)
    return own.select_related("client", "instance")


def connection_of(user: User, pk: int) -> ApiKey | None:
    """A connection that *user* can end, even if it opens nothing any more."""
    return _connections().filter(pk=pk, created_by=user).select_related("instance").first()


def keys_of(instance: Instance) -> QuerySet[ApiKey]:
    """The API keys and connections of *instance*, the newest first, without connections that were
    never completed or whose tokens have expired.
    """
    shown = Q(client=None) | Q(revoked_at__isnull=False) | _is_open()
    return instance.api_keys.filter(shown).select_related("created_by", "client")


def last_connected(client_id: str, user: User) -> ApiKey | None:
    """The last connection of the client by *user* to an instance that they still see."""
    instances = Instance.objects.visible_to(user)
    keys = ApiKey.objects.filter(
        client__client_id=client_id, created_by=user, instance__in=instances.order_by()
    )
    newest_first = keys.order_by(
        F("revoked_at").desc(nulls_first=True), F("last_used_at").desc(nulls_last=True), "-pk"
    )
    return newest_first.select_related("instance").first()


def _connections() -> QuerySet[ApiKey]:
    """The connections that were not ended."""
    return ApiKey.objects.filter(revoked_at=None).exclude(client=None)


def _is_open() -> Q:
    """The condition for a connection to have a code or a token that is good for something."""
    now = timezone.now()
    own = {"key": OuterRef("pk")}
    return Q(
        Exists(RefreshToken.objects.filter(**own, revoked=None))
        | Exists(AccessToken.objects.filter(**own, expires__gt=now))
        | Exists(AuthorizationCode.objects.filter(**own, expires__gt=now, redeemed_at=None))
    )


def delete_expired() -> None:
    """Delete what has expired: codes, tokens, connections without any, and clients that were never
    connected.
    """
    clear_expired()
    for key in _connections().filter(~_is_open()):
        disconnect(key, by=None)
    delete_unused_clients()


def delete_unused_clients() -> None:
    """Delete clients that were never connected, but for the newest, and for those that may just be
    being connected.
    """
    newest = OAuthClient.objects.unused().order_by("-created", "-pk")
    cut = newest[OAuthClient.MAX_UNUSED : OAuthClient.MAX_UNUSED + 1].first()
    if cut is not None:
        end = min(cut.created, timezone.now() - OAuthClient.TIME_TO_CONNECT)
        OAuthClient.objects.unused().filter(created__lte=end).delete()
