"""What a question may find: the rows of each kind that its caller and its filters let through."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import TypeVar
from zoneinfo import ZoneInfo

from django.db.models import Model, QuerySet

from conversations.models import Conversation, Message
from instances.models import Instance
from memoryapp.models import Drawer, Memory

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class SearchScope:
    """The memories, messages and drawers among which an answer is looked for; see `recall`.

    Most questions are narrowed by nothing: what is not asked for is not put together.
    """

    instance: Instance
    narrowed_memories: QuerySet[Memory] | None = None
    narrowed_drawers: QuerySet[Drawer] | None = None
    end_user: str | None = None
    since: date | None = None
    until: date | None = None
    #: A conversation whose drawers are no answers, told apart only when they are found: to look up
    #: the conversation of each drawer would cost more than the search.
    left_out: Conversation | None = None

    @property
    def among_memories(self) -> QuerySet[Memory] | None:
        """The memories as a list takes them: None for all."""
        return self.memories if self._is_narrowed or self.narrowed_memories is not None else None

    @property
    def among_drawers(self) -> QuerySet[Drawer] | None:
        """The drawers likewise."""
        return self.drawers if self._is_narrowed or self.narrowed_drawers is not None else None

    @cached_property
    def memories(self) -> QuerySet[Memory]:
        among = Memory.objects.all() if self.narrowed_memories is None else self.narrowed_memories
        return self._narrowed(among, whose="end_user", when="created_at")

    @cached_property
    def drawers(self) -> QuerySet[Drawer]:
        among = Drawer.objects.all() if self.narrowed_drawers is None else self.narrowed_drawers
        return self._narrowed(among, whose="end_user", when="said_at")

    @cached_property
    def messages(self) -> QuerySet[Message]:
        among = Message.objects.all()
        if self.narrowed_drawers is not None:
            # What is not filed lies in no place of the palace.
            among = among.filter(drawer__in=self.narrowed_drawers.values("pk"))
        if self.left_out is not None:
            among = among.exclude(conversation=self.left_out)
        return self._narrowed(among, whose="conversation__end_user", when="sent_at")

    def _narrowed(self, rows: QuerySet[Row], *, whose: str, when: str) -> QuerySet[Row]:
        """Narrow *rows* to the instance, the person and the days, by the columns that say so."""
        rows = rows.filter(instance=self.instance)
        if self.end_user is not None:
            rows = rows.filter(**{whose: self.end_user})
        if self.since is not None:
            rows = rows.filter(**{f"{when}__gte": self._midnight(self.since)})
        if self.until is not None:
            rows = rows.filter(**{f"{when}__lt": self._midnight(self.until + timedelta(days=1))})
        return rows

    @property
    def _is_narrowed(self) -> bool:
        return self.end_user is not None or self.since is not None or self.until is not None

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time.min, tzinfo=ZoneInfo(self.instance.time_zone))
