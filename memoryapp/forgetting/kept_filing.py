"""Keeps what the palace and the graph know from messages that are muted, and puts it back.

Copies of the rows: the drawer with its place, vectors, names and statements. Where something else
has taken the place of such a row meanwhile, that is used: a subject or an entity of the same name,
or a topic of the same conversation. A message that cannot be filed as before is filed anew.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from django.db.models import Exists, Manager, Model, OuterRef, Q

from instances.models import Instance
from memoryapp.models import (
    Closet,
    Drawer,
    DrawerEmbedding,
    Entity,
    Mention,
    Palace,
    Room,
    Statement,
    Unfiled,
    Wing,
    Withdrawn,
)
from memoryapp.models.graph import alike
from memoryapp.models.stored_rows import (
    from_json,
    grouped_as_json,
    rows_as_json,
    with_present_references,
)

#: The columns of a row, as JSON.
Columns: TypeAlias = dict[str, Any]
#: The rows of one message, by table. Without a drawer: whether it stays out of the palace.
KeptFiling: TypeAlias = dict[str, Any]

#: The tables, parents first. The search text of a drawer is written again.
_TABLES: Mapping[str, type[Model]] = {
    "wings": Wing,
    "rooms": Room,
    "closets": Closet,
    "drawers": Drawer,
    "embeddings": DrawerEmbedding,
    "entities": Entity,
    "mentions": Mention,
    "statements": Statement,
    "withdrawn": Withdrawn,
}
#: The last numbers that a wing and a room gave: none is given twice.
_COUNTERS = {"last_room", "last_drawer"}
#: Rows that a person has added by hand.
_BY_HAND = Q(drawer=None, memory=None)


def kept_filing(message_ids: Collection[int]) -> dict[int, KeptFiling]:
    """Return copies of what is about to be deleted with the drawers of these messages, by their
    ids. The caller has locked the palace.
    """
    out = Unfiled.objects.filter(message__in=message_ids, stays_out=True)
    kept: dict[int, KeptFiling] = {
        pk: {"stays_out": True} for pk in out.values_list("message", flat=True)
    }
    drawers = rows_as_json(Drawer.objects.filter(message__in=message_ids), without=["search"])
    closets = _by_id(Closet, (row["closet_id"] for row in drawers))
    rooms = _by_id(Room, (row["room_id"] for row in closets.values()))
    wings = _by_id(Wing, (row["wing_id"] for row in rooms.values()))
    ids = [row["id"] for row in drawers]
    embeddings = grouped_as_json(DrawerEmbedding.objects.filter(drawer__in=ids), "drawer_id")
    mentions = grouped_as_json(Mention.objects.filter(drawer__in=ids), "drawer_id")
    statements = grouped_as_json(Statement.objects.filter(drawer__in=ids), "drawer_id")
    withdrawn = grouped_as_json(Withdrawn.objects.filter(drawer__in=ids), "drawer_id")
    entities = _by_id(
        Entity,
        (
            row[column]
            for rows in (*mentions.values(), *statements.values())
            for row in rows
            for column in ("entity_id", "subject_id", "object_id")
            if row.get(column)
        ),
    )
    # What people have added goes with the last message that says it.
    given = grouped_as_json(Mention.objects.filter(_BY_HAND, entity__in=entities), "entity_id")
    ended = grouped_as_json(
        Statement.objects.filter(_BY_HAND, ends=True, subject__in=entities), "subject_id"
    )
    for drawer in drawers:
        closet = closets[drawer["closet_id"]]
        room = rooms[closet["room_id"]]
        said, names = statements[drawer["id"]], mentions[drawer["id"]]
        facts = {_fact(row) for row in said}
        said = [
            *said,
            *(
                row
                for pk in {row["subject_id"] for row in said}
                for row in ended[pk]
                if _fact(row) in facts
            ),
        ]
        about = {row["entity_id"] for row in names} | {
            pk for row in said for pk in (row["subject_id"], row["object_id"]) if pk
        }
        kept[drawer["message_id"]] = {
            "wings": [wings[room["wing_id"]]],
            "rooms": [room],
            "closets": [closet],
            "drawers": [drawer],
            "embeddings": embeddings[drawer["id"]],
            "entities": [entities[pk] for pk in sorted(about & entities.keys())],
            "mentions": [*names, *(row for pk in sorted(about) for row in given[pk])],
            "statements": said,
            "withdrawn": withdrawn[drawer["id"]],
        }
    return kept


def put_back(instance: Instance, kept: Mapping[int, KeptFiling]) -> list[int]:
    """Put back what `kept_filing` has returned for messages that have their texts again; return the
    ids of the drawers. Their search text is still to be written.
    """
    if not kept:
        return []
    Palace.objects.hold(instance.pk)
    Unfiled.objects.filter(
        message__in=[pk for pk, filing in kept.items() if filing.get("stays_out")]
    ).update(stays_out=True)
    rows = _united(instance, kept)
    places = _settled_wings(instance, rows["wings"])
    _point(rows["rooms"], "wing_id", places)
    places = _settled_rooms(instance, rows["rooms"])
    _point(rows["closets"], "room_id", places)
    places = _settled_closets(instance, rows["closets"])
    _point(rows["drawers"], "closet_id", places)
    _count_on(Wing, "last_room", rows["wings"])
    _count_on(Room, "last_drawer", rows["rooms"])
    _insert("drawers", rows["drawers"])
    _insert("embeddings", rows["embeddings"])
    entities = _settled_entities(instance, rows["entities"])
    _point(rows["mentions"], "entity_id", entities)
    _point(rows["statements"], "subject_id", entities)
    _point(rows["statements"], "object_id", entities)
    _insert("mentions", rows["mentions"])
    _insert(
        "statements", [row for row in rows["statements"] if row["subject_id"] != row["object_id"]]
    )
    _insert("withdrawn", rows["withdrawn"])
    _name_as_before(rows["entities"])
    ids = [row["id"] for row in rows["drawers"]]
    return list(Drawer.objects.filter(pk__in=ids).order_by("pk").values_list("pk", flat=True))


def _united(instance: Instance, kept: Mapping[int, KeptFiling]) -> dict[str, list[Columns]]:
    """The rows of all messages by table, each once, in the order of their ids. Two ids of a person
    may have been joined meanwhile.
    """
    person = cache(instance.canonical_end_user)
    united: dict[str, dict[int, Columns]] = {name: {} for name in _TABLES}
    for filing in kept.values():
        for name, by_id in united.items():
            for row in filing.get(name, ()):
                own = {"end_user": person(row["end_user"])} if "end_user" in row else {}
                other = by_id.get(row["id"], row)
                for counter in _COUNTERS & row.keys():
                    own[counter] = max(row[counter], other[counter])
                by_id[row["id"]] = row | own
    return {name: [by_id[pk] for pk in sorted(by_id)] for name, by_id in united.items()}


def _settled_wings(instance: Instance, rows: Sequence[Columns]) -> dict[int, int]:
    """Insert missing wings; return the ids of those that others stand for, with these."""
    missing = _missing(Wing, rows)
    slugs = [row["slug"] for row in missing]
    others = Wing.objects.filter(instance=instance).filter(
        Q(slug__in=slugs) | Q(aliases__overlap=slugs)
    )
    known = {
        (wing.end_user, name): wing.pk for wing in others for name in (*wing.aliases, wing.slug)
    }
    twins = {
        row["id"]: known[row["end_user"], row["slug"]]
        for row in missing
        if (row["end_user"], row["slug"]) in known
    }
    _insert("wings", [row for row in missing if row["id"] not in twins])
    return twins


def _settled_rooms(instance: Instance, rows: Sequence[Columns]) -> dict[int, int]:
    missing = _missing(Room, rows)
    others = Room.objects.filter(instance=instance, wing__in={row["wing_id"] for row in missing})
    known = {
        (wing, talk): pk for pk, wing, talk in others.values_list("pk", "wing", "conversation")
    }
    taken = set(others.values_list("wing", "number"))
    twins: dict[int, int] = {}
    for row in missing:
        place = row["wing_id"], row["conversation_id"]
        if place in known:
            twins[row["id"]] = known[place]
            continue
        wing = Wing.objects.filter(pk=row["wing_id"]).first()
        if wing is not None and (
            row["number"] > wing.last_room or (wing.pk, row["number"]) in taken
        ):
            wing.last_room += 1
            wing.save(update_fields=["last_room"])
            row["number"] = wing.last_room
        _insert("rooms", [row])
        known[place] = row["id"]
        taken.add((row["wing_id"], row["number"]))
    return twins


def _settled_closets(instance: Instance, rows: Sequence[Columns]) -> dict[int, int]:
    missing = _missing(Closet, rows)
    others = Closet.objects.filter(instance=instance, room__in={row["room_id"] for row in missing})
    known = {(room, slug): pk for pk, room, slug in others.values_list("pk", "room", "slug")}
    twins, new = {}, []
    for row in missing:
        first = known.setdefault((row["room_id"], row["slug"]), row["id"])
        if first == row["id"]:
            new.append(row)
        else:
            twins[row["id"]] = first
    _insert("closets", new)
    return twins


def _settled_entities(instance: Instance, rows: Sequence[Columns]) -> dict[int, int]:
    missing = _missing(Entity, rows)
    called = Mention.objects.filter(
        instance=instance, slug__in={row["slug"] for row in missing}
    ).select_related("entity")
    known: dict[tuple[str, str], list[Entity]] = defaultdict(list)
    for mention in sorted(called, key=lambda each: (each.slug != each.entity.slug, each.pk)):
        known[mention.entity.end_user, mention.slug].append(mention.entity)
    twins, new = {}, []
    for row in missing:
        same = [
            entity.pk
            for entity in known[row["end_user"], row["slug"]]
            if alike(entity.kind, row["kind"])
        ]
        if same:
            twins[row["id"]] = same[0]
        else:
            new.append(row)
    _insert("entities", new)
    return twins


def _name_as_before(rows: Sequence[Columns]) -> None:
    """Give entities that had lost their name with the message that contained it the name again,
    unless a person has given them another one.
    """
    by_person = Mention.objects.filter(_BY_HAND, entity=OuterRef("pk"), slug=OuterRef("slug"))
    present = Entity.objects.filter(~Exists(by_person)).in_bulk([row["id"] for row in rows])
    renamed = []
    for row in rows:
        entity = present.get(row["id"])
        if entity is not None and entity.slug != row["slug"]:
            entity.name, entity.slug = row["name"], row["slug"]
            renamed.append(entity)
    Entity.objects.bulk_update(renamed, ["name", "slug"])


def _count_on(model: type[Wing] | type[Room], counter: str, rows: Sequence[Columns]) -> None:
    """Let places go on counting from the highest number that they are known to have given."""
    last = {row["id"]: row[counter] for row in rows}
    places: Manager[Any] = model._default_manager
    behind = [
        place for place in places.filter(pk__in=last) if getattr(place, counter) < last[place.pk]
    ]
    for place in behind:
        setattr(place, counter, last[place.pk])
    places.bulk_update(behind, [counter])


def _missing(model: type[Model], rows: Sequence[Columns]) -> list[Columns]:
    ids = [row["id"] for row in rows]
    present = set(model._base_manager.filter(pk__in=ids).values_list("pk", flat=True))
    return [row for row in rows if row["id"] not in present]


def _insert(name: str, rows: Sequence[Columns]) -> None:
    """Insert rows whose references exist, and in whose place there is nothing else."""
    model = _TABLES[name]
    present = with_present_references(from_json(model, row) for row in rows)
    model._base_manager.bulk_create(present, batch_size=500, ignore_conflicts=True)


def _point(rows: Iterable[Columns], column: str, twins: Mapping[int, int]) -> None:
    """Let references to rows point to those that stand for them now."""
    for row in rows:
        row[column] = twins.get(row[column], row[column])


def _fact(row: Columns) -> tuple[Any, ...]:
    return row["subject_id"], row["predicate"], row["object_id"], row["value"].lower()


def _by_id(model: type[Model], ids: Iterable[int]) -> dict[int, Columns]:
    rows = rows_as_json(model._base_manager.filter(pk__in=set(ids)))
    return {row["id"]: row for row in rows}
