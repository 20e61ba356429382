"""What people do to an instance, for the activity log, which a higher app keeps."""

from django.db import models

from instances.actor import Actor
from instances.models import Instance
from instances.signals import instance_changed


class InstanceAction(models.TextChoices):
    """What was done."""

    SETTINGS = "settings", "settings changed"
    KEY_MADE = "key_made", "API key made"
    KEY_REVOKED = "key_revoked", "API key revoked"
    JOINED = "joined", "member added"
    LEFT = "left", "member removed"
    INVITED = "invited", "member invited"
    UNINVITED = "uninvited", "invitation withdrawn"
    ROLE_CHANGED = "role_changed", "role changed"
    #: A superadmin made a password link for the owner of a private instance.
    PASSWORD_LINK = "password_link", "password link made"
    #: That link was used.
    PASSWORD_RESET = "password_reset", "password reset"


def record(instance: Instance, by: Actor, action: InstanceAction, *, about: object) -> None:
    """Record that *by* did *action* in *instance*; *about* names the setting, key or person."""
    instance_changed.send(
        sender=Instance, instance=instance, by=by, action=action, about=str(about)
    )
