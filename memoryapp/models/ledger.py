"""The ledger: what changed, what it cost. What ran is in `runs`."""

from datetime import timedelta
from decimal import Decimal
from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models.runs import Run
from memoryapp.providers.errors import MAX_ERROR_CHARACTERS, ProviderError
from memoryapp.providers.field_values import MAX_MODEL_CHARACTERS, storable

#: Prices are for so many tokens.
A_MILLION = Decimal(1_000_000)
#: The most tokens of one entry, so that its cost fits the column at the highest price.
MAX_COUNT = 40_000_000


class ActivityManager(models.Manager["Activity"]):
    def record(
        self,
        by: Actor,
        action: str,
        *,
        memory_id: int | None = None,
        conversation_id: int | None = None,
        count: int = 1,
        about: str = "",
    ) -> "Activity":
        """Add a line: call it as ``instance.activity.record(…)``."""
        return self.create(
            action=action,
            by=by.user,
            via=by.via,
            memory_id=memory_id,
            conversation_id=conversation_id,
            count=count,
            about=about,
        )


class Activity(models.Model):
    """One line for each thing that changed the memory. Never the text of what was changed."""

    class Action(models.TextChoices):
        CREATED = "created"
        UPDATED = "updated"
        DELETED = "deleted"
        RESTORED = "restored"
        #: Several that said the same were put together.
        JOINED_UP = "joined_up", "put together"
        #: A change or a deletion was taken back.
        UNDONE = "undone"
        RELATION_ADDED = "relation_added", "relation added"
        RELATION_WITHDRAWN = "relation_withdrawn", "relation withdrawn"
        ENTITY_RENAMED = "entity_renamed", "entity renamed"
        ENTITIES_MERGED = "entities_merged", "entities merged"
        SETTINGS = "settings", "settings changed"
        KEY_MADE = "key_made", "API key made"
        KEY_REVOKED = "key_revoked", "API key revoked"
        JOINED = "joined", "member added"
        LEFT = "left", "member removed"
        INVITED = "invited", "member invited"
        UNINVITED = "uninvited", "invitation withdrawn"
        ROLE_CHANGED = "role_changed", "role changed"
        #: A superadmin made a password link for the owner of a private instance.
        PASSWORD_LINK = "password_link", "password link made"
        #: That link was used.
        PASSWORD_RESET = "password_reset", "password reset"
        #: Drawers of the palace were deleted: what was said stays, and is not filed again.
        UNFILED = "unfiled", "drawers deleted"
        #: A place of the palace was renamed or merged.
        REORGANISED = "reorganised", "palace reorganised"
        NOTED = "noted", "note written"

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="activity")
    at = models.DateTimeField(default=timezone.now)
    action = models.CharField(max_length=20, choices=Action)
    #: Who did it; None: the machine did, and `via` says which part of it.
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    via = models.CharField(max_length=20)
    #: Not a foreign key: the line outlives the memory.
    memory_id = models.BigIntegerField(null=True, blank=True)
    count = models.PositiveIntegerField(default=1)
    #: What led to it was said here; None where nothing was, and when that has been deleted.
    conversation = models.ForeignKey(
        Conversation, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    #: Of what is no memory: which settings, whose membership, which key, by its name; which places
    #: of the palace, by their numbers.
    about = models.CharField(max_length=150, blank=True)

    objects = ActivityManager()

    class Meta:
        ordering: ClassVar = ["-at", "-id"]
        verbose_name_plural = "activity"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(
                    action__in=[
                        "created",
                        "updated",
                        "deleted",
                        "restored",
                        "joined_up",
                        "undone",
                        "relation_added",
                        "relation_withdrawn",
                        "entity_renamed",
                        "entities_merged",
                        "settings",
                        "key_made",
                        "key_revoked",
                        "joined",
                        "left",
                        "invited",
                        "uninvited",
                        "role_changed",
                        "password_link",
                        "password_reset",
                        "unfiled",
                        "reorganised",
                        "noted",
                    ]
                ),
                name="activity_action",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["instance", "-at"], name="activity_list"),
            models.Index(fields=["instance", "memory_id"], name="activity_of_memory"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.memory_id or ''}".strip()


