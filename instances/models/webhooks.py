"""Webhooks: addresses of programs that are told what happens to the memories of an instance."""

import base64
from datetime import datetime, timedelta
from secrets import token_bytes
from typing import ClassVar, Self
from urllib.parse import urlsplit

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from instances import secrets
from instances.models.fields import EncryptedTextField
from instances.models.instance import Instance
from instances.models.leased_jobs import LeasedJob, lease_is_free
from instances.models.people import User


class WebhookEvent(models.TextChoices):
    """Type of an event that a webhook can be told of. The values are the names in what is sent."""

    LEARNED = "memory.learned", _("A memory is learned")
    CHANGED = "memory.changed", _("A memory is changed")
    FORGOTTEN = "memory.forgotten", _("A memory is forgotten")
    HELD = "statement.held", _("A statement waits for review")


class WebhookQuerySet(models.QuerySet["Webhook"]):
    def active(self) -> Self:
        """Webhooks that are told what happens."""
        return self.filter(enabled=True, paused_at=None)

    def ready(self) -> Self:
        """Webhooks to which a worker may send now."""
        rested = Q(rests_until=None) | Q(rests_until__lt=timezone.now())
        return self.active().filter(lease_is_free(), rested)


class Webhook(LeasedJob):
    """An address to which events are posted, signed as Standard Webhooks specifies."""

    #: The first characters of each secret.
    BEGINNING = "whsec_"
    SECRET_BYTES = 32
    #: How long requests are also signed with the secret before the last change of it.
    OVERLAP = timedelta(hours=24)
    MAX_URL_CHARACTERS = 1000
    #: It is paused when so many attempts in a row have failed, over at least this time.
    MAX_FAILURES = 20
    MAX_FAILING = timedelta(hours=24)
    #: The pause after a failed attempt doubles with each further one, between these bounds.
    MIN_REST_SECONDS = 5
    MAX_REST_SECONDS = 300

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(_("Address"), max_length=MAX_URL_CHARACTERS)
    events = ArrayField(models.CharField(max_length=30, choices=WebhookEvent))
    enabled = models.BooleanField(_("Send events"), default=True)
    token = EncryptedTextField(editable=False)
    #: The secret before the last change of it.
    former_token = EncryptedTextField(editable=False, blank=True)
    former_until = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    #: Failed attempts since the last one that succeeded, and when the first of them was.
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True, blank=True)
    rests_until = models.DateTimeField(null=True, blank=True)
    #: When it was paused because too many attempts had failed.
    paused_at = models.DateTimeField(null=True, blank=True)

    objects = WebhookQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["created_at", "id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(events__contained_by=WebhookEvent.values, events__len__gt=0),
                name="webhook_events",
            ),
        ]

    def __str__(self) -> str:
        return self.host

    @property
    def host(self) -> str:
        """Host of the address, with the port if the address gives one: paths often hold a key."""
        return urlsplit(self.url).netloc

    @property
    def event_labels(self) -> list[str]:
        """Events that the webhook is told of, in words."""
        return [str(WebhookEvent(event).label) for event in self.events]

    @property
    def is_active(self) -> bool:
        """True if it is told what happens."""
        return self.enabled and self.paused_at is None

    def make_secret(self) -> str:
        """Give it a new secret, which is returned here and never again; call `save` after. The
        former one stays in use for a day, so that receivers have time to change.
        """
        secret = self.BEGINNING + base64.b64encode(token_bytes(self.SECRET_BYTES)).decode()
        if self.token:
            self.former_token, self.former_until = self.token, timezone.now() + self.OVERLAP
        self.token = secrets.encrypt(secret)
        return secret

    def signing_secrets(self, now: datetime) -> list[str]:
        """The secrets to sign with, the present one first. Raises `UnreadableSecret`."""
        tokens = [self.token]
        if self.former_until is not None and self.former_until > now:
            tokens.append(self.former_token)
        return [secrets.decrypt(token) for token in tokens]

    def note_success(self) -> None:
        """Note that an attempt has succeeded."""
        Webhook.objects.filter(pk=self.pk).exclude(failures=0).update(**self.HEALTHY)

    def note_failure(self, *, at: datetime, gone: bool = False) -> bool:
        """Note that an attempt has failed, since the address is ``gone`` for good or for whatever
        reason; return whether that has paused it.
        """
        rows = Webhook.objects.filter(pk=self.pk)
        rows.update(
            failures=models.F("failures") + 1,
            failing_since=models.functions.Coalesce("failing_since", models.Value(at)),
        )
        failures = rows.values_list("failures", flat=True).first() or 0
        rest = min(self.MIN_REST_SECONDS * 2 ** min(failures - 1, 20), self.MAX_REST_SECONDS)
        rows.update(rests_until=at + timedelta(seconds=rest))
        hopeless = Q(failures__gte=self.MAX_FAILURES, failing_since__lte=at - self.MAX_FAILING) | Q(
            pk__in=[self.pk] if gone else []
        )
        return bool(rows.active().filter(hopeless).update(paused_at=at))

    #: The columns of one whose last attempt has succeeded.
    HEALTHY: ClassVar = {"failures": 0, "failing_since": None, "rests_until": None}

    def resume(self) -> None:
        """Send again, whatever has failed."""
        Webhook.objects.filter(pk=self.pk).update(enabled=True, paused_at=None, **self.HEALTHY)
