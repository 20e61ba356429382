"""Finds the stored memories that new facts may be about: one statement, however many facts.

Hand-written SQL, because the ORM cannot join with a list of facts, and builds such a statement more
slowly than PostgreSQL answers it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection, transaction
from numpy.typing import NDArray

from conversations.search import Sql
from instances.models import Instance
from memoryapp.models.embedding_spaces import VectorIndex
from memoryapp.models.memory import Memory
from memoryapp.models.prepared_statements import prepared
from memoryapp.models.vectors import COVERED_DIMENSIONS, MemoryEmbedding, as_halfvec

#: Nearest memories that a fact is compared with. More than one, since the nearest may be about
#: another person while the next is the old version of this fact.
NEAREST = 5
#: Search effort of an approximate index: less than for a question, because equal facts are very
#: near. Measured on 60,000 vectors: of those at a cosine of 0.75 and more, 99.7% are found with 80
#: as with 200, and 99.3% with 40.
EFFORT = 80
#: From so many facts on, the memories that they may be about are listed first.
MANY = 16
#: Up to so many memories of the facts' people are all compared, where the instance has an
#: approximate index: that would find those of others, and one after another.
FEW_MEMORIES = 2_000


@dataclass(frozen=True, eq=False)
class SoughtFact:
    """A new fact before it is stored, as the search for matches needs it."""

    end_user: str
    content: str
    external_id: str = ""
    key: str = ""
    value: str = ""
    #: True if its key has one value at a time.
    single_valued: bool = False
    #: Of shape (d,), in the space that is searched.
    vector: NDArray[np.float32] | None = field(default=None, repr=False)


@dataclass
class FactMatches:
    """The ids of the stored memories that a fact may be about."""

    #: The memory that has its external id, of whatever person.
    same_id: int | None = None
    #: The memory of the same person that has its key, if that has one value at a time.
    same_key: int | None = None
    #: Comparable memories of the same person with their cosine similarities, -1 to 1: the
    #: `NEAREST`, and with 1 those of the same text.
    near: dict[int, float] = field(default_factory=dict)

    def ids(self) -> set[int]:
        return {*self.near} | {pk for pk in (self.same_id, self.same_key) if pk is not None}


def find_matches(
    instance: Instance,
    facts: Sequence[SoughtFact],
    space: str,
    *,
    least: float,
    batch: UUID,
    above: int | None = None,
) -> list[FactMatches]:
    """Return what is stored about each of *facts*, whose vectors are in *space*; only by tiers
    *above* that one, if it is given.

    Memories below the similarity *least*, and those that *batch* has stored or changed, are not
    near. Facts with an external id are only compared with memories without one: a program that
    gives two facts two ids means two facts.
    """
    matches = [FactMatches() for _ in facts]
    if not facts:
        return matches
    numbered = [(number, fact.vector) for number, fact in enumerate(facts)]
    numbers = [number for number, vector in numbered if vector is not None]
    lookups = _Lookups(instance, facts, above)
    if numbers:
        lookups.find_space(space)
        unsure, few = set(numbers), False
        if index := _index(instance, space, facts[numbers[0]]):
            few = lookups.are_few()
            if not few:
                unsure -= _add_by_index(lookups, index, matches, least=least, batch=batch)
        if unsure:
            lookups.add_nearest(unsure, least=least, batch=batch, few=few)
    lookups.add_equals()
    for number, how, pk, similarity in lookups.rows():
        match = matches[number]
        if how == "id":
            match.same_id = pk
        elif how == "key":
            match.same_key = pk
        else:
            match.near[pk] = max(similarity, match.near.get(pk, -1.0))
    return matches


#: The facts as rows. A fact that is not near anything that counts has no vector.
_FACTS = """
facts AS MATERIALIZED (
    SELECT number, end_user, content, external_id, key, value, single_key,
        vector::halfvec AS vector
    FROM unnest(
        %s::int[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[],
        %s::text[]
    ) AS fact (number, end_user, content, external_id, key, value, single_key, vector)
)
"""
_SPACE = """
space AS MATERIALIZED (
    SELECT id FROM memoryapp_embeddingspace WHERE instance_id = %s AND name = %s
)
"""
#: Whether a memory may state the same fact. One with another key is another fact, however similar.
_COMPARABLE = """
m.end_user = fact.end_user
AND (fact.external_id = '' OR m.external_id = '')
AND (
    fact.key = '' OR m.key = '' OR (m.key = fact.key AND upper(m.value) = upper(fact.value))
)
"""
_SAME_ID = """
SELECT fact.number, 'id' AS how, m.id, 1.0::float AS similarity
FROM facts AS fact JOIN ({memories}) AS m ON m.external_id = fact.external_id
WHERE fact.external_id <> '' AND m.external_id <> ''
"""
_SAME_KEY = """
SELECT fact.number, 'key' AS how, owner.id, 1.0::float AS similarity
FROM facts AS fact CROSS JOIN LATERAL (
    SELECT m.id FROM ({memories}) AS m
    WHERE m.end_user = fact.end_user AND m.key = fact.single_key AND m.key <> ''
    ORDER BY m.created_at DESC, m.id DESC LIMIT 1
) AS owner
WHERE fact.single_key <> ''
"""
#: Uses the index `memory_same_text`.
_SAME_TEXT = """
SELECT fact.number, 'text' AS how, m.id, 1.0::float AS similarity
FROM facts AS fact JOIN ({memories}) AS m ON md5(lower(m.content)) = md5(lower(fact.content))
WHERE {comparable}
"""
#: Distant rows are dropped before the memories themselves are looked up, nearest first, until there
#: are enough. OFFSET 0 keeps PostgreSQL from computing distances twice or in another order.
_NEAREST = """
SELECT fact.number, 'near' AS how, near.id, -near.distance AS similarity
FROM facts AS fact CROSS JOIN LATERAL (
    SELECT sorted.id, sorted.distance FROM (
        SELECT scanned.id, scanned.distance FROM (
            SELECT memory_id AS id, embedding <#> fact.vector AS distance
            FROM memoryapp_memoryembedding
            WHERE vector_dims(embedding) {length} AND instance_id = %s
                AND space_id = (SELECT id FROM space)
            OFFSET 0
        ) AS scanned
        WHERE scanned.distance <= %s ORDER BY scanned.distance OFFSET 0
    ) AS sorted
    WHERE (
        SELECT {comparable} AND m.batch IS DISTINCT FROM %s
        FROM ({memories}) AS m WHERE m.id = sorted.id
    )
    LIMIT %s
) AS near
WHERE fact.number = ANY(%s)
"""
_COUNT = """
SELECT count(*) FROM (
    SELECT FROM memoryapp_memory WHERE instance_id = %s AND end_user = ANY(%s) LIMIT %s
) AS first
"""
#: The memories that the facts may be about: listed once, instead of looking up each that is near to
#: each fact.
_SCOPE = """
scope AS MATERIALIZED (
    SELECT m.id, m.end_user, m.external_id, m.key, m.value FROM ({memories}) AS m
    WHERE m.end_user = ANY(%s) AND m.batch IS DISTINCT FROM %s
)
"""
_NEAREST_IN_SCOPE = """
SELECT fact.number, 'near' AS how, near.id, -near.distance AS similarity
FROM facts AS fact CROSS JOIN LATERAL (
    SELECT scanned.id, scanned.distance FROM (
        SELECT m.id, vector.embedding <#> fact.vector AS distance
        FROM scope AS m JOIN memoryapp_memoryembedding AS vector ON vector.memory_id = m.id
        WHERE vector_dims(vector.embedding) {length} AND vector.instance_id = %s
            AND vector.space_id = (SELECT id FROM space) AND {comparable}
        OFFSET 0
    ) AS scanned
    WHERE scanned.distance <= %s ORDER BY scanned.distance LIMIT %s
) AS near
WHERE fact.number = ANY(%s)
"""
#: The same for few memories, whose vectors are looked up one by one.
_NEAREST_IN_SMALL_SCOPE = """
SELECT fact.number, 'near' AS how, near.id, -near.distance AS similarity
FROM facts AS fact CROSS JOIN LATERAL (
    SELECT scanned.id, scanned.distance FROM (
        SELECT m.id, (
            SELECT vector.embedding <#> fact.vector FROM memoryapp_memoryembedding AS vector
            WHERE vector_dims(vector.embedding) {length} AND vector.instance_id = %s
                AND vector.space_id = (SELECT id FROM space) AND vector.memory_id = m.id
        ) AS distance
        FROM scope AS m WHERE {comparable} OFFSET 0
    ) AS scanned
    WHERE scanned.distance <= %s ORDER BY scanned.distance LIMIT %s
) AS near
WHERE fact.number = ANY(%s)
"""
#: Condition and expression are exactly those of the index, so that PostgreSQL can use it.
_BY_INDEX = """
SELECT fact.number, near.id, -near.distance AS similarity, (
    SELECT {comparable} AND m.batch IS DISTINCT FROM %s FROM ({memories}) AS m
    WHERE m.id = near.id
) AS passes
FROM facts AS fact CROSS JOIN LATERAL (
    SELECT memory_id AS id,
        embedding::halfvec({dimensions}) <#> fact.vector::halfvec({dimensions}) AS distance
    FROM memoryapp_memoryembedding
    WHERE instance_id = %s AND space_id = %s
    ORDER BY embedding::halfvec({dimensions}) <#> fact.vector::halfvec({dimensions}) LIMIT %s
) AS near
WHERE fact.vector IS NOT NULL
ORDER BY fact.number, near.distance
"""


@lru_cache(maxsize=64)
def _memories(instance_id: int, above: int | None) -> tuple[str, tuple[Any, ...]]:
    """The memories of an instance as a subquery; cached, since the ORM takes long to write it."""
    names = ("id", "end_user", "content", "external_id", "key", "value", "batch", "created_at")
    rows = Memory.objects.filter(instance=instance_id).order_by().values(*names)
    if above is not None:
        rows = rows.filter(tier__gt=above)
    text, params = rows.query.sql_with_params()
    return text, tuple(params)


class _Lookups:
    """The parts of one statement about *facts*."""

    def __init__(self, instance: Instance, facts: Sequence[SoughtFact], above: int | None) -> None:
        self.instance = instance
        self._facts = facts
        # Inserted as they are: PostgreSQL merges the subquery with the statement around it.
        self.memories, self.of_memories = _memories(instance.pk, above)
        columns = zip(
            *(
                (
                    number,
                    fact.end_user,
                    fact.content,
                    fact.external_id,
                    fact.key,
                    fact.value,
                    fact.key if fact.single_valued else "",
                    None if fact.vector is None else as_halfvec(fact.vector),
                )
                for number, fact in enumerate(facts)
            ),
            strict=True,
        )
        self._people = list({fact.end_user for fact in facts})
        self._with = [Sql(_FACTS, tuple(map(list, columns)))]
        self._parts: list[Sql] = []

    def find_space(self, space: str) -> None:
        self._with.append(Sql(_SPACE, (self.instance.pk, space)))

    def are_few(self) -> bool:
        """True if the people of the facts have few memories."""
        with prepared() as cursor:
            cursor.execute(_COUNT, [self.instance.pk, self._people, FEW_MEMORIES + 1])
            return bool(cursor.fetchone()[0] <= FEW_MEMORIES)

    def add_nearest(self, numbers: Iterable[int], *, least: float, batch: UUID, few: bool) -> None:
        """Look up the nearest to the facts with these *numbers*, exactly; *few*: `are_few`."""
        among = sorted(numbers)
        vector = self._facts[among[0]].vector
        covered = vector is not None and len(vector) <= COVERED_DIMENSIONS
        length = f"{'<=' if covered else '>'} {COVERED_DIMENSIONS}"
        if len(among) < MANY and not few:
            params = (self.instance.pk, -least, batch, *self.of_memories, NEAREST, among)
            self._parts.append(Sql(self.completed(_NEAREST, length=length), params))
            return
        scope = (*self.of_memories, self._people, batch)
        self._with.append(Sql(self.completed(_SCOPE), scope))
        in_scope = (self.instance.pk, -least, NEAREST, among)
        text = _NEAREST_IN_SMALL_SCOPE if few else _NEAREST_IN_SCOPE
        self._parts.append(Sql(self.completed(text, length=length), in_scope))

    def add_equals(self) -> None:
        """Look up the same texts, and where the facts have them, the same ids and keys."""
        parts = [_SAME_TEXT]
        if any(fact.external_id for fact in self._facts):
            parts.append(_SAME_ID)
        if any(fact.single_valued for fact in self._facts):
            parts.append(_SAME_KEY)
        self._parts += [Sql(self.completed(part), tuple(self.of_memories)) for part in parts]

    def completed(self, text: str, **more: object) -> str:
        """Fill in the places that every part has, and *more*."""
        return text.format(memories=self.memories, comparable=_COMPARABLE, **more)

    def rows(self) -> list[tuple[int, str, int, float]]:
        text = " UNION ALL ".join(f"({part.text})" for part in self._parts)
        # For many facts, a plan of its own takes less time than it saves.
        return self.fetch(text, self._parts, prepare=len(self._facts) < MANY)

    def fetch(self, text: str, parts: Iterable[Sql], *, prepare: bool = False) -> list[Any]:
        """Run the statement *text* on the facts. A prepared one cannot use an approximate index,
        since the same plan serves all instances.
        """
        params = [param for part in (*self._with, *parts) for param in part.params]
        with prepared() if prepare else connection.cursor() as cursor:
            cursor.execute(f"WITH {', '.join(part.text for part in self._with)} {text}", params)
            return list(cursor)


def _index(instance: Instance, space: str, fact: SoughtFact) -> VectorIndex | None:
    """The approximate index of *space*, if there is one for vectors such as that of *fact*."""
    index = VectorIndex.in_use(instance, space, MemoryEmbedding.OWNER)
    if index is None or fact.vector is None or len(fact.vector) != index.dimensions:
        return None
    return index


def _add_by_index(
    lookups: _Lookups,
    index: VectorIndex,
    matches: Sequence[FactMatches],
    *,
    least: float,
    batch: UUID,
) -> set[int]:
    """Add the nearest that *index* finds; return the numbers of the facts for which these are
    certainly all: for the others, comparable memories may lie further away than it was searched.
    """
    wanted = EFFORT * 3 // 4
    statement = Sql(
        lookups.completed(_BY_INDEX, dimensions=index.dimensions),
        (batch, *lookups.of_memories, index.instance_id, index.space_id, wanted),
    )
    with transaction.atomic(savepoint=False):
        with connection.cursor() as cursor:
            # The index still contains recently deleted rows: an iterative scan continues past them.
            cursor.execute(
                "SELECT set_config('hnsw.ef_search', %s, true),"
                " set_config('hnsw.iterative_scan', 'relaxed_order', true)",
                [str(EFFORT)],
            )
        rows = lookups.fetch(statement.text, [statement])
    far_enough = set()
    for number, pk, similarity, passes in rows:
        if similarity < least:
            far_enough.add(number)
        elif passes and len(matches[number].near) < NEAREST:
            matches[number].near[pk] = similarity
    return far_enough | {
        number for number, match in enumerate(matches) if len(match.near) == NEAREST
    }
