"""Actions of people on an instance, for the activity log, which a higher app keeps."""

from collections.abc import Sequence
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from instances.actor import Actor
from instances.models import Instance
from instances.signals import instance_changed


class InstanceAction(models.TextChoices):
    """Kind of an action on an instance."""

    SETTINGS = "settings", _("settings changed")
    KEY_MADE = "key_made", _("API key created")
    KEY_REVOKED = "key_revoked", _("API key revoked")
    #: A client was connected by OAuth.
    CONNECTED = "connected", _("app connected")
    DISCONNECTED = "disconnected", _("app disconnected")
    JOINED = "joined", _("member added")
    LEFT = "left", _("member removed")
    INVITED = "invited", _("member invited")
    UNINVITED = "uninvited", _("invitation withdrawn")
    ROLE_CHANGED = "role_changed", _("role changed")
    #: A superadmin made a password link for the owner of a private instance.
    PASSWORD_LINK = "password_link", _("password link created")
    #: That link was used.
    PASSWORD_RESET = "password_reset", _("password reset")


def record(
    instance: Instance,
    by: Actor,
    action: InstanceAction,
    *,
    about: object,
    changes: Sequence[Sequence[Any]] = (),
) -> None:
    """Record that *by* did *action* in *instance*; *about* names the setting, key or person, and
    *changes* has columns of the instance with their values before and after.
    """
    instance_changed.send(
        sender=Instance,
        instance=instance,
        by=by,
        action=action,
        about=str(about),
        changes=changes,
    )
