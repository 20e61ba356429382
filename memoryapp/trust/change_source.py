"""Where changes of the memory come from: what a rollback takes back."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format

from conversations.models import Conversation, Import, Message, Role
from instances.models import ApiKey, Instance
from memoryapp.models import HeldStatement, MemorySource

#: The tool with which the assistant itself saves memories; see `memoryapp.tools.save`.
SAVED_BY_ASSISTANT = "save_memory"
#: The entry points of people themselves: screens, and the API with a session. What they write is no
#: rollback's.
BY_PEOPLE = ("screen", "api")


@dataclass(frozen=True)
class ChangeSource:
    """A key, a conversation, an import, a tool, or a stretch of time; or what is all of several of
    these at once, such as a key since yesterday.
    """

    instance: Instance
    key: ApiKey | None = None
    conversation: Conversation | None = None
    import_: Import | None = None
    #: The tool whose results were learned from.
    tool: str = ""
    since: datetime | None = None
    #: Not included.
    until: datetime | None = None

    @property
    def is_empty(self) -> bool:
        """True if it names nothing."""
        named = (self.key, self.conversation, self.import_, self.tool, self.since, self.until)
        return not any(named)

    def statements(self) -> QuerySet[MemorySource]:
        """Statements of this source that still count."""
        batch = Q(batches__contains=[self.import_.batch]) if self.import_ else Q()
        rows = MemorySource.objects.counting().filter(instance=self.instance)
        return rows.filter(self._condition(batch)).exclude(via__in=BY_PEOPLE).order_by()

    def held(self) -> QuerySet[HeldStatement]:
        """Statements of this source that wait for review."""
        batch = Q(batch=self.import_.batch) if self.import_ else Q()
        rows = HeldStatement.objects.waiting().filter(instance=self.instance)
        return rows.filter(self._condition(batch)).exclude(via__in=BY_PEOPLE).order_by()

    def messages(self) -> QuerySet[Message]:
        """The messages that it has sent."""
        found = Q(instance=self.instance)
        if self.key:
            found &= Q(api_key=self.key)
        if self.conversation:
            found &= Q(conversation=self.conversation)
        if self.import_:
            found &= Q(batch=self.import_.batch)
        if self.tool:
            found &= Q(role=Role.TOOL, tool_name=self.tool)
        found &= self._within("sent_at")
        return Message.objects.none() if self.is_empty else Message.objects.filter(found).order_by()

    def _condition(self, batch: Q) -> Q:
        if self.is_empty:
            return Q(pk__in=())
        found = Q()
        if self.key:
            doors = [f"{door} {self.key.prefix}" for door in ("api", "mcp")]
            found &= Q(via__in=doors) | Q(message__api_key=self.key)
        if self.conversation:
            found &= Q(conversation=self.conversation)
        if self.import_:
            # What else was said in its conversations, before or since, is not the import's.
            found &= Q(Q(via="import") & batch) | Q(message__batch=self.import_.batch)
        if self.tool == SAVED_BY_ASSISTANT:
            found &= Q(via="assistant")
        elif self.tool:
            found &= Q(message__role=Role.TOOL, message__tool_name=self.tool)
        return found & self._within("created_at")

    def _within(self, column: str) -> Q:
        found = Q()
        if self.since:
            found &= Q(**{f"{column}__gte": self.since})
        if self.until:
            found &= Q(**{f"{column}__lt": self.until})
        return found

    @property
    def in_words(self) -> str:
        """Name of the source, as the end of "what came from …"."""
        parts = []
        if self.key:
            parts.append(f"the key “{self.key.name}”")
        if self.conversation:
            # Its title may repeat what was said in it.
            parts.append("a conversation")
        if self.import_:
            parts.append(f"the file {self.import_.filename}")
        if self.tool == SAVED_BY_ASSISTANT:
            parts.append("the assistant’s own notes")
        elif self.tool:
            parts.append(f"the tool {self.tool}")
        if not parts:
            parts.append("programs and conversations")
        if self.since:
            parts.append(f"since {_moment(self.since)}")
        if self.until:
            parts.append(f"before {_moment(self.until)}")
        return " ".join(parts)


def _moment(at: datetime) -> str:
    return date_format(timezone.localtime(at), "j F Y, H:i")
