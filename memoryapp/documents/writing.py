"""Stores and deletes documents, one at a time, without losing changes of others."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db import models, transaction
from django.db.models import Count, QuerySet, Sum, Value
from django.utils import timezone

from conversations.search import SearchVector
from instances.actor import Actor
from instances.models import Instance
from memoryapp.documents.admission import StoreRefused, admitted, check_address
from memoryapp.embeddings.document_vectors import embed_documents
from memoryapp.language.json_texts import texts_in
from memoryapp.language.words import language_of
from memoryapp.models import Activity, StoredDocument
from memoryapp.runs.locks import lock_for_write, wait_for_lock
from memoryapp.suppression.sensitivity import is_kept

#: Matches any version in a condition.
ANY = "*"


class PreconditionFailed(Exception):
    """The document is not in the state that a condition names."""


@dataclass(frozen=True)
class NewDocument:
    """A document that is to be stored, in place of the one with its address."""

    namespace: tuple[str, ...]
    key: str
    value: dict[str, Any]
    end_user: str = ""


@dataclass(frozen=True)
class Precondition:
    """In which state a document has to be, by its ETags, in the format of the HTTP headers (RFC
    9110); empty: in any.
    """

    if_match: str = ""
    if_none_match: str = ""

    def check(self, document: StoredDocument | None) -> None:
        """Raise `PreconditionFailed` unless *document*, None if there is none, is in that state."""
        if self.if_match and not _is_among(document, self.if_match):
            raise PreconditionFailed
        if self.if_none_match and _is_among(document, self.if_none_match):
            raise PreconditionFailed


def _is_among(document: StoredDocument | None, etags: str) -> bool:
    if document is None:
        return False
    return etags.strip() == ANY or document.etag in (each.strip() for each in etags.split(","))


UNCONDITIONAL = Precondition()


@dataclass(frozen=True)
class Stored:
    """A stored document, and what became of it."""

    document: StoredDocument
    created: bool
    #: How many secrets of each kind were replaced by a placeholder.
    redactions: dict[str, int]


def put(
    instance: Instance, new: NewDocument, *, by: Actor, condition: Precondition = UNCONDITIONAL
) -> Stored:
    """Store *new*, or replace the document with its address. What is equal already is not changed.

    The vector is made after the transaction, so do not call this inside of one. Raises
    `StoreRefused` and `PreconditionFailed`.
    """
    check_address(new.namespace, new.key)
    value = admitted(new.value, instance.pii_policy)
    text = "\n".join([new.key, *texts_in(value.value)])
    if not is_kept(instance, text):
        raise StoreRefused(
            "It is about an area that this instance does not keep (Settings → Never kept).",
            "not_kept",
        )
    language = language_of(text, instance.language)
    with transaction.atomic():
        _hold(instance)
        end_user = instance.canonical_end_user(new.end_user)
        document = (
            instance.stored_documents.filter(namespace=list(new.namespace), key=new.key)
            .defer("search")
            .first()
        )
        condition.check(document)
        created = document is None
        if document is None:
            document = StoredDocument(
                instance=instance, namespace=list(new.namespace), key=new.key, version=0
            )
        elif (document.body, document.end_user) == (value.body, end_user):
            return Stored(document, created=False, redactions=value.redactions)
        size = len(value.body.encode())
        _check_room(instance, more=created, more_bytes=size - (document.size or 0))
        document.body, document.size, document.end_user = value.body, size, end_user
        document.version += 1
        document.updated_at = timezone.now()
        words: Any = SearchVector(
            Value(instance.pk, output_field=models.BigIntegerField()), Value(language), Value(text)
        )
        document.search = words
        document.save()
        instance.note_languages([language])
        # In every space: a vector of the former text must not be found by the new one.
        document.embeddings.all().delete()
        _note(instance, by, Activity.Action.DOCUMENTS_STORED)
    if instance.embeddings.is_builtin:
        embed_documents(instance, [document.pk])
    return Stored(document, created, value.redactions)


def delete(
    instance: Instance,
    rows: QuerySet[StoredDocument],
    *,
    by: Actor,
    condition: Precondition = UNCONDITIONAL,
) -> int:
    """Delete *rows* for good, with their vectors; return how many there were. The condition holds
    for one document. Raises `PreconditionFailed`.
    """
    with transaction.atomic():
        _hold(instance)
        rows = rows.filter(instance=instance)
        if condition != UNCONDITIONAL:
            condition.check(rows.defer("search").first())
        ids = list(rows.order_by("pk").values_list("pk", flat=True).select_for_update(of=("self",)))
        StoredDocument.objects.filter(pk__in=ids).delete()
        if ids:
            _note(instance, by, Activity.Action.DOCUMENTS_DELETED, count=len(ids))
    return len(ids)


def _hold(instance: Instance) -> None:
    """Let no other transaction change the store of *instance* until this one ends: otherwise two
    that store the last document that there is room for would both succeed. Erasures wait too.
    """
    lock_for_write(instance)
    wait_for_lock(f"store:{instance.pk}")


def _check_room(instance: Instance, *, more: bool, more_bytes: int) -> None:
    if not more and more_bytes <= 0:
        return
    held = instance.stored_documents.order_by().aggregate(number=Count("pk"), size=Sum("size"))
    most, most_bytes = settings.STORE_MAX_DOCUMENTS, settings.STORE_MAX_MB << 20
    if more and held["number"] >= most:
        raise StoreRefused(
            f"This instance holds {intcomma(held['number'])} documents, and may hold "
            f"{intcomma(most)}. Delete some, or raise STORE_MAX_DOCUMENTS.",
            "store_full",
        )
    if (held["size"] or 0) + more_bytes > most_bytes:
        raise StoreRefused(
            f"The documents of this instance may have {settings.STORE_MAX_MB:,} MB in total. "
            "Delete some, or raise STORE_MAX_MB.",
            "store_full",
        )


def _note(instance: Instance, by: Actor, action: str, *, count: int = 1) -> None:
    """Add to today's entry of the activity log: frameworks store a document with every step."""
    entry = Activity.objects.today(instance, action).filter(by=by.user, via=by.via)
    Activity.objects.add_to(entry, instance, by, action, count=count, at=timezone.now())
