"""Loads the rows of the hits of a search from several tables in one round trip."""

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Model

from conversations.models import Message, Role
from instances.models import Instance
from memoryapp.models import Drawer, Memory
from memoryapp.providers.written_calls import is_call
from memoryapp.recall.fusion import Fused
from memoryapp.recall.results import Hit, HitRef
from memoryapp.recall.retrieval import Candidates
from memoryapp.suppression.sensitivity import is_kept


def load_hits(
    instance: Instance,
    ranked: Sequence[Fused[HitRef]],
    candidates: Candidates,
    passing: Collection[HitRef],
    columns: Sequence[str],
) -> list[Hit]:
    """Load the hits of *ranked* in *instance*, with these *columns* of memories; deleted rows are
    left out, replies that are only a tool call written as text, and turns about areas that are not
    kept. Those *passing* the floor are
    relevant.
    """
    refs = [entry.item for entry in ranked]
    drawer_ids = {ref: candidates.drawers.get(ref, 0) for ref in refs}
    memories, messages, drawers = load_rows(
        instance,
        RowRequest(Memory, [pk for kind, pk in refs if kind == "memory"], columns),
        RowRequest(Message, [pk for kind, pk in refs if kind == "message"]),
        RowRequest(Drawer, [pk for pk in drawer_ids.values() if pk]),
    )
    hits = []
    for entry in ranked:
        ref = entry.item
        memory = memories.get(ref.pk) if ref.kind == "memory" else None
        message = messages.get(ref.pk) if ref.kind == "message" else None
        drawer = drawers.get(drawer_ids[ref])
        if memory is None and message is None and (ref.kind == "message" or drawer is None):
            continue
        if message is not None and message.role == Role.ASSISTANT and is_call(message.content):
            continue  # It was stored before such calls were recognised, or by another program.
        turn = message.content if message else drawer.note if drawer else ""
        if memory is None and not is_kept(instance, turn):
            continue
        hits.append(
            Hit(
                memory=memory,
                message=message,
                score=entry.score,
                ranks={name: rank + 1 for name, rank in entry.ranks.items()},
                parts=entry.parts,
                similarity=candidates.traits[ref].cosine,
                drawer=drawer,
                is_relevant=ref in passing,
            )
        )
    return hits


class RowRequest(NamedTuple):
    """Rows of a table by id, with some columns, or all but the text search vector."""

    model: type[Model]
    ids: Sequence[int]
    columns: Sequence[str] = ()


def load_rows(instance: Instance, *requests: RowRequest) -> list[dict[int, Any]]:
    """Load the rows of each request in *instance*, by id; missing ones are left out.

    All statements are sent at once, because a round trip takes ten times as long as their
    execution, and they are written by hand, because the ORM takes as long again to write them.
    """
    results: list[dict[int, Any]] = [{} for _ in requests]
    loads = [
        (_RowLoader.of(request.model, tuple(request.columns)), list(request.ids), rows)
        for request, rows in zip(requests, results, strict=True)
        if request.ids
    ]
    if loads:
        with connection.cursor() as cursor:
            statements = ";".join(loader.statement for loader, _, _ in loads)
            cursor.execute(statements, [each for _, ids, _ in loads for each in (ids, instance.pk)])
            for loader, _, rows in loads:
                rows.update((row.pk, row) for row in map(loader.row, cursor.fetchall()))
                cursor.nextset()
    return results


class _RowLoader(NamedTuple):
    """Makes model instances of the rows of a table."""

    model: type[Model]
    statement: str
    attributes: tuple[str, ...]
    #: Positions of the values that need a converter, with it.
    converters: tuple[tuple[int, Callable[..., Any]], ...]

    @classmethod
    @lru_cache
    def of(cls, model: type[Model], names: tuple[str, ...]) -> "_RowLoader":
        fields = [
            field
            for field in model._meta.concrete_fields
            if (field.name in names or field.primary_key if names else field.name != "search")
        ]
        columns = ", ".join(f'"{field.column}"' for field in fields)
        return cls(
            model,
            f"SELECT {columns} FROM {model._meta.db_table}"  # noqa: S608 - names of our own
            " WHERE id = ANY(%s) AND instance_id = %s",
            tuple(field.attname for field in fields),
            tuple(
                (position, convert)
                for position, field in enumerate(fields)
                for convert in field.get_db_converters(connection)
            ),
        )

    def row(self, values: Sequence[Any]) -> Model:
        """The row with these *values* of its columns."""
        values = list(values)
        for position, convert in self.converters:
            values[position] = convert(values[position], None, connection)
        return self.model.from_db(connection.alias, self.attributes, values)
