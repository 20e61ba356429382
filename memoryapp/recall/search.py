"""The journey of a question: gather the lists, put what they hold in order, load the hits."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Case, F, QuerySet, When
from django.utils import timezone

from conversations.models import Conversation, Message
from conversations.sanitizer import sanitize
from conversations.search import TextQuery
from instances.models import Instance, RecallProfile
from memoryapp.embeddings.embedder import Vectors, embed, embedding_problem
from memoryapp.models import Drawer, Memory
from memoryapp.recall import query_analysis as asking
from memoryapp.recall.decay import apply_penalties
from memoryapp.recall.fusion import Fused, fuse
from memoryapp.recall.hydration import RowRequest, load_rows
from memoryapp.recall.query_analysis import AnalysedQuery
from memoryapp.recall.retrieval import (
    DRAWER_MEANING,
    DRAWER_WORDS,
    LISTS,
    MEANING,
    MESSAGE_WORDS,
    WORDS,
    Candidates,
    Found,
    retrieve,
    searchable_in,
)
from memoryapp.recall.scoring import (
    Scale,
    Weights,
    says_the_same,
    weigh,
)
from memoryapp.recall.search_scope import SearchScope
from memoryapp.recall.vector_search import scale_of
from memoryapp.telemetry.timings import QUESTIONS, timed_recall

__all__ = [
    "DRAWER_MEANING",
    "DRAWER_WORDS",
    "MEANING",
    "MESSAGE_WORDS",
    "WORDS",
    "Hit",
    "RecallResult",
]

#: Seconds that a question waits for its vector before the words answer alone.
QUERY_TIMEOUT_SECONDS = 2.5
#: Seconds for which a provider that has just failed is not asked again.
RETRY_AFTER_SECONDS = 15
#: How far each list is read at least where what it holds is weighed; measured: to read 20 costs one
#: percent of recall, and to read more than 40 brings nothing.
DEPTH = 40


@dataclass(frozen=True)
class Hit:
    """One result: a memory, a turn that no found memory stands for, or a note of the palace."""

    memory: Memory | None
    message: Message | None
    score: float
    #: List name to rank, from 1.
    ranks: dict[str, int]
    #: What the score is made of: lists or signals by name, and what it loses for being expired or
    #: stale.
    parts: dict[str, float]
    #: Cosine similarity to the question, where both have a vector.
    similarity: float | None = None
    #: Where a turn is filed, if it is; or the note.
    drawer: Drawer | None = None

    @property
    def said(self) -> Message:
        """The message, of a hit that is neither memory nor note."""
        assert self.message is not None  # noqa: S101 - a hit is one of the three
        return self.message

    @property
    def filed(self) -> Drawer:
        """The drawer, of a hit that is a note."""
        assert self.drawer is not None  # noqa: S101 - a hit is one of the three
        return self.drawer

    @property
    def why(self) -> str:
        """In which lists it was found, for example "meaning #1 · words #4"."""
        return " · ".join(f"{LISTS[name]} #{rank}" for name, rank in self.ranks.items())

    @property
    def content(self) -> str:
        found = self.memory or self.message or self.drawer
        return found.content if found else ""


@dataclass(frozen=True)
class RecallResult:
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
    drawers: QuerySet[Drawer] | None = None,
    with_messages: bool = True,
    current_conversation: Conversation | None = None,
    since: date | None = None,
    until: date | None = None,
    profile: str | None = None,
    weights: Weights | None = None,
    columns: Sequence[str] = (),
) -> RecallResult:
    """Find what *instance* remembers that answers *question*, best first.

    ``memories`` narrows the memories (a filter of the screen), ``drawers`` the turns and notes to
    those in a place of the palace; ``end_user`` narrows everything to one person, ``since`` and
    ``until`` to what was made or said on these days and between them.
    Without ``with_messages``, turns lend their support to the memories that came from them and are
    not results themselves. ``profile`` is how results are put in order, if not as the instance has
    it. ``columns`` names what is wanted of the memories, for who has no use for whole ones. Never
    raises for a provider that does not answer.
    """
    question = " ".join(sanitize(question).split())
    if not question:
        return RecallResult()
    profile = profile or instance.recall_profile
    today = instance.date_of(timezone.now())
    weighs = profile != RecallProfile.RRF
    words = TextQuery.parse(question, instance_id=instance.pk, language=instance.language)
    held = searchable_in(instance, words)
    asked = AnalysedQuery(question, question)
    if weighs:
        asked = asking.analyse(
            question,
            participants=held.participants,
            english=instance.language == "english",
            today=today,
        )
    # Memories are compared with the question as it was asked, and turns as the one whom it names
    # would ask it: what nothing is compared with takes no time.
    forms = [question] if held.memories or not held.drawers else []
    forms += [asked.in_first_person] if held.drawers else []
    vector = embedded_question(instance, *dict.fromkeys(forms))
    scope = SearchScope(
        instance,
        narrowed_memories=memories,
        narrowed_drawers=drawers,
        end_user=end_user,
        since=since,
        until=until,
        left_out=current_conversation,
    )
    gathered = retrieve(
        scope,
        vector,
        held,
        depth=max(2 * limit, DEPTH if weighs else 20),
        filed_twice=not weighs,
        with_messages=with_messages,
    )
    ranked = (
        _weighed(
            asked,
            gathered,
            scale_of(instance, vector.space),
            weights or Weights.of(instance.recall_weights),
            today,
            with_messages=with_messages,
        )
        if weighs
        else _fused(gathered, with_messages=with_messages)
    )
    hits = _load(ranked[:limit], gathered, columns)
    return RecallResult(hits, vector.problem, complete=len(ranked) <= limit)


def _fused(gathered: Candidates, *, with_messages: bool) -> list[Fused[Found]]:
    """The plain profile: by ranks alone."""
    found = {pk for kind, pk in gathered.lists[MEANING] + gathered.lists[WORDS]}
    stand_ins = {
        ("message", message): [("memory", pk) for pk in memories if pk in found]
        or ([] if with_messages else [("memory", pk) for pk in memories])
        for message, memories in gathered.learned.items()
    }
    fused = fuse(_lists(gathered, stand_ins))
    return fused if with_messages else _memories(fused)


def _weighed(
    asked: AnalysedQuery,
    gathered: Candidates,
    scale: Scale,
    weights: Weights,
    today: date,
    *,
    with_messages: bool,
) -> list[Fused[Found]]:
    """The measured profile: by what each memory and each turn is worth."""
    traits = gathered.traits
    stand_ins: dict[Found, list[Found]] = {}
    for message, memories in gathered.learned.items():
        turn = ("message", message)
        of_turn = [("memory", pk) for pk in memories if ("memory", pk) in traits]
        for memory in of_turn:
            traits[memory].learned_from(traits[turn])
        stand_ins[turn] = [
            memory
            for memory in of_turn
            if not with_messages or says_the_same(traits[memory], traits[turn], scale)
        ]
    ranks: dict[Found, dict[str, int]] = {}
    for name, items in _lists(gathered, stand_ins).items():
        for rank, item in enumerate(dict.fromkeys(items)):
            ranks.setdefault(item, {})[name] = rank
    found = {item: traits[item] for item in ranks if with_messages or item[0] == "memory"}
    ranked = weigh(
        asked,
        found,
        ranks,
        scale=scale,
        today=today,
        turns_compete=with_messages,
        weights=weights,
    )
    return apply_penalties(ranked, gathered.fading, weights.losses)


def _lists(
    gathered: Candidates, stand_ins: Mapping[Found, Sequence[Found]]
) -> dict[str, list[Found]]:
    """The lists, with the memories in the place of the turns for which they stand in."""
    return {
        name: [stand_in for item in items for stand_in in stand_ins.get(item) or [item]]
        for name, items in gathered.lists.items()
    }


def _memories(fused: Iterable[Fused[Found]]) -> list[Fused[Found]]:
    return [entry for entry in fused if entry.item[0] == "memory"]


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


@QUESTIONS.time()
def embedded_question(instance: Instance, *forms: str) -> Vectors:
    """The question in each of its *forms* as vectors; or why there are none."""
    # One search that waits in vain is enough: the next ones answer by words at once.
    problem = embedding_problem(instance, within=RETRY_AFTER_SECONDS)
    if problem:
        return Vectors("", None, problem)
    return embed(instance, forms, timeout=QUERY_TIMEOUT_SECONDS)


def _load(
    ranked: Sequence[Fused[Found]], gathered: Candidates, columns: Sequence[str]
) -> list[Hit]:
    def ids(wanted: str) -> list[int]:
        return [pk for kind, pk in (entry.item for entry in ranked) if kind == wanted]

    in_drawer = {item: gathered.drawers.get(item, 0) for item in (entry.item for entry in ranked)}
    memories, messages, drawers = load_rows(
        RowRequest(Memory, ids("memory"), columns),
        RowRequest(Message, ids("message")),
        RowRequest(Drawer, [pk for pk in in_drawer.values() if pk]),
    )
    hits = []
    for entry in ranked:
        kind, pk = entry.item
        memory = memories.get(pk) if kind == "memory" else None
        message = messages.get(pk) if kind == "message" else None
        drawer = drawers.get(in_drawer[entry.item])
        if memory is None and message is None and (kind == "message" or drawer is None):
            continue  # Deleted since it was found.
        hits.append(
            Hit(
                memory=memory,
                message=message,
                score=entry.score,
                ranks={name: rank + 1 for name, rank in entry.ranks.items()},
                parts=entry.parts,
                similarity=gathered.traits[entry.item].cosine,
                drawer=drawer,
            )
        )
    return hits
