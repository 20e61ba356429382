"""Conversations and their messages."""

from datetime import datetime, timedelta
from typing import Any, ClassVar, Self

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import ExpressionWrapper, F, Q, Value
from django.db.models.functions import Concat
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from conversations.search import SearchVector
from instances.constraints import allow_values
from instances.languages import LANGUAGES
from instances.models import Agent, ApiKey, ExtractWhen, Instance
from instances.models.content_keys import ContentKey, InstanceContent
from instances.tiers import Tier

#: Prefix of the external ids that ``/v1`` gives to messages by their place in a transcript.
TRANSCRIPT_LINK_PREFIX = "transcript:"
#: Messages on one page of a transcript.
MESSAGES_PER_PAGE = 50


class ConversationOrigin(models.TextChoices):
    """The interface through which a conversation was created."""

    CHAT = "chat", _("Chat")
    API = "api", _("API")
    OPENAI = "openai", _("OpenAI client")
    IMPORT = "import", _("Imported")
    MEM0 = "mem0", _("mem0 client")


class ConversationQuerySet(models.QuerySet["Conversation"]):
    def stale(self) -> Self:
        """Conversations that are due to be read because nothing was added for the instance's
        waiting time. Imported ones are read only on request.
        """
        waiting_time = F("instance__stale_minutes") * Value(timedelta(minutes=1))
        return self.filter(
            instance__memory_enabled=True,
            instance__extract_when=ExtractWhen.STALE,
            last_activity_at__lte=ExpressionWrapper(
                Value(timezone.now()) - waiting_time, output_field=models.DateTimeField()
            ),
        ).exclude(origin=ConversationOrigin.IMPORT)


