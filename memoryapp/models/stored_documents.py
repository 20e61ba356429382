"""The document store: JSON objects that programs keep by namespace and key, exactly as given.

A document is never shown to a model by itself, and nothing is learned from it: it is data that a
program asks for again.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models.functions import Cast
from django.urls import reverse
from django.utils import timezone

from conversations.bounded_json import parse
from instances.models import Instance
from instances.models.content_keys import InstanceContent

#: Bytes of the JSON of one document.
MAX_VALUE_BYTES = 256 * 1024
#: Names, texts and whole numbers in one document: each is read for secrets.
MAX_VALUE_PARTS = 4_000
#: Parts of a namespace, characters of one, and bytes of all. With a key of 255 characters, they fit
#: an entry of a B-tree.
MAX_NAMESPACE_PARTS, MAX_PART_CHARACTERS, MAX_NAMESPACE_BYTES = 16, 200, 1_000
MAX_KEY_CHARACTERS = 255
#: Sorts before every other character, and occurs in no namespace.
_LOWEST = "\x01"


def _as_json() -> Cast:
    """The body as jsonb: exactly the expression of the index."""
    return Cast("body", models.JSONField())


class StoredDocumentQuerySet(models.QuerySet["StoredDocument"]):
    def under(self, prefix: Sequence[str]) -> Self:
        """Documents whose namespace is *prefix* or begins with it: a range of the index, since
        arrays are ordered part by part.
        """
        if not prefix:
            return self
        *parents, last = prefix
        return self.filter(
            namespace__gte=list(prefix), namespace__lt=[*parents, f"{last}{_LOWEST}"]
        )

    def with_values(self, values: Mapping[str, str | float | bool | None]) -> Self:
        """Documents whose value has all of these fields at its top level, with equal values."""
        if not values:
            return self
        # For what is no list and no object, "contains" is the same as "equals".
        return self.alias(json=_as_json()).filter(json__contains=dict(values))


class StoredDocument(InstanceContent):
    """A JSON object under a namespace and a key."""

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="stored_documents", db_index=False
    )
    #: Its parts, from the outermost one, such as ``["users", "ana"]``. Never empty.
    namespace = ArrayField(models.CharField(max_length=MAX_PART_CHARACTERS, db_collation="C"))
    key = models.CharField(max_length=MAX_KEY_CHARACTERS, db_collation="C")
    #: The value as JSON text. A jsonb column would forget the order of names, and "1.0" for "1".
    body = models.TextField()
    #: Bytes of the body.
    size = models.PositiveIntegerField()
    #: The person that it is about, if its program says so.
    end_user = models.CharField(max_length=200, blank=True)
    #: 1, and one more for each change.
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    #: The words of its key and of the texts in its value.
    search = SearchVectorField()

    objects = StoredDocumentQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["namespace", "key", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["instance", "namespace", "key"], name="stored_document_once"
            ),
            models.UniqueConstraint(fields=["id", "instance"], name="stored_document_in_instance"),
            models.CheckConstraint(
                condition=models.Q(namespace__len__gte=1), name="stored_document_namespace"
            ),
        ]
        indexes: ClassVar = [
            GinIndex(fields=["search"], name="stored_document_search"),
            GinIndex(OpClass(_as_json(), name="jsonb_path_ops"), name="stored_document_values"),
            # Its sizes are added up without reading the rows.
            models.Index(fields=["instance"], include=["size"], name="stored_document_sizes"),
            models.Index(fields=["instance", "end_user"], name="stored_document_person"),
        ]

    def __str__(self) -> str:
        return "/".join([*self.namespace, self.key])

    def get_absolute_url(self) -> str:
        return reverse("stored_document", args=[self.pk])

    @property
    def value(self) -> dict[str, Any]:
        """The value as it was given."""
        value: dict[str, Any] = parse(self.body)
        return value

    @property
    def etag(self) -> str:
        """A name of this version, in the format of the header ETag. A document that is deleted and
        stored again has other ones.
        """
        return f'"{self.pk}-{self.version}"'
