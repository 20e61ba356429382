"""Drawers of the palace: a page of them, search results, and one with its context."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import BooleanField, Case, Exists, OuterRef, Q, Value, When
from django.db.models.functions import Coalesce, NullIf
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from conversations.models import Message, Role
from instances.keyset_pages import page_of
from instances.models import Instance
from memoryapp.disclosure import Disclosed, disclosed_page
from memoryapp.models import Drawer, DrawerEmbedding, Memory
from memoryapp.models.aaak import KINDS
from memoryapp.providers.configured import space_of
from memoryapp.recall import Hit, RecallOptions, RecallResult, recall
from memoryapp.recall.options import WEAKER_ON_SCREEN
from memoryapp.web.highlight import marked
from memoryapp.web.memory.listing import MAX_RESULTS, PER_PAGE
from memoryapp.web.palace.listing import ORDERS, PalaceListing, is_named_alike

#: The meaning of a tag, by its letter in the pointer's line.
IN_WORDS = {
    "p": _("People"),
    "l": _("Places"),
    "e": _("Events"),
    "i": _("Things"),
    "t": _("Times"),
}


@dataclass(frozen=True)
class DrawerRow:
    """A drawer in the list, with its search hit."""

    drawer: Drawer
    #: What others may read of it, and the same with what was searched for marked.
    shown: Disclosed
    content: SafeString | str
    embedded: bool
    hit: Hit | None = None

    @property
    def is_named_alike(self) -> bool:
        """True if its conversation has the name of its subject, so that one of them says it."""
        return is_named_alike(self.drawer.closet.room)

    @property
    def tags(self) -> list[str]:
        return [tag for kind in KINDS.values() for tag in getattr(self.drawer, kind)]


@dataclass(frozen=True)
class Drawers:
    """One page of the list."""

    page: Page[Any]
    rows: list[DrawerRow]
    recalled: RecallResult | None = None
    #: Search results that are no clear matches, on the last page.
    weaker: list[DrawerRow] = field(default_factory=list)

    @property
    def capped(self) -> bool:
        """True if a search finds more than these."""
        return self.recalled is not None and not self.recalled.complete


def load_drawers(listing: PalaceListing) -> Drawers:
    """Load the page of *listing*, in a fixed number of queries."""
    if listing.q:
        return _searched(listing)
    order = ORDERS[listing.in_order][1]
    page = page_of(listing.drawers(), order, listing.page, per_page=PER_PAGE)
    return Drawers(page, _rows(listing, list(page)))


def search(listing: PalaceListing) -> RecallResult:
    """Search the drawers of *listing*."""
    return recall(
        listing.instance,
        listing.q,
        RecallOptions(
            limit=MAX_RESULTS,
            memories=Memory.objects.none(),
            drawers=listing.drawers(),
            max_weaker=WEAKER_ON_SCREEN,
            words_decide=True,
        ),
    )


def by_drawer(hits: Iterable[Hit]) -> dict[int, Hit]:
    """Return *hits* by the ids of their drawers, in their order."""
    return {hit.drawer.pk: hit for hit in hits if hit.drawer}


def _searched(listing: PalaceListing) -> Drawers:
    recalled = search(listing)
    hits, weaker = by_drawer(recalled.hits), by_drawer(recalled.weaker)
    page = Paginator[Any](list(hits), PER_PAGE).get_page(listing.page)
    on_page, below = list(page), [] if page.has_next() else list(weaker)
    rows = _rows(listing, [*on_page, *below], hits | weaker)
    return Drawers(
        page,
        [row for row in rows if row.drawer.pk in hits],
        recalled,
        [row for row in rows if row.drawer.pk in weaker],
    )


def _rows(
    listing: PalaceListing, ids: Sequence[int], hits: dict[int, Hit] | None = None
) -> list[DrawerRow]:
    """Return the rows of one page, in order, with what was searched for marked."""
    drawers = with_state(listing.instance, ids)
    shown = dict(
        zip(drawers, disclosed_page(listing.instance, list(drawers.values())), strict=True)
    )
    found: dict[int, SafeString] = {}
    if listing.q:
        changed = {
            pk: each.content for pk, each in shown.items() if each.has_secrets or each.is_cut
        }
        on_page = Drawer.objects.filter(pk__in=list(ids))
        whole = Coalesce(NullIf("note", Value("")), "message__content")
        language = Coalesce("message__language", Value(listing.instance.language))
        found = marked(
            listing.instance, listing.q, on_page, whole, masked=changed, language=language
        )
    return [
        DrawerRow(
            drawers[pk],
            shown[pk],
            found.get(pk, shown[pk].content),
            drawers[pk].embedded,
            (hits or {}).get(pk),
        )
        for pk in ids
        if pk in drawers
    ]


def with_state(instance: Instance, ids: Sequence[int]) -> dict[int, Any]:
    """Return the drawers of *ids* with their texts, their places, and whether search finds them by
    meaning (`embedded`) and by words (`worded`).
    """
    vectors = DrawerEmbedding.objects.filter(
        instance=instance, drawer=OuterRef("pk"), space__name=space_of(instance.embeddings)
    )
    return (
        Drawer.objects.filter(instance=instance)
        .select_related("message__conversation", "closet__room__wing", "closet__room__conversation")
        .defer("search", "message__search")
        .annotate(
            embedded=Exists(vectors),
            worded=Case(
                When(search=None, then=Value(False)),
                default=Value(True),
                output_field=BooleanField(),
            ),
        )
        .in_bulk(ids)
    )


def tags_of(drawer: Drawer) -> list[tuple[str, str, list[str]]]:
    """Return the tags of *drawer*, as (letter, word, tags)."""
    return [
        (letter, str(IN_WORDS[letter]), tags)
        for letter, kind in KINDS.items()
        if (tags := getattr(drawer, kind))
    ]


def neighbours(drawer: Drawer) -> tuple[Message | None, Message | None]:
    """Return the messages right before and after that of *drawer*."""
    if drawer.message is None:
        return None, None
    messages = (
        Message.objects.filter(
            conversation=drawer.message.conversation_id, role__in=[Role.USER, Role.ASSISTANT]
        )
        .exclude(Q(content="") & Q(caption=""))
        .select_related("drawer")
        .defer("search")
    )
    position = drawer.message.position
    return (
        messages.filter(position__lt=position).order_by("-position").first(),
        messages.filter(position__gt=position).order_by("position").first(),
    )
