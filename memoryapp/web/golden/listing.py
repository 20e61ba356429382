"""The list of golden questions: where each answer stands, and what has changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conversations.models import Message
from instances.ids import parse_pk
from instances.models import Instance
from instances.url_state import FilterChip, URLState, one_of, parsed
from memoryapp.golden.rounds import Direction, PlaceChange, changes
from memoryapp.models import GoldenQuestion, GoldenRound, Memory
from memoryapp.web import charts

PER_PAGE = 25
#: Rounds that the chart shows.
CHARTED = 30
#: The filters of the list.
KINDS = {
    "": gettext_lazy("All"),
    "worse": gettext_lazy("Worse"),
    "better": gettext_lazy("Better"),
    "missed": gettext_lazy("Not shown"),
}
#: The places of directions in the list: worse ones first.
_ORDER = {Direction.WORSE: 0, Direction.NEW: 2, Direction.SAME: 2, Direction.BETTER: 3}


@dataclass(frozen=True)
class GoldenList(URLState):
    """The state of the list, from its URL."""

    url_name = "golden"

    instance: Instance
    kind: str = one_of(KINDS)
    #: A round, such as a trial; None: the last one.
    round: int | None = parsed(parse_pk)
    page: str = parsed(str)

    @cached_property
    def shown(self) -> GoldenRound | None:
        """The finished round whose results are shown."""
        rounds = GoldenRound.objects.filter(instance=self.instance)
        if self.round:
            return rounds.filter(pk=self.round, finished_at__isnull=False).first()
        return rounds.finished().first()

    @cached_property
    def before(self) -> GoldenRound | None:
        """The round that the shown one is compared with."""
        if self.shown is None:
            return None
        finished = GoldenRound.objects.finished().filter(instance=self.instance)
        return finished.filter(created_at__lt=self.shown.created_at).first()

    @cached_property
    def running(self) -> GoldenRound | None:
        """The round that is under way: the one that is asked for, or any."""
        rounds = GoldenRound.objects.filter(instance=self.instance, finished_at=None)
        return rounds.filter(pk=self.round).first() if self.round else rounds.first()

    @property
    def is_trial(self) -> bool:
        return self.shown is not None and self.shown.cause == GoldenRound.Cause.TRIAL

    @cached_property
    def rows(self) -> list["GoldenRow"]:
        """All questions, what needs a look first."""
        questions = list(GoldenQuestion.objects.filter(instance=self.instance))
        found = {}
        if self.shown is not None:
            found = {each.question.pk: each for each in changes(questions, self.before, self.shown)}
        rows = [GoldenRow(question, self.shown, found.get(question.pk)) for question in questions]
        return sorted(rows, key=lambda row: row.order)

    @property
    def chosen(self) -> list["GoldenRow"]:
        """The questions that pass the filter."""
        return [row for row in self.rows if not self.kind or row.is_of(self.kind)]

    @property
    def chips(self) -> list[FilterChip]:
        counts = {kind: sum(row.is_of(kind) for row in self.rows) for kind in KINDS if kind}
        return self.chips_for("kind", KINDS, {"": len(self.rows)} | counts)


@dataclass(frozen=True)
class GoldenRow:
    """A question with its place in the shown round."""

    question: GoldenQuestion
    round: GoldenRound | None
    change: PlaceChange | None

    @property
    def order(self) -> tuple[int, float]:
        """The place in the list: worse, not shown, other, better."""
        if self.change is None:
            return (1, 0)
        return (1 if self.is_missed else _ORDER[self.change.direction], -(self.change.after or 99))

    @property
    def is_missed(self) -> bool:
        """True if the answer was looked for and not shown, and was not before."""
        change = self.change
        return change is not None and change.after is None and change.direction != Direction.WORSE

    def is_of(self, kind: str) -> bool:
        """True if the filter of this *kind* shows it."""
        if self.change is None:
            return False
        if kind == "missed":
            return self.change.after is None
        return self.change.direction == kind

    @property
    def top(self) -> tuple[str, int] | None:
        """The row that stood first, if it was not the answer."""
        if self.round is None or self.change is None or self.change.after == 1:
            return None
        top = self.round.results[str(self.question.pk)]["top"]
        return (top[0], top[1]) if top else None


def with_texts(instance: Instance, rows: Sequence[GoldenRow]) -> list[dict[str, Any]]:
    """Each of the *rows* with its answer, and with what stood first instead, as stored rows."""
    named = {
        "memory": {pk for row in rows for pk in row.question.memories},
        "message": {pk for row in rows for pk in row.question.messages},
    }
    for kind, pk in (row.top for row in rows if row.top):
        named.setdefault(kind, set()).add(pk)
    memories = Memory.objects.filter(instance=instance).defer("search")
    messages = Message.objects.filter(instance=instance).select_related("conversation")
    stored: dict[str, dict[int, Any]] = {
        "memory": memories.in_bulk(named["memory"]),
        "message": messages.defer("search").in_bulk(named["message"]),
    }

    def first(kind: str, pks: Sequence[int]) -> Any:
        return next((stored[kind][pk] for pk in pks if pk in stored[kind]), None)

    def top(kind: str, row: GoldenRow) -> Any:
        return first(kind, [row.top[1]]) if row.top and row.top[0] == kind else None

    return [
        {
            "row": row,
            "memory": first("memory", row.question.memories),
            "message": first("message", row.question.messages),
            "top_memory": top("memory", row),
            "top_message": top("message", row),
        }
        for row in rows
    ]


def chart(instance: Instance) -> charts.Bars[GoldenRound] | None:
    """The last rounds: questions whose answer stood first, was shown, and was not."""
    rounds = list(
        GoldenRound.objects.finished().filter(instance=instance).defer("results")[:CHARTED]
    )
    columns = [
        (
            each,
            [
                ("first", Decimal(each.first)),
                ("shown", Decimal(each.shown - each.first)),
                ("missed", Decimal(each.asked - each.shown)),
            ],
        )
        for each in reversed(rounds)
    ]
    return charts.draw(columns, name=_name_of) if len(columns) > 1 else None


def _name_of(round_: GoldenRound) -> str:
    day = date_format(localtime(round_.created_at), "DATE_FORMAT")
    return _("%(day)s: %(first)s first, %(shown)s shown, of") % {
        "day": day,
        "first": round_.first,
        "shown": round_.shown,
    }