class Conversation(InstanceContent):
    """The messages between an end user and an assistant, or between named people."""

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="conversations")
    agent = models.ForeignKey(Agent, on_delete=models.SET_NULL, null=True, blank=True)
    title = models.CharField(max_length=300, blank=True)
    origin = models.CharField(
        max_length=10, choices=ConversationOrigin, default=ConversationOrigin.API
    )
    end_user = models.CharField(max_length=200, blank=True)
    #: The id of the group that is told it as well, as long as it is set.
    shared_with = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - "" is one
    #: Its id in the system that it came from; empty if it began here.
    external_id = models.CharField(max_length=300, blank=True)
    #: Begun without memory: nothing is recalled for it, and nothing of it is kept elsewhere.
    without_memory = models.BooleanField(default=False)
    #: Position of the last message that extraction has read. 0: none yet.
    watermark = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    last_activity_at = models.DateTimeField(default=timezone.now)

    objects = ConversationQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-last_activity_at", "-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["instance", "external_id"],
                condition=~Q(external_id=""),
                name="conversation_external_id_once",
            ),
            # The target of composite foreign keys: see the migration.
            models.UniqueConstraint(fields=["id", "instance"], name="conversation_in_instance"),
            allow_values("origin", ConversationOrigin, "conversation_origin"),
        ]
        indexes: ClassVar = [
            models.Index(
                F("instance"),
                F("last_activity_at").desc(),
                F("id").desc(),
                name="conversation_list",
            ),
            # Recall leaves their messages out.
            models.Index(
                fields=["instance"],
                condition=Q(without_memory=True),
                name="conversation_without_memory",
            ),
            models.Index(
                fields=["instance", "shared_with"],
                condition=Q(shared_with__isnull=False),
                name="conversation_shared",
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.unnamed

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store it; a new one under the id by which its end user is known."""
        if self._state.adding:
            self.end_user = self.instance.canonical_end_user(self.end_user)
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("conversation", args=[self.pk])

    @property
    def unnamed(self) -> str:
        """How it is called without a title."""
        return gettext("Conversation %(number)s") % {"number": self.pk}

    @property
    def goes_stale_at(self) -> datetime | None:
        """When it becomes `stale` if no message is added; None if it never does."""
        if not self.instance.reads_what_goes_stale or self.origin == ConversationOrigin.IMPORT:
            return None
        return self.last_activity_at + timedelta(minutes=self.instance.stale_minutes)


class Role(models.TextChoices):
    """Role of the speaker."""

    USER = "user", _("User")
    ASSISTANT = "assistant", _("Assistant")
    SYSTEM = "system", _("System")
    TOOL = "tool", _("Tool")


class Nature(models.TextChoices):
    """Nature of a message: the act that it performs."""

    STATEMENT = "statement", _("Statement")
    QUESTION = "question", _("Question")
    REQUEST = "request", _("Request")
    #: Greetings, thanks, assent, and replies that say nothing.
    ACKNOWLEDGEMENT = "ack", _("Small talk")


class MessageQuerySet(models.QuerySet["Message"]):
    def unread(self) -> Self:
        """Messages that extraction has not read yet, and may read."""
        return self.filter(
            position__gt=F("conversation__watermark"), conversation__without_memory=False
        )


class Message(InstanceContent):
    """A message. Never edited, so that the source of a memory stays as it was."""

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="+")
    conversation = ContentKey(Conversation, on_delete=models.CASCADE, related_name="messages")
    #: 1, 2, 3 … within the conversation.
    position = models.PositiveIntegerField()
    role = models.CharField(max_length=10, choices=Role)
    author = models.CharField(max_length=200, blank=True)
    content = models.TextField()
    #: A description of a shared picture; searched like the text.
    caption = models.TextField(blank=True)
    #: Of a tool's result, its tool; of an assistant's message, its calls: names and arguments.
    tool_name = models.CharField(max_length=200, blank=True)
    tool_calls = models.JSONField(default=list, blank=True)
    external_id = models.CharField(max_length=300, blank=True)
    #: The highest tier that the door through which it came allows.
    trust = models.PositiveSmallIntegerField(choices=Tier, default=Tier.USER)
    #: The key with which it was sent.
    api_key = models.ForeignKey(
        ApiKey, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    #: The batch of the import that brought it; None if it came otherwise.
    batch = models.UUIDField(null=True, blank=True, editable=False)
    #: Attached by the sender; memories that are learned from the message get it, too.
    metadata = models.JSONField(default=dict, blank=True)
    language = models.CharField(max_length=20, choices=LANGUAGES, default="english")
    nature = models.CharField(max_length=10, choices=Nature, default=Nature.STATEMENT)
    sent_at = models.DateTimeField(default=timezone.now)
    search = models.GeneratedField(
        expression=SearchVector(
            F("instance_id"),
            F("language"),
            Concat(
                F("author"),
                Value(" "),
                F("content"),
                Value(" "),
                F("caption"),
                output_field=models.TextField(),
            ),
        ),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    objects = MessageQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["conversation", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["conversation", "position"], name="message_position"),
            models.UniqueConstraint(
                fields=["conversation", "external_id"],
                condition=~Q(external_id=""),
                name="message_external_id_once",
            ),
            models.UniqueConstraint(fields=["id", "instance"], name="message_in_instance"),
            allow_values("role", Role, "message_role"),
            allow_values("trust", Tier, "message_trust"),
            allow_values("nature", Nature, "message_nature"),
            models.CheckConstraint(condition=Q(position__gte=1), name="message_position_from_1"),
        ]
        indexes: ClassVar = [
            GinIndex(fields=["search"], name="message_search"),
            # A question that names an author is about that author's messages.
            models.Index(
                fields=["instance", "author"], condition=~Q(author=""), name="message_author"
            ),
            # A rollback asks for the messages of an import.
            models.Index(
                fields=["instance", "batch"],
                condition=Q(batch__isnull=False),
                name="message_of_import",
            ),
            # A transcript without an id is looked up in all conversations.
            models.Index(
                fields=["instance", "external_id"],
                condition=Q(external_id__startswith=TRANSCRIPT_LINK_PREFIX),
                name="message_link",
            ),
        ]

    def __str__(self) -> str:
        # Not its text: logs, errors and other programs print it.
        return f"Message {self.position} of {self.role}"

    def get_absolute_url(self) -> str:
        # Which page it is on depends on how many before it have been deleted.
        path = reverse("conversation", args=[self.conversation_id])
        return f"{path}?at={self.position}#m{self.position}"

    @property
    def is_prose(self) -> bool:
        """True if its text is Markdown: models write it, people write plain text."""
        return self.role == Role.ASSISTANT

    @property
    def tier(self) -> Tier:
        """How far it is believed: by its role, and by the door through which it came."""
        return min(Tier.of_role(self.role), Tier(self.trust))
