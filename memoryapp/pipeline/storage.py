"""The last stage: candidates become rows, one writer per person at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import numpy as np
from django.db import connection, transaction
from django.utils import timezone
from numpy.typing import NDArray
from pgvector import HalfVector

from conversations.models import Message
from conversations.turns import clean
from instances.models import Instance, User
from memoryapp.models import (
    Activity,
    Category,
    EmbeddingSpace,
    Memory,
    MemoryEmbedding,
    MemoryRevision,
    MemorySource,
    Origin,
    RevisionEmbedding,
)
from memoryapp.pipeline import embedding
from memoryapp.pipeline.dedup import Action, Neighbour, decide

#: How many neighbours a new fact is compared with. More than one, since the nearest may be about
#: somebody else while the next is the old version of this very fact.
NEIGHBOURS = 5
#: Characters of a memory that somebody writes: one sentence, and room for a long one.
MAX_CONTENT = 4_000
MAX_TAGS = 12


class Rejected(ValueError):
    """The candidate cannot become a memory; the message says what to change."""


class Changed(Exception):
    """The memory is no longer what the caller has seen."""


@dataclass(frozen=True)
class Candidate:
    """A sentence that wants to be remembered."""

    content: str
    category: str = Category.GENERAL
    #: 1 to 10; None: nobody judged it.
    importance: int | None = None
    tags: Sequence[str] = ()
    valid_until: date | None = None
    end_user: str = ""
    #: 0 to 100.
    confidence: int | None = None
    conversation_id: int | None = None
    message_id: int | None = None


@dataclass(frozen=True)
class Outcome:
    """What became of a candidate."""

    memory: Memory
    action: Action
    #: Why it has no vector yet, in words; empty when it has one.
    problem: str = ""


@dataclass(frozen=True)
class Writer:
    """Who writes, for the ledger: a person, or a part of the machine."""

    origin: Origin
    via: str
    by: User | None = None
    reason: MemoryRevision.Reason = MemoryRevision.Reason.SAVED


def remember(
    instance: Instance,
    candidates: Sequence[Candidate],
    writer: Writer,
    *,
    in_same_transaction: Callable[[list[Outcome]], None] | None = None,
) -> list[Outcome]:
    """Store *candidates*, merged with what is there, and say what became of each.

    All or none: either every candidate is stored and ``in_same_transaction`` has run, or nothing
    has changed. Raises `Rejected` for a candidate without text.
    """
    candidates = [_checked(candidate) for candidate in candidates]
    vectors = embedding.embed(instance, [candidate.content for candidate in candidates])
    with transaction.atomic():
        for end_user in sorted({candidate.end_user for candidate in candidates}):
            one_writer_for(instance, end_user)
        outcomes = []
        for number, candidate in enumerate(candidates):
            vector = None if vectors.vectors is None else vectors.vectors[number]
            memory, action = _store(instance, candidate, writer, vectors.space, vector)
            outcomes.append(Outcome(memory, action, vectors.problem))
        if in_same_transaction is not None:
            in_same_transaction(outcomes)
    return outcomes


@dataclass(frozen=True)
class Changes:
    """What a person may correct on a memory."""

    content: str
    category: str
    importance: int
    tags: Sequence[str] = field(default_factory=list)
    valid_until: date | None = None


def revise(
    memory: Memory,
    changes: Changes,
    *,
    by: User | None,
    via: str = "screen",
    reason: MemoryRevision.Reason = MemoryRevision.Reason.EDITED,
    only_as_seen: bool = False,
) -> Outcome:
    """Correct *memory* by hand, keeping what it said as a revision; no change leaves none.

    ``only_as_seen`` is for changes that were worked out from *memory*: raises `Changed` when
    somebody else has changed it since it was loaded, and changes nothing.
    """
    checked = _checked(Candidate(changes.content, tags=changes.tags))
    present = Changes(
        memory.content, memory.category, memory.importance, memory.tags, memory.valid_until
    )
    if replace(changes, content=checked.content, tags=list(checked.tags)) == present:
        return Outcome(memory, Action.DUPLICATE)
    reworded = checked.content != memory.content
    vectors = embedding.embed(memory.instance, [checked.content] if reworded else [])
    with transaction.atomic():
        one_writer_for(memory.instance, memory.end_user)
        seen, memory = memory, Memory.objects.select_for_update(of=("self",)).get(pk=memory.pk)
        if only_as_seen and memory.updated_at != seen.updated_at:
            raise Changed
        # Looked at again, now that nobody can change it: the vector must belong to the text.
        reworded = checked.content != memory.content
        _new_version(
            memory,
            {
                "content": checked.content,
                "category": changes.category,
                "importance": changes.importance,
                "tags": list(checked.tags),
                "valid_until": changes.valid_until,
                "assessed": True,
            },
            reason=reason,
            by=by,
        )
        if reworded:
            vector = None if vectors.vectors is None else vectors.vectors[0]
            _set_vector(memory, vectors.space, vector)
        restored = reason == MemoryRevision.Reason.RESTORED
        Activity.objects.create(
            instance_id=memory.instance_id,
            action=Activity.Action.RESTORED if restored else Activity.Action.UPDATED,
            by=by,
            via=via,
            memory_id=memory.pk,
        )
    return Outcome(memory, Action.UPDATED, vectors.problem)


def restore(revision: MemoryRevision, *, by: User | None, via: str = "screen") -> Outcome:
    """Make *revision* the present text of its memory again; the present one becomes a revision."""
    return revise(
        revision.memory,
        Changes(
            revision.content,
            revision.category,
            revision.importance,
            revision.tags,
            revision.valid_until,
        ),
        by=by,
        via=via,
        reason=MemoryRevision.Reason.RESTORED,
    )


def _checked(candidate: Candidate) -> Candidate:
    content = " ".join(clean(candidate.content).split())
    if not content:
        raise Rejected("Write what is to be remembered.")
    tags = dict.fromkeys(
        tag for raw in candidate.tags if (tag := " ".join(clean(str(raw)).split()).lower()[:50])
    )
    return replace(
        candidate,
        content=content,
        tags=list(tags)[:MAX_TAGS],
        end_user=clean(candidate.end_user)[:200],
    )


def one_writer_for(instance: Instance, end_user: str) -> None:
    """Wait until nobody else writes this person's memories, until the transaction ends.

    Decides the race of two workers with the same fact: the second one sees the first one's row.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock_shared(hashtextextended(%s, 0)),"
            " pg_advisory_xact_lock(hashtextextended(%s, 0))",
            [f"remember:{instance.pk}", f"remember:{instance.pk}:{end_user}"],
        )


