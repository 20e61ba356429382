"""The rows that a search may find: those of the instance that pass the filters."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import TypeVar
from zoneinfo import ZoneInfo

from django.db.models import Model, Q, QuerySet

from conversations.models import Conversation, Message
from conversations.search import TextQuery
from instances.models import Instance
from instances.models.groups import seen_by, told_to
from memoryapp.models import Drawer, Memory
from memoryapp.recall.options import DEFAULT_OPTIONS, RecallOptions

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class SearchScope:
    """The memories, messages and drawers of an instance that pass the filters of a search.

    Most searches have no filter, so querysets are built on demand.
    """

    instance: Instance
    options: RecallOptions = DEFAULT_OPTIONS
    #: Its quoted phrases and excluded words hold for every list.
    words: TextQuery | None = None

    @property
    def among_memories(self) -> QuerySet[Memory] | None:
        """The memories to search; None for all."""
        is_narrowed = self._is_narrowed or self.options.memories is not None
        return self.memories if is_narrowed else None

    @property
    def among_drawers(self) -> QuerySet[Drawer] | None:
        """The drawers to search; None for all. They include those of the current conversation,
        since looking up the conversation of each drawer would cost more than the search.
        """
        is_narrowed = self._is_narrowed or self.options.drawers is not None
        return self.drawers if is_narrowed else None

    @property
    def _is_narrowed(self) -> bool:
        return self.options.is_narrowed or not (self.words is None or self.words.is_plain)

    @cached_property
    def memories(self) -> QuerySet[Memory]:
        among = self.options.memories
        rows = Memory.objects.all() if among is None else among
        return self._narrowed(rows, whose=_kept_for, when="created_at")

    @cached_property
    def drawers(self) -> QuerySet[Drawer]:
        among = self.options.drawers
        rows = Drawer.objects.all() if among is None else among
        return self._narrowed(rows, whose=self._of_drawers, when="said_at")

    @cached_property
    def messages(self) -> QuerySet[Message]:
        among = Message.objects.all()
        if self.options.drawers is not None:
            # Messages that are not filed belong to no place of the palace.
            among = among.filter(drawer__in=self.options.drawers.values("pk"))
        if self.options.current_conversation is not None:
            among = among.exclude(conversation=self.options.current_conversation)
        silent = Conversation.objects.filter(instance=self.instance, without_memory=True)
        among = among.exclude(conversation__in=silent.values("pk"))
        return self._narrowed(among, whose=self._of_messages, when="sent_at")

    @cached_property
    def people(self) -> list[str] | None:
        """The ids whose memories and conversations the person who asks may see; None for all."""
        options = self.options
        if options.end_user is None:
            return None
        return seen_by(self.instance, options.end_user, agent=options.agent, reach=options.reach)

    def _of_messages(self, people: list[str]) -> Q:
        if not self.instance.has_groups:
            return Q(conversation__end_user__in=people)
        return told_to(people, "conversation__")

    def _of_drawers(self, people: list[str]) -> Q:
        if not self.instance.has_groups:
            return _kept_for(people)
        shared = Conversation.objects.filter(instance=self.instance, shared_with__in=people)
        messages = Message.objects.filter(
            instance=self.instance, conversation__in=shared.order_by().values("pk")
        )
        return told_to(people) | Q(message__in=messages.order_by().values("pk"))

    def _narrowed(
        self, rows: QuerySet[Row], *, whose: Callable[[list[str]], Q], when: str
    ) -> QuerySet[Row]:
        """Limit *rows* to the instance, the required words, what is told to the people, and the
        days, by this column.
        """
        options = self.options
        rows = rows.filter(instance=self.instance)
        if self.words is not None:
            rows = self.words.of_required(rows)
        if self.people is not None:
            rows = rows.filter(whose(self.people))
        if options.since is not None:
            rows = rows.filter(**{f"{when}__gte": self._midnight(options.since)})
        if options.until is not None:
            rows = rows.filter(**{f"{when}__lt": self._midnight(options.until + timedelta(days=1))})
        return rows

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time.min, tzinfo=ZoneInfo(self.instance.time_zone))


def _kept_for(people: list[str]) -> Q:
    return Q(end_user__in=people)
