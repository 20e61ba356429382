"""The `/memory/recall` screen: what the assistant is shown for a question, and why."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from urllib.parse import parse_qsl

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from conversations.url_text import filter_text, question
from instances.access import Request, with_instance
from instances.ids import parse_pk
from instances.models import Agent, Instance, RecallProfile
from instances.url_state import NOT_IN_URL, URLState, one_of, parsed
from memoryapp.context.block import MAX_BLOCK_TOKENS, tokens
from memoryapp.context.builder import (
    Omission,
    RecalledContext,
    address_of,
    build_context,
    may_recall,
    omission,
)
from memoryapp.models import Memory
from memoryapp.recall import Hit, RecallOptions, recall
from memoryapp.recall.hit_entries import ref
from memoryapp.recall.scoring import Weights
from memoryapp.web.days import end_of
from memoryapp.web.layout import show
from memoryapp.web.memory.past import past_day
from memoryapp.web.reasons import SIGNALS, Signal, places
from memoryapp.web.recall.explanation import Why, too_weak, why
from memoryapp.web.recall.score_bars import ScoreBar, draw, longest
from memoryapp.web.recall.weights import PREFIX, Weight, read, weights_of

#: Memories that the search for a missing one offers.
MAX_OFFERED = 6
#: The same limit as that of `Instance.top_k`.
MAX_RESULTS = 20


def _limit(text: str) -> int | None:
    return min(MAX_RESULTS, max(1, int(text[:4]))) if text.isdecimal() else None


@dataclass(frozen=True)
class RecallRequest(URLState):
    """The state of the screen, from its URL."""

    url_name = "recall"

    instance: Instance
    q: str = parsed(question)
    user: str = parsed(filter_text)
    agent: Agent | None = None
    #: The ranking profile, and the one to compare it with; empty: that of the instance, and none.
    profile: str = one_of(RecallProfile.values)
    against: str = one_of(RecallProfile.values)
    limit: int | None = parsed(_limit)
    #: The day as of whose end the question is asked.
    on: date | None = parsed(past_day)
    #: The memory to explain, and the words by which it is searched for.
    why: int | None = parsed(parse_pk)
    find: str = parsed(filter_text)
    #: Weights that are tried, by name, and problems with others.
    tried: dict[str, float] = field(default_factory=dict, metadata=NOT_IN_URL)
    problems: Sequence[str] = field(default=(), metadata=NOT_IN_URL)

    @property
    def parameters(self) -> dict[str, str | None]:
        tried = {f"{PREFIX}{name}": f"{value:g}" for name, value in self.tried.items()}
        return super().parameters | tried

    @property
    def without_why(self) -> str:
        """The address without the memory to explain."""
        return f"{self.path}?{self.query(why='', find='')}"

    @property
    def as_set(self) -> str:
        """The query string without the weights that are tried."""
        return replace(self, tried={}).query()

    @property
    def weights(self) -> list[Weight]:
        return weights_of(self.instance, self.tried)

    @property
    def other_weights(self) -> str:
        """The weights of the instance that differ from the measured ones, in words."""
        return ", ".join(
            _("%(signal)s %(weight)s (default: %(default)s)")
            % {
                "signal": weight.label,
                "weight": f"{weight.own:g}",
                "default": f"{weight.measured:g}",
            }
            for weight in self.weights
            if weight.own != weight.measured
        )

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """The hidden fields of the form that searches for a memory."""
        return parse_qsl(self.query(why="", find=""))

    @property
    def more_options(self) -> int:
        """How many of the fields behind "Options" are set."""
        return sum(map(bool, (self.agent, self.profile, self.against, self.limit, self.on)))

    @property
    def profile_as_set(self) -> str:
        return self.profile or self.instance.recall_profile

    @property
    def methods(self) -> list["RankingMethod"]:
        """The ranking methods: one, or two to compare."""
        methods = [RankingMethod(self.profile_as_set)]
        if self.on:
            return methods  # Results as of a day are ranked by the plain profile only.
        if self.tried:
            methods.append(RankingMethod(RecallProfile.DEFAULT, self.tried))
        elif self.against and self.against != self.profile_as_set:
            methods.append(RankingMethod(self.against))
        return methods

    @property
    def compares(self) -> bool:
        """Whether two rankings are shown side by side."""
        return len(self.methods) > 1

    @property
    def recalls(self) -> bool:
        """Whether the assistant searches its memory at all."""
        return may_recall(self.instance, self.agent)

    def context(self, method: "RankingMethod") -> RecalledContext:
        """Recall what the assistant would be shown."""
        own = self.instance.recall_weights
        limit = self.limit or self.instance.top_k
        return build_context(
            self.instance,
            self.q,
            end_user=self.user,
            options=RecallOptions(
                limit=limit,
                profile=method.profile,
                weights=Weights.of(own | method.tried) if method.tried else None,
                max_weaker=limit,
            ),
            moment=end_of(self.on) if self.on else None,
        )


@dataclass(frozen=True)
class RankingMethod:
    """A way to rank results."""

    profile: str
    #: Weights that replace those of the instance.
    tried: dict[str, float] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return _("With these weights") if self.tried else str(RecallProfile(self.profile).label)


@dataclass(frozen=True)
class ResultRow:
    """A result with its score bar."""

    hit: Hit
    ref: str
    stack: ScoreBar
    #: Whether the model is shown it, and if it is not, why, in words.
    is_shown: bool
    left_out: str

    @property
    def address(self) -> str:
        return address_of(self.hit)

    @property
    def ranks(self) -> list[tuple[str, int]]:
        """Its rank in each list, by the label of the list."""
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
        """Whether one of the rows is this memory."""
        rows = [*self.rows, *self.weaker]
        return any(row.hit.memory is not None and row.hit.memory.pk == pk for row in rows)


@require_GET
@with_instance("ask")
def asked(request: Request, instance: Instance) -> HttpResponse:
    """Show the results of a question."""
    agents = list(instance.agents.all())
    agent = next((agent for agent in agents if agent.slug == request.GET.get("agent")), None)
    tried, problems = read(instance, request.GET)
    state = RecallRequest.parse(
        request.GET, instance=instance, agent=agent, tried=tried, problems=problems
    )
    columns = [_column(state, method) for method in state.methods] if state.q else []
    explained = _why(state, columns)
    context = {
        "section": "ask",
        "asking": state,
        "agents": agents,
        "profiles": RecallProfile.choices,
        "columns": columns,
        "budget": MAX_BLOCK_TOKENS,
        "why": explained,
        # A memory among the results is explained there.
        "why_in_row": bool(
            explained and columns and not state.on and columns[0].explained(explained.memory.pk)
        ),
        "offered": _offered(state),
    }
    return show(request, "recall/page.html", "recall/_results.html", context)


def _column(state: RecallRequest, method: RankingMethod) -> ResultColumn:
    began = time.monotonic()
    context = state.context(method)
    milliseconds = round((time.monotonic() - began) * 1000)
    recalled = context.recalled
    width = longest(hit.parts for hit in [*recalled.hits, *recalled.weaker])
    rows, weaker = (
        [
            ResultRow(
                hit,
                ref(hit),
                draw(hit.parts, width),
                ref(hit) in context.shown,
                _left_out(state, context, hit),
            )
            for hit in hits
        ]
        for hits in (recalled.hits, recalled.weaker)
    )
    return ResultColumn(method.label, context, rows, weaker, milliseconds)


#: Why a relevant hit is not shown to the model.
OMISSIONS = {
    Omission.INSTRUCTION: gettext_lazy("Not shown to the assistant: it is an instruction."),
    Omission.TOOL_RESULT: gettext_lazy("Not shown to the assistant: it is the result of a tool."),
    Omission.SECRET: gettext_lazy("Not shown to the assistant: it contains a secret."),
    Omission.QUESTION: gettext_lazy("Not shown to the assistant: it is the question itself."),
    Omission.NO_ROOM: gettext_lazy(
        "Not shown to the assistant: the results above it fill the space."
    ),
}


def _left_out(state: RecallRequest, context: RecalledContext, hit: Hit) -> str:
    """Say why the model is not shown *hit*; empty if it is."""
    if ref(hit) in context.shown:
        return ""
    if not hit.is_relevant:
        return too_weak(context, state.q, hit.content)
    return str(OMISSIONS[omission(state.instance, state.q, hit)])


def _why(state: RecallRequest, columns: list[ResultColumn]) -> Why | None:
    """Explain the memory that the URL names."""
    if not state.why:
        return None
    memories = state.instance.memories.defer("search")
    memory = memories.filter(pk=state.why).select_related("instance").first()
    if memory is None:
        return None
    context = columns[0].found if columns else None
    return why(
        state.instance, state.agent, memory, state.q, state.user, state.profile_as_set, context
    )


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
