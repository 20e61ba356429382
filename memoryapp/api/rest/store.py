"""Endpoints of the document store: exact JSON by namespace and key."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Header, Query, Router, Schema, Status
from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr

from conversations.sanitizer import sanitize
from instances.models import Instance
from memoryapp.api.auth import caller_of, instance_named
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import Degraded, In, InstanceId, ResultLimit, UserId, Whole
from memoryapp.api.key_requests import require_person
from memoryapp.api.not_found import named
from memoryapp.api.operations import deletes, reads, writes
from memoryapp.api.paging import MAX_PAGE_SIZE, PageIn, PageOut, page_of
from memoryapp.api.response_headers import set_location, with_headers
from memoryapp.documents.admission import (
    StoreRefused,
    check_address,
    check_namespace,
    check_storable,
)
from memoryapp.documents.namespaces import namespaces_of
from memoryapp.documents.search import DocumentHit, find
from memoryapp.documents.writing import NewDocument, Precondition, PreconditionFailed, delete, put
from memoryapp.models import StoredDocument
from memoryapp.models.pagination import InvalidCursor, cursor_of, opened
from memoryapp.models.stored_documents import (
    MAX_NAMESPACE_PARTS,
    MAX_VALUE_PARTS,
    StoredDocumentQuerySet,
)

router = Router(tags=["Document store"])

#: Documents that one request may delete.
MAX_DELETED_AT_ONCE = 1_000
#: Results that a search may skip.
MAX_OFFSET = 1_000
_STATUS = {"too_large": 413, "store_full": 409}
_NAMESPACES_ORDER = ("namespace",)

Namespace = Annotated[
    list[str],
    Field(
        description="Parts of the namespace, from the outermost one. In a query string, repeat "
        "the parameter: `namespace=users&namespace=ana`.",
        examples=[["users", "ana"]],
    ),
]
Prefix = Annotated[
    list[str],
    Field(
        description="First parts of the namespaces. In a query string, repeat the parameter. Empty "
        "for all.",
        examples=[["users"]],
    ),
]
Key = Annotated[
    str, Field(description="Key of the document in its namespace.", examples=["preferences"])
]
IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        max_length=1_000,
        description="ETag of the version that is to be changed; `*` for any. If the document has "
        "another one, or does not exist, nothing is changed, and the status is 412.",
    ),
]
IfNoneMatch = Annotated[
    str | None,
    Header(
        alias="If-None-Match",
        max_length=1_000,
        description="With `*`, the document is only created: if it exists, the status is 412.",
    ),
]
FilterValue = StrictStr | StrictBool | StrictInt | StrictFloat | None


class NewDocumentIn(In):
    """A document to store."""

    instance_id: InstanceId = None
    namespace: Namespace
    key: Key
    value: dict[str, Any] = Field(
        description="JSON object of at most 256 KB, with at most "
        f"{MAX_VALUE_PARTS:,} names, texts and whole numbers. It is kept exactly, except for "
        "secrets.",
        examples=[{"theme": "dark", "languages": ["en", "it"]}],
    )
    user_id: UserId = ""


class DocumentOut(Schema):
    """A stored document."""

    namespace: list[str]
    key: str
    value: dict[str, Any]
    user_id: str = Field(alias="end_user")
    version: int = Field(description="1, and one more for each change.")
    etag: str = Field(description="Name of this version, for If-Match.", examples=['"12-1"'])
    created_at: datetime
    updated_at: datetime


class StoredOut(DocumentOut):
    """A document as it was stored."""

    created: bool = Field(description="Whether there was none with this address before.")
    pii: dict[str, dict[str, int]] = Field(
        description="`redactions`: the number of secrets by kind that a placeholder stands for. "
        "Empty if the value is exactly the one that was sent.",
        examples=[{"redactions": {}}],
    )


class AddressIn(Schema):
    """The address of a document."""

    instance_id: InstanceId = None
    namespace: Namespace
    key: Key


class DocumentsIn(PageIn):
    """Filters and pagination of a list of documents."""

    instance_id: InstanceId = None
    prefix: Prefix = Field(default_factory=list)
    user_id: str | None = Field(None, description="Only documents of this end user.")
    order: Literal["asc", "desc"] = Field(
        "asc", description="Order by namespace and key: ascending, or descending."
    )


class DocumentsOut(PageOut):
    """One page of documents."""

    items: list[DocumentOut]


class StoreSearchIn(In):
    """A search in the store."""

    instance_id: InstanceId = None
    q: str = Field(
        "",
        max_length=8_000,
        description="Search query, by words and meaning. Empty: the latest changed come first.",
        examples=["which colours does she like?"],
    )
    prefix: Prefix = Field(default_factory=list)
    filter: dict[str, FilterValue] = Field(
        {},
        max_length=20,
        description="Fields at the top level of the value, each with the value that it must have: "
        "a text, a number, true, false or null.",
        examples=[{"theme": "dark"}],
    )
    user_id: str | None = Field(None, description="Only documents of this end user.")
    limit: ResultLimit = 10
    offset: Whole = Field(0, ge=0, le=MAX_OFFSET, description="Number of results to skip.")


class DocumentHitOut(DocumentOut):
    """A document that was found."""

    score: float | None = Field(
        description="Relevance score, or null without a query. Higher is better."
    )
    ranks: dict[str, int] | None = Field(
        description="Rank in each list that contains the result, starting at 1."
    )


class StoreSearchOut(Schema):
    """The results of a search, best first."""

    items: list[DocumentHitOut]
    degraded: Degraded = None


class NamespacesIn(PageIn):
    """Filters and pagination of a list of namespaces."""

    instance_id: InstanceId = None
    prefix: Prefix = Field(default_factory=list)
    max_depth: int = Field(
        MAX_NAMESPACE_PARTS,
        ge=1,
        le=MAX_NAMESPACE_PARTS,
        description="Cut namespaces to this number of parts, and count what is below together.",
    )


class NamespaceOut(Schema):
    """A namespace, and what is in it."""

    namespace: list[str]
    documents: int
    updated_at: datetime


class NamespacesOut(PageOut):
    """One page of namespaces."""

    items: list[NamespaceOut]


class DocumentsToDeleteIn(In):
    """The namespace whose documents are to be deleted."""

    instance_id: InstanceId = None
    prefix: list[str] = Field(
        min_length=1,
        description="First parts of the namespaces whose documents are deleted.",
        examples=[["users", "ana"]],
    )


class DocumentsDeletedOut(Schema):
    """How many documents were deleted."""

    deleted: int
    more: bool = Field(description="Whether any are left, since a request deletes at most 1,000.")


@router.put(
    "/store/document",
    **writes({200: StoredOut, 201: StoredOut}, "Store a document", 409, 412, 413),
    openapi_extra=with_headers({201: ["Location"]}),
)
def put_document(
    request: HttpRequest,
    response: HttpResponse,
    body: NewDocumentIn,
    if_match: IfMatch = None,
    if_none_match: IfNoneMatch = None,
) -> Status[dict[str, Any]]:
    """Create a document, or replace the one with this namespace and key. Sending the same document
    again changes nothing. Depending on the settings of the instance, secrets in it are replaced by
    placeholders and counted in `pii`, or the request is rejected with `pii_rejected`.
    """
    instance = instance_named(request, body.instance_id)
    require_person(request, body.user_id)
    new = NewDocument(tuple(body.namespace), body.key, body.value, sanitize(body.user_id))
    try:
        stored = put(
            instance,
            new,
            by=caller_of(request).actor,
            condition=Precondition(if_match or "", if_none_match or ""),
        )
    except StoreRefused as error:
        raise _refusal(error) from error
    except PreconditionFailed as error:
        raise _changed() from error
    response["ETag"] = stored.document.etag
    if stored.created:
        named = {"instance_id": body.instance_id} if body.instance_id else {}
        address = {"namespace": stored.document.namespace, "key": stored.document.key}
        set_location(response, "get_document", **named, **address)
    content = _document(stored.document) | {
        "created": stored.created,
        "pii": {"redactions": stored.redactions},
    }
    return Status(201 if stored.created else 200, content)


@router.get("/store/document", **reads(DocumentOut, "Get a document"))
def get_document(
    request: HttpRequest, response: HttpResponse, params: Query[AddressIn]
) -> dict[str, Any]:
    """Return the document with this namespace and key; its version is in the header ETag too."""
    document = _addressed(instance_named(request, params.instance_id), params).first()
    if document is None:
        raise _no_document(params)
    response["ETag"] = document.etag
    return _document(document)


@router.delete("/store/document", **deletes({204: None}, "Delete a document", 412))
def delete_document(
    request: HttpRequest, params: Query[AddressIn], if_match: IfMatch = None
) -> Status[None]:
    """Delete the document with this namespace and key immediately and permanently."""
    instance = instance_named(request, params.instance_id)
    try:
        deleted = delete(
            instance,
            _addressed(instance, params),
            by=caller_of(request).actor,
            condition=Precondition(if_match or ""),
        )
    except PreconditionFailed as error:
        raise _changed() from error
    if not deleted:
        raise _no_document(params)
    return Status(204, None)


@router.get("/store/documents", **reads(DocumentsOut, "List documents"))
def list_documents(request: HttpRequest, params: Query[DocumentsIn]) -> dict[str, Any]:
    """List documents by namespace and key, those of a namespace before those below it. A page with
    large documents has fewer than `limit`.
    """
    rows = _rows(instance_named(request, params.instance_id), params.prefix, params.user_id)
    order = ["namespace", "key", "id"]
    if params.order == "desc":
        order = [f"-{name}" for name in order]
    page = page_of(rows, params, order=order, weight=lambda row: len(str(row.value)))
    return page | {"items": [_document(document) for document in page["items"]]}


@router.post("/store/documents/delete", **deletes(DocumentsDeletedOut, "Delete a namespace"))
def delete_namespace(request: HttpRequest, body: DocumentsToDeleteIn) -> dict[str, Any]:
    """Delete the documents in this namespace and below it immediately and permanently, at most
    1,000 per request.
    """
    instance = instance_named(request, body.instance_id)
    rows = _rows(instance, body.prefix, None)
    some = rows.filter(pk__in=list(rows.values_list("pk", flat=True)[:MAX_DELETED_AT_ONCE]))
    deleted = delete(instance, some, by=caller_of(request).actor)
    return {"deleted": deleted, "more": rows.exists()}


@router.post("/store/search", **reads(StoreSearchOut, "Search documents"))
def search_documents(request: HttpRequest, body: StoreSearchIn) -> dict[str, Any]:
    """Find documents by words and meaning, in a namespace and below it, and with equal values.
    Without a query, return all that pass the filters. A document is found by its words
    immediately, by its meaning as soon as it has a vector.
    """
    instance = instance_named(request, body.instance_id)
    rows = _rows(instance, body.prefix, body.user_id)
    try:
        check_storable(body.filter, "filter")
    except StoreRefused as error:
        raise _refusal(error) from error
    rows = rows.with_values(body.filter)
    limit = min(MAX_PAGE_SIZE, max(1, body.limit))
    if not body.q.strip():
        latest = rows.order_by("-updated_at", "-id")[body.offset : body.offset + limit]
        return {"items": [_document(each) | {"score": None, "ranks": None} for each in latest]}
    found = find(instance, rows, body.q, limit=limit, offset=body.offset)
    return {
        "items": [_hit(hit) for hit in found.hits],
        "degraded": "embedding_unavailable" if found.problem else None,
    }


@router.get("/store/namespaces", **reads(NamespacesOut, "List namespaces"))
def list_namespaces(request: HttpRequest, params: Query[NamespacesIn]) -> dict[str, Any]:
    """List the namespaces that have documents, with their number."""
    rows = _rows(instance_named(request, params.instance_id), params.prefix, None)
    after: Sequence[str] = ()
    if params.cursor:
        try:
            (after,) = opened(params.cursor, _NAMESPACES_ORDER)
        except InvalidCursor as error:
            raise ApiError(400, "invalid_cursor", str(error)) from error
    found = namespaces_of(rows, limit=params.size + 1, max_depth=params.max_depth, after=after)
    more, items = len(found) > params.size, found[: params.size]
    following = cursor_of(_NAMESPACES_ORDER, [items[-1].namespace]) if more else None
    return {"items": [vars(item) for item in items], "limit": params.size, "next": following}


def _rows(instance: Instance, prefix: Sequence[str], user_id: str | None) -> StoredDocumentQuerySet:
    """The documents of *instance* in and under a namespace, of one person or of all."""
    try:
        check_namespace(prefix)
    except StoreRefused as error:
        raise _refusal(error) from error
    rows = StoredDocument.objects.filter(instance=instance).defer("search").under(prefix)
    if user_id is not None:
        rows = rows.filter(end_user=instance.canonical_end_user(sanitize(user_id)))
    return rows


def _addressed(instance: Instance, address: AddressIn) -> StoredDocumentQuerySet:
    try:
        check_address(address.namespace, address.key)
    except StoreRefused as error:
        raise _refusal(error) from error
    rows = StoredDocument.objects.filter(instance=instance).defer("search")
    return rows.filter(namespace=list(address.namespace), key=address.key)


def _document(document: StoredDocument) -> dict[str, Any]:
    names = "namespace key value end_user version etag created_at updated_at".split()
    return {name: getattr(document, name) for name in names}


def _hit(hit: DocumentHit) -> dict[str, Any]:
    ranks = {name: rank + 1 for name, rank in hit.ranks.items()}
    return _document(hit.document) | {"score": hit.score, "ranks": ranks}


def _refusal(error: StoreRefused) -> ApiError:
    return ApiError(_STATUS.get(error.code, 422), error.code, str(error))


def _no_document(address: AddressIn) -> ApiError:
    where = ".".join(address.namespace)
    return ApiError(
        404,
        "not_found",
        f"The {named('namespace', where)} has no {named('document', address.key)}.",
    )


def _changed() -> ApiError:
    return ApiError(
        412,
        "precondition_failed",
        "The document is not in the state that If-Match or If-None-Match names. Read it again.",
    )
