"""The keys of providers, encrypted."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from instances import secrets
from instances.models.choices import SecretName
from instances.models.instance import Instance


class Secret(models.Model):
    """An encrypted provider key. Written by people, read by providers, shown to nobody."""

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="secrets")
    name = models.CharField(max_length=40, choices=SecretName)
    token = models.TextField(editable=False)
    ending = models.CharField(max_length=4, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["instance", "name"], name="secret_once"),
            models.CheckConstraint(condition=Q(name__in=SecretName.values), name="secret_name"),
        ]

    def __str__(self) -> str:
        return f"{self.get_name_display()}: set · ends in …{self.ending}"

    def seal(self, value: str) -> None:
        """Replace the stored value; call `save` afterwards."""
        self.token = secrets.encrypt(value)
        # A short key would be half given away by its last four characters.
        self.ending = value[-4:] if len(value) >= 12 else ""

    def reveal(self) -> str:
        """Return the plain value; raises `instances.secrets.UnreadableSecret`."""
        return secrets.decrypt(self.token)
