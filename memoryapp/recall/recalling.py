"""The journey of a question: gather the lists, fuse them, load and explain the hits."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Case, F, Q, QuerySet, When
from django.utils import timezone

from conversations.models import Conversation, Message
from conversations.search import TextQuery, best_by_words
from conversations.turns import clean
from instances.models import Instance
from memoryapp.models import Drawer, Memory, MemorySource
from memoryapp.pipeline.embedding import Vectors, embed, embedding_problem
from memoryapp.recall.fading import Fading, set_back
from memoryapp.recall.fusion import Fused, fuse
from memoryapp.recall.semantic import nearest_memories
from memoryapp.telemetry.timings import QUESTIONS, timed_recall

#: Seconds that a question waits for its vector before the words answer alone.
QUERY_TIMEOUT = 2.5
#: Seconds for which a provider that has just failed is not asked again.
REST_AFTER_FAILURE = 15

#: The lists, by the names that people see.
MEANING, WORDS, SAID = "meaning", "words", "said"

#: What a list holds: its kind, ``memory`` or ``message``, and its id.
Found = tuple[str, int]


@dataclass(frozen=True)
class Hit:
    """One result: a memory, or a message that no found memory came from."""

    memory: Memory | None
    message: Message | None
    score: float
    #: List name to rank, from 1.
    ranks: dict[str, int]
    #: List name to its share of the score; and what it loses for being expired or stale.
    parts: dict[str, float]
    #: Cosine similarity to the question, when the meaning list holds it.
    similarity: float | None = None

    @property
    def said(self) -> Message:
        """The message, of a hit that is no memory."""
        assert self.message is not None  # noqa: S101 - a hit is one or the other
        return self.message

    @property
    def drawer(self) -> Drawer | None:
        """Where the message is filed in the palace, if it is."""
        return getattr(self.message, "drawer", None)

    @property
    def content(self) -> str:
        found = self.memory or self.message
        return found.content if found else ""


@dataclass(frozen=True)
class Recalled:
    """What a question brought back."""

    hits: list[Hit] = field(default_factory=list)
    #: Why search by meaning took no part, in words; empty when it did.
    problem: str = ""
    #: Whether there is no more to find than this.
    complete: bool = True
    #: Why no model has read the first of them, in words, where one was to; else empty.
    rerank_problem: str = ""

    @property
    def degraded(self) -> str | None:
        """The API's code for an answer by words alone."""
        return "embedding_unavailable" if self.problem else None


@timed_recall
def recall(
    instance: Instance,
    question: str,
    *,
    limit: int = 5,
    end_user: str | None = None,
    memories: QuerySet[Memory] | None = None,
    with_messages: bool = True,
    current_conversation: Conversation | None = None,
    columns: Sequence[str] = (),
) -> Recalled:
    """Find what *instance* remembers that answers *question*, best first.

    ``memories`` narrows the memories (a filter of the screen); ``end_user`` narrows everything to
    one person. Without ``with_messages``, messages lend their support to the memories that came
    from them and are not results themselves. ``columns`` names what is wanted of the memories, for
    who has no use for whole ones. Never raises for a provider that does not answer.
    """
    question = " ".join(clean(question).split())
    if not question:
        return Recalled()
    words = TextQuery.parse(question, instance_id=instance.pk, language=instance.language)
    vector = embedded_question(instance, question)
    depth = max(2 * limit, 20)
    all_memories = Memory.objects.in_instance(instance)
    among = all_memories if memories is None else memories.filter(instance=instance)
    narrowed = memories is not None or end_user is not None
    messages = Message.objects.filter(instance=instance)
    if end_user is not None:
        among = among.filter(end_user=end_user)
        messages = messages.filter(conversation__end_user=end_user)
    if current_conversation is not None:
        messages = messages.exclude(conversation=current_conversation)

    by_meaning = nearest_memories(instance, vector, limit=depth, among=among if narrowed else None)
    by_words = best_by_words(among, words, limit=depth)
    said = best_by_words(messages, words, limit=depth)

    fused = fuse(
        {
            MEANING: [("memory", pk) for pk, _ in by_meaning],
            WORDS: [("memory", pk) for pk in by_words],
            SAID: _standing_for(
                said,
                {pk for pk, _ in by_meaning} | set(by_words),
                among if narrowed else None,
                with_messages=with_messages,
            ),
        }
    )
    if not with_messages:
        fused = [entry for entry in fused if entry.item[0] == "memory"]
    fused = set_back(fused, _fading(instance, fused))
    hits = _load(fused[:limit], dict(by_meaning), columns)
    return Recalled(hits, vector.problem, complete=len(fused) <= limit)


