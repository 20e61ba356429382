"""Conversations and messages, and the imports they came in with."""

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Exists, ExpressionWrapper, F, OuterRef, Q, Value
from django.db.models.functions import Concat
from django.urls import reverse
from django.utils import timezone

from conversations.search import SearchVector
from instances.languages import LANGUAGES
from instances.models import Agent, ExtractWhen, Instance, User

if TYPE_CHECKING:
    from django_stubs_ext.db.models.manager import RelatedManager

    from memoryapp.models import MemorySource, Run


logger = logging.getLogger(__name__)

#: Seconds after which an import that nobody has begun has no worker.
STUCK_AFTER_SECONDS = 20
#: How the external id of a message begins that is known by its place in a transcript.
TRANSCRIPT_LINK_PREFIX = "transcript:"
#: Messages on one page of a transcript.
MESSAGES_PER_PAGE = 100


class ConversationOrigin(models.TextChoices):
    """Through which door a conversation came in."""

    CHAT = "chat", "chat"
    API = "api", "API"
    OPENAI = "openai", "OpenAI client"
    IMPORT = "import", "import"
    MEM0 = "mem0", "mem0 client"


class ConversationQuerySet(models.QuerySet["Conversation"]):
    def stale(self) -> Self:
        """Those in which nothing has been said for as long as their instance waits for, where that
        is when conversations are read. What was imported is read when somebody asks for it.
        """
        patience = F("instance__stale_minutes") * Value(timedelta(minutes=1))
        return self.filter(
            instance__memory_enabled=True,
            instance__extract_when=ExtractWhen.STALE,
            last_activity_at__lte=ExpressionWrapper(
                Value(timezone.now()) - patience, output_field=models.DateTimeField()
            ),
        ).exclude(origin=ConversationOrigin.IMPORT)


class Conversation(models.Model):
    """What was said between an end user and an assistant, or between named people."""

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="conversations")
    agent = models.ForeignKey(Agent, on_delete=models.SET_NULL, null=True, blank=True)
    title = models.CharField(max_length=300, blank=True)
    origin = models.CharField(
        max_length=10, choices=ConversationOrigin, default=ConversationOrigin.API
    )
    end_user = models.CharField(max_length=200, blank=True)
    #: The id that the system it came from knows it by; empty when it began here.
    external_id = models.CharField(max_length=300, blank=True)
    #: Position of the last message that extraction has read. 0: none yet.
    watermark = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    last_activity_at = models.DateTimeField(default=timezone.now)

    objects = ConversationQuerySet.as_manager()

    if TYPE_CHECKING:
        messages: RelatedManager["Message"]
        runs: RelatedManager[Run]
        memory_sources: RelatedManager[MemorySource]
        imports: RelatedManager["Import"]

    class Meta:
        ordering: ClassVar = ["-last_activity_at", "-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["instance", "external_id"],
                condition=~Q(external_id=""),
                name="conversation_external_id_once",
            ),
            # What a composite foreign key needs to point at: see the migration.
            models.UniqueConstraint(fields=["id", "instance"], name="conversation_in_instance"),
            models.CheckConstraint(
                condition=Q(origin__in=ConversationOrigin.values), name="conversation_origin"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                F("instance"),
                F("last_activity_at").desc(),
                F("id").desc(),
                name="conversation_list",
            ),
        ]

    def __str__(self) -> str:
        return self.title or f"Conversation {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("conversation", args=[self.pk])

    @property
    def goes_stale_at(self) -> datetime | None:
        """When what is new in it is read by itself if nothing more is said, as `stale` decides;
        None: it is not.
        """
        if not self.instance.reads_what_goes_stale or self.origin == ConversationOrigin.IMPORT:
            return None
        return self.last_activity_at + timedelta(minutes=self.instance.stale_minutes)


