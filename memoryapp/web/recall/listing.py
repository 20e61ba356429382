"""The list of what the assistant is shown: its state in the URL, the question and its ranking."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import parse_qsl

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conversations.url_text import filter_text, question
from instances.ids import parse_pk
from instances.models import Agent, Instance, RecallProfile
from instances.url_state import NOT_IN_URL, URLState, one_of, parsed
from memoryapp.context.builder import RecalledContext, build_context, may_recall
from memoryapp.recall import Hit, RecallOptions
from memoryapp.recall.scoring import Weights
from memoryapp.web.days import end_of
from memoryapp.web.memory.listing import Matches, MemoryList
from memoryapp.web.memory.past import past_day
from memoryapp.web.recall.weights import PREFIX, Weight, read, weights_of

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

#: The same limit as that of `Instance.top_k`.
MAX_RESULTS = 20
#: The parameters of the explanation of a memory, and none of them.
WITHOUT_WHY = {"why": "", "find": "", "importance": ""}


def _limit(text: str) -> int | None:
    return min(MAX_RESULTS, max(1, int(text[:4]))) if text.isdecimal() else None


@dataclass(frozen=True)
class RecallRequest(URLState):
    """The state of the list, from its URL."""

    url_name = MemoryList.url_name
    #: What the parameter ``list`` calls it; without that, the list is a `MemoryList`.
    name: ClassVar[str] = "ask"
    title: ClassVar["StrOrPromise"] = gettext_lazy("What the assistant sees")
    page_template: ClassVar[str] = MemoryList.page_template
    answer_template: ClassVar[str] = MemoryList.answer_template
    rows_template: ClassVar[str] = "recall/_results.html"

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
    #: An importance that is tried for the explained memory: nothing is stored.
    importance: str = one_of([str(step) for step in range(1, 11)])
    #: Weights that are tried, by name, and problems with others.
    tried: dict[str, float] = field(default_factory=dict, metadata=NOT_IN_URL)
    problems: Sequence[str] = field(default=(), metadata=NOT_IN_URL)

    @classmethod
    def of(cls, query: QueryDict, instance: Instance) -> "RecallRequest":
        """Read the state from *query*, which may name one of the agents of *instance*."""
        slug = query.get("agent", "")
        tried, problems = read(instance, query)
        return cls.parse(
            query,
            instance=instance,
            agent=instance.agents.filter(slug=slug).first() if slug else None,
            tried=tried,
            problems=problems,
        )

    @property
    def parameters(self) -> dict[str, str | None]:
        tried = {f"{PREFIX}{name}": f"{value:g}" for name, value in self.tried.items()}
        first = {"instance": self.instance.slug, "list": self.name}
        return first | super().parameters | tried

    @property
    def without_why(self) -> str:
        """The address without the memory to explain."""
        return f"{self.path}?{self.query(**WITHOUT_WHY)}"

    @property
    def is_trial(self) -> bool:
        """True if something is tried for the explained memory."""
        return bool(self.why and self.importance)

    @property
    def untried(self) -> str:
        """The address of the explanation without what is tried."""
        return f"{self.path}?{self.query(importance='')}#why"

    @property
    def beside_untried(self) -> str:
        """The query string of what is open next to the results without what is tried."""
        return self.query(importance="")

    @property
    def kept_by_search(self) -> list[tuple[str, str]]:
        """The hidden fields of the form that asks a question."""
        kept = RecallRequest(self.instance, why=self.why, importance=self.importance)
        return parse_qsl(kept.query())

    @property
    def kept_by_trial(self) -> list[tuple[str, str]]:
        """The hidden fields of the form that tries an importance."""
        return parse_qsl(self.query(importance=""))

    @property
    def tried_importances(self) -> dict[int, int]:
        """The importance that is tried, by the id of its memory."""
        return {self.why: int(self.importance)} if self.why and self.importance else {}

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
        return parse_qsl(self.query(**WITHOUT_WHY))

    @property
    def more_options(self) -> int:
        """How many of the fields behind "Options" are set."""
        fields = (self.user, self.agent, self.profile, self.against, self.limit, self.on)
        return sum(map(bool, fields)) + len(self.tried)

    @property
    def bare(self) -> str:
        """The query string of the question alone."""
        return RecallRequest(self.instance, self.q).query()

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
        """True if two rankings are shown side by side."""
        return len(self.methods) > 1

    @property
    def recalls(self) -> bool:
        """True if the assistant searches its memory at all."""
        return may_recall(self.instance, self.agent)

    @cached_property
    def rankings(self) -> list["Ranking"]:
        """Results that the assistant would be shown, by each of the methods."""
        return [self._rank(method) for method in self.methods] if self.q else []

    def hits(self) -> list[Hit]:
        """Return all results of all rankings, those of the first one first."""
        return [hit for ranking in self.rankings for hit in ranking.hits]

    def matches(self) -> Matches:
        """Return nothing: the results of a question are not chosen all at once."""
        return Matches()

    def _rank(self, method: "RankingMethod") -> "Ranking":
        began = time.monotonic()
        own = self.instance.recall_weights
        limit = self.limit or self.instance.top_k
        context = build_context(
            self.instance,
            self.q,
            end_user=self.user,
            agent=self.agent,
            options=RecallOptions(
                limit=limit,
                profile=method.profile,
                weights=Weights.of(own | method.tried) if method.tried else None,
                max_weaker=limit,
                is_message=True,
                importances=self.tried_importances,
            ),
            moment=end_of(self.on) if self.on else None,
        )
        return Ranking(method, context, round((time.monotonic() - began) * 1000))


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
class Ranking:
    """Results of one ranking method."""

    method: RankingMethod
    found: RecalledContext
    milliseconds: int

    @property
    def hits(self) -> list[Hit]:
        """Hits of the ranking, and those below the floor of relevance."""
        return [*self.found.recalled.hits, *self.found.recalled.weaker]
