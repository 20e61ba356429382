"""The content of an entity's page: its facts, its picture and its timeline."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from itertools import chain

from django.db.models import Count
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from memoryapp.graph.predicates import in_words
from memoryapp.models import Entity, Relation, Statement
from memoryapp.web.graph.graph_layout import EdgeIn, Picture, Point, draw
from memoryapp.web.graph.timeline import Timeline, TimelineSpan, lay_out
from memoryapp.web.memory.words import provenance

#: Relations that the list shows, and rows of the timeline.
MAX_RELATIONS, MAX_SPANS = 100, 30
#: Dates on which something changed that are offered as links.
MAX_CHANGES = 8
#: Widths of timelines in pixels: on a wide screen, and on a phone.
WIDE, NARROW = 680, 340
#: The most names and lines of a picture, by its width in pixels; the screen shows what fits, and on
#: a phone the list alone.
MAX_DRAWN = {680: (21, 28)}
MAX_DRAWN_OVERVIEW = {1000: (24, 30), 720: (18, 24)}
#: Related entities that are loaded: the latest.
MAX_SUBJECTS = 200
#: The kind of a neighbour that is a value and no entity.
VALUE = "value"


@dataclass(frozen=True)
class RelationRow:
    """A relation as the list shows it."""

    relation: Relation
    #: The other end, if that is an entity.
    other: Entity | None
    #: True if the relation is stated of the other end.
    incoming: bool
    holds: bool
    #: True if it begins after the day that the screen shows.
    coming: bool = False
    evidence: list[Statement] = field(default_factory=list)

    @property
    def predicate(self) -> str:
        return in_words(self.relation.predicate)

    @property
    def words(self) -> str:
        """For example "works at Acme", or "Ben works at"."""
        if self.incoming:
            return f"{self.other} {self.predicate}"
        return f"{self.predicate} {self.other or self.relation.value}"

    @property
    def when(self) -> str:
        when = in_time(self.relation, coming=self.coming)
        return f"{when} · {provenance(self.relation)}" if self.relation.is_below_user else when


def in_time(relation: Relation, *, coming: bool = False) -> str:
    """Describe the time in which *relation* holds."""
    begin, end = relation.valid_from, relation.valid_to
    if begin is None:
        text = _("until %(end)s")
    elif end is None and coming:
        text = _("from %(begin)s")
    elif end is None:
        text = _("since %(begin)s") if relation.dated else _("known since %(begin)s")
    elif relation.is_overruled:
        text = _("stated for %(begin)s, replaced by a later statement")
    elif relation.dated:
        text = _("%(begin)s to %(end)s")
    else:
        text = _("known from %(begin)s to %(end)s")
    return text % {"begin": _day(begin), "end": _day(end)}


@dataclass(frozen=True)
class EntityOverview:
    """The facts about an entity, today or as of a day."""

    entity: Entity
    #: The day that is shown; None: today, with the past.
    as_of: date | None
    today: date
    relations: list[Relation]
    evidence: dict[int, list[Statement]]
    #: Related entities that were not loaded.
    unseen: int

    @classmethod
    def of(cls, entity: Entity, as_of: date | None) -> "EntityOverview":
        """Load it, in a fixed number of queries."""
        today = timezone.localdate()
        about = Relation.objects.about(entity.instance, [entity.pk], most=MAX_SUBJECTS)
        relations = list(about.select_related("subject", "object"))
        subjects = Statement.objects.filter(object=entity).aggregate(
            number=Count("subject", distinct=True)
        )
        relations.sort(key=lambda r: (r.holds_on(as_of or today), r.said_at, r.pk), reverse=True)
        shown = relations if as_of is None else [r for r in relations if r.holds_on(as_of)]
        stated: dict[int, list[int]] = defaultdict(list)
        for relation in shown[:MAX_RELATIONS]:
            for pk in relation.statements:
                stated[pk].append(relation.pk)
        evidence = defaultdict(list)
        rows = Statement.objects.filter(pk__in=stated).order_by("-said_at", "-pk")
        for row in rows.select_related("drawer__message__conversation", "memory", "by"):
            for pk in stated[row.pk]:
                evidence[pk].append(row)
        unseen = max(0, subjects["number"] - MAX_SUBJECTS)
        return cls(entity, as_of, today, relations, dict(evidence), unseen)

    @property
    def day(self) -> date:
        return self.as_of or self.today

    @cached_property
    def rows(self) -> list[RelationRow]:
        """The relations that hold on the day; without a day, also past and future ones."""
        return [
            self._row(relation)
            for relation in self.relations
            if self.as_of is None or relation.holds_on(self.as_of)
        ]

    @property
    def holding(self) -> list[RelationRow]:
        return [row for row in self.rows[:MAX_RELATIONS] if row.holds]

    @property
    def past(self) -> list[RelationRow]:
        return [row for row in self.rows[:MAX_RELATIONS] if not row.holds and not row.coming]

    @property
    def coming(self) -> list[RelationRow]:
        return [row for row in self.rows[:MAX_RELATIONS] if row.coming]

    @property
    def not_listed(self) -> int:
        return max(0, len(self.rows) - MAX_RELATIONS) + self.unseen

    def _row(self, relation: Relation) -> RelationRow:
        incoming = relation.subject_id != self.entity.pk
        return RelationRow(
            relation,
            relation.subject if incoming else relation.object,
            incoming,
            relation.holds_on(self.day),
            relation.valid_from is not None and relation.valid_from > self.day,
            self.evidence.get(relation.pk, []),
        )

    @cached_property
    def changes(self) -> list[date]:
        """The days on which something changed, latest first."""
        days = chain.from_iterable((r.valid_from, r.valid_to) for r in self.relations)
        return sorted({day for day in days if day}, reverse=True)

    @property
    def some_changes(self) -> list[date]:
        return self.changes[:MAX_CHANGES]

    @cached_property
    def _neighbours(self) -> dict[Hashable, Point]:
        points: dict[Hashable, Point] = {}
        for row in self.rows:
            if row.relation.is_overruled:
                continue
            point = _point(row.other, self._query) if row.other else _value(row.relation)
            points.setdefault(point.key, point)
        return points

    @property
    def _query(self) -> str:
        return f"?as_of={self.as_of}" if self.as_of else ""

    @cached_property
    def pictures(self) -> list[Picture]:
        """The entity among its neighbours."""
        if not self._neighbours:
            return []
        middle = _point(self.entity, self._query)
        points = list(self._neighbours.values())
        most = max(names for names, _lines in MAX_DRAWN.values())
        ids = [p.key for p in points[:most] if isinstance(p.key, int)]
        among = Relation.objects.filter(
            instance=self.entity.instance_id, subject__in=ids, object__in=ids
        ).as_of(self.day)
        rows = (row.relation for row in self.rows if not row.relation.is_overruled)
        ties = _ties([*rows, *among], self.day)
        pictures = _pictures([middle, *points], ties, MAX_DRAWN, middle=middle.key)
        return [replace(each, left_out=each.left_out + self.unseen) for each in pictures]

    @cached_property
    def timelines(self) -> list[Timeline]:
        """All relations in the order of their beginnings; independent of `as_of`."""
        rows = sorted(
            (self._row(relation) for relation in self.relations[:MAX_SPANS]),
            key=lambda row: row.relation.valid_from or row.relation.valid_to or date.min,
        )
        spans = [
            TimelineSpan(row.words, row.relation.valid_from, row.relation.valid_to, row.when)
            for row in rows
            if not row.relation.is_overruled
        ]
        laid_out = (lay_out(spans, today=self.day, width=width) for width in (WIDE, NARROW))
        return [timeline for timeline in laid_out if timeline]

    @property
    def not_on_timeline(self) -> int:
        return max(0, len(self.relations) - MAX_SPANS) + self.unseen


@dataclass(frozen=True)
class OverviewRow:
    """A relation between two entities, in the list below the picture of all."""

    subject: Entity
    predicate: str
    object: Entity
    when: str


@dataclass(frozen=True)
class Overview:
    """Relations that hold today between the entities that are mentioned most."""

    pictures: list[Picture]
    rows: list[OverviewRow]

    @classmethod
    def of(cls, entities: Sequence[Entity], relations: Iterable[Relation]) -> "Overview":
        """Draw and list *relations* between *entities*; those without any are left out."""
        relations = list(relations)
        ties = _ties(relations, timezone.localdate())
        connected = {key for tie in ties for key in (tie.begin, tie.end)}
        points = [_point(entity) for entity in entities if entity.pk in connected]
        ranks = {entity.pk: rank for rank, entity in enumerate(entities)}
        relations.sort(key=lambda each: (ranks[each.subject_id], each.predicate, each.pk))
        rows = [
            OverviewRow(
                entities[ranks[each.subject_id]],
                in_words(each.predicate),
                entities[ranks[each.object_id]],
                in_time(each),
            )
            for each in relations
            if each.object_id is not None
        ]
        return cls(_pictures(points, ties, MAX_DRAWN_OVERVIEW) if points else [], rows)


def _pictures(
    points: Sequence[Point],
    ties: Sequence[EdgeIn],
    most: Mapping[int, tuple[int, int]],
    *,
    middle: Hashable | None = None,
) -> list[Picture]:
    """Draw *points* for windows of several widths, each with as many as are clear in it."""
    return [
        draw(points, ties, width=width, middle=middle, most_points=names, most_lines=lines)
        for width, (names, lines) in most.items()
    ]


def _point(entity: Entity, query: str = "") -> Point:
    url = entity.get_absolute_url() + query
    return Point(entity.pk, entity.name, entity.kind, url, entity.get_kind_display())


def _value(relation: Relation) -> Point:
    # The same value with another predicate is another point.
    key = (relation.predicate, relation.value.lower())
    return Point(key, relation.value, VALUE, kind_name=_("Value"))


def _ties(relations: Iterable[Relation], day: date) -> list[EdgeIn]:
    """Combine *relations* of the same direction into one edge, with all their words."""
    words: dict[tuple[Hashable, Hashable], list[str]] = defaultdict(list)
    holds: dict[tuple[Hashable, Hashable], bool] = defaultdict(bool)
    for relation in relations:
        pair = (relation.subject_id, relation.object_id or _value(relation).key)
        name = in_words(relation.predicate)
        if name not in words[pair]:
            words[pair].append(name)
        holds[pair] |= relation.holds_on(day)
    return [EdgeIn(*pair, ", ".join(names), holds[pair]) for pair, names in words.items()]


def _day(day: date | None) -> str:
    return date_format(day, pgettext("format of a day", "j M Y")) if day else ""
