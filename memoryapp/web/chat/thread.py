"""A conversation as the chat shows it: messages with their replies, and notes on one of them."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import Prefetch, QuerySet
from django.utils.safestring import SafeString

from conversations.message_status import ExtractionProgress, MessageStatus
from conversations.models import Conversation, Message, Role
from instances.ids import parse_pk
from memoryapp.context.builder import addresses, fact_address
from memoryapp.graph import RelationFact, relations_of
from memoryapp.models import Answer, Drawer, Memory, MemorySource, Statement, ToolRun, may_spend
from memoryapp.recall.results import LISTS
from memoryapp.web.chat.markdown import render
from memoryapp.web.status import CAP_IN_SHORT

#: Messages that the page shows; the transcript has all of them.
MAX_MESSAGES = 60

#: What the tools do, for people.
PURPOSES = {
    "search_memory": "looked for more in memory",
    "save_memory": "to keep something at once",
    "list_memories": "looked through what is remembered",
    "forget_memory": "to delete something",
    "unknown": "a tool that there is not",
}


@dataclass
class Exchange:
    """A message of a person, with what was answered and the latest attempt to do so."""

    #: Of its message, or of its reply if that stands alone.
    position: int
    message: Message | None = None
    reply: Message | None = None
    answer: Answer | None = None
    html: SafeString = field(default_factory=SafeString)
    is_last: bool = False

    @property
    def running(self) -> bool:
        return self.answer is not None and self.answer.is_running

    @property
    def note(self) -> str:
        """What is to be said of the reply beside its text."""
        if self.answer is None or self.running:
            return ""
        if self.answer.state == Answer.State.STOPPED:
            return "Stopped." if self.reply else "Stopped before a word was said."
        if self.answer.cut_off:
            return "Cut off: the model had reached its limit. Ask it to go on."
        return ""

    @property
    def error(self) -> str:
        """Why there is no reply, or not all of it."""
        if self.answer is None or self.answer.state != Answer.State.FAILED:
            return ""
        if self.reply is None or self.answer.reply_id == self.reply.pk:
            return self.answer.error
        return f"Tried again in vain, the earlier reply stays: {self.answer.error}"


@dataclass(frozen=True)
class Thread:
    """The end of a conversation."""

    conversation: Conversation
    exchanges: list[Exchange]
    #: Messages before those that are shown; `thread_of` counts them.
    earlier: int = 0

    @property
    def running(self) -> Answer | None:
        """The answer that is being given."""
        return next((each.answer for each in self.exchanges if each.running), None)

    def at(self, position: str | None) -> Exchange | None:
        """The exchange at *position*, as an address says it; the last one by default."""
        wanted = parse_pk(position)
        last = self.exchanges[-1] if self.exchanges else None
        return next((each for each in self.exchanges if each.position == wanted), last)


def thread_of(conversation: Conversation) -> Thread:
    """Load the end of *conversation*, in a fixed number of queries."""
    thread = _end_of(conversation, MAX_MESSAGES)
    if not thread.exchanges:
        return thread
    earlier = _said_in(conversation).filter(position__lt=thread.exchanges[0].position).count()
    return replace(thread, earlier=earlier)


def last_exchange(conversation: Conversation) -> Thread:
    """Load what was said last in *conversation*, and what was answered."""
    thread = _end_of(conversation, 2)
    return replace(thread, exchanges=thread.exchanges[-1:])


def _said_in(conversation: Conversation) -> QuerySet[Message]:
    return conversation.messages.filter(role__in=[Role.USER, Role.ASSISTANT])


def _end_of(conversation: Conversation, most: int) -> Thread:
    for _ in range(2):
        newest = _said_in(conversation).defer("search").order_by("-position")[:most]
        messages = list(newest)[::-1]
        # The row of an answer whose server died must not be shown as if somebody were at it.
        Answer.objects.filter(conversation=conversation).give_up()
        answers = {
            answer.message_id: answer
            for answer in Answer.objects.filter(message__in=[m.pk for m in messages])
            .prefetch_related("recalls", Prefetch("tool_runs", ToolRun.objects.order_by("pk")))
            .order_by("pk")
        }
        # A reply that came between the two looks would be missing on the page until it is reloaded.
        if {answer.reply_id for answer in answers.values()} <= {None, *(m.pk for m in messages)}:
            break
    sources = _still_there(conversation, answers.values())
    exchanges: list[Exchange] = []
    for message in messages:
        if message.role == Role.USER:
            answer = answers.get(message.pk)
            exchanges.append(Exchange(message.position, message, answer=answer))
            continue
        if not exchanges or exchanges[-1].reply:
            exchanges.append(Exchange(message.position))
        exchanges[-1].reply = message
        exchanges[-1].html = render(message.content, sources)
    if exchanges:
        exchanges[-1].is_last = True
    return Thread(conversation, exchanges)


@dataclass(frozen=True)
class RecalledEntry:
    """What the model was shown, with why: a memory, a turn, a relation; or none of them any more,
    since it has been deleted.
    """

    memory: Memory | None
    message: Message | None
    fact: RelationFact | None
    note: Drawer | None
    #: List name and rank in it.
    ranks: list[tuple[str, int]]
    similarity: float | None


@dataclass(frozen=True)
class ToolNote:
    """A tool that ran, with the memories that it was about."""

    run: ToolRun
    purpose: str
    memories: list[Memory]
    #: How many of them have been deleted since.
    gone: int


@dataclass(frozen=True)
class Notes:
    """What there is to know about one exchange."""

    exchange: Exchange
    recalled: list[RecalledEntry]
    #: Whether the memory was asked at all, and why it did not answer in full.
    asked: bool
    problem: str
    milliseconds: int
    tools: list[ToolNote]
    fate: MessageStatus | None
    #: Whether more may be learned from it without anybody doing anything.
    learning: bool


def notes_on(conversation: Conversation, exchange: Exchange) -> Notes:
    """Look up what happened around *exchange*."""
    answer = exchange.answer
    recall = next(iter(answer.recalls.all()), None) if answer else None
    runs = list(answer.tool_runs.all()) if answer else []
    hits = recall.hits if recall else []
    wanted = {hit["memory"] for hit in hits if "memory" in hit}
    wanted.update(pk for run in runs for pk in run.memory_ids)
    memories = conversation.instance.memories.defer("search").in_bulk(list(wanted))
    turns = _turns(conversation, {hit["message"] for hit in hits if "message" in hit})
    notes = _notes(conversation, [hit["note"] for hit in hits if "note" in hit])
    facts = _facts(conversation, {hit["entity"] for hit in hits if "entity" in hit})
    fate, learning = _learned(conversation, exchange)
    return Notes(
        exchange=exchange,
        recalled=[
            RecalledEntry(
                memories.get(hit.get("memory")),
                turns.get(hit.get("message")),
                facts.get(hit.get("relation")),
                notes.get(hit.get("note")),
                _in_order(hit["ranks"]),
                hit["similarity"],
            )
            for hit in hits
        ],
        asked=recall is not None,
        problem=recall.problem if recall else "",
        milliseconds=recall.milliseconds if recall else 0,
        tools=[_tool_note(run, memories) for run in runs],
        fate=fate,
        learning=learning,
    )


def _in_order(ranks: dict[str, int]) -> list[tuple[str, int]]:
    """The lists in the order in which people read them; PostgreSQL keeps none."""
    return [(label, ranks[name]) for name, label in LISTS.items() if name in ranks]


def _tool_note(run: ToolRun, memories: dict[int, Memory]) -> ToolNote:
    there = [memories[pk] for pk in run.memory_ids if pk in memories]
    gone = len(run.memory_ids) - len(there)
    return ToolNote(run, PURPOSES.get(run.name, ""), there, gone)


def _learned(conversation: Conversation, exchange: Exchange) -> tuple[MessageStatus | None, bool]:
    """What became of the message, and whether that may still change by itself."""
    message = exchange.message
    if message is None:
        return None, False
    # Before the memories: what is over by now has left all of them.
    reading = ExtractionProgress.of(conversation)
    sources: Sequence[MemorySource] = list(
        message.memory_sources.select_related("memory").defer("memory__search")
    )
    fate = reading.status_of(message, sources)
    unread = message.position > reading.watermark
    if unread and reading.state == "queued" and not may_spend(conversation.instance):
        return replace(fate, words=f"Waiting to be read: {CAP_IN_SHORT}."), False
    return fate, unread and reading.state in ("queued", "running")


def _still_there(conversation: Conversation, answers: Iterable[Answer]) -> dict[str, str]:
    """What *answers* were shown and has not been deleted since: the ids by which their texts cite
    it, with its addresses.
    """
    memories: set[int] = set()
    messages: dict[int, str] = {}
    notes: dict[int, str] = {}
    relations: dict[int, tuple[str, int]] = {}
    for answer in answers:
        for recall in answer.recalls.all():
            memories.update(hit["memory"] for hit in recall.hits if "memory" in hit)
            messages |= {hit["message"]: hit["ref"] for hit in recall.hits if "message" in hit}
            notes |= {hit["note"]: hit["ref"] for hit in recall.hits if "note" in hit}
            relations |= {
                hit["relation"]: (hit["ref"], hit["entity"])
                for hit in recall.hits
                if "relation" in hit
            }
        for run in answer.tool_runs.all():
            memories.update(run.memory_ids)
    there: list[int] = []
    if memories:
        found = conversation.instance.memories.filter(pk__in=memories)
        there = list(found.values_list("pk", flat=True))
    sources = addresses(there)
    turns = _turns(conversation, messages)
    sources |= {
        messages[pk]: (getattr(turn, "drawer", None) or turn).get_absolute_url()
        for pk, turn in turns.items()
    }
    kept = _notes(conversation, notes)
    sources |= {notes[pk]: note.get_absolute_url() for pk, note in kept.items()}
    if relations:
        said = Statement.objects.filter(instance=conversation.instance_id, pk__in=relations)
        for pk in said.values_list("pk", flat=True):
            ref, entity = relations[pk]
            sources[ref] = fact_address(entity)
    return sources


def _notes(conversation: Conversation, ids: Collection[int]) -> dict[int, Drawer]:
    """Those of *ids* that are notes in the palace of the same instance."""
    return conversation.instance.drawers.defer("search").in_bulk(list(ids)) if ids else {}


def _facts(conversation: Conversation, entities: Collection[int]) -> dict[int, RelationFact]:
    """What is known of *entities* now, by the numbers of the relations."""
    known = relations_of(conversation.instance, None, list(entities), limit=200) if entities else []
    return {fact.id: fact for fact in known}


def _turns(conversation: Conversation, ids: Collection[int]) -> dict[int, Message]:
    """Those of *ids* that are messages of the same instance, with where they stand."""
    if not ids:
        return {}
    messages = Message.objects.filter(instance=conversation.instance_id)
    placed = messages.select_related("conversation", "drawer").defer("search", "drawer__search")
    return placed.in_bulk(list(ids))