def no_writer_for(instance: Instance) -> None:
    """Wait until nobody writes any memory of *instance*, until the transaction ends.

    For what touches many rows at once, and would else meet a writer who holds one of them and
    waits for another: a deadlock.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"remember:{instance.pk}"]
        )


def _store(
    instance: Instance,
    candidate: Candidate,
    writer: Writer,
    space: str,
    vector: NDArray[np.float32] | None,
) -> tuple[Memory, Action]:
    decision = decide(
        candidate.content,
        _neighbours(instance, candidate, space, vector),
        exact=instance.dedup_exact,
        update=instance.dedup_update,
    )
    judged = candidate.importance is not None
    existing = (
        # Gone when somebody deleted it this instant: then the fact is a new one.
        Memory.objects.select_for_update(of=("self",)).filter(pk=decision.existing_id or 0).first()
    )
    action = decision.action if existing else Action.STORED
    if existing and action is Action.UPDATED and _was_taken_back(existing, candidate):
        action = Action.DUPLICATE
    revision = None
    if existing is None:
        memory = Memory.objects.create(
            instance=instance,
            end_user=candidate.end_user,
            content=candidate.content,
            category=candidate.category,
            importance=candidate.importance or 5,
            tags=list(candidate.tags),
            valid_until=candidate.valid_until,
            origin=writer.origin,
            confidence=candidate.confidence,
            assessed=judged,
            language=instance.language,
        )
        _set_vector(memory, space, vector)
    else:
        memory = existing
        if action is Action.UPDATED:
            changed: dict[str, Any] = {
                "content": candidate.content,
                "category": candidate.category,
                "valid_until": candidate.valid_until,
            }
            if judged:
                changed |= {"importance": candidate.importance, "assessed": True}
            if candidate.tags:
                changed["tags"] = list(candidate.tags)
            if candidate.confidence is not None:
                changed["confidence"] = candidate.confidence
            revision = _new_version(memory, changed, reason=writer.reason, by=writer.by)
            _set_vector(memory, space, vector)
    if candidate.conversation_id is not None:
        _link(memory, candidate.conversation_id, candidate.message_id, action, revision)
    if action is not Action.DUPLICATE:
        created = action is Action.STORED
        Activity.objects.create(
            instance=instance,
            action=Activity.Action.CREATED if created else Activity.Action.UPDATED,
            by=writer.by,
            via=writer.via,
            memory_id=memory.pk,
        )
    return memory, action


def _neighbours(
    instance: Instance, candidate: Candidate, space: str, vector: NDArray[np.float32] | None
) -> list[Neighbour]:
    """Memories of the same person that may be the same fact: by meaning, and to the letter, which
    finds it even while there are no vectors.
    """
    persons = Memory.objects.in_instance(instance).filter(end_user=candidate.end_user)
    similarities = dict.fromkeys(
        persons.same_text(candidate.content).values_list("pk", flat=True), 1.0
    )
    if vector is not None:
        nearest = MemoryEmbedding.objects.nearest(
            instance,
            space,
            vector,
            limit=NEIGHBOURS,
            least=min(instance.dedup_update, instance.dedup_exact),
            among=persons,
        )
        similarities = dict(nearest) | similarities
    texts = dict(Memory.objects.filter(pk__in=similarities).values_list("pk", "content"))
    return [Neighbour(pk, texts[pk], similarities[pk]) for pk in texts]


def _was_taken_back(memory: Memory, candidate: Candidate) -> bool:
    """Whether the very message that this comes from has changed *memory* before, and somebody took
    that back: reading it again must not bring it back behind their back.
    """
    if candidate.message_id is None:
        return False
    return memory.sources.filter(
        message=candidate.message_id, action=MemorySource.Action.UNDONE
    ).exists()


def _new_version(
    memory: Memory, changed: dict[str, Any], *, reason: MemoryRevision.Reason, by: User | None
) -> MemoryRevision:
    """Let *memory* say something else, and keep all that it was as a revision. A vector goes with
    its text, in every space: where the text stays, the vector does.
    """
    now = timezone.now()
    revision = MemoryRevision.objects.create(
        memory=memory,
        content=memory.content,
        category=memory.category,
        importance=memory.importance,
        tags=memory.tags,
        valid_until=memory.valid_until,
        confidence=memory.confidence,
        assessed=memory.assessed,
        valid_from=memory.updated_at,
        replaced_at=now,
        reason=reason,
        by=by,
    )
    if changed["content"] != memory.content:
        RevisionEmbedding.objects.bulk_create(
            RevisionEmbedding(
                revision=revision,
                instance_id=memory.instance_id,
                space_id=old.space_id,
                embedding=old.embedding,
            )
            for old in memory.embeddings.all()
        )
    for name, value in changed.items():
        setattr(memory, name, value)
    memory.updated_at = now
    memory.save(update_fields=[*changed, "updated_at"])
    return revision


def _set_vector(memory: Memory, space: str, vector: NDArray[np.float32] | None) -> None:
    """Give *memory* its vector. Vectors of an older text go, in every space: none is better than
    a wrong one, and the back-fill makes it new.
    """
    memory.embeddings.all().delete()
    if vector is not None:
        MemoryEmbedding.objects.create(
            memory=memory,
            instance_id=memory.instance_id,
            space=EmbeddingSpace.objects.get_or_create(instance_id=memory.instance_id, name=space)[
                0
            ],
            embedding=HalfVector(vector),
        )


def _link(
    memory: Memory,
    conversation_id: int,
    message_id: int | None,
    action: Action,
    revision: MemoryRevision | None,
) -> None:
    """Note where the fact was said. The same message says it once: the first note stands, unless
    it says that what was said there has been taken back, and now it holds after all.
    """
    message = (
        Message.objects.filter(pk=message_id, conversation_id=conversation_id).first()
        if message_id
        else None
    )
    source, created = MemorySource.objects.get_or_create(
        memory=memory,
        conversation_id=conversation_id,
        message=message,
        defaults={"instance_id": memory.instance_id, "action": action.value},
    )
    if revision is None:
        return
    if source.action == MemorySource.Action.UNDONE:
        source.action = MemorySource.Action.UPDATED
        source.save(update_fields=["action"])
        created = True
    if created:
        revision.source = source
        revision.save(update_fields=["source"])
