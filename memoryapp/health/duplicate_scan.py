"""Find duplicate memories in the background, a little at a time.

Each vector is compared once with all others of the same person, exactly, and the result is stored
(`Likeness`). A new memory costs one comparison, and a page that shows the result none.
"""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from django.db import transaction
from django.db.models import BinaryField, Count, F, Func, IntegerField, Q, QuerySet, Value
from numpy.typing import NDArray

from instances.models import Instance
from memoryapp.embeddings.background import scale_of_facts
from memoryapp.health.clustering import (
    SimilarPair,
    SimilarPairs,
    compare_vectors,
    connected_groups,
    histogram,
)
from memoryapp.models import EmbeddingSpace, Likeness, Memory, MemoryEmbedding, uncompared_vectors
from memoryapp.policy.dedup import Action, Neighbour, decide
from memoryapp.policy.fact_signature import differ_in_words_only, same_particulars
from memoryapp.providers.configured import space_of
from memoryapp.runs.locks import try_lock

#: Vectors that are compared with all others in one step; with 60,000 others, 60 MB of cosines.
BLOCK_SIZE = 256
#: The similarity above which two texts with few words in common may be duplicates. The write path
#: accepts 0.90: there the later statement becomes the next version of a fact.
SAME_SIMILARITY = 0.95
#: The histogram: its first cosine, and its number of steps up to 1; one more counts the rest.
FROM, STEPS = 0.5, 10
#: Pairs that are grouped for a page.
MAX_PAIRS = 20_000
#: Pairs whose texts are compared for a page.
MAX_NEAR_PAIRS = 200
_OF_PAIR = ("", "__content", "__key")


@dataclass(frozen=True)
class VectorMatrix:
    """All vectors of one person in one space, with their ids and keys."""

    ids: list[int]
    memories: list[int]
    vectors: NDArray[np.float32]
    #: A number for each key of a fact, 0 for none.
    keys: NDArray[np.int64]


@dataclass(frozen=True)
class DuplicateGroups:
    """Duplicates of an instance, and the distribution of similarities."""

    #: Number of vectors by the cosine of their nearest one: below `FROM`, then step by step.
    histogram: Sequence[int]
    #: Number of vectors that have been compared.
    compared: int
    #: Ids of memories that say the same; the largest group first.
    groups: Sequence[Sequence[int]]

    @property
    def steps(self) -> list[tuple[float, float, int]]:
        """The histogram as (from cosine, to cosine, count)."""
        width = (1 - FROM) / STEPS
        edges = [-1.0, *(round(FROM + width * step, 2) for step in range(STEPS + 1))]
        return list(zip(edges, edges[1:], self.histogram, strict=False))

    @property
    def memories(self) -> int:
        """The number of memories in groups."""
        return sum(map(len, self.groups))


def duplicate_groups(instance: Instance) -> DuplicateGroups:
    """Load the stored results, with two queries."""
    known = Likeness.objects.within(instance, space_of(instance.embeddings))
    step = Func(
        F("similarity"),
        Value(FROM),
        Value(1.000001),
        Value(STEPS),
        function="width_bucket",
        output_field=IntegerField(),
    )
    # Grouped by step. None: there is no other vector to compare with.
    counts = list(
        known.filter(nearest=True)
        .order_by()
        .annotate(step=step)
        .values_list("step")
        .annotate(count=Count("pk"))
    )
    pairs = known.twins().values_list("embedding__memory", "other__memory")[:MAX_PAIRS]
    return DuplicateGroups(
        histogram=histogram([(step, n) for step, n in counts if step is not None], STEPS),
        compared=sum(count for _, count in counts),
        groups=connected_groups(pairs),
    )