class Role(models.TextChoices):
    """Who speaks."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class MessageQuerySet(models.QuerySet["Message"]):
    def unread(self) -> Self:
        """Those that extraction has not read yet."""
        return self.filter(position__gt=F("conversation__watermark"))


class Message(models.Model):
    """One turn. Never edited, so that a memory's source stays what was really said."""

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="+")
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="messages"
    )
    #: 1, 2, 3 … within the conversation.
    position = models.PositiveIntegerField()
    role = models.CharField(max_length=10, choices=Role)
    author = models.CharField(max_length=200, blank=True)
    content = models.TextField()
    #: What a shared picture shows, in words; found by search like the text.
    caption = models.TextField(blank=True)
    #: For a tool result: the tool. For an assistant's turn: its calls, as name and arguments.
    tool_name = models.CharField(max_length=200, blank=True)
    tool_calls = models.JSONField(default=list, blank=True)
    external_id = models.CharField(max_length=300, blank=True)
    #: What the program that sent it attached: memories that come of it take it over.
    metadata = models.JSONField(default=dict, blank=True)
    language = models.CharField(max_length=20, choices=LANGUAGES, default="english")
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

    if TYPE_CHECKING:
        memory_sources: RelatedManager[MemorySource]

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
            models.CheckConstraint(condition=Q(role__in=Role.values), name="message_role"),
            models.CheckConstraint(condition=Q(position__gte=1), name="message_position_from_1"),
        ]
        indexes: ClassVar = [
            GinIndex(fields=["search"], name="message_search"),
            # Who speaks: a question that names one of them is about what that one said.
            models.Index(
                fields=["instance", "author"], condition=~Q(author=""), name="message_author"
            ),
            # A transcript that comes without an id is looked up in all conversations.
            models.Index(
                fields=["instance", "external_id"],
                condition=Q(external_id__startswith=TRANSCRIPT_LINK_PREFIX),
                name="message_link",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.author or self.role}: {self.content[:60]}"

    def get_absolute_url(self) -> str:
        page = (self.position - 1) // MESSAGES_PER_PAGE + 1
        path = reverse("conversation", args=[self.conversation_id])
        return f"{path}?page={page}#m{self.position}"


class Import(models.Model):
    """A file on its way in: looked through, decided on by a person, brought in."""

    class State(models.TextChoices):
        #: Waiting for a worker to look through it.
        UPLOADED = "uploaded", "Waiting to be looked through"
        CHECKING = "checking", "Being looked through"
        #: Waiting for somebody to say what is to be done with it.
        READY = "ready", "Ready: waits for your decision"
        #: Waiting for a worker to bring it in.
        QUEUED = "queued", "Waiting to come in"
        RUNNING = "running", "Coming in"
        SUCCEEDED = "succeeded", "Done"
        FAILED = "failed", "Failed"
        CANCELLED = "cancelled", "Cancelled"

    class Kind(models.TextChoices):
        CONVERSATIONS = "conversations"
        MEMORIES = "memories"

    MAX_ATTEMPTS = 5
    #: Where a worker is at it, and where it goes back to when the worker dies.
    AT_WORK: ClassVar = {State.CHECKING: State.UPLOADED, State.RUNNING: State.QUEUED}
    OVER: ClassVar = (State.SUCCEEDED, State.FAILED, State.CANCELLED)
    _NOTHING_YET: ClassVar[dict[str, Any]] = {
        "bytes_read": 0,
        "conversations": 0,
        "messages_added": 0,
        "messages_known": 0,
        "memories_new": 0,
        "memories_changed": 0,
        "memories_known": 0,
        "skipped_count": 0,
        "skipped": [],
        "reasons": {},
        "error": "",
    }

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="imports")
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    filename = models.CharField(max_length=300)
    file = models.FileField(upload_to="imports/", blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.UPLOADED)
    #: What is in the file. Until it has been looked through, what whoever uploaded it was after:
    #: a line that says no more than a sentence may be either.
    kind = models.CharField(max_length=20, choices=Kind, default=Kind.CONVERSATIONS)
    #: What the file is, in words.
    format = models.CharField(max_length=200, blank=True)
    #: Whether somebody wants its conversations read for facts as they come in.
    read = models.BooleanField(default=False)
    #: Of the file; of an archive, what it unpacks to.
    bytes_total = models.BigIntegerField(default=0)
    bytes_read = models.BigIntegerField(default=0)
    # Until somebody has decided, these say what would come in; from then on, what has.
    conversations = models.PositiveIntegerField(default=0)
    messages_added = models.PositiveIntegerField(default=0)
    messages_known = models.PositiveIntegerField(default=0)
    memories_new = models.PositiveIntegerField(default=0)
    memories_changed = models.PositiveIntegerField(default=0)
    memories_known = models.PositiveIntegerField(default=0)
    first_at = models.DateTimeField(null=True, blank=True)
    last_at = models.DateTimeField(null=True, blank=True)
    #: Titles of some conversations, for the preview only.
    titles = models.JSONField(default=list, blank=True)
    #: What was left out and why, as sentences that name the place; the first thousand.
    skipped = models.JSONField(default=list, blank=True)
    skipped_count = models.PositiveIntegerField(default=0)
    #: How often something was left out, by reason.
    reasons = models.JSONField(default=dict, blank=True)
    #: What reading its conversations for facts would take.
    calls = models.PositiveIntegerField(default=0)
    prompt_tokens = models.BigIntegerField(default=0)
    completion_tokens = models.BigIntegerField(default=0)
    #: Memories that are done with for good: where another attempt goes on.
    lines_done = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    #: How many workers have begun it.
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    #: When its worker last reported progress; that worker's claim, see `importers.row`.
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    #: When its worker's lease ends, unless it is renewed.
    lease_until = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    #: The conversations that came with it, new or known before.
    brought = models.ManyToManyField(Conversation, related_name="imports")

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(
                    state__in=[
                        "uploaded",
                        "checking",
                        "ready",
                        "queued",
                        "running",
                        "succeeded",
                        "failed",
                        "cancelled",
                    ]
                ),
                name="import_state",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["conversations", "memories"]), name="import_kind"
            ),
        ]

    def __str__(self) -> str:
        return self.filename

    def get_absolute_url(self) -> str:
        return reverse("import", args=[self.pk])

    @property
    def percent(self) -> int:
        """How far it has come, 0 to 100, by bytes of the file."""
        return min(100, 100 * self.bytes_read // self.bytes_total) if self.bytes_total else 0

    @property
    def is_stuck(self) -> bool:
        """Whether it waits for so long that there seems to be no worker to wait for."""
        waited = timezone.now() - (self.heartbeat_at or self.created_at)
        waits = self.state in (self.State.UPLOADED, self.State.QUEUED)
        return waits and waited.total_seconds() > STUCK_AFTER_SECONDS

    @property
    def is_over(self) -> bool:
        return self.state in self.OVER

    @property
    def is_of_memories(self) -> bool:
        return self.kind == self.Kind.MEMORIES

    def unread_and_waiting(self) -> tuple[int, int]:
        """How many of its conversations nobody has read to the end for facts, and how many more
        are about to be.
        """
        unread = Message.objects.filter(conversation=OuterRef("pk")).unread()
        rows = self.brought.filter(Exists(unread))
        waiting = (
            rows.filter(runs__kind="extraction", runs__state__in=["queued", "running"])
            .distinct()
            .count()
        )
        return rows.count() - waiting, waiting

    def still_mine(self) -> "models.QuerySet[Import]":
        """Narrow to this import, but only while the caller's attempt still holds it."""
        return Import.objects.filter(pk=self.pk, state=self.state, attempts=self.attempts)

    def confirm(self, *, read: bool) -> bool:
        """Let it come in, and be *read* for facts or not; False when it is not waiting for that."""
        # The conditional update decides between two people, or two clicks.
        return bool(
            Import.objects.filter(pk=self.pk, state=self.State.READY).update(
                state=self.State.QUEUED,
                read=read,
                attempts=0,
                heartbeat_at=timezone.now(),
                **self._NOTHING_YET,
            )
        )

    def cancel(self) -> bool:
        """Stop it, wherever it is, and delete its file; False when it is over already.

        A worker that is at it finds out with its next sign of life; what it has stored stays.
        """
        cancelled = {
            "state": self.State.CANCELLED,
            "finished_at": timezone.now(),
            "file": "",
            "titles": [],
        }
        mine = Import.objects.filter(pk=self.pk)
        undecided = [self.State.UPLOADED, self.State.CHECKING, self.State.READY]
        if not (
            mine.filter(state__in=undecided).update(**cancelled, **self._NOTHING_YET)
            or mine.exclude(state__in=self.OVER).update(**cancelled)
        ):
            return False
        self.delete_file()
        return True

    def lose(self, error: str) -> None:
        """Give it up, since every worker that took it up has died, and delete its file."""
        # The heartbeat again: a worker that was only slow may be at it once more.
        if Import.objects.filter(
            pk=self.pk, state=self.state, heartbeat_at=self.heartbeat_at
        ).update(
            state=self.State.FAILED, error=error, finished_at=timezone.now(), file="", titles=[]
        ):
            self.delete_file()

    def delete_file(self) -> None:
        """Delete the uploaded file; the row must not name it any more."""
        if not self.file:
            return
        try:
            self.file.storage.delete(str(self.file.name))
        except OSError:
            logger.warning("import %s: %s could not be deleted", self.pk, self.file.name)
