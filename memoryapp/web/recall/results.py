"""The results of a question: those of each ranking, and why another memory is none of them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from instances.ids import parse_pk
from instances.models import RecallProfile
from memoryapp.context.block import MAX_BLOCK_TOKENS, tokens
from memoryapp.context.builder import Omission, RecalledContext, omission, stated_nothing
from memoryapp.disclosure import excerpt_of
from memoryapp.models import Drawer, Memory
from memoryapp.recall import Hit, RecallOptions, recall
from memoryapp.recall.hit_entries import ref
from memoryapp.web.highlight import marked
from memoryapp.web.memory.listing import BULK_ACTIONS, for_rows
from memoryapp.web.reasons import places
from memoryapp.web.recall.explanation import Why, too_weak, why
from memoryapp.web.recall.listing import Ranking, RecallRequest
from memoryapp.web.recall.score_bars import ScoreBar, draw, longest
from memoryapp.web.status import status_context

#: Memories that the search for a missing one offers.
MAX_OFFERED = 6
#: Characters of a message, of which a row shows two lines.
MAX_EXCERPT = 400


@dataclass(frozen=True)
class ResultRow:
    """A row of the list for a result: as that of a memory, with what its ranking adds."""

    hit: Hit
    #: The memory with what a row shows; None for a message or a note.
    memory: Memory | None
    content: SafeString | str
    place: int
    ref: str
    stack: ScoreBar
    #: Why the model is not shown it, in words; empty if it is.
    left_out: str
    #: What the reason is, unless it is only too weak.
    omission: Omission | None
    #: The explanation that the URL asks for, if it is of this memory.
    why: Why | None
    #: True if the results of another ranking stand beside it, which may have the same row.
    is_copy: bool

    @property
    def text(self) -> str:
        """The text without marks."""
        return self.memory.content if self.memory else self.content

    @property
    def at(self) -> datetime:
        """When it was said."""
        if self.memory:
            return self.memory.dated
        return self.hit.message.sent_at if self.hit.message else self.hit.filed.said_at

    @property
    def opens(self) -> Memory | Drawer | None:
        """Memory or drawer that opens next to the results; None for a message that is not filed."""
        return self.hit.memory or self.hit.drawer

    @property
    def row_id(self) -> str:
        """The id of its row, which the panel names."""
        kind = "drawer" if isinstance(self.opens, Drawer) else "row"
        return f"{kind}-{self.opens.pk}" if self.opens else ""

    @property
    def ranks(self) -> list[tuple[str, int]]:
        """Rank of the row in each list, by the label of the list."""
        return places(self.hit.ranks)


@dataclass(frozen=True)
class ResultColumn:
    """The results of one ranking method."""

    label: str
    found: RecalledContext
    rows: list[ResultRow]
    #: Those below the floor of relevance, which the model is not shown.
    weaker: list[ResultRow]
    milliseconds: int

    @property
    def tokens(self) -> int:
        return tokens(self.found.text)


def results_context(state: RecallRequest) -> dict[str, Any]:
    """Return the template context of the question and its results."""
    explained = _why(state)
    # A memory among the results is explained there.
    in_row = bool(
        explained
        and not state.on
        and any(
            hit.memory == explained.memory for ranking in state.rankings[:1] for hit in ranking.hits
        )
    )
    rows = _Rows(state, explained if in_row else None)
    columns = [rows.column(ranking) for ranking in state.rankings]
    return status_context(state.instance) | {
        "section": "ask",
        "asking": state,
        # What a memory or a message that is open next to them calls its list.
        "listing": state,
        "list": state,
        "agents": list(state.instance.agents.all()),
        "profiles": RecallProfile.choices,
        "columns": columns,
        "budget": MAX_BLOCK_TOKENS,
        "why": explained,
        "why_in_row": in_row,
        # What would help it stands below.
        "why_apart": explained
        and (not in_row or explained.trial is not None or bool(explained.helps)),
        "importances": range(1, 11),
        "offered": _offered(state),
        "bulk_actions": BULK_ACTIONS,
        # Rows are chosen one by one, never all that match.
        "page": Paginator[Any]([], 1).get_page(1),
    }


class _Rows:
    """The rows of all rankings: what they show of memories is loaded at once."""

    def __init__(self, state: RecallRequest, why: Why | None) -> None:
        self._state = state
        self._why = why
        instance = state.instance
        ids = {hit.memory.pk for hit in state.hits() if hit.memory}
        self._memories = for_rows(instance, Memory.objects.all()).in_bulk(ids)
        # Of a past day, the texts are those of then.
        rows = Memory.objects.in_instance(instance).filter(pk__in=ids)
        self._marked = marked(instance, state.q, rows, "content") if ids and not state.on else {}

    def column(self, ranking: Ranking) -> ResultColumn:
        """Return the column of *ranking*."""
        recalled = ranking.found.recalled
        width = longest(hit.parts for hit in ranking.hits)
        rows = [self._row(place, hit, ranking, width) for place, hit in enumerate(ranking.hits, 1)]
        best = len(recalled.hits)
        return ResultColumn(
            ranking.method.label, ranking.found, rows[:best], rows[best:], ranking.milliseconds
        )

    def _row(self, place: int, hit: Hit, ranking: Ranking, width: float) -> ResultRow:
        found = ranking.found
        reason = _omission(self._state, found, hit)
        memory = self._memories.get(hit.memory.pk, hit.memory) if hit.memory else None
        return ResultRow(
            hit,
            memory,
            self._marked.get(memory.pk, hit.content)
            if memory
            else excerpt_of(self._state.instance, hit.message or hit.drawer, MAX_EXCERPT),
            place,
            ref(hit),
            draw(hit.parts, width),
            _left_out(self._state, found, hit, reason),
            reason,
            self._why if self._why and self._why.memory == memory else None,
            ranking is not self._state.rankings[0],
        )


#: Why a relevant hit is not shown to the model.
OMISSIONS = {
    Omission.INSTRUCTION: gettext_lazy("Not shown to the assistant: it is an instruction."),
    Omission.TOOL_RESULT: gettext_lazy("Not shown to the assistant: it is the result of a tool."),
    Omission.SECRET: gettext_lazy("Not shown to the assistant: it contains a secret."),
    Omission.ELSEWHERE: gettext_lazy("Kept from this model, by “Never kept” or “What models see”."),
    Omission.SAME_QUESTION: gettext_lazy("Not shown to the assistant: it is the question itself."),
    Omission.QUESTION: gettext_lazy("Not shown to the assistant: it is a question."),
    Omission.REQUEST: gettext_lazy("Not shown to the assistant: it is a request."),
    Omission.SMALL_TALK: gettext_lazy("Not shown to the assistant: it is small talk."),
    Omission.NO_ROOM: gettext_lazy(
        "Not shown to the assistant: the results above it fill the space."
    ),
}


def _omission(state: RecallRequest, context: RecalledContext, hit: Hit) -> Omission | None:
    """Why the model is not shown *hit*; None if it is, or if that is only too weak."""
    if ref(hit) in context.shown:
        return None
    if hit.is_relevant:
        return omission(state.instance, state.q, hit)
    query = context.recalled.query
    return None if query is None or query.every_nature else stated_nothing(hit)


def _left_out(
    state: RecallRequest, context: RecalledContext, hit: Hit, reason: Omission | None
) -> str:
    """Say why the model is not shown *hit*; empty if it is."""
    if reason is not None:
        return str(OMISSIONS[reason])
    return "" if ref(hit) in context.shown else too_weak(context, state.q, hit)


def _why(state: RecallRequest) -> Why | None:
    """Explain the memory that the URL names."""
    if not state.why:
        return None
    memories = state.instance.memories.defer("search")
    memory = memories.filter(pk=state.why).select_related("instance").first()
    if memory is None:
        return None
    context = state.rankings[0].found if state.rankings else None
    return why(state, memory, context)


def _offered(state: RecallRequest) -> list[Memory]:
    """Return memories that match the search for one: its id, or words."""
    if not state.find:
        return []
    number = state.find.lower().removeprefix("m").removeprefix("#")
    if pk := parse_pk(number):
        return list(state.instance.memories.filter(pk=pk).defer("search"))
    options = RecallOptions(limit=MAX_OFFERED, with_messages=False, only_relevant=False)
    hits = recall(state.instance, state.find, options).hits
    return [hit.memory for hit in hits if hit.memory]
