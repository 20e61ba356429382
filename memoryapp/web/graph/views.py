"""The `/memory/graph` screen: the list of entities, and one entity with its history."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Max, Min, OuterRef, QuerySet, Subquery
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from conversations.url_text import filter_text
from instances.access import Request, visible_row, with_instance
from instances.models import Instance
from instances.url_state import FilterChip, URLState, one_of, parsed
from memoryapp.models import Drawer, Entity, EntityKind, Mention, Relation
from memoryapp.models.names import slug
from memoryapp.web.days import parse_day
from memoryapp.web.graph.entity_page import EntityOverview, Overview

PER_PAGE = 20
#: Entities that the picture of everything shows.
MAX_DRAWN_ENTITIES = 24


@dataclass(frozen=True)
class EntityList(URLState):
    """The state of the list, from its URL."""

    url_name = "graph"

    instance: Instance
    q: str = parsed(filter_text)
    kind: str = one_of(EntityKind.values)
    #: None: all. Empty: those of the person without a name.
    user: str | None = None
    page: str = parsed(str)

    @property
    def parameters(self) -> dict[str, str | None]:
        return super().parameters | {"user": self.user}

    @property
    def narrowed(self) -> bool:
        return bool(self.q or self.kind)

    def but_for_kind(self) -> QuerySet[Entity]:
        """Return the entities that match all filters except the kind."""
        entities = Entity.objects.filter(instance=self.instance)
        if self.user is not None:
            entities = entities.filter(end_user=self.user)
        if self.q:
            named = Mention.objects.filter(
                instance=self.instance, slug__contains=slug(self.q) or self.q
            )
            entities = entities.filter(pk__in=named.values("entity"))
        return entities

    def rows(self) -> QuerySet[Entity]:
        """Return the entities, most mentioned first."""
        entities = self.but_for_kind()
        if self.kind:
            entities = entities.filter(kind=self.kind)
        return entities.annotate(
            turns=Count("mentions__drawer", distinct=True),
            memories=Count("mentions__memory", distinct=True),
            spoken=Count("mentions"),
            # A subquery is evaluated for the rows of the page only.
            last_said_at=Subquery(
                Drawer.objects.filter(instance=self.instance, mentions__entity=OuterRef("pk"))
                .order_by("-said_at")
                .values("said_at")[:1]
            ),
        ).order_by("-spoken", "slug", "pk")


@require_GET
@with_instance("graph")
def graph(request: Request, instance: Instance) -> HttpResponse:
    """List the entities, with a picture of those that are mentioned most."""
    user = filter_text(request.GET["user"]) if "user" in request.GET else None
    listing = EntityList.parse(request.GET, instance=instance, user=user)
    counts = dict(
        listing.but_for_kind()
        .order_by()
        .values("kind")
        .annotate(number=Count("pk"))
        .values_list("kind", "number")
    )
    paginator = Paginator[Any](listing.rows(), PER_PAGE)
    # Known already.
    paginator.count = counts.get(listing.kind, 0) if listing.kind else sum(counts.values())
    page = paginator.get_page(listing.page)
    context = {
        "section": "graph",
        "listing": listing,
        "page": page,
        "names": other_names(page.object_list),
        "chips": _chips(listing, counts),
        "people": _people(instance),
        "overview": _overview(listing) if not listing.narrowed and page.number == 1 else None,
    }
    return render(request, "graph/list.html", context)


@require_GET
def entity(request: Request, pk: int) -> HttpResponse:
    """Show one entity, today or as of a day."""
    return entity_page(request, visible_entity(request, pk))


def entity_page(
    request: Request, entity: Entity, *, more: dict[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    """Render the page of *entity*, with *more* in its context."""
    as_of = request.GET.get("as_of", "")
    known = EntityOverview.of(entity, parse_day(as_of))
    context = {
        "section": "graph",
        "entity": entity,
        "known": known,
        "names": other_names([entity]).get(entity.pk, []),
        "kinds": EntityKind.choices,
        "not_a_day": as_of if as_of and known.as_of is None else "",
    } | (more or {})
    return render(request, "graph/entity.html", context, status=status)


def visible_entity(request: Request, pk: int) -> Entity:
    """Return the entity, if the person may see it; else raise `Http404`."""
    return visible_row(request, Entity.objects.all(), pk)


def other_names(entities: Iterable[Entity]) -> dict[int, list[str]]:
    """Return the other names of *entities* by id, in one query."""
    entities = list(entities)
    own = {entity.pk: entity.slug for entity in entities}
    rows = (
        Mention.objects.filter(entity__in=entities)
        .order_by()
        .values("entity", "slug")
        .annotate(written=Max("name"), first=Min("pk"))
        .order_by("first")
    )
    names: dict[int, list[str]] = {}
    for row in rows:
        if row["slug"] != own[row["entity"]]:
            names.setdefault(row["entity"], []).append(row["written"])
    return names


def _chips(listing: EntityList, counts: dict[str, int]) -> list[tuple[str, FilterChip]]:
    """Return a link for each kind that there is, after one for all; each with its kind."""
    labels = {
        kind.value: str(kind.label)
        for kind in EntityKind
        if counts.get(kind) or kind == listing.kind
    }
    total = {"": sum(counts.values())}
    labels = {"": _("All")} | labels
    return list(zip(labels, listing.chips_for("kind", labels, counts | total), strict=True))


def _people(instance: Instance) -> list[tuple[str, int]]:
    """Return (end user, number of entities) for each graph; empty if there is only one."""
    rows = list(
        Entity.objects.filter(instance=instance)
        .order_by()
        .values_list("end_user")
        .annotate(number=Count("pk"))
        .order_by("-number", "end_user")[:100]
    )
    return rows if len(rows) > 1 else []


def _overview(listing: EntityList) -> Overview:
    """Draw and list what holds today between the entities that are mentioned most."""
    entities = list(listing.rows()[:MAX_DRAWN_ENTITIES])
    ids = [entity.pk for entity in entities]
    relations = Relation.objects.filter(
        instance=listing.instance, subject__in=ids, object__in=ids
    ).as_of(timezone.localdate())
    return Overview.of(entities, relations)
