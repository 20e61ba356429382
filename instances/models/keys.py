"""API keys of programs, and their permissions."""

import contextlib
import hashlib
from datetime import timedelta
from secrets import token_urlsafe
from typing import TYPE_CHECKING, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import OperationalError, models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from instances.models.choices import Reach
from instances.models.instance import Instance
from instances.models.people import User
from instances.tiers import KEY_TIERS, Tier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django_stubs_ext import StrOrPromise


#: How much a key is told of what its person may see. One that was told only what is shared could
#: not read what it has stored.
KEY_REACHES = [(reach.value, reach.label) for reach in (Reach.ALL, Reach.OWN)]


class Permission(models.TextChoices):
    """Permission of an API key."""

    READ = "read", pgettext_lazy("permission", "Read")
    WRITE = "write", _("Write")
    #: Move memories to the bin, from which people can restore them; delete everything else.
    DELETE = "delete", _("Delete")
    #: Delete memories for good.
    FORGET = "forget", _("Forget")
    #: Export and erase all that is kept about an end user.
    PEOPLE = "people", _("Export and erase people")
    #: Have what happens to memories posted to an address.
    WEBHOOKS = "webhooks", _("Webhooks")

    @property
    def in_english(self) -> str:
        """Permission in words, for errors of the API: a key with permission to …"""
        words = {
            Permission.PEOPLE: "export and erase people",
            Permission.WEBHOOKS: "manage webhooks",
        }
        return words.get(self, self.value)

    @property
    def is_for_managers(self) -> bool:
        """True if only managers may do it, or keys that they trust with it."""
        return self in (Permission.PEOPLE, Permission.WEBHOOKS)


#: Permissions that are not their values in words.
_IN_ENGLISH = {
    Permission.PEOPLE: "export and erase people",
    Permission.WEBHOOKS: "manage webhooks",
}


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def opened_by(self, secret: str) -> "ApiKey | None":
        """The key that *secret* is, unless it is revoked.

        It is looked up by its digest, so the time taken reveals nothing about any secret. The key
        of a private instance is refused while its owner may not sign in, since no other person can
        revoke it.
        """
        return (
            self.filter(digest=ApiKey.digest_of(secret), client=None, revoked_at=None)
            .exclude(instance__private_to__is_active=False)
            .select_related("instance")
            .first()
        )


class ApiKey(models.Model):
    """An API key. It belongs to the instance, so it keeps working when its maker leaves.

    With a ``client``, it is a connection by OAuth: it has no secret that anybody knows, tokens lead
    to it (`instances.oauth`), and it may do only what the person may who made it.
    """

    #: The first characters of each key, by which people and secret scanners recognise one.
    BEGINNING = "ks_"
    #: The same for connections, in the activity log.
    CONNECTION = "oc_"
    #: The interval at which the time of the last use is stored.
    PRECISION = timedelta(minutes=1)

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=100)
    #: The first characters, by which people tell keys apart.
    prefix = models.CharField(max_length=9, editable=False)
    #: SHA-256 of the key. It needs no salt: 256 random bits cannot be guessed.
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scopes = ArrayField(models.CharField(max_length=10, choices=Permission))
    #: The highest tier of what comes with it; the role of a message lowers it further.
    trust = models.PositiveSmallIntegerField(
        _("What comes with it counts as"),
        choices=[(tier.value, tier.label) for tier in KEY_TIERS],
        default=Tier.USER,
    )
    #: The id of the only end user whom it is for, whatever its requests say; empty for those that
    #: the requests name.
    end_user = models.CharField(_("Person"), max_length=200, blank=True)
    #: The part that it is told of what its person may see.
    reach = models.CharField(_("Is told"), max_length=10, choices=KEY_REACHES, default=Reach.ALL)
    #: True if what comes with it is stored and learned from although the client says that it is not
    #: to be stored: some always say so, and mean the provider.
    keeps_unstored = models.BooleanField(
        _("Learn even if the client says store: false"),
        default=False,
        help_text=_("For clients that always say so, such as Home Assistant’s OpenAI integration."),
    )
    #: True if requests that name no person are refused.
    requires_person = models.BooleanField(
        _("Require a person"),
        default=False,
        help_text=_("Requests that do not say whom they are about are refused, not shared by all."),
    )
    client = models.ForeignKey(
        "OAuthClient", on_delete=models.PROTECT, null=True, blank=True, related_name="api_keys"
    )
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    #: What the person could allow the client of a connection, if it asks: see `instances.oauth`.
    grantable: "Sequence[Permission]" = ()

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(scopes__contained_by=Permission.values, scopes__len__gt=0),
                name="api_key_scopes",
            ),
            models.CheckConstraint(
                condition=Q(trust__in=[tier.value for tier in KEY_TIERS]), name="api_key_trust"
            ),
            models.CheckConstraint(
                condition=Q(reach__in=[reach for reach, _ in KEY_REACHES]), name="api_key_reach"
            ),
            models.UniqueConstraint(
                fields=["client", "created_by", "instance"],
                condition=Q(revoked_at=None),
                name="api_key_connection_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def permissions(self) -> "list[StrOrPromise]":
        """Permissions of the key, in words."""
        return [Permission(scope).label for scope in self.scopes]

    @property
    def limit(self) -> Reach:
        """The part that it is told of what a person may see."""
        return Reach(self.reach)

    @staticmethod
    def digest_of(secret: str) -> str:
        return hashlib.sha256(secret.encode(errors="replace")).hexdigest()

    def make_secret(self) -> str:
        """Give the key its secret, which is returned here and never again; call `save` after."""
        secret = (self.CONNECTION if self.client_id else self.BEGINNING) + token_urlsafe(32)
        self.prefix = secret[: len(self.BEGINNING) + 6]
        self.digest = self.digest_of(secret)
        return secret

    def note_use(self) -> None:
        """Store the time of the last use, at most once a minute, unless that cannot be done now: on
        Citus, a change of a key needs each of the servers, what it is used for only one.
        """
        now = timezone.now()
        if self.last_used_at is None or self.last_used_at <= now - self.PRECISION:
            with contextlib.suppress(OperationalError), transaction.atomic():
                ApiKey.objects.filter(pk=self.pk).update(last_used_at=now)

    def revoke(self) -> None:
        """Revoke the key; the usage log keeps its entries."""
        ApiKey.objects.filter(pk=self.pk, revoked_at=None).update(revoked_at=timezone.now())
