"""Retrieves candidates: the lists of a question, and the traits of each row in them.

A search spends most of its time on round trips, so it sends few statements: one for the kinds of
rows to search, and one each for memories, drawers, and messages that are not filed.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.utils import timezone

from conversations.models import Message, Nature, Role
from conversations.search import Sql, TextQuery, TsQuery, word_search_sql
from instances.models import Instance
from instances.tiers import Tier
from memoryapp.embeddings.embedder import Vectors
from memoryapp.models import (
    Category,
    Drawer,
    DrawerEmbedding,
    Memory,
    MemoryEmbedding,
    MemorySource,
)
from memoryapp.models.end_dates import has_passed
from memoryapp.models.memory_choices import ImportanceBy
from memoryapp.models.prepared_statements import prepared
from memoryapp.models.vectors import EmbeddingManager, known_sql, query_sql
from memoryapp.recall.health_memories import health_memories
from memoryapp.recall.results import (
    DRAWER_MEANING,
    DRAWER_WORDS,
    LISTS,
    MEANING,
    MESSAGE_WORDS,
    WORDS,
    HitRef,
)
from memoryapp.recall.scoring import ENTERED, NOT_THEIR_OWN, Traits
from memoryapp.recall.search_scope import SearchScope
from memoryapp.recall.sql import LISTED, MEMORIES, MESSAGES, OF_DRAWERS, OF_MESSAGES, SEARCHABLE
from memoryapp.recall.vector_search import nearest

#: The forms of the question with which memories and messages are compared; see `RecallQuery`.
FIRST_FORM, LAST_FORM = 0, -1
#: More is read, this many times as much each time, until so large a part of a list states something
#: (no list is longer than that): a question may have been asked hundreds of times.
MORE, ENOUGH_SHARE, MAX_DEPTH = 8, 2, 4_000
#: Limits how many more drawers are read to make up for those of the current conversation.
MAX_EXCLUDED_MESSAGES = 500
#: Names that a question is compared with.
MAX_PARTICIPANTS = 100
#: Rows up to which the size of the memory is counted.
MAX_COUNTED = 1_000
#: Messages that are not filed are searched without an index up to this number.
EXACT_SEARCH_MAX_ROWS = 500
_UNDONE = MemorySource.Action.UNDONE.value
#: Links that do not state a memory: a change that was undone, another value, a correction.
_NOT_STATED = [
    _UNDONE,
    MemorySource.Action.HEARD.value,
    MemorySource.Action.EDITED.value,
]


class Searchable(NamedTuple):
    """The kinds of rows that an instance has, and the words to search for. Many instances have no
    memories or no palace, and in most nearly all messages are filed.
    """

    #: The number of memories, at most `MAX_COUNTED`.
    memories: int
    #: The number of messages and notes that are filed, at most as many.
    drawers: int
    #: Ids of messages that are not filed, at most one more than `EXACT_SEARCH_MAX_ROWS`.
    unfiled: list[int]
    #: The names with which people sign their messages.
    participants: list[str]
    words: TsQuery


@dataclass
class Candidates:
    """The rows in the lists."""

    #: List name to the rows, best first.
    lists: dict[str, list[HitRef]] = field(default_factory=lambda: {name: [] for name in LISTS})
    traits: dict[HitRef, Traits] = field(default_factory=dict)
    #: The id of the drawer in which a message or a note is filed.
    drawers: dict[HitRef, int] = field(default_factory=dict)
    #: Message id to the ids of the memories learned from it.
    learned: dict[int, list[int]] = field(default_factory=dict)


_NO_WORDS = Sql("SELECT '', '{}'::text[], '{}'::int[], NULL::jsonb")


def searchable_in(instance: Instance, query: TextQuery | None = None) -> Searchable:
    """Look up what *instance* has to search, and the words of *query*."""
    words_sql = query.tsquery_columns if query else _NO_WORDS
    # Each combination of phrases and exclusions is another statement, not worth preparing.
    is_usual = query is None or query.is_plain
    with prepared() if is_usual else connection.cursor() as cursor:
        cursor.execute(
            SEARCHABLE.format(words=words_sql.text),
            [
                *[instance.pk] * 2,
                *[instance.pk, MAX_COUNTED] * 2,
                *(instance.pk, EXACT_SEARCH_MAX_ROWS + 1, MAX_PARTICIPANTS),
                *words_sql.params,
            ],
        )
        memories, drawers, unfiled, participants, *words = cursor.fetchone()
    parsed = query.tsquery(*words) if query else TsQuery()
    return Searchable(memories, drawers, unfiled, participants, parsed)


def retrieve(
    scope: SearchScope,
    vectors: Vectors,
    searchable: Searchable,
    *,
    depth: int,
    filed_twice: bool,
    every_nature: bool = False,
    with_health: bool = False,
) -> Candidates:
    """Read the best *depth* rows of each list, except for rows that the instance does not have. Of
    messages, there are as many that state something, unless those of ``every_nature`` are wanted.

    With ``filed_twice``, the list of messages also contains filed ones, which the list of drawers
    contains as well. If messages are no results, the memories learned from the best of them are
    candidates, twice as many as a list has. ``with_health``, so are those that tell what may harm
    somebody, however far from the question they are.
    """
    search = _Search(scope, vectors, searchable, depth, every_nature)
    candidates = Candidates()
    _add_messages(
        candidates, search.filed(), search.unfiled(filed_twice=filed_twice), depth, every_nature
    )
    if searchable.memories:
        messages = _best_messages(candidates)
        health = health_memories(scope) if with_health else []
        memories = search.memories(
            messages, learned_too=not scope.options.with_messages, also=health
        )
        _add_memories(candidates, memories, scope.instance.date_of(timezone.now()), health)
    return candidates


class _MessageRow(NamedTuple):
    """A message or a note as the statements return it."""

    message: int | None
    drawer: int | None
    day: date
    author: str | None
    role: str | None
    conversation: int | None
    position: int | None
    #: Of a message.
    nature: str | None
    is_near: bool
    #: None where there is no vector yet.
    cosine: float | None
    has_words: bool
    #: The shares of the question's words that it holds, each by its rarity: to rank by, and of all
    #: words; see `word_search_sql`.
    share: float
    covered: float

    @property
    def ref(self) -> HitRef:
        if self.message is None:
            return HitRef("drawer", self.drawer or 0)
        return HitRef("message", self.message)

    @property
    def states(self) -> bool:
        """True if it states something; a note always does."""
        return self.nature in (None, Nature.STATEMENT)


class _MemoryRow(NamedTuple):
    """A memory as the statement returns it."""

    pk: int
    is_near: bool
    #: None where there is no vector yet.
    cosine: float | None
    has_words: bool
    share: float
    covered: float
    day: date
    importance: int
    category: str
    #: Of a preference: how often it was stated.
    times_heard: int | None
    valid_until: date | None
    expires_at: datetime | None
    is_stale: bool
    tier: int
    importance_by: str
    #: The candidate messages that it was learned from.
    learned_from: list[int] | None


@dataclass(frozen=True)
class _Search:
    """Reads the lists of one question."""

    scope: SearchScope
    vectors: Vectors
    searchable: Searchable
    depth: int
    every_nature: bool

    def filed(self) -> list[_MessageRow]:
        """The list over drawers."""
        if not self.searchable.drawers:
            return []
        current = self.scope.options.current_conversation
        among = self.scope.among_drawers
        further = current.messages.count() if current else 0
        further = min(further, MAX_EXCLUDED_MESSAGES)

        def read(depth: int) -> list[_MessageRow]:
            lists = self._lists(
                LAST_FORM, Drawer, DrawerEmbedding.objects, limit=depth + further, among=among
            )
            return self._enough(
                self._messages(listed, OF_DRAWERS, narrowed=among is not None) for listed in lists
            )

        return self._stating(read)

    def unfiled(self, *, filed_twice: bool) -> list[_MessageRow]:
        """The list over all messages, or over those without a drawer."""
        unfiled, every = self.searchable.unfiled, filed_twice or not self.searchable.drawers
        if not self.searchable.words.stems or not (every or unfiled):
            return []
        messages = self.scope.messages
        few = not every and len(unfiled) <= EXACT_SEARCH_MAX_ROWS
        if few:
            messages = messages.filter(pk__in=unfiled)
        elif not every:
            messages = messages.filter(unfiled__isnull=False)

        def read(depth: int) -> list[_MessageRow]:
            lists = self._lists(LAST_FORM, Message, limit=depth, among=messages, few=few)
            return self._enough(
                self._messages(listed, OF_MESSAGES, narrowed=True) for listed in lists
            )

        return self._stating(read)

    def memories(
        self, messages: Sequence[int], *, learned_too: bool, also: Sequence[int]
    ) -> list[_MemoryRow]:
        """The list over memories and those *also* wanted, each with the *messages* that it was
        learned from; with ``learned_too``, also those that were learned from the first of them.
        Where others than the user take most of its places, the list over the user's own follows: a
        file of thousands of rows does not keep out what the user says.
        """
        if learned_too:
            also = [*also, *_learned(self.scope, messages, limit=2 * self.depth)]
        rows = self._memories(self.scope.among_memories, messages, also)
        if (
            len(rows) >= self.depth
            and sum(row.tier >= Tier.USER for row in rows) < self.depth // ENOUGH_SHARE
        ):
            own = self.scope.memories.filter(tier__gte=Tier.USER)
            known = {row.pk for row in rows}
            further = self._memories(own, messages)
            rows += [row for row in further if row.pk not in known]
        return rows

    def _memories(
        self, among: QuerySet[Memory] | None, messages: Sequence[int], also: Sequence[int] = ()
    ) -> list[_MemoryRow]:
        lists = self._lists(
            FIRST_FORM,
            Memory,
            MemoryEmbedding.objects,
            limit=self.depth,
            among=among,
            also=also,
        )
        instance = self.scope.instance

        def read(listed: Sql) -> list[_MemoryRow]:
            params = [
                *(*listed.params, messages, instance.pk, _UNDONE),
                *(instance.pk, instance.time_zone, Category.PREFERENCE.value),
                *(instance.pk, _NOT_STATED, instance.pk),
            ]
            rows = _rows(MEMORIES.format(listed=listed.text), params, narrowed=among is not None)
            return [_MemoryRow(*row) for row in rows]

        return self._enough(map(read, lists))

    def _stating(self, read: Callable[[int], list[_MessageRow]]) -> list[_MessageRow]:
        """The rows that *read* finds of a depth at which enough of them state something."""
        if self.every_nature:
            return read(self.depth)
        depth = 2 * self.depth
        rows = read(depth)
        while (
            len(rows) >= depth
            and sum(row.states for row in rows) < self.depth // ENOUGH_SHARE
            and depth < MAX_DEPTH
        ):
            depth *= MORE
            rows = read(depth)
        return rows

    def _enough(self, attempts: "Iterable[list[_Found]]") -> "list[_Found]":
        """The rows of the first of *attempts* that finds enough by words, or of the last one."""
        rows: list[_Found] = []
        for rows in attempts:
            if sum(row.has_words for row in rows) >= self.depth:
                break
        return rows

    def _messages(self, listed: Sql, joins: str, *, narrowed: bool) -> list[_MessageRow]:
        current = self.scope.options.current_conversation
        instance = self.scope.instance
        params = [
            *(*listed.params, instance.time_zone, instance.pk),
            *(instance.pk, current and current.pk),
        ]
        rows = _rows(MESSAGES.format(listed=listed.text, joins=joins), params, narrowed=narrowed)
        return [_MessageRow(*row) for row in rows]

    def _lists(
        self,
        form: int,
        model: type[Model],
        embeddings: EmbeddingManager[Any] | None = None,
        *,
        limit: int,
        among: QuerySet[Any] | None,
        few: bool = False,
        also: Sequence[int] = (),
    ) -> Iterator[Sql]:
        """Fill in `LISTED`: the best *limit* rows of *model*, in the instance or *among* these,
        maybe *few*, by this *form* of the question and by its words; and the rows *also*. In a
        large instance, first with a selection of rows that have words, then, if the filter has left
        too few of them, with all of them.
        """
        instance, words = self.scope.instance, self.searchable.words
        if model is not Memory:
            # There may be millions of them.
            words = words._replace(literal="")
        query = self.vectors.query(instance, form)
        question = query_sql(instance, query)
        selection = None if few else words.selection(model, limit)
        near = known_sql([])
        if embeddings is not None and query is not None:
            near = nearest(
                embeddings, query, limit=limit, among=among, at_once=selection is not None
            )
        within = instance.pk if among is None else among
        for selected in dict.fromkeys([selection, None]):
            found = word_search_sql(
                model,
                words,
                limit=limit,
                within=within,
                few=few,
                selection=selected,
                also="near",
            )
            yield Sql(
                LISTED.format(question=question.text, near=near.text, words=found.text),
                (*question.params, *near.params, *found.params, list(also)),
            )


_Found = TypeVar("_Found", _MessageRow, _MemoryRow)


def _rows(sql: str, params: Sequence[Any], *, narrowed: bool) -> list[tuple[Any, ...]]:
    # With filters, nearly every statement is different, and not worth preparing.
    with connection.cursor() if narrowed else prepared() as cursor:
        cursor.execute(sql, params)
        return list(cursor.fetchall())


def _add_messages(
    candidates: Candidates,
    filed: Sequence[_MessageRow],
    unfiled: Sequence[_MessageRow],
    depth: int,
    every_nature: bool,
) -> None:
    """Add the lists over drawers and over messages, and the traits of their rows."""
    near = sorted((row for row in filed if row.is_near), key=lambda row: -(row.cosine or 0))
    lists = {
        MESSAGE_WORDS: _by_words(unfiled),
        DRAWER_MEANING: near,
        DRAWER_WORDS: _by_words(filed),
    }
    candidates.lists |= {
        name: [row.ref for row in _first(rows, depth, every_nature)] for name, rows in lists.items()
    }
    listed = {ref for refs in candidates.lists.values() for ref in refs}
    rows = [*filed, *unfiled]
    # The messages before and after it count only if they were found as well: others are hardly
    # about the question, and looking them up takes longer than all the rest.
    found = {(row.conversation, row.position): row for row in rows if row.conversation is not None}
    for row in rows:
        ref = row.ref
        if ref not in listed:
            continue
        if (present := candidates.traits.get(ref)) is not None:
            present.words = max(present.words, row.covered)
            continue
        if row.drawer is not None:
            candidates.drawers[ref] = row.drawer
        session = following = asked = None
        if row.conversation is not None and row.position is not None:
            session = (row.conversation, row.day.toordinal())
            before = found.get((row.conversation, row.position - 1))
            after = found.get((row.conversation, row.position + 1))
            if after and after.day == row.day:
                following = after.cosine
            if before and before.nature == Nature.QUESTION and row.states:
                asked = Traits(cosine=before.cosine, words=before.covered)
        candidates.traits[ref] = Traits(
            day=row.day,
            states=row.states,
            cosine=row.cosine,
            words=row.covered,
            author=row.author or "",
            role=row.role or "",
            source=NOT_THEIR_OWN if row.role in (Role.ASSISTANT, Role.TOOL) else 0.0,
            asked=asked,
            session=session,
            following=following,
        )


def _by_words(rows: Iterable[_MessageRow]) -> list[_MessageRow]:
    """The rows that were found by words, best first."""
    return sorted(
        (row for row in rows if row.has_words),
        key=lambda row: (-row.share, -(row.drawer or row.message or 0)),
    )


def _first(rows: Iterable[_MessageRow], depth: int, every_nature: bool) -> Iterator[_MessageRow]:
    """The first of *rows*, up to *depth* that may be results. Those between them that state nothing
    are kept: a memory may have been learned from them.
    """
    for row in rows:
        if depth == 0:
            return
        depth -= row.states or every_nature
        yield row


def _add_memories(
    candidates: Candidates, memories: Sequence[_MemoryRow], today: date, health: Collection[int]
) -> None:
    """Add the lists over memories, their traits, and the messages that they were learned from. The
    memories of *health* are listed by their meaning, however low it is.
    """
    near = [
        (memory.cosine or 0, memory.pk)
        for memory in memories
        if memory.is_near or memory.pk in health
    ]
    worded = [(memory.share, memory.pk) for memory in memories if memory.has_words]
    candidates.lists[MEANING] = [HitRef("memory", pk) for _, pk in sorted(near, reverse=True)]
    candidates.lists[WORDS] = [HitRef("memory", pk) for _, pk in sorted(worded, reverse=True)]
    for memory in memories:
        ref = HitRef("memory", memory.pk)
        candidates.traits[ref] = Traits(
            day=memory.day,
            cosine=memory.cosine,
            words=memory.covered,
            importance=memory.importance,
            importance_counts=memory.importance_by != ImportanceBy.SOURCE,
            # Of others, the message that they were learned from tells whose words they are.
            role=Role.USER if memory.tier >= Tier.USER else "",
            source=_worth_of(memory.tier),
            is_preference=memory.category == Category.PREFERENCE,
            times_heard=memory.times_heard or 0,
            is_expired=has_passed(memory.valid_until, memory.expires_at, today),
            is_stale=memory.is_stale,
            is_health=memory.pk in health,
        )
        for message in memory.learned_from or ():
            candidates.learned.setdefault(message, []).append(memory.pk)
    for message, learned in candidates.learned.items():
        for pk in learned:
            turn = candidates.traits[HitRef("message", message)]
            candidates.traits[HitRef("memory", pk)].learned_from(turn)


def _worth_of(tier: int) -> float:
    """Worth of a memory's source of this *tier*."""
    if tier >= Tier.PERSON:
        return ENTERED
    return 0.0 if tier >= Tier.USER else NOT_THEIR_OWN


def _best_messages(candidates: Candidates) -> list[int]:
    """The ids of the messages in the lists, best first: by their best rank in any of them."""
    best: dict[int, int] = {}
    for refs in candidates.lists.values():
        for rank, (kind, pk) in enumerate(refs):
            if kind == "message":
                best[pk] = min(rank, best.get(pk, rank))
    return sorted(best, key=best.__getitem__)


def _learned(scope: SearchScope, message_ids: Sequence[int], *, limit: int) -> list[int]:
    """The ids of the memories in *scope* that were learned from these messages; of many, those that
    were learned from the first ones.
    """
    sources = MemorySource.objects.filter(
        message__in=message_ids, memory__in=scope.memories.order_by()
    )
    learned = sources.exclude(action=_UNDONE).values_list("message", "memory")
    order = {pk: rank for rank, pk in enumerate(message_ids)}
    by_rank = sorted((order[message], memory) for message, memory in learned if message)
    return list(dict.fromkeys(memory for _, memory in by_rank))[:limit]