def near_duplicates(instance: Instance) -> set[int]:
    """The ids of memories that are as similar to another one as duplicates are, but were kept apart
    for a word: neither a number nor a name tells them apart, and no person has said that both are
    true. At most those of `MAX_NEAR_PAIRS`, the most similar first.
    """
    known = Likeness.objects.within(instance, space_of(instance.embeddings))
    pairs = known.filter(nearest=True, same=False, similarity__gte=SAME_SIMILARITY)
    names = [f"{side}__memory{column}" for side in ("embedding", "other") for column in _OF_PAIR]
    rows = pairs.order_by("-similarity", "pk").values_list(*names)[:MAX_NEAR_PAIRS]
    both_true = {
        frozenset(pair)
        for pair in instance.contradictions.exclude(resolved_at=None).values_list("memory", "other")
    }
    return {
        pk
        for one, text, key, other, other_text, other_key in rows
        if key == other_key
        and frozenset((one, other)) not in both_true
        and differ_in_words_only(text, other_text)
        for pk in (one, other)
    }


def duplicate_similarities(instance: Instance, memory_ids: Collection[int]) -> dict[int, int]:
    """The cosine to the nearest duplicate in per cent, for memories that have one."""
    pairs = Likeness.objects.within(instance, space_of(instance.embeddings)).twins()
    among = pairs.filter(embedding__memory__in=memory_ids, other__memory__in=memory_ids)
    nearest: dict[int, int] = {}
    for one, other, similarity in among.values_list(
        "embedding__memory", "other__memory", "similarity"
    ):
        for pk in (one, other):
            nearest[pk] = max(nearest.get(pk, 0), int(100 * (similarity or 0)))
    return nearest


def scan_for_duplicates(instance: Instance, *, seconds: float) -> bool:
    """Compare new vectors for about *seconds*; return whether there are more."""
    deadline = time.monotonic() + seconds
    space = EmbeddingSpace.objects.filter(
        instance=instance, name=space_of(instance.embeddings)
    ).first()
    if space is None:
        return False
    waiting = uncompared_vectors().filter(instance=instance, space=space)
    for end_user in list(waiting.order_by().values_list("memory__end_user", flat=True).distinct()):
        theirs = waiting.filter(memory__end_user=end_user)
        vectors = _load(space, end_user)
        places = {pk: place for place, pk in enumerate(vectors.ids)}
        known = _known(space, places)
        new = [
            places[pk] for pk in theirs.order_by("pk").values_list("pk", flat=True) if pk in places
        ]
        for begin in range(0, len(new), BLOCK_SIZE):
            rows = np.array(new[begin : begin + BLOCK_SIZE])
            similar = compare_vectors(vectors.vectors, rows, keys=vectors.keys, known=known)
            if not _store(space, vectors, [vectors.ids[row] for row in rows], similar):
                return False  # Another worker does it.
            known[rows] = -np.inf
            for pair in [*similar.pairs, *similar.nearer]:
                known[pair.one] = max(known[pair.one], pair.similarity)
            if time.monotonic() > deadline:
                return True
    return False


def _load(space: EmbeddingSpace, end_user: str) -> VectorMatrix:
    """Load all vectors of one person, in the binary format of pgvector: two 16-bit numbers, then
    each dimension as a 16-bit float. numpy reads that as it is, while the text format would have to
    be parsed number by number.
    """
    rows = list(
        MemoryEmbedding.objects.filter(space=space, memory__end_user=end_user)
        .order_by("pk")
        .annotate(sent=Func(F("embedding"), function="halfvec_send", output_field=BinaryField()))
        .values_list("pk", "memory", "memory__key", "memory__external_id", "sent")
    )
    codes: dict[str, int] = {}
    keys = [
        # Two external ids are two facts, even if their texts are the same.
        codes.setdefault(f"id {external_id}" if external_id else f"key {key}", len(codes) + 1)
        if key or external_id
        else 0
        for _, _, key, external_id, _ in rows
    ]
    vectors = [np.frombuffer(bytes(sent), dtype=">f2", offset=4) for *_, sent in rows]
    return VectorMatrix(
        ids=[row[0] for row in rows],
        memories=[row[1] for row in rows],
        vectors=np.array(vectors, dtype=np.float32),
        keys=np.array(keys, dtype=np.int64),
    )


