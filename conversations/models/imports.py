"""Imports: uploaded files, from the upload to the last stored row."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self
from uuid import uuid4

from django.db import models, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from conversations.models.conversation import Conversation
from conversations.time_left import seconds_left
from instances.constraints import allow_values
from instances.models import Instance, User
from instances.models.content_keys import ContentKey, InstanceContent
from instances.models.fields import TranslatableJSONField, TranslatableTextField
from instances.models.leased_jobs import LeasedJob

#: Seconds after which an import without a worker counts as stuck.
STUCK_AFTER_SECONDS = 20


def upload_name(import_: "Import", filename: str) -> str:
    """The name under which the file of *import_* is stored: its instance, and a new one."""
    return f"{import_.instance_id}/{uuid4().hex}"


class ImportState(models.TextChoices):
    #: Waiting for a worker to check it.
    UPLOADED = "uploaded", _("Waiting to be checked")
    CHECKING = "checking", _("Being checked")
    #: Waiting for a person to confirm it.
    READY = "ready", _("Ready to import")
    #: Waiting for a worker to import it.
    QUEUED = "queued", _("Waiting to be imported")
    RUNNING = "running", _("Importing")
    SUCCEEDED = "succeeded", _("Import complete")
    FAILED = "failed", _("Import failed")
    CANCELLED = "cancelled", _("Import cancelled")


class ImportKind(models.TextChoices):
    CONVERSATIONS = "conversations"
    MEMORIES = "memories"
    #: What the file holds, until it is checked: conversations if it holds both, and memories if its
    #: lines can be either.
    EITHER = "either"


class ImportQuerySet(models.QuerySet["Import"]):
    def to_mention(self, *, may_act: bool) -> Self:
        """Imports of conversations that are not over, and for those who can do something about it
        also failed ones that nobody has put away.
        """
        rows = self.filter(kind=ImportKind.CONVERSATIONS).exclude(
            state__in=[ImportState.SUCCEEDED, ImportState.CANCELLED]
        )
        rows = rows.exclude(dismissed=True)
        return rows if may_act else rows.exclude(state=ImportState.FAILED)


class Import(LeasedJob):
    """An uploaded file: checked by a worker, confirmed by a person, then imported by a worker."""

    State = ImportState
    Kind = ImportKind

    MAX_ATTEMPTS = 5
    #: States in which a worker has it, with the states to return to if the worker dies.
    AT_WORK: ClassVar = {
        ImportState.CHECKING: ImportState.UPLOADED,
        ImportState.RUNNING: ImportState.QUEUED,
    }
    OVER: ClassVar = (ImportState.SUCCEEDED, ImportState.FAILED, ImportState.CANCELLED)
    _NOTHING_YET: ClassVar[dict[str, Any]] = {
        "bytes_read": 0,
        "conversations": 0,
        "messages_added": 0,
        "messages_known": 0,
        "memories_new": 0,
        "memories_changed": 0,
        "memories_known": 0,
        "memories_otherwise": 0,
        "memories_held": 0,
        "skipped_count": 0,
        "skipped": [],
        "reasons": {},
        "error": "",
    }

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="imports")
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    filename = models.CharField(max_length=300)
    file = models.FileField(upload_to=upload_name, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.UPLOADED)
    #: What is imported from the file. Until it is checked, what the person expects: a line with
    #: nothing but a sentence can be either, and some files hold both.
    kind = models.CharField(max_length=20, choices=Kind, default=Kind.CONVERSATIONS)
    #: True if the file holds conversations and memories; the kind says which are imported.
    holds_both = models.BooleanField(default=False)
    #: The format in words.
    format = models.CharField(max_length=200, blank=True)
    #: The batch of the messages and memories that it stores and changes.
    batch = models.UUIDField(default=uuid4, editable=False)
    #: The fields that a person has chosen for the columns of its memories, by their names; empty if
    #: they are guessed, and once it is over.
    columns = models.JSONField(default=dict, blank=True)
    #: True if its memories stand beside those that they would otherwise replace.
    keep_apart = models.BooleanField(default=True)
    #: True if its conversations are to be read for facts.
    read = models.BooleanField(default=False)
    #: True if a manager has confirmed that the file is an export of Keepsake, whose memories get
    #: back the tiers that they had.
    restores_tiers = models.BooleanField(default=False)
    #: True if it is imported once it is checked, without being confirmed by a person: it came from
    #: a program.
    unattended = models.BooleanField(default=False)
    #: Size of the file; of an archive, its unpacked size.
    bytes_total = models.BigIntegerField(default=0)
    bytes_read = models.BigIntegerField(default=0)
    #: The messages, or the rows with memories, that the check has counted: the import measures its
    #: progress by them, since a small file is read at once.
    items_total = models.PositiveIntegerField(default=0)
    # Until it is confirmed, these count what would be imported; afterwards, what was.
    conversations = models.PositiveIntegerField(default=0)
    messages_added = models.PositiveIntegerField(default=0)
    messages_known = models.PositiveIntegerField(default=0)
    memories_new = models.PositiveIntegerField(default=0)
    memories_changed = models.PositiveIntegerField(default=0)
    memories_known = models.PositiveIntegerField(default=0)
    #: Those that wait for review.
    memories_held = models.PositiveIntegerField(default=0)
    first_at = models.DateTimeField(null=True, blank=True)
    last_at = models.DateTimeField(null=True, blank=True)
    #: Titles of some conversations, for the preview only.
    titles = models.JSONField(default=list, blank=True)
    #: Rows that came out otherwise than the preview said, since the memory had changed.
    memories_otherwise = models.PositiveIntegerField(default=0)
    #: What was skipped and why, as sentences that name the place; the first thousand.
    skipped = TranslatableJSONField(default=list, blank=True)
    skipped_count = models.PositiveIntegerField(default=0)
    #: The number of skipped items by reason.
    reasons = TranslatableJSONField(default=dict, blank=True)
    #: An estimate of what reading its conversations for facts would take.
    calls = models.PositiveIntegerField(default=0)
    prompt_tokens = models.BigIntegerField(default=0)
    completion_tokens = models.BigIntegerField(default=0)
    #: Memories that are finally stored or skipped: another attempt starts behind them.
    lines_done = models.PositiveIntegerField(default=0)
    error = TranslatableTextField(blank=True)
    #: True if a person has put the message away that it failed.
    dismissed = models.BooleanField(default=False)
    #: The number of workers that have started it.
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    #: When a worker began to check or import it.
    started_at = models.DateTimeField(null=True, blank=True)
    #: When its worker last reported progress.
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    #: When what it brought was taken back.
    rolled_back_at = models.DateTimeField(null=True, blank=True)
    #: The conversations in the file, new or known before.
    brought = models.ManyToManyField(
        Conversation, through="ImportedConversation", related_name="imports"
    )

    objects = ImportQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]
        constraints: ClassVar = [
            allow_values("state", ImportState, "import_state"),
            allow_values("kind", ImportKind, "import_kind"),
        ]

    def __str__(self) -> str:
        return self.filename

    def get_absolute_url(self) -> str:
        return reverse("import", args=[self.pk])

    def add_conversation(self, conversation: Conversation) -> None:
        """Note that *conversation* is in the file, unless that is noted already."""
        self.brought.add(conversation, through_defaults={"instance_id": self.instance_id})

    @property
    def preview_name(self) -> str:
        """The name of the file that holds the preview of its memories."""
        return f"{self.file.name}.preview"

    @property
    def vectors_name(self) -> str:
        """The name of the file that holds the vectors of its memories."""
        return f"{self.file.name}.vectors"

    @property
    def percent(self) -> int:
        """Progress, 0 to 100."""
        done, total = self._done_of
        return min(100, 100 * done // total) if total else 0

    @property
    def _done_of(self) -> tuple[int, int]:
        """How much is done of how much: items, or bytes of the file until they are counted."""
        if self.state != self.State.RUNNING or not self.items_total:
            return self.bytes_read, self.bytes_total
        if self.is_of_memories:
            return self.lines_done, self.items_total
        return self.messages_added + self.messages_known, self.items_total

    @property
    def seconds_left(self) -> float | None:
        """The estimated time until it is checked or imported; None if unknown."""
        if self.state not in self.AT_WORK:
            return None
        done, total = self._done_of
        return seconds_left(done, total, since=self.started_at, until=self.heartbeat_at)

    @property
    def is_stuck(self) -> bool:
        """True if it has waited so long that probably no worker is running."""
        waited = timezone.now() - (self.heartbeat_at or self.created_at)
        waits = self.state in (self.State.UPLOADED, self.State.QUEUED)
        return waits and waited.total_seconds() > STUCK_AFTER_SECONDS

    @property
    def is_over(self) -> bool:
        return self.state in self.OVER

    @property
    def is_of_memories(self) -> bool:
        return self.kind == self.Kind.MEMORIES

    @property
    def brought_anything(self) -> bool:
        """True if it has stored or changed anything, or has led to a reading."""
        if self.is_of_memories:
            return bool(self.memories_new or self.memories_changed or self.memories_held)
        return bool(self.messages_added or self.read)

    @property
    def was_read(self) -> bool:
        """True if its format was known, so that its counts mean something."""
        return bool(self.format) or self.state == self.State.SUCCEEDED

    @property
    def importable(self) -> int:
        """The memories or messages of a checked file that would be stored, or held for review."""
        if self.is_of_memories:
            return self.memories_stored + self.memories_held
        return self.messages_added

    @property
    def memories_stored(self) -> int:
        """The memories of a checked file that would be stored at once."""
        return self.memories_new + self.memories_changed

    @property
    def known(self) -> int:
        """The memories or messages of the file that are stored already."""
        return self.memories_known if self.is_of_memories else self.messages_known

    @property
    def other_kind(self) -> str:
        """Other content of the file; empty if it holds nothing else."""
        if not self.holds_both:
            return ""
        return (self.Kind.CONVERSATIONS if self.is_of_memories else self.Kind.MEMORIES).value

    def claim(self) -> bool:
        """Claim it for the calling worker, to check or to import it, whichever it waits for; False
        if it waits for neither, or another worker has it.
        """
        now = timezone.now()
        return any(
            self.claim_among(
                Import.objects.filter(state=waiting),
                state=at_work,
                attempts=models.F("attempts") + 1,
                started_at=now,
                heartbeat_at=now,
            )
            for at_work, waiting in self.AT_WORK.items()
        )

    def confirm(self, *, read: bool) -> bool:
        """Queue it for import, to be *read* for facts or not; False if it is not `READY`."""
        # The conditional update decides between two people, or two clicks.
        return bool(
            self.row()
            .filter(state=self.State.READY)
            .update(
                state=self.State.QUEUED,
                read=read,
                attempts=0,
                heartbeat_at=timezone.now(),
                **self._NOTHING_YET,
            )
        )

    def look_again(
        self,
        *,
        keep_apart: bool,
        restores_tiers: bool,
        columns: Mapping[str, str],
        kind: str = "",
    ) -> bool:
        """Have it checked anew, with these choices, which a file that holds both kinds leaves for
        the *kind* as well; False if it is not `READY`.
        """
        return bool(
            self.row()
            .filter(state=self.State.READY)
            .update(
                state=self.State.UPLOADED,
                keep_apart=keep_apart,
                restores_tiers=restores_tiers,
                columns=columns,
                kind=kind if self.holds_both and kind in ImportKind.values else self.kind,
                titles=[],
                first_at=None,
                last_at=None,
                calls=0,
                prompt_tokens=0,
                completion_tokens=0,
                attempts=0,
                heartbeat_at=timezone.now(),
                **self._NOTHING_YET,
            )
        )

    @transaction.atomic
    def cancel(self) -> bool:
        """Cancel it in any state, and delete its file; False if it is over already.

        A worker that has it finds out with its next heartbeat; what is stored stays.
        """
        cancelled = self.ended(self.State.CANCELLED)
        mine = self.row()
        undecided = [self.State.UPLOADED, self.State.CHECKING, self.State.READY]
        if not (
            mine.filter(state__in=undecided).update(**cancelled, **self._NOTHING_YET)
            or mine.exclude(state__in=self.OVER).update(**cancelled)
        ):
            return False
        self.delete_file()
        return True

    @transaction.atomic
    def lose(self, error: str) -> None:
        """Let it fail because all of its workers have died, and delete its file."""
        if self.abandoned().update(**self.ended(self.State.FAILED), error=error):
            self.delete_file()

    @staticmethod
    def ended(state: ImportState) -> dict[str, Any]:
        """Return the columns of an import that is over, in this *state*."""
        # The content of the file is in the conversations now, and may be deleted there.
        return {
            "state": state,
            "finished_at": timezone.now(),
            "lease_until": None,
            "file": "",
            "titles": [],
            "columns": {},
        }

    def dismiss(self) -> bool:
        """Put the message away that it failed; False if it has not."""
        failed = self.row().filter(state=self.State.FAILED)
        return bool(failed.update(dismissed=True))

    def delete_file(self) -> None:
        """Delete the uploaded file; the row must not refer to it any more."""
        if not self.file:
            return
        for name in (str(self.file.name), self.preview_name, self.vectors_name):
            self.file.storage.delete(name)


class ImportedConversation(InstanceContent):
    """A conversation in the file of an import."""

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    import_run = ContentKey(Import, on_delete=models.CASCADE, related_name="+")
    conversation = ContentKey(Conversation, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["import_run", "conversation"], name="imported_conversation_once"
            )
        ]

    def __str__(self) -> str:
        return f"conversation {self.conversation_id} of import {self.import_run_id}"
