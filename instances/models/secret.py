"""Encrypted values of an instance: provider keys and its own hash key."""

from typing import ClassVar

from django.db import models

from instances import secrets
from instances.constraints import allow_values
from instances.models.choices import SecretName
from instances.models.fields import EncryptedTextField
from instances.models.instance import Instance
from instances.provider_urls import server_of


class Secret(models.Model):
    """An encrypted provider key. It is sent to one server and never shown."""

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="secrets")
    name = models.CharField(max_length=40, choices=SecretName)
    token = EncryptedTextField(editable=False)
    #: The server that the key was entered for, as `provider_urls.server_of` names it.
    server = models.CharField(max_length=300, editable=False)
    ending = models.CharField(max_length=4, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["instance", "name"], name="secret_once"),
            allow_values("name", SecretName, "secret_name"),
        ]

    def __str__(self) -> str:
        return f"{self.get_name_display()}: set · ends in …{self.ending}"

    def seal(self, value: str, address: str) -> None:
        """Store *value* as the key of the server at *address*; call `save` afterwards."""
        self.token = secrets.encrypt(value)
        self.server = server_of(address)
        # A short key would be half given away by its last four characters.
        self.ending = value[-4:] if len(value) >= 12 else ""

    def opens(self, address: str) -> bool:
        """Return whether the key belongs to the server at *address*."""
        return bool(self.server) and self.server == server_of(address)

    def reveal(self, address: str) -> str:
        """Return the value for a request to *address*, its own server; for others nothing."""
        return secrets.decrypt(self.token) if self.opens(address) else ""


class HashKey(models.Model):
    """The instance's own key for hashes that are compared for years.

    It is stored, so that hashes stay comparable when the encryption key changes.
    """

    instance = models.OneToOneField(Instance, on_delete=models.CASCADE, related_name="+")
    token = EncryptedTextField(editable=False)

    def __str__(self) -> str:
        return f"Hash key of {self.instance}"

    @classmethod
    def of(cls, instance_id: int) -> str:
        """Return the key of that instance: a new one if the stored one cannot be read."""
        # Derived from the encryption key, so that it is the same again after a rollback.
        made = secrets.derive(f"keepsake.hash-key:{instance_id}")
        stored, _ = cls.objects.get_or_create(
            instance_id=instance_id, defaults={"token": secrets.encrypt(made)}
        )
        try:
            return secrets.decrypt(stored.token)
        except secrets.UnreadableSecret:
            return made