def _known(space: EmbeddingSpace, places: dict[int, int]) -> NDArray[np.float32]:
    known = np.full(len(places), np.inf, dtype=np.float32)
    rows = Likeness.objects.filter(space=space, nearest=True, embedding__in=list(places))
    for pk, similarity in rows.values_list("embedding", "similarity"):
        known[places[pk]] = -np.inf if similarity is None else similarity
    return known


def _store(
    space: EmbeddingSpace, vectors: VectorMatrix, compared: Sequence[int], similar: SimilarPairs
) -> bool:
    """Store the *similar* pairs of the vectors *compared*; False while another worker does so."""
    pairs = [*similar.pairs, *similar.nearer]
    same = _same(space, vectors, pairs)
    with transaction.atomic():
        # Two workers would find the same pairs, and each would store them.
        if not try_lock(f"alike:{space.pk}"):
            return False
        # Locked, so that none is deleted meanwhile. Rows that others have locked are about to
        # change or to be deleted, and are compared another time.
        ids = {*compared} | {vectors.ids[row] for pair in pairs for row in (pair.one, pair.other)}
        held = set(
            MemoryEmbedding.objects.filter(instance=space.instance_id, pk__in=ids)
            .order_by("pk")
            .select_for_update(of=("self",), no_key=True, skip_locked=True)
            .values_list("pk", flat=True)
        )
        Likeness.objects.filter(embedding__in=compared).delete()
        outdone = [vectors.ids[pair.one] for pair in similar.nearer]
        former = Likeness.objects.filter(embedding__in=outdone, nearest=True)
        former.filter(Q(same=False) | Q(other=None)).delete()
        former.update(nearest=False)
        rows = [
            Likeness(
                instance_id=space.instance_id,
                space=space,
                embedding_id=vectors.ids[pair.one],
                other_id=vectors.ids[pair.other],
                similarity=pair.similarity,
                nearest=pair.nearest,
                same=is_same,
            )
            for pair, is_same in zip(pairs, same, strict=True)
            if vectors.ids[pair.one] in held and vectors.ids[pair.other] in held
        ]
        in_company = {vectors.ids[pair.one] for pair in similar.pairs}
        rows += [
            Likeness(instance_id=space.instance_id, space=space, embedding_id=pk, nearest=True)
            for pk in compared
            if pk in held and pk not in in_company
        ]
        Likeness.objects.bulk_create(
            rows,
            batch_size=1000,
            update_conflicts=True,
            unique_fields=["embedding", "other", "instance"],
            update_fields=["similarity", "nearest", "same"],
        )
    return True


def _same(space: EmbeddingSpace, vectors: VectorMatrix, pairs: Sequence[SimilarPair]) -> list[bool]:
    """For each pair, true if they are duplicates: by the rule of the write path, but stricter."""
    ids = {vectors.memories[row] for pair in pairs for row in (pair.one, pair.other)}
    texts: dict[int, str] = dict(Memory.objects.filter(pk__in=ids).values_list("pk", "content"))
    scale = scale_of_facts(space.instance, space.name)

    def is_same(pair: SimilarPair) -> bool:
        one, other = (texts.get(vectors.memories[row]) for row in (pair.one, pair.other))
        if one is None or other is None:
            return False
        neighbour = Neighbour(pair.other, other, scale.similarity(pair.similarity))
        decision = decide(one, [neighbour], update=SAME_SIMILARITY)
        # With a changed number it is the next version of a fact, not a duplicate.
        return decision.action is Action.DUPLICATE or (
            decision.action is Action.UPDATED and same_particulars(one, other)
        )

    return [is_same(pair) for pair in pairs]


def instances_to_scan() -> QuerySet[Instance]:
    """Instances with vectors that have not been compared."""
    return Instance.objects.filter(pk__in=uncompared_vectors().values("instance"))
