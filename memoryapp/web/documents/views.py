"""The document store: a list by namespace, search, and one document."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models.functions import Left
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from conversations.url_text import question
from instances.access import Request, visible_row, with_instance
from instances.actor import Actor
from instances.models import Instance
from instances.url_state import URLState, parsed
from memoryapp.documents.namespaces import Namespace, namespaces_of
from memoryapp.documents.search import find
from memoryapp.documents.writing import delete
from memoryapp.models import StoredDocument
from memoryapp.models.stored_documents import MAX_NAMESPACE_PARTS, StoredDocumentQuerySet
from memoryapp.web.documents import namespace_text
from memoryapp.web.documents.excerpts import READ_CHARACTERS, excerpt_of

PER_PAGE = 50
#: Results of a search, and namespaces below one that are shown.
MAX_RESULTS, MAX_NAMESPACES = 50, 100


@dataclass(frozen=True)
class DocumentList(URLState):
    """The state of the list, from its URL."""

    url_name = "stored_documents"

    instance: Instance
    q: str = parsed(question)
    #: The namespace, as `namespace_text` writes it.
    under: str = parsed(lambda text: namespace_text.written(namespace_text.read(text)))
    page: str = parsed(str)

    @property
    def namespace(self) -> tuple[str, ...]:
        return namespace_text.read(self.under)

    def rows(self) -> StoredDocumentQuerySet:
        """The documents in and under the namespace, in their order, with the beginning of each."""
        rows = StoredDocument.objects.filter(instance=self.instance).under(self.namespace)
        beginning = Left("body", READ_CHARACTERS)
        return rows.defer("search", "body").annotate(beginning=beginning).order_by(*_ORDER)

    def namespaces(self) -> list[Namespace]:
        """Namespaces one level below, at most one more than are shown."""
        depth = len(self.namespace) + 1
        if depth > MAX_NAMESPACE_PARTS:
            return []
        rows = StoredDocument.objects.filter(instance=self.instance).under(self.namespace)
        # The namespace itself comes first, if documents are in it.
        found = namespaces_of(rows, limit=MAX_NAMESPACES + 2, max_depth=depth)
        return [each for each in found if len(each.namespace) == depth][: MAX_NAMESPACES + 1]


_ORDER = ("namespace", "key", "id")


@dataclass(frozen=True)
class NamespaceLink:
    """A namespace that is shown as a link to its documents."""

    label: str
    query: str
    documents: int | None = None


@dataclass(frozen=True)
class DocumentRow:
    """A document in the list, with its beginning."""

    document: StoredDocument
    excerpt: str


@require_GET
@with_instance("documents")
def documents(request: Request, instance: Instance) -> HttpResponse:
    """List the documents in and under a namespace, or those that a search finds there."""
    listing = DocumentList.parse(request.GET, instance=instance)
    context: dict[str, Any] = {
        "instance": instance,
        "section": "documents",
        "listing": listing,
        "path": _path(listing, listing.namespace),
    }
    if listing.q:
        found = find(instance, listing.rows(), listing.q, limit=MAX_RESULTS)
        context |= {
            "rows": [
                DocumentRow(hit.document, excerpt_of(hit.document.body[:READ_CHARACTERS]))
                for hit in found.hits
            ],
            "problem": found.problem,
            "capped": len(found.hits) == MAX_RESULTS,
        }
    else:
        below = listing.namespaces()
        page = Paginator(listing.rows(), PER_PAGE).get_page(listing.page)
        context |= {
            "page": page,
            "rows": [
                DocumentRow(document, excerpt_of(document.beginning))  # type: ignore[attr-defined]  # See `rows`.
                for document in page.object_list
            ],
            "below": [
                NamespaceLink(
                    each.namespace[-1],
                    listing.query(under=namespace_text.written(each.namespace), page=""),
                    each.documents,
                )
                for each in below[:MAX_NAMESPACES]
            ],
            "more_below": len(below) > MAX_NAMESPACES,
        }
    return render(request, "documents/page.html", context)


@require_GET
def document(request: Request, pk: int) -> HttpResponse:
    """Show one document."""
    shown = visible_row(request, StoredDocument.objects.defer("search"), pk)
    listing = DocumentList(shown.instance)
    value = shown.value
    context = {
        "instance": shown.instance,
        "section": "documents",
        "document": shown,
        "path": _path(listing, shown.namespace),
        # A file of a memory tool is a text and nothing else, and is read as one.
        "text": value["text"] if value.keys() == {"text"} and _is_text(value["text"]) else None,
        "json": json.dumps(value, indent=2, ensure_ascii=False),
    }
    return render(request, "documents/document.html", context)


@require_POST
def remove(request: Request, pk: int) -> HttpResponse:
    """Delete one document, which the form has named."""
    shown = visible_row(request, StoredDocument.objects.defer("search", "body"), pk)
    rows = shown.row()
    if delete(shown.instance, rows, by=Actor(request.user)):
        messages.success(request, _("Deleted “%(key)s”.") % {"key": shown.key})
    listing = DocumentList(shown.instance, under=namespace_text.written(shown.namespace))
    return redirect(f"{listing.path}?{listing.query()}")


def _path(listing: DocumentList, namespace: Sequence[str]) -> list[NamespaceLink]:
    """Links to *namespace* and to those that it is in, from the outermost one."""
    return [
        NamespaceLink(
            part, listing.query(under=namespace_text.written(namespace[:depth]), page="", q="")
        )
        for depth, part in enumerate(namespace, start=1)
    ]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""
