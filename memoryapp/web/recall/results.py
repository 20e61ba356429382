"""The results of a question: those of each ranking, and why another memory is none of them."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy

from instances.ids import parse_pk
from instances.models import RecallProfile
from memoryapp.context.block import MAX_BLOCK_TOKENS, tokens
from memoryapp.context.builder import Omission, RecalledContext, omission, stated_nothing
from memoryapp.models import Drawer, Memory
from memoryapp.recall import Hit, RecallOptions, recall
from memoryapp.recall.hit_entries import ref
from memoryapp.web.reasons import SIGNALS, Signal, places
from memoryapp.web.recall.explanation import Why, too_weak, why
from memoryapp.web.recall.listing import Ranking, RecallRequest
from memoryapp.web.recall.score_bars import ScoreBar, draw, longest

#: Memories that the search for a missing one offers.
MAX_OFFERED = 6


@dataclass(frozen=True)
class ResultRow:
    """A result with its score bar."""

    hit: Hit
    ref: str
    stack: ScoreBar
    #: Why the model is not shown it, in words; empty if it is.
    left_out: str
    #: What the reason is, unless it is only too weak.
    omission: Omission | None
    asking: RecallRequest

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
    def address(self) -> str:
        """The address of what it opens, or of the message in its transcript."""
        if self.opens is None:
            return self.hit.said.get_absolute_url()
        return f"{self.opens.get_absolute_url()}?{self.asking.beside}"

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

    @property
    def parts(self) -> list[tuple[str, Signal]]:
        """The parts of the scores here, by name."""
        rows = [*self.rows, *self.weaker]
        names = {piece.name for row in rows for piece in row.stack.pieces}
        return [(name, signal) for name, signal in SIGNALS.items() if name in names]

    def explained(self, pk: int) -> bool:
        """True if one of the rows is this memory."""
        rows = [*self.rows, *self.weaker]
        return any(row.hit.memory is not None and row.hit.memory.pk == pk for row in rows)


def results_context(state: RecallRequest) -> dict[str, Any]:
    """Return the template context of the question and its results."""
    columns = [_column(state, ranking) for ranking in state.rankings]
    explained = _why(state, columns)
    # A memory among the results is explained there.
    in_row = bool(
        explained and columns and not state.on and columns[0].explained(explained.memory.pk)
    )
    return {
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
        and (not in_row or explained.trial is not None or bool(explained.suggestions)),
        "importances": range(1, 11),
        "offered": _offered(state),
    }


def _column(state: RecallRequest, ranking: Ranking) -> ResultColumn:
    context = ranking.found
    width = longest(hit.parts for hit in ranking.hits)
    recalled = context.recalled
    rows, weaker = (
        [
            ResultRow(
                hit,
                ref(hit),
                draw(hit.parts, width),
                _left_out(state, context, hit, reason),
                reason,
                state,
            )
            for hit in hits
            for reason in [_omission(state, context, hit)]
        ]
        for hits in (recalled.hits, recalled.weaker)
    )
    return ResultColumn(ranking.method.label, context, rows, weaker, ranking.milliseconds)


#: Why a relevant hit is not shown to the model.
OMISSIONS = {
    Omission.INSTRUCTION: gettext_lazy("Not shown to the assistant: it is an instruction."),
    Omission.TOOL_RESULT: gettext_lazy("Not shown to the assistant: it is the result of a tool."),
    Omission.SECRET: gettext_lazy("Not shown to the assistant: it contains a secret."),
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


def _why(state: RecallRequest, columns: list[ResultColumn]) -> Why | None:
    """Explain the memory that the URL names."""
    if not state.why:
        return None
    memories = state.instance.memories.defer("search")
    memory = memories.filter(pk=state.why).select_related("instance").first()
    if memory is None:
        return None
    context = columns[0].found if columns else None
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
