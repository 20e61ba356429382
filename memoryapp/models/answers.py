"""Attempts of the assistant to answer, with the memories recalled and the tools used.

The rows hold ids, ranks and descriptions, never the text of a memory, so that deleted memories
leave no trace here.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import ClassVar, Self, TypeAlias

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from conversations.models import Conversation, Message
from instances.constraints import allow_values
from instances.models import ContextPlacement, Instance
from instances.models.content_keys import ContentKey, InstanceContent, OneToOneContentKey
from instances.models.fields import TranslatableTextField
from instances.translatable import translatable

#: The error of an answer whose process has died.
RESTARTED = translatable("No answer came: the server was restarted. Try again.")


class AnswerState(models.TextChoices):
    """How an attempt to answer ended, or that it has not."""

    #: A thread of some process works on it; see `heartbeat_at`.
    RUNNING = "running", "answering"
    DONE = "done", "answered"
    #: No language model is connected, so the answer is what was recalled. There is no reply: a
    #: message would repeat what is remembered, and be read, filed and sent to a model as if said.
    SEARCHED = "searched", "answered by the search"
    #: Stopped by a person; the reply is the text so far.
    STOPPED = "stopped", "stopped"
    #: `error` says why. The reply is the text so far, if any.
    FAILED = "failed", "failed"


class AnswerQuerySet(models.QuerySet["Answer"]):
    def running(self) -> Self:
        return self.filter(state=Answer.State.RUNNING)

    def abandoned(self) -> Self:
        """Running without a sign of life: their process has died."""
        silent = timezone.now() - timedelta(seconds=Answer.MAX_SILENCE_SECONDS)
        return self.running().filter(heartbeat_at__lt=silent)

    def give_up(self) -> int:
        """End those that are abandoned, so that they can be tried again; return how many."""
        return self.abandoned().update(
            state=Answer.State.FAILED, error=RESTARTED, finished_at=timezone.now()
        )


class Answer(InstanceContent):
    """One attempt to answer one message. Trying again makes another one."""

    State: TypeAlias = AnswerState

    #: Seconds without a heartbeat after which its process is presumed dead. Heartbeats are sent
    #: every second.
    MAX_SILENCE_SECONDS = 15

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="answers")
    conversation = ContentKey(Conversation, on_delete=models.CASCADE, related_name="answers")
    #: The message that is answered.
    message = ContentKey(Message, on_delete=models.CASCADE, related_name="answers")
    #: None until the attempt is over, and if a later attempt has replaced it.
    reply = OneToOneContentKey(
        Message, on_delete=models.SET_NULL, null=True, blank=True, related_name="answer"
    )
    #: The reply that this attempt replaces as soon as it is done.
    replaces = ContentKey(
        Message, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    state = models.CharField(max_length=10, choices=State, default=State.RUNNING)
    error = TranslatableTextField(blank=True)
    #: True if the model had reached its limit before it was done.
    cut_off = models.BooleanField(default=False)
    #: Set by any process to stop it.
    stop_requested = models.BooleanField(default=False)
    model = models.CharField(max_length=200, blank=True)
    #: The name under which a program continues after it; empty for none.
    public_id = models.CharField(max_length=64, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now)
    heartbeat_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = AnswerQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            allow_values("state", AnswerState, "answer_state"),
            models.UniqueConstraint(
                fields=["instance", "public_id"],
                condition=~Q(public_id=""),
                name="answer_public_id_once",
            ),
            # Two at once would not know of each other's replies.
            models.UniqueConstraint(
                fields=["conversation"],
                condition=Q(state=AnswerState.RUNNING.value),
                name="answer_one_running",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["heartbeat_at"],
                condition=Q(state=AnswerState.RUNNING.value),
                name="answer_running",
            ),
        ]

    def __str__(self) -> str:
        return f"Answer {self.pk} to message {self.message_id}: {self.state}"

    @property
    def is_running(self) -> bool:
        return self.state == self.State.RUNNING

    @property
    def is_searched(self) -> bool:
        return self.state == self.State.SEARCHED

    def beat(self) -> bool:
        """Send a heartbeat; False if it is to stop, or has been presumed dead."""
        alive = self.row().filter(stop_requested=False).running()
        return bool(alive.update(heartbeat_at=timezone.now()))


class _Shown(models.Func):
    """True if one of the hits of a recall is one of some memories: (hits, ids)."""

    output_field = models.BooleanField()
    template = "EXISTS (SELECT FROM jsonb_array_elements(%(expressions)s))"
    arg_joiner = ") AS hit WHERE (hit ->> 'memory')::bigint = ANY("


class RecallLogQuerySet(models.QuerySet["RecallLog"]):
    def showing(self, memory_ids: Sequence[int]) -> Self:
        """Answers of which the model was shown one of these memories."""
        ids = models.Value(list(memory_ids), ArrayField(models.BigIntegerField()))
        return self.filter(_Shown(models.F("hits"), ids))


class RecallLog(InstanceContent):
    """The memories that the model was shown for one answer: ids, ranks and score parts only."""

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    answer = ContentKey(Answer, on_delete=models.CASCADE, related_name="recalls")
    #: ``{"memory": 12, "ranks": {…}, "parts": {…}, "similarity": 0.41}``, best first.
    hits = models.JSONField(default=list, blank=True)
    #: Where the model was shown them.
    placement = models.CharField(
        max_length=20, choices=ContextPlacement, default=ContextPlacement.USER_MESSAGE
    )
    #: Why recall failed, fully or in part, as a sentence.
    problem = TranslatableTextField(blank=True)
    milliseconds = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    objects = RecallLogQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [allow_values("placement", ContextPlacement, "recall_placement")]

    def __str__(self) -> str:
        return f"{len(self.hits)} memories for answer {self.answer_id}"


class ToolRun(InstanceContent):
    """A tool call for an answer: its name and result, never its text."""

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    answer = ContentKey(Answer, on_delete=models.CASCADE, related_name="tool_runs")
    name = models.CharField(max_length=100)
    #: The result, in words for people.
    outcome = TranslatableTextField()
    ok = models.BooleanField(default=True)
    memory_ids = ArrayField(models.BigIntegerField(), default=list, blank=True)
    milliseconds = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"{self.name}: {self.outcome}"
