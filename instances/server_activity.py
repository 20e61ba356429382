"""Actions of people on the server, for the audit log, which a higher app keeps."""

from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _

from instances.actor import Actor
from instances.signals import server_changed

if TYPE_CHECKING:
    from instances.models import Instance


class ServerAction(models.TextChoices):
    """Kind of an action that belongs to no activity log, only to the audit log."""

    SIGNED_IN = "signed_in", _("signed in")
    SIGNED_OUT = "signed_out", _("signed out")
    #: With the name of an account that there is.
    SIGN_IN_FAILED = "sign_in_failed", _("sign-in failed")
    ACCOUNT_LINK = "account_link", _("password link for an account created")
    ACCOUNT_PASSWORD = "account_password", _("password set with a link")
    DEACTIVATED = "account_deactivated", _("account deactivated")
    REACTIVATED = "account_reactivated", _("account reactivated")
    APPOINTED = "superadmin_appointed", _("made a superadmin")
    DISMISSED = "superadmin_dismissed", _("no longer a superadmin")
    ACCOUNT_DELETED = "account_deleted", _("account deleted")
    OUTGOING_MODE = "outgoing_mode", _("outgoing connections changed")
    ADDRESS_ALLOWED = "address_allowed", _("outgoing address allowed")
    ADDRESS_REMOVED = "address_removed", _("outgoing address removed")
    #: At what is remembered, in an instance that records it; see `memoryapp.audit.looks`.
    LOOKED = "looked", _("looked")
    INSTANCE_CREATED = "instance_created", _("instance created")
    INSTANCE_DELETED = "instance_deleted", _("instance deleted")


def record_on_server(
    by: Actor, action: ServerAction, *, about: object = "", instance: "Instance | None" = None
) -> None:
    """Record that *by* did *action* on the server; *about* names the account or address, and
    *instance* is one that was created or is about to be deleted.
    """
    server_changed.send(
        sender=ServerAction, by=by, action=action, about=str(about), instance=instance
    )
