"""A conversation in the chat: messages with their replies, and notes on one of them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conversations.models import Conversation, Message, Role
from conversations.url_text import question
from instances.ids import parse_pk
from instances.models import ContextPlacement
from instances.translatable import translatable
from memoryapp.assistant.answer_threads import ANSWERING, running_answer
from memoryapp.context.builder import addresses, fact_address
from memoryapp.disclosure import Disclosed, disclosed_page, excerpt_of
from memoryapp.extraction.message_status import ExtractionProgress, MessageStatus
from memoryapp.graph.neighbourhood import RelationFact, relations_of
from memoryapp.models import Answer, Drawer, Memory, MemorySource, Statement, ToolRun, may_read
from memoryapp.models.muted_messages import with_text
from memoryapp.reader import is_statement
from memoryapp.web.chat.markdown import render
from memoryapp.web.proposals.cards import ProposalCard, proposal_cards
from memoryapp.web.reasons import against, places, reasons_for
from memoryapp.web.recall.listing import RecallRequest
from memoryapp.web.status import CAP_IN_SHORT

#: A row that the model was shown, as `RecallLog` stores it.
Hit = dict[str, Any]

#: Messages that the page shows; the transcript has all of them.
MAX_MESSAGES = 60

#: Characters of a message or note that was found.
MAX_EXCERPT_CHARACTERS = 5_000

#: What each tool did, as the notes on a reply describe it.
PURPOSES = {
    "search_memory": gettext_lazy("searched the memory again"),
    "save_memory": gettext_lazy("saved a memory"),
    "list_memories": gettext_lazy("listed memories"),
    "forget_memory": gettext_lazy("proposed to forget"),
    "unknown": gettext_lazy("an unknown tool"),
}


@dataclass
class Exchange:
    """A message of a person, with its reply and the latest attempt at one."""

    #: The position of the message, or of the reply if there is no message.
    position: int
    message: Message | None = None
    #: What is shown of the message.
    shown: Disclosed = field(default_factory=Disclosed)
    reply: Message | None = None
    answer: Answer | None = None
    html: SafeString = field(default_factory=SafeString)
    #: What the assistant proposes to forget.
    proposals: list[ProposalCard] = field(default_factory=list)
    #: What the search found, if that is the answer; and whether the message only tells something,
    #: so that there is nothing to answer.
    found: list["RecalledEntry"] = field(default_factory=list)
    is_statement: bool = False
    is_last: bool = False

    @property
    def running(self) -> bool:
        return self.answer is not None and self.answer.is_running

    @property
    def doing(self) -> str:
        """Step that is waited for, while the answer is made."""
        live = running_answer(self.answer.pk) if self.answer else None
        return (live.snapshot().doing if live else "") or str(ANSWERING)

    @property
    def is_searched(self) -> bool:
        """True if the answer is what the search found."""
        return self.answer is not None and self.answer.is_searched and self.reply is None

    @property
    def has_looked(self) -> bool:
        """True if the memory was searched."""
        return self.answer is not None and bool(self.answer.recalls.all())

    @property
    def note(self) -> str:
        """A remark on the reply, next to its text."""
        if self.answer is None or self.running:
            return ""
        if self.answer.state == Answer.State.STOPPED:
            return _("Stopped.") if self.reply else _("Stopped before the answer began.")
        if self.answer.cut_off:
            return _("Cut off: the model reached its limit. Ask it to continue.")
        return ""

    @property
    def error(self) -> str:
        """Why there is no reply, or not all of it."""
        if self.answer is None or self.answer.state != Answer.State.FAILED:
            return ""
        if self.reply is None or self.answer.reply_id == self.reply.pk:
            return self.answer.error
        return translatable(
            "The new attempt failed, and the earlier reply is kept: %(problem)s",
            problem=self.answer.error,
        )


@dataclass(frozen=True)
class Thread:
    """The end of a conversation."""

    conversation: Conversation
    exchanges: list[Exchange]
    #: Messages before those that are shown; `thread_of` counts them.
    earlier: int = 0

    @property
    def running(self) -> Answer | None:
        """The answer that is being written."""
        return next((each.answer for each in self.exchanges if each.running), None)

    def at(self, position: str | None) -> Exchange | None:
        """Return the exchange at *position*, which comes from the URL; by default the last one."""
        wanted = parse_pk(position)
        last = self.exchanges[-1] if self.exchanges else None
        return next((each for each in self.exchanges if each.position == wanted), last)


def thread_of(conversation: Conversation) -> Thread:
    """Load the end of *conversation*, in a fixed number of queries."""
    thread = _end_of(conversation, MAX_MESSAGES)
    if not thread.exchanges:
        return thread
    first = thread.exchanges[0].position
    earlier = _spoken_messages(conversation).filter(position__lt=first).count()
    return replace(thread, earlier=earlier)


def last_exchange(conversation: Conversation) -> Thread:
    """Load the last message of a person in *conversation*, with its answer."""
    thread = _end_of(conversation, 2)
    return replace(thread, exchanges=thread.exchanges[-1:])


def _spoken_messages(conversation: Conversation) -> QuerySet[Message]:
    return conversation.messages.filter(role__in=[Role.USER, Role.ASSISTANT])


def _end_of(conversation: Conversation, count: int) -> Thread:
    for _attempt in range(2):
        spoken = _spoken_messages(conversation).select_related("muted").defer("search")
        newest = spoken.order_by("-position")[:count]
        messages = [with_text(message) for message in newest][::-1]
        # An answer whose server has died must not be shown as running.
        Answer.objects.filter(conversation=conversation).give_up()
        attempts = list(
            Answer.objects.filter(message__in=[m.pk for m in messages])
            .prefetch_related("recalls", Prefetch("tool_runs", ToolRun.objects.order_by("pk")))
            .order_by("pk")
        )
        answers = {answer.message_id: answer for answer in attempts}
        # A reply that was stored between the two queries would be missing from the page.
        if {answer.reply_id for answer in answers.values()} <= {None, *(m.pk for m in messages)}:
            break
    sources = _citations(conversation, answers.values())
    proposals = defaultdict(list)
    for card in proposal_cards(conversation.instance, attempts):
        proposals[card.answer.message_id].append(card)
    exchanges: list[Exchange] = []
    shown = disclosed_page(conversation.instance, messages)
    for message, text in zip(messages, shown, strict=True):
        if message.role == Role.USER:
            exchange = Exchange(message.position, message, text, answer=answers.get(message.pk))
            exchange.proposals = proposals[message.pk]
            exchanges.append(exchange)
            continue
        if not exchanges or exchanges[-1].reply:
            exchanges.append(Exchange(message.position))
        exchanges[-1].reply = message
        exchanges[-1].html = render(text.content, sources)
    if exchanges:
        exchanges[-1].is_last = True
    _add_found(conversation, [each for each in exchanges if each.is_searched])
    return Thread(conversation, exchanges)


@dataclass(frozen=True)
class RecalledEntry:
    """A row that the model was shown, with its ranks: a memory, a message, a relation or a note;
    none of them if it has been deleted since.
    """

    memory: Memory | None
    message: Message | None
    fact: RelationFact | None
    note: Drawer | None
    #: What it says; empty if it has been deleted.
    text: str
    #: The id by which it is cited.
    ref: str
    #: Why it was found, and what lowered its rank, in words.
    reasons: list[str]
    against: list[str]
    #: The rank in each list that has it, by the label of the list.
    places: list[tuple[str, int]]
    similarity: float | None
    #: The query string of the question that found it.
    asked: str = ""

    @property
    def url(self) -> str:
        """The address of its page, a memory's or a note's next to the question, where it says why
        it was found; empty if it has been deleted.
        """
        if row := self.memory or self.note:
            return f"{row.get_absolute_url()}?{self.asked}"
        if self.message is not None:
            return self.message.get_absolute_url()
        return fact_address(self.fact.subject_id) if self.fact else ""


@dataclass(frozen=True)
class ToolNote:
    """A tool that ran, with the memories that it used."""

    run: ToolRun
    purpose: str
    memories: list[Memory]
    #: How many of them have been deleted since.
    gone: int


@dataclass(frozen=True)
class ExchangeNotes:
    """Notes on one exchange: recall, tools, and what was learned."""

    exchange: Exchange
    recalled: list[RecalledEntry]
    #: True if the memory was searched, and why not in full.
    asked: bool
    #: True if the model was shown it in the system message, not behind the message.
    in_system_message: bool
    problem: str
    milliseconds: int
    tools: list[ToolNote]
    fate: MessageStatus | None
    #: True if a run may still learn more from it.
    learning: bool


def notes_on(conversation: Conversation, exchange: Exchange) -> ExchangeNotes:
    """Look up what happened around *exchange*."""
    answer = exchange.answer
    recall = next(iter(answer.recalls.all()), None) if answer else None
    runs = list(answer.tool_runs.all()) if answer else []
    hits = recall.hits if recall else []
    shown = {*_by_id("memory", hits), *(pk for run in runs for pk in run.memory_ids)}
    memories = conversation.instance.memories.defer("search").in_bulk(list(shown))
    status, learning = _learned(conversation, exchange)
    return ExchangeNotes(
        exchange=exchange,
        recalled=_recalled(conversation, hits, memories, _question(exchange)),
        asked=recall is not None,
        in_system_message=recall is not None
        and recall.placement == ContextPlacement.SYSTEM_MESSAGE,
        problem=recall.problem if recall else "",
        milliseconds=recall.milliseconds if recall else 0,
        tools=[_tool_note(run, memories) for run in runs],
        fate=status,
        learning=learning,
    )


def _by_id(kind: str, hits: Iterable[Hit]) -> dict[int, Hit]:
    """Return those of *hits* that are of *kind*, by the ids of their rows."""
    return {hit[kind]: hit for hit in hits if kind in hit}


def _question(exchange: Exchange) -> str:
    return exchange.shown.content


def _asked(conversation: Conversation, text: str) -> str:
    """Return the query string of what is open next to the answers to the question *text*."""
    asked = RecallRequest(conversation.instance, q=question(text), user=conversation.end_user)
    return asked.beside


def _add_found(conversation: Conversation, exchanges: list[Exchange]) -> None:
    """Look up what the search found for *exchanges*, in a fixed number of queries."""
    if not exchanges:
        return
    hits_of = [
        (each, hit)
        for each in exchanges
        if each.answer
        for log in each.answer.recalls.all()
        for hit in log.hits
    ]
    hits = [hit for _each, hit in hits_of]
    memories = conversation.instance.memories.defer("search").in_bulk(list(_by_id("memory", hits)))
    entries = _recalled(conversation, hits, memories)
    for (exchange, _hit), entry in zip(hits_of, entries, strict=True):
        exchange.found.append(replace(entry, asked=_asked(conversation, _question(exchange))))
    _drop_repeated(exchanges)
    for each in exchanges:
        each.is_statement = is_statement(_question(each), conversation.instance.language)


def _drop_repeated(exchanges: Iterable[Exchange]) -> None:
    """Leave out of what was found each message whose memory was found too, and texts that were
    found before. One query.
    """
    found = [entry for each in exchanges for entry in each.found]
    sources = MemorySource.objects.counting().filter(
        memory__in=[entry.memory.pk for entry in found if entry.memory],
        message__in=[entry.message.pk for entry in found if entry.message],
    )
    memories_of = defaultdict[int | None, set[int]](set)
    for message, memory in sources.values_list("message", "memory"):
        memories_of[message].add(memory)
    for each in exchanges:
        shown = {entry.memory.pk for entry in each.found if entry.memory}
        texts = set[str]()
        kept = []
        for entry in each.found:
            if entry.message and not shown.isdisjoint(memories_of[entry.message.pk]):
                continue
            text = entry.text.strip().casefold()
            if text and text in texts:
                continue
            texts.add(text)
            kept.append(entry)
        each.found = kept


def _recalled(
    conversation: Conversation, hits: list[Hit], memories: dict[int, Memory], asked: str = ""
) -> list[RecalledEntry]:
    beside = _asked(conversation, asked)
    messages = _messages(conversation, _by_id("message", hits))
    notes = _notes(conversation, _by_id("note", hits))
    facts = _facts(conversation, _by_id("entity", hits))
    entries = []
    for hit in hits:
        row = memories.get(hit.get("memory", 0))
        message, note = messages.get(hit.get("message", 0)), notes.get(hit.get("note", 0))
        fact = facts.get(hit.get("relation", 0))
        said = excerpt_of(conversation.instance, message or note, MAX_EXCERPT_CHARACTERS)
        text = row.content if row else said
        entries.append(
            RecalledEntry(
                row,
                message,
                fact,
                note,
                fact.sentence if fact and not text else text,
                hit.get("ref", ""),
                reasons_for(
                    hit["ranks"], hit.get("parts", {}), text, asked, is_memory="memory" in hit
                ),
                against(hit.get("parts", {})),
                places(hit["ranks"]),
                hit["similarity"],
                beside,
            )
        )
    return entries


def _tool_note(run: ToolRun, memories: dict[int, Memory]) -> ToolNote:
    existing = [memories[pk] for pk in run.memory_ids if pk in memories]
    gone = len(run.memory_ids) - len(existing)
    return ToolNote(run, str(PURPOSES.get(run.name, "")), existing, gone)


def _learned(conversation: Conversation, exchange: Exchange) -> tuple[MessageStatus | None, bool]:
    """Return the outcome of extraction for the message, and whether it may still change."""
    message = exchange.message
    if message is None:
        return None, False
    # Loaded before the sources: a run that has ended by now has stored all of them.
    progress = ExtractionProgress.of(conversation)
    sources: Sequence[MemorySource] = list(
        message.memory_sources.select_related("memory").defer("memory__search")
    )
    status = progress.status_of(message, sources)
    unread = message.position > progress.watermark
    if unread and progress.state == "queued" and not may_read(conversation.instance):
        text = _("Waiting to be read: %(reason)s.") % {"reason": CAP_IN_SHORT}
        return replace(status, words=text), False
    return status, unread and progress.state in ("queued", "running")


def _citations(conversation: Conversation, answers: Collection[Answer]) -> dict[str, str]:
    """Return the addresses of all rows that *answers* were shown and that still exist, by the ids
    with which texts cite them.
    """
    hits = [hit for answer in answers for recall in answer.recalls.all() for hit in recall.hits]
    runs = [run for answer in answers for run in answer.tool_runs.all()]
    shown = {*_by_id("memory", hits), *(pk for run in runs for pk in run.memory_ids)}
    memories = conversation.instance.memories.filter(pk__in=shown)
    cited = addresses(list(memories.values_list("pk", flat=True)))
    messages, notes, relations = (_by_id(kind, hits) for kind in ("message", "note", "relation"))
    for pk, message in _messages(conversation, messages).items():
        target = getattr(message, "drawer", None) or message
        cited[messages[pk]["ref"]] = target.get_absolute_url()
    for pk, note in _notes(conversation, notes).items():
        cited[notes[pk]["ref"]] = note.get_absolute_url()
    statements = Statement.objects.filter(instance=conversation.instance_id, pk__in=relations)
    for pk in statements.values_list("pk", flat=True):
        cited[relations[pk]["ref"]] = fact_address(relations[pk]["entity"])
    return cited


def _notes(conversation: Conversation, ids: Iterable[int]) -> dict[int, Drawer]:
    """Return those of *ids* that are notes in the palace of the same instance."""
    return conversation.instance.drawers.defer("search").in_bulk(list(ids))


def _facts(conversation: Conversation, entities: Collection[int]) -> dict[int, RelationFact]:
    """Return the present relations of *entities*, by their ids."""
    facts = relations_of(conversation.instance, None, list(entities), limit=200) if entities else []
    return {fact.id: fact for fact in facts}


def _messages(conversation: Conversation, ids: Iterable[int]) -> dict[int, Message]:
    """Return those of *ids* that are messages of the same instance, with their drawers."""
    messages = Message.objects.filter(instance=conversation.instance_id)
    filed = messages.select_related("conversation", "drawer").defer("search", "drawer__search")
    return filed.in_bulk(list(ids))