def _model(name: str) -> str:
    """The name of a model as it is stored."""
    return storable(name)[:MAX_MODEL_CHARACTERS]


def _cost(
    instance: Instance, source: str, prompt_tokens: int, completion_tokens: int
) -> Decimal | None:
    """What a call cost; None without the prices of all that it took."""
    read = instance.embedding_price if source == Usage.Source.EMBED else instance.prompt_price
    written = instance.completion_price if completion_tokens else Decimal(0)
    if read is None or written is None:
        return None
    return (prompt_tokens * read + completion_tokens * written) / A_MILLION


class UsageQuerySet(models.QuerySet["Usage"]):
    def book(
        self,
        instance: Instance,
        source: "Usage.Source",
        model: str,
        *,
        run: Run | None = None,
        prompt_tokens: int = 0,
        completion_tokens: int = 0,
        error: ProviderError | str = "",
    ) -> "Usage":
        """Put one call on the books, a failed one with its *error*, and with what it cost at the
        instance's present prices. A call that was not sent is not stored.
        """
        prompt_tokens = min(prompt_tokens, MAX_COUNT)
        completion_tokens = min(completion_tokens, MAX_COUNT)
        booked = Usage(
            instance=instance,
            run=run,
            source=source,
            model=_model(model),
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            cost=_cost(instance, source, prompt_tokens, completion_tokens),
            error=storable(str(error))[:MAX_ERROR_CHARACTERS],
            error_kind=error.kind if isinstance(error, ProviderError) else "",
        )
        if not isinstance(error, ProviderError) or error.was_sent:
            booked.save(using=self.db)
        return booked

    def failed(self) -> Self:
        """Those that a provider did not answer as it should have. What somebody stopped is none."""
        return self.exclude(error_kind="")

    def latest_error(
        self,
        instance: Instance,
        source: "Usage.Source",
        model: str,
        *,
        within: timedelta | None = None,
    ) -> str:
        """What went wrong with the instance's latest call of *model* for this, in words; empty when
        it went well, or when it is longer ago than *within*.
        """
        last = self.filter(
            instance=instance, source=source, model=storable(model)[:MAX_MODEL_CHARACTERS]
        ).first()
        if last is None:
            return ""
        forgotten = within is not None and last.at <= timezone.now() - within
        return "" if forgotten else last.error


class Usage(models.Model):
    """One call to a provider, failed ones included."""

    class Source(models.TextChoices):
        CHAT = "chat", "Chat"
        EXTRACT = "memory_extract", "Reading conversations"
        MERGE = "memory_merge", "Merging facts"
        ASSESS = "memory_assess", "Judging facts"
        SUMMARY = "memory_summary", "Summing up"
        MINE = "memory_mine", "Filing turns"
        RERANK = "memory_rerank", "Ranking results"
        EMBED = "memory_embed", "Vectors"

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="usage")
    run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, blank=True)
    at = models.DateTimeField(default=timezone.now)
    source = models.CharField(max_length=20, choices=Source)
    model = models.CharField(max_length=200)
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    #: At the prices of its moment; None: the instance had not given them.
    cost = models.DecimalField(max_digits=18, decimal_places=10, null=True, blank=True)
    #: What went wrong, in a sentence; empty when the call succeeded.
    error = models.TextField(blank=True)
    #: The same as one of `providers.errors.ErrorKind`, for counting.
    error_kind = models.CharField(max_length=20, blank=True)

    objects = UsageQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-at", "-id"]
        verbose_name_plural = "usage"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(
                    source__in=[
                        "memory_extract",
                        "memory_embed",
                        "memory_merge",
                        "memory_assess",
                        "memory_rerank",
                        "memory_mine",
                        "memory_summary",
                        "chat",
                    ]
                ),
                name="usage_source",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["instance", "source", "-at"], name="usage_latest"),
            # What a month has cost is asked before each call in the background.
            models.Index(fields=["instance", "at"], include=["cost"], name="usage_spent"),
            models.Index(
                fields=["instance", "at"], condition=~Q(error_kind=""), name="usage_failed"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source} by {self.model}"
