"""Addresses that this server may call: the mode, and the list of allowed addresses."""

import contextlib
import logging
from typing import ClassVar, Self

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from instances.actor import Actor
from instances.constraints import allow_values
from instances.models.people import User
from instances.outgoing.policy import AllowEntry, Mode
from instances.server_activity import ServerAction, record_on_server
from instances.translatable import translated

logger = logging.getLogger(__name__)


class OutgoingMode(models.TextChoices):
    """Mode: the addresses that may be called besides the listed ones."""

    PUBLIC = Mode.PUBLIC.value, _("Public addresses, and those on the list")
    LISTED = Mode.LISTED.value, _("Only those on the list")
    EVERYTHING = Mode.EVERYTHING.value, _("Everything, private networks too")


class OutgoingConnections(models.Model):
    """The mode of the whole server, in a single row; without it, the default applies."""

    mode = models.CharField(max_length=20, choices=OutgoingMode, default=OutgoingMode.PUBLIC)
    changed_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    changed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(id=1), name="outgoing_connections_once"),
            allow_values("mode", OutgoingMode, "outgoing_connections_mode"),
        ]

    def __str__(self) -> str:
        return self.get_mode_display()

    @classmethod
    def current(cls) -> Self:
        """Return the stored row, or the default."""
        return cls.objects.select_related("changed_by").first() or cls(id=1)

    @classmethod
    def change(cls, mode: str, *, by: User) -> None:
        """Set the mode for the whole server."""
        values = {"mode": mode, "changed_by": by, "changed_at": timezone.now()}
        with transaction.atomic():
            cls.objects.update_or_create(id=1, defaults=values)
            record_on_server(Actor(by), ServerAction.OUTGOING_MODE, about=mode)
        logger.info("user %s set outgoing connections to %s", by.pk, mode)


def validate_entry(text: str) -> None:
    """Refuse text that is not a host name, an address or a network."""
    try:
        AllowEntry.parse(text)
    except ValueError as error:
        raise ValidationError(translated(str(error))) from None


class AllowedAddressQuerySet(models.QuerySet["AllowedAddress"]):
    def allow(self, address: str, *, by: User, note: str = "") -> None:
        """Add *address* to the list, if it is not there yet. Raises `ValueError`."""
        address = str(AllowEntry.parse(address))
        defaults = {"added_by": by, "note": note}
        with transaction.atomic():
            _, created = self.get_or_create(address=address, defaults=defaults)
            if created:
                record_on_server(Actor(by), ServerAction.ADDRESS_ALLOWED, about=address)
        if created:
            logger.info("user %s allowed outgoing connections to %s", by.pk, address)


class AllowedAddress(models.Model):
    """A host or network that may be called even if the mode does not allow it."""

    address = models.CharField(
        _("Address"),
        max_length=300,
        unique=True,
        validators=[validate_entry],
        help_text=_(
            "A host name, an IP address or a network such as 10.0.0.0/8; a port may follow: "
            "ollama:11434."
        ),
        error_messages={"unique": _("This address is on the list already.")},
    )
    note = models.CharField(
        _("Note"), max_length=200, blank=True, help_text=_("What it is, and why.")
    )
    added_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    objects = AllowedAddressQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["address"]

    def __str__(self) -> str:
        return self.address

    def clean(self) -> None:
        """Normalize the address, so that none is listed twice."""
        # The field's validator reports what cannot be parsed.
        with contextlib.suppress(ValueError):
            self.address = str(AllowEntry.parse(self.address))

    def remove(self, *, by: User) -> None:
        """Remove it from the list."""
        with transaction.atomic():
            self.delete()
            record_on_server(Actor(by), ServerAction.ADDRESS_REMOVED, about=self.address)
        logger.info("user %s disallowed outgoing connections to %s", by.pk, self.address)
