"""The lists of a question, and what is known of each thing that they hold.

A search is mostly waiting for statements, so there are as few as can be: one that tells what there
is, and one each for memories, for turns and notes that are filed, and for messages that are not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Model, QuerySet
from django.utils import timezone

from conversations.models import Message
from conversations.search import Said, Sql, TextQuery, words_in
from instances.models import Instance
from memoryapp.models import (
    Category,
    Drawer,
    DrawerEmbedding,
    Memory,
    MemoryEmbedding,
    MemorySource,
)
from memoryapp.models.vectors import EmbeddingManager, known, question_in
from memoryapp.pipeline.embedding import Vectors
from memoryapp.recall.fading import Fading
from memoryapp.recall.scope import Scope
from memoryapp.recall.semantic import nearest
from memoryapp.recall.statements import (
    HELD,
    LISTED,
    MEMORIES,
    OF_DRAWERS,
    OF_MESSAGES,
    TURNS,
)
from memoryapp.recall.weighing import Traits

#: The lists: over memories, over messages, and over drawers; and what people are told of them.
MEANING, WORDS, SAID = "meaning", "words", "said"
DRAWER_MEANING, DRAWER_WORDS = "drawer_meaning", "drawer_words"
LISTS = {
    MEANING: "meaning",
    WORDS: "words",
    SAID: "said",
    DRAWER_MEANING: "meaning of a turn",
    DRAWER_WORDS: "words of a turn",
}

#: What a list holds: its kind and its id. A turn is a ``message``, whether it is filed or not; a
#: ``drawer`` is a note.
Found = tuple[str, int]

#: Memories are compared with the question as it was asked, and turns as the one whom it names would
#: ask it.
FIRST_FORM, LAST_FORM = 0, -1
#: Turns of the conversation that is left out, for which a list of drawers looks further.
MOST_LEFT_OUT = 500
#: Names that a question is compared with.
MOST_PARTICIPANTS = 100
#: Messages that are not filed, up to which they are looked at one by one.
FEW = 500


class Held(NamedTuple):
    """What there is to search in an instance, and for which words: many have no memories, or no
    palace, and in most nearly all turns are filed.
    """

    memories: bool
    #: Turns or notes that are filed.
    drawers: bool
    #: Ids of messages that are not filed, one more than a `FEW` at most.
    unfiled: list[int]
    #: The names by which people sign their turns.
    participants: list[str]
    said: Said


@dataclass
class Gathered:
    """What the lists hold."""

    #: List name to what it holds, best first.
    lists: dict[str, list[Found]] = field(default_factory=lambda: {name: [] for name in LISTS})
    traits: dict[Found, Traits] = field(default_factory=dict)
    fading: dict[Found, Fading] = field(default_factory=dict)
    #: In which drawer a turn or a note lies, by its id.
    drawers: dict[Found, int] = field(default_factory=dict)
    #: Message id to the memories that were learned from it.
    learned: dict[int, list[int]] = field(default_factory=dict)


_NOTHING_SAID = Sql("'', '{}'::text[]")


def held_by(instance: Instance, query: TextQuery | None = None) -> Held:
    """Look what there is to search in *instance*, and what *query* looks for."""
    said = query.in_words if query else _NOTHING_SAID
    mine = [instance.pk] * 5
    with connection.cursor() as cursor:
        cursor.execute(
            HELD.format(said=said.text), [*mine, FEW + 1, MOST_PARTICIPANTS, *said.params]
        )
        memories, drawers, unfiled, participants, matching, words = cursor.fetchone()
    return Held(memories, drawers, unfiled, participants, Said(matching, tuple(words)))


def gather(
    instance: Instance,
    scope: Scope,
    vectors: Vectors,
    held: Held,
    *,
    depth: int,
    filed_twice: bool,
    with_messages: bool = True,
) -> Gathered:
    """Look for an answer in every list, the best *depth* of each.

    What is not *held* at all is not looked for. ``filed_twice``: whether the list of
    messages holds those that are filed as well, as the list of drawers does. Without
    ``with_messages``, all that was learned from the messages found counts as found.
    """
    gathered = Gathered()
    _add_turns(gathered, instance, scope, vectors, held, depth=depth, filed_twice=filed_twice)
    if held.memories:
        _add_memories(gathered, instance, scope, vectors, held.said, depth, with_messages)
    return gathered


def _listed(
    instance: Instance,
    vectors: Vectors,
    which: int,
    said: Said,
    rows: type[Model],
    embeddings: EmbeddingManager[Any] | None,
    *,
    limit: int,
    among: QuerySet[Any] | None,
    few: bool = False,
    also: Sequence[int] = (),
) -> Sql:
    """Fill in `LISTED`: the *rows* of the instance, or *among* some of them, maybe *few*, by the
    question's vector *which* and by the words that it *said*, the best *limit* of each; and others
    *also*.
    """
    vector = None if vectors.vectors is None else vectors.vectors[which]
    question = question_in(vectors.space, vector, instance)
    near = known([])
    if embeddings is not None and vector is not None:
        near = nearest(embeddings, instance, vectors.space, vector, limit=limit, among=among)
    words = words_in(
        rows, said, limit=limit, within=instance.pk if among is None else among, few=few
    )
    return Sql(
        LISTED.format(question=question.text, near=near.text, words=words.text),
        (*question.params, *near.params, *words.params, list(also)),
    )


class _Turn(NamedTuple):
    message: int | None
    drawer: int | None
    day: date
    author: str | None
    role: str | None
    conversation: int | None
    position: int | None
    is_near: bool
    #: None where there is no vector yet.
    cosine: float | None
    has_words: bool
    #: The share of the question's words that it holds, each by its rarity.
    share: float

    @property
    def item(self) -> Found:
        return ("drawer", self.drawer or 0) if self.message is None else ("message", self.message)


def _add_turns(
    gathered: Gathered,
    instance: Instance,
    scope: Scope,
    vectors: Vectors,
    held: Held,
    *,
    depth: int,
    filed_twice: bool,
) -> None:
    """Add the lists over drawers and over messages, and what is known of what they hold."""
    filed = _filed(instance, scope, vectors, held, depth) if held.drawers else []
    unfiled = _unfiled(instance, scope, vectors, held, depth, filed_twice=filed_twice)
    gathered.lists |= {
        SAID: _by_words(unfiled, depth),
        DRAWER_MEANING: [
            turn.item
            for turn in sorted(
                (turn for turn in filed if turn.is_near), key=lambda turn: -(turn.cosine or 0)
            )
        ][:depth],
        DRAWER_WORDS: _by_words(filed, depth),
    }
    listed = {item for items in gathered.lists.values() for item in items}
    turns = [*filed, *unfiled]
    # The turn that follows in the same session counts where it has been found as well: one that
    # has not is hardly about the question, and to look it up takes longer than all the others.
    cosines = {(turn.conversation, turn.day, turn.position): turn.cosine for turn in turns}
    for turn in turns:
        if turn.item not in listed:
            continue
        known_already = gathered.traits.get(turn.item)
        if known_already is not None:
            known_already.words = max(known_already.words, turn.share)
            continue
        if turn.drawer is not None:
            gathered.drawers[turn.item] = turn.drawer
        session = following = None
        if turn.conversation is not None and turn.position is not None:
            session = (turn.conversation, turn.day.toordinal())
            following = cosines.get((turn.conversation, turn.day, turn.position + 1))
        gathered.traits[turn.item] = Traits(
            day=turn.day,
            cosine=turn.cosine,
            words=turn.share,
            author=turn.author or "",
            role=turn.role or "",
            session=session,
            following=following,
        )


def _filed(
    instance: Instance, scope: Scope, vectors: Vectors, held: Held, depth: int
) -> list[_Turn]:
    """Look among the drawers."""
    further = scope.left_out.messages.count() if scope.left_out else 0
    listed = _listed(
        *(instance, vectors, LAST_FORM, held.said, Drawer, DrawerEmbedding.objects),
        limit=depth + min(further, MOST_LEFT_OUT),
        among=scope.among_drawers,
    )
    return _turns(instance, scope, listed, OF_DRAWERS)


def _unfiled(
    instance: Instance,
    scope: Scope,
    vectors: Vectors,
    held: Held,
    depth: int,
    *,
    filed_twice: bool,
) -> list[_Turn]:
    """Look among the messages, or among those that have no drawer."""
    every = filed_twice or not held.drawers
    if not held.said.words or not (every or held.unfiled):
        return []
    messages = scope.messages
    few = not every and len(held.unfiled) <= FEW
    if few:
        messages = messages.filter(pk__in=held.unfiled)
    elif not every:
        messages = messages.filter(unfiled__isnull=False)
    listed = _listed(
        *(instance, vectors, LAST_FORM, held.said, Message, None),
        limit=depth,
        among=messages,
        few=few,
    )
    return _turns(instance, scope, listed, OF_MESSAGES)


def _turns(instance: Instance, scope: Scope, listed: Sql, turns: str) -> list[_Turn]:
    left_out = scope.left_out.pk if scope.left_out else None
    with connection.cursor() as cursor:
        cursor.execute(
            TURNS.format(listed=listed.text, turns=turns),
            [*listed.params, instance.time_zone, left_out],
        )
        return [_Turn(*row) for row in cursor.fetchall()]


def _by_words(turns: Iterable[_Turn], depth: int) -> list[Found]:
    """Those that the words found, the best *depth*."""
    best = sorted(
        (turn for turn in turns if turn.has_words),
        key=lambda turn: (-turn.share, -(turn.drawer or turn.message or 0)),
    )
    return [turn.item for turn in best[:depth]]


_UNDONE = MemorySource.Action.UNDONE.value
_NOT_SAID = [_UNDONE, MemorySource.Action.HEARD.value]


def _add_memories(
    gathered: Gathered,
    instance: Instance,
    scope: Scope,
    vectors: Vectors,
    said: Said,
    depth: int,
    with_messages: bool,
) -> None:
    """Add the lists over memories, what is known of what they hold, and from which of the messages
    in the other lists it was learned.
    """
    messages = [pk for kind, pk in gathered.traits if kind == "message"]
    listed = _listed(
        *(instance, vectors, FIRST_FORM, said, Memory, MemoryEmbedding.objects),
        limit=depth,
        among=scope.among_memories,
        also=[] if with_messages else _learned(scope, messages),
    )
    params = [
        *(*listed.params, messages, _UNDONE),
        *(instance.time_zone, Category.PREFERENCE.value, _NOT_SAID),
    ]
    with connection.cursor() as cursor:
        cursor.execute(MEMORIES.format(listed=listed.text), params)
        rows = cursor.fetchall()
    today = instance.date_of(timezone.now())
    by_meaning: list[tuple[float, int]] = []
    by_words: list[tuple[float, int]] = []
    for pk, is_near, cosine, has_words, share, day, importance, category, *rest in rows:
        times_heard, valid_until, is_stale, learned = rest
        if is_near:
            by_meaning.append((cosine, pk))
        if has_words:
            by_words.append((share, pk))
        item = ("memory", pk)
        gathered.traits[item] = Traits(
            day=day,
            cosine=cosine,
            words=share,
            importance=importance,
            is_preference=category == Category.PREFERENCE,
            times_heard=times_heard or 0,
        )
        if valid_until is not None and valid_until < today:
            gathered.fading[item] = Fading.EXPIRED
        elif is_stale:
            gathered.fading[item] = Fading.STALE
        for message in learned or ():
            gathered.learned.setdefault(message, []).append(pk)
    gathered.lists[MEANING] = [("memory", pk) for _, pk in sorted(by_meaning, reverse=True)]
    gathered.lists[WORDS] = [("memory", pk) for _, pk in sorted(by_words, reverse=True)]


def _learned(scope: Scope, message_ids: Sequence[int]) -> list[int]:
    """Return the ids of the memories that were learned from these messages, of those that may be
    found.
    """
    sources = MemorySource.objects.filter(message__in=message_ids).exclude(action=_UNDONE)
    return list(
        scope.memories.order_by()
        .filter(pk__in=sources.values("memory"))
        .values_list("pk", flat=True)
    )
