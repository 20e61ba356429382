"""What a question may find: the rows of each kind that its caller and its filters let through."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from conversations.models import Conversation, Message
from instances.models import Instance
from memoryapp.models import Drawer, Memory


@dataclass(frozen=True)
class Scope:
    """The memories, messages and drawers among which an answer is looked for."""

    memories: QuerySet[Memory]
    messages: QuerySet[Message]
    drawers: QuerySet[Drawer]
    #: Whether some of the instance's memories, or of its drawers, are left out. If not, a search
    #: by meaning needs to look at nothing but vectors.
    narrows_memories: bool
    narrows_drawers: bool
    #: A conversation whose drawers are no answers, told apart only when they are found: to look up
    #: the conversation of each drawer would cost more than the search.
    left_out: Conversation | None

    @property
    def among_memories(self) -> QuerySet[Memory] | None:
        """The memories as a search by meaning takes them: None for all."""
        return self.memories if self.narrows_memories else None

    @property
    def among_drawers(self) -> QuerySet[Drawer] | None:
        """The drawers likewise."""
        return self.drawers if self.narrows_drawers else None


def scope(
    instance: Instance,
    *,
    memories: QuerySet[Memory] | None = None,
    drawers: QuerySet[Drawer] | None = None,
    end_user: str | None = None,
    current_conversation: Conversation | None = None,
    since: date | None = None,
    until: date | None = None,
) -> Scope:
    """Return what a question to *instance* may find; see `recall`."""
    dated = since is not None or until is not None
    all_memories = Memory.objects.in_instance(instance)
    among = all_memories if memories is None else memories.filter(instance=instance)
    messages = Message.objects.filter(instance=instance)
    narrows_drawers = drawers is not None or end_user is not None or dated
    if drawers is None:
        drawers = Drawer.objects.filter(instance=instance)
    else:
        drawers = drawers.filter(instance=instance)
        # What is not filed lies in no place of the palace.
        messages = messages.filter(drawer__in=drawers.values("pk"))
    if end_user is not None:
        among = among.filter(end_user=end_user)
        messages = messages.filter(conversation__end_user=end_user)
        drawers = drawers.filter(end_user=end_user)
    if current_conversation is not None:
        messages = messages.exclude(conversation=current_conversation)
    if since is not None:
        begin = _midnight(instance, since)
        among = among.filter(created_at__gte=begin)
        messages = messages.filter(sent_at__gte=begin)
        drawers = drawers.filter(said_at__gte=begin)
    if until is not None:
        end = _midnight(instance, until + timedelta(days=1))
        among = among.filter(created_at__lt=end)
        messages = messages.filter(sent_at__lt=end)
        drawers = drawers.filter(said_at__lt=end)
    return Scope(
        among,
        messages,
        drawers,
        narrows_memories=memories is not None or end_user is not None or dated,
        narrows_drawers=narrows_drawers,
        left_out=current_conversation,
    )


def _midnight(instance: Instance, day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=ZoneInfo(instance.time_zone))
