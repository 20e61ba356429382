"""Uploaded files in the database, in parts: whichever host received one, every other reads it."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from instances.models import Instance
from instances.models.content_keys import InstanceContent


class UploadPart(InstanceContent):
    """A part of a file. All parts of a file but the last have the same size."""

    #: Bytes of a part.
    SIZE: ClassVar = 256 * 1024

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    #: The name of the file in the storage.
    name = models.CharField(max_length=200)
    number = models.PositiveIntegerField()
    content = models.BinaryField()
    written_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["instance", "name", "number"], name="upload_part_once_a_file"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name}, part {self.number}"