def note_recalled(hits: Sequence[Hit]) -> None:
    """Count that these memories were shown to a model."""
    shown = [hit.memory.pk for hit in hits if hit.memory]
    now = timezone.now()
    Memory.objects.filter(pk__in=shown).update(
        recall_count=F("recall_count") + 1,
        last_recalled_at=now,
        # Asked for again, it is no longer stale; what is past its day stays past it.
        stale_since=Case(When(valid_until=None, then=None), default=F("stale_since")),
    )


def _fading(instance: Instance, fused: Sequence[Fused[Found]]) -> dict[Found, Fading]:
    """Which of what was found stands back, and why."""
    today = instance.date_of(timezone.now())
    memories = Memory.objects.filter(
        pk__in=[entry.item[1] for entry in fused if entry.item[0] == "memory"]
    )
    rows = memories.filter(Q(stale_since__isnull=False) | Q(valid_until__lt=today))
    return {
        ("memory", pk): Fading.EXPIRED if until and until < today else Fading.STALE
        for pk, until in rows.values_list("pk", "valid_until")
    }


@QUESTIONS.time()
def embedded_question(instance: Instance, question: str) -> Vectors:
    """The vector of *question*, in time or not at all."""
    # One search that waits in vain is enough: the next ones answer by words at once.
    problem = embedding_problem(instance, within=REST_AFTER_FAILURE)
    if problem:
        return Vectors("", None, problem)
    return embed(instance, [question], timeout=QUERY_TIMEOUT)


def _standing_for(
    message_ids: Sequence[int],
    found: set[int],
    among: QuerySet[Memory] | None,
    *,
    with_messages: bool,
) -> list[tuple[str, int]]:
    """Let each message support the *found* memories that came from it, so that a text found both
    ways is one result. A message without such stands for itself, or, where only memories are
    asked for, for whatever was learned from it.
    """
    learned: dict[int | None, list[int]] = {}
    links = MemorySource.objects.filter(message__in=message_ids)
    links = links.exclude(action=MemorySource.Action.UNDONE)
    if among is not None:
        links = links.filter(memory__in=among)
    for message_id, memory_id in links.values_list("message_id", "memory_id"):
        learned.setdefault(message_id, []).append(memory_id)
    items = []
    for pk in message_ids:
        memories = [memory_id for memory_id in learned.get(pk, []) if memory_id in found]
        if not memories and not with_messages:
            memories = learned.get(pk, [])
        items += [("memory", memory_id) for memory_id in memories] or [("message", pk)]
    return items


def _load(
    fused: Sequence[Fused[tuple[str, int]]],
    similarities: dict[int, float],
    columns: Sequence[str],
) -> list[Hit]:
    wanted = Memory.objects.only(*columns) if columns else Memory.objects.defer("search")
    memories = wanted.in_bulk([pk for kind, pk in (f.item for f in fused) if kind == "memory"])
    messages = (
        Message.objects.select_related("conversation", "drawer")
        .defer("search", "drawer__search")
        .in_bulk([pk for kind, pk in (f.item for f in fused) if kind == "message"])
    )
    hits = []
    for entry in fused:
        kind, pk = entry.item
        memory = memories.get(pk) if kind == "memory" else None
        message = messages.get(pk) if kind == "message" else None
        if memory is None and message is None:
            continue  # Deleted since it was found.
        hits.append(
            Hit(
                memory=memory,
                message=message,
                score=entry.score,
                ranks={name: rank + 1 for name, rank in entry.ranks.items()},
                parts=entry.parts,
                similarity=similarities.get(pk) if kind == "memory" else None,
            )
        )
    return hits
