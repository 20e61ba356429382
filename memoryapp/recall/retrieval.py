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
from conversations.search import Sql, TextQuery, TsQuery, word_search_sql
from instances.models import Instance
from memoryapp.embeddings.embedder import Vectors
from memoryapp.models import (
    Category,
    Drawer,
    DrawerEmbedding,
    Memory,
    MemoryEmbedding,
    MemorySource,
)
from memoryapp.models.vectors import EmbeddingManager, known_sql, query_sql
from memoryapp.recall.decay import DecayPenalty
from memoryapp.recall.prepared_statements import prepared
from memoryapp.recall.scoring import Traits
from memoryapp.recall.search_scope import SearchScope
from memoryapp.recall.sql import (
    HELD,
    LISTED,
    MEMORIES,
    OF_DRAWERS,
    OF_MESSAGES,
    TURNS,
)
from memoryapp.recall.vector_search import nearest

#: The lists: over memories, over messages, and over drawers; and what people are told of them.
MEANING, WORDS, MESSAGE_WORDS = "meaning", "words", "said"
DRAWER_MEANING, DRAWER_WORDS = "drawer_meaning", "drawer_words"
LISTS = {
    MEANING: "meaning",
    WORDS: "words",
    MESSAGE_WORDS: "said",
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
MAX_LEFT_OUT = 500
#: Names that a question is compared with.
MAX_PARTICIPANTS = 100
#: Messages that are not filed, up to which they are looked at one by one.
EXACT_SEARCH_MAX_ROWS = 500
_UNDONE = MemorySource.Action.UNDONE.value
_NOT_SAID = [_UNDONE, MemorySource.Action.HEARD.value]


class Searchable(NamedTuple):
    """What there is to search in an instance, and for which words: many have no memories, or no
    palace, and in most nearly all turns are filed.
    """

    memories: bool
    #: Turns or notes that are filed.
    drawers: bool
    #: Ids of messages that are not filed, one more than a `EXACT_SEARCH_MAX_ROWS` at most.
    unfiled: list[int]
    #: The names by which people sign their turns.
    participants: list[str]
    said: TsQuery


@dataclass
class Candidates:
    """What the lists hold."""

    #: List name to what it holds, best first.
    lists: dict[str, list[Found]] = field(default_factory=lambda: {name: [] for name in LISTS})
    traits: dict[Found, Traits] = field(default_factory=dict)
    fading: dict[Found, DecayPenalty] = field(default_factory=dict)
    #: In which drawer a turn or a note lies, by its id.
    drawers: dict[Found, int] = field(default_factory=dict)
    #: Message id to the memories that were learned from it.
    learned: dict[int, list[int]] = field(default_factory=dict)


_NOTHING_SAID = Sql("'', '{}'::text[]")


def searchable_in(instance: Instance, query: TextQuery | None = None) -> Searchable:
    """Look what there is to search in *instance*, and what *query* looks for."""
    said = query.tsquery_columns if query else _NOTHING_SAID
    mine = [instance.pk] * 5
    # Phrases and exclusions make another statement of it, as many as there are.
    is_usual = query is None or query.is_plain
    with prepared() if is_usual else connection.cursor() as cursor:
        cursor.execute(
            HELD.format(said=said.text),
            [*mine, EXACT_SEARCH_MAX_ROWS + 1, MAX_PARTICIPANTS, *said.params],
        )
        memories, drawers, unfiled, participants, matching, words = cursor.fetchone()
    return Searchable(memories, drawers, unfiled, participants, TsQuery(matching, tuple(words)))


def retrieve(
    scope: SearchScope,
    vectors: Vectors,
    held: Searchable,
    *,
    depth: int,
    filed_twice: bool,
    with_messages: bool = True,
) -> Candidates:
    """Look for an answer in every list, the best *depth* of each.

    What is not *held* at all is not looked for. ``filed_twice``: whether the list of
    messages holds those that are filed as well, as the list of drawers does. Without
    ``with_messages``, all that was learned from the messages found counts as found.
    """
    search = _Search(scope, vectors, held, depth)
    gathered = Candidates()
    _add_turns(gathered, search.filed(), search.unfiled(filed_twice=filed_twice), depth)
    if held.memories:
        messages = [pk for kind, pk in gathered.traits if kind == "message"]
        memories = search.memories(messages, learned_too=not with_messages)
        _add_memories(gathered, memories, scope.instance.date_of(timezone.now()))
    return gathered


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


class _Memory(NamedTuple):
    pk: int
    is_near: bool
    #: None where there is no vector yet.
    cosine: float | None
    has_words: bool
    share: float
    day: date
    importance: int
    category: str
    #: Of a preference.
    times_heard: int | None
    valid_until: date | None
    is_stale: bool
    #: From which of the messages that were found.
    learned_from: list[int] | None


@dataclass(frozen=True)
class _Search:
    """A question, and where an answer is looked for: how deep in each list."""

    scope: SearchScope
    vectors: Vectors
    held: Searchable
    depth: int

    def filed(self) -> list[_Turn]:
        """Look among the drawers."""
        if not self.held.drawers:
            return []
        left_out, among = self.scope.left_out, self.scope.among_drawers
        further = left_out.messages.count() if left_out else 0
        limit = self.depth + min(further, MAX_LEFT_OUT)
        listed = self._listed(LAST_FORM, Drawer, DrawerEmbedding.objects, limit=limit, among=among)
        return self._turns(listed, OF_DRAWERS, narrowed=among is not None)

    def unfiled(self, *, filed_twice: bool) -> list[_Turn]:
        """Look among the messages, or among those that have no drawer."""
        unfiled, every = self.held.unfiled, filed_twice or not self.held.drawers
        if not self.held.said.words or not (every or unfiled):
            return []
        messages = self.scope.messages
        few = not every and len(unfiled) <= EXACT_SEARCH_MAX_ROWS
        if few:
            messages = messages.filter(pk__in=unfiled)
        elif not every:
            messages = messages.filter(unfiled__isnull=False)
        listed = self._listed(LAST_FORM, Message, limit=self.depth, among=messages, few=few)
        return self._turns(listed, OF_MESSAGES, narrowed=True)

    def memories(self, messages: Sequence[int], *, learned_too: bool) -> list[_Memory]:
        """Look among the memories, and whether they were learned from these *messages*;
        ``learned_too``: all that were are found by that.
        """
        among = self.scope.among_memories
        listed = self._listed(
            FIRST_FORM,
            Memory,
            MemoryEmbedding.objects,
            limit=self.depth,
            among=among,
            also=_learned(self.scope, messages) if learned_too else [],
        )
        params = [
            *(*listed.params, messages, _UNDONE),
            *(self.scope.instance.time_zone, Category.PREFERENCE.value, _NOT_SAID),
        ]
        rows = _rows(MEMORIES.format(listed=listed.text), params, narrowed=among is not None)
        return [_Memory(*row) for row in rows]

    def _turns(self, listed: Sql, turns: str, *, narrowed: bool) -> list[_Turn]:
        left_out = self.scope.left_out.pk if self.scope.left_out else None
        params = [*listed.params, self.scope.instance.time_zone, left_out]
        rows = _rows(TURNS.format(listed=listed.text, turns=turns), params, narrowed=narrowed)
        return [_Turn(*row) for row in rows]

    def _listed(
        self,
        which: int,
        rows: type[Model],
        embeddings: EmbeddingManager[Any] | None = None,
        *,
        limit: int,
        among: QuerySet[Any] | None,
        few: bool = False,
        also: Sequence[int] = (),
    ) -> Sql:
        """Fill in `LISTED`: the *rows* of the instance, or *among* some of them, maybe *few*, by
        the question's vector *which* and by its words, the best *limit* of each; and others *also*.
        """
        instance = self.scope.instance
        query = self.vectors.query(instance, which)
        question = query_sql(instance, query)
        near = known_sql([])
        if embeddings is not None and query is not None:
            near = nearest(embeddings, query, limit=limit, among=among)
        within = instance.pk if among is None else among
        words = word_search_sql(rows, self.held.said, limit=limit, within=within, few=few)
        return Sql(
            LISTED.format(question=question.text, near=near.text, words=words.text),
            (*question.params, *near.params, *words.params, list(also)),
        )


def _rows(sql: str, params: Sequence[Any], *, narrowed: bool) -> list[tuple[Any, ...]]:
    # What is narrowed is another statement nearly each time, and not worth keeping.
    with connection.cursor() if narrowed else prepared() as cursor:
        cursor.execute(sql, params)
        return list(cursor.fetchall())


def _add_turns(
    gathered: Candidates, filed: Sequence[_Turn], unfiled: Sequence[_Turn], depth: int
) -> None:
    """Add the lists over drawers and over messages, and what is known of what they hold."""
    near = sorted((turn for turn in filed if turn.is_near), key=lambda turn: -(turn.cosine or 0))
    gathered.lists |= {
        MESSAGE_WORDS: _by_words(unfiled, depth),
        DRAWER_MEANING: [turn.item for turn in near[:depth]],
        DRAWER_WORDS: _by_words(filed, depth),
    }
    listed = {item for items in gathered.lists.values() for item in items}
    turns = [*filed, *unfiled]
    # The turn that follows in the same session counts where it has been found as well: one that
    # has not is hardly about the question, and to look it up takes longer than all the others.
    cosines = {(turn.conversation, turn.day, turn.position): turn.cosine for turn in turns}
    for turn in turns:
        item = turn.item
        if item not in listed:
            continue
        known_already = gathered.traits.get(item)
        if known_already is not None:
            known_already.words = max(known_already.words, turn.share)
            continue
        if turn.drawer is not None:
            gathered.drawers[item] = turn.drawer
        session = following = None
        if turn.conversation is not None and turn.position is not None:
            session = (turn.conversation, turn.day.toordinal())
            following = cosines.get((turn.conversation, turn.day, turn.position + 1))
        gathered.traits[item] = Traits(
            day=turn.day,
            cosine=turn.cosine,
            words=turn.share,
            author=turn.author or "",
            role=turn.role or "",
            session=session,
            following=following,
        )


def _by_words(turns: Iterable[_Turn], depth: int) -> list[Found]:
    """Those that the words found, the best *depth*."""
    best = sorted(
        (turn for turn in turns if turn.has_words),
        key=lambda turn: (-turn.share, -(turn.drawer or turn.message or 0)),
    )
    return [turn.item for turn in best[:depth]]


def _add_memories(gathered: Candidates, memories: Sequence[_Memory], today: date) -> None:
    """Add the lists over memories, what is known of what they hold, and from which of the messages
    in the other lists it was learned.
    """
    near = [(memory.cosine, memory.pk) for memory in memories if memory.is_near]
    named = [(memory.share, memory.pk) for memory in memories if memory.has_words]
    gathered.lists[MEANING] = [("memory", pk) for _, pk in sorted(near, reverse=True)]
    gathered.lists[WORDS] = [("memory", pk) for _, pk in sorted(named, reverse=True)]
    for memory in memories:
        item = ("memory", memory.pk)
        gathered.traits[item] = Traits(
            day=memory.day,
            cosine=memory.cosine,
            words=memory.share,
            importance=memory.importance,
            is_preference=memory.category == Category.PREFERENCE,
            times_heard=memory.times_heard or 0,
        )
        if memory.valid_until is not None and memory.valid_until < today:
            gathered.fading[item] = DecayPenalty.EXPIRED
        elif memory.is_stale:
            gathered.fading[item] = DecayPenalty.STALE
        for message in memory.learned_from or ():
            gathered.learned.setdefault(message, []).append(memory.pk)


def _learned(scope: SearchScope, message_ids: Sequence[int]) -> list[int]:
    """Return the ids of the memories that were learned from these messages, of those that may be
    found.
    """
    sources = MemorySource.objects.filter(message__in=message_ids).exclude(action=_UNDONE)
    return list(
        scope.memories.order_by()
        .filter(pk__in=sources.values("memory"))
        .values_list("pk", flat=True)
    )
