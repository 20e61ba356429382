"""Namespaces that exist, with the number of documents in each."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Max

from memoryapp.models.stored_documents import MAX_NAMESPACE_PARTS, StoredDocumentQuerySet


@dataclass(frozen=True)
class Namespace:
    """A namespace with documents in it, or under it if only the first parts were asked for."""

    namespace: list[str]
    documents: int
    updated_at: datetime


def namespaces_of(
    rows: StoredDocumentQuerySet,
    *,
    limit: int,
    max_depth: int = MAX_NAMESPACE_PARTS,
    after: Sequence[str] = (),
) -> list[Namespace]:
    """Return the namespaces of *rows*, cut to *max_depth* parts, in their order: at most *limit*,
    beginning after the namespace *after*.
    """
    found = (
        rows.order_by()
        .annotate(path=F(f"namespace__0_{max_depth}"))
        .values("path")
        .annotate(documents=Count("pk"), latest=Max("updated_at"))
        .order_by("path")
    )
    if after:
        found = found.filter(path__gt=list(after))
    return [
        Namespace(row["path"], row["documents"], row["latest"]) for row in found[: max(1, limit)]
    ]
