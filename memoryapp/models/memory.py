"""Memories, the messages they come from, and their earlier versions."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from functools import reduce
from operator import or_
from typing import ClassVar, Self, TypeAlias

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q, QuerySet
from django.db.models.functions import MD5, Lower
from django.urls import reverse
from django.utils import timezone

from conversations.models import Conversation, Message
from conversations.search import SearchVector
from instances.constraints import allow_values
from instances.languages import LANGUAGES
from instances.models import Instance, User
from instances.models.content_keys import ContentKey, InstanceContent
from instances.tiers import Tier
from memoryapp.models.end_dates import Ending, has_ended, has_not_ended
from memoryapp.models.memory_choices import (
    NO_VERSION,
    Category,
    Feedback,
    ImportanceBy,
    Origin,
    RevisionReason,
    SourceAction,
)
from memoryapp.policy.labels import named


class OwnTags(models.Func):
    """The `keepsake_own_tags` SQL function: (instance id, tags) to the tags, each prefixed with the
    instance id, so that the index finds a tag in one instance even if many instances use it.
    """

    function = "keepsake_own_tags"
    output_field = ArrayField(models.TextField())


CREATE_OWN_TAGS = """
CREATE FUNCTION keepsake_own_tags(instance_id bigint, tags text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT instance_id::text || ':' || tag FROM unnest(tags) AS tag);
"""
DROP_OWN_TAGS = "DROP FUNCTION keepsake_own_tags(bigint, text[])"


def has_label_of(kind: str) -> Q:
    """The condition for a memory to have a named label of one of `policy.labels.KINDS`."""
    template = f"EXISTS (SELECT FROM unnest(%(expressions)s) AS label WHERE label ~ '^{kind}:.')"
    return Q(models.Func(F("labels"), template=template, output_field=models.BooleanField()))


MAX_FEEDBACK_REASON = 1_000
#: The most memories about one person that are pinned at a time. They are told with each message.
MAX_PINS = 10
#: Memories up to this importance count as minor.
MAX_FADING_IMPORTANCE = 3
#: Days after which a minor memory that was never recalled counts as unused.
UNUSED_AFTER_DAYS = 90

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class MemoryQuerySet(models.QuerySet["Memory"]):
    def in_instance(self, instance: Instance) -> Self:
        return self.filter(instance=instance)

    def current(self, today: date) -> Self:
        """Memories that are valid on *today*."""
        return self.filter(has_not_ended(today))

    def expired(self, today: date) -> Self:
        """Memories whose end has passed."""
        return self.filter(has_ended(today))

    def stale(self) -> Self:
        """Memories marked as stale; see `health.decay`."""
        return self.filter(stale_since__isnull=False)

    def never_recalled(self) -> Self:
        """Memories that no answer and no search has used."""
        return self.filter(recalled=False)

    def stored_today(self, instance: Instance) -> Self:
        """Memories that were stored today in the time zone of *instance*, whatever date an imported
        file gives them.
        """
        return self.filter(stored_at__gte=instance.midnight())

    def to_confirm(self, since: datetime) -> Self:
        """Memories that were stored or changed *since* then, and that no person has entered, or
        approved as they are now.
        """
        recent = Q(stored_at__gte=since) | Q(updated_at__gte=since)
        return self.filter(recent, tier__lt=Tier.PERSON).exclude(approved_at__gte=F("updated_at"))

    def tagged(self, instance: Instance, tag: str) -> Self:
        """Memories of *instance* with this tag; uses the index `memory_tags`."""
        own = OwnTags(F("instance_id"), F("tags"))
        return self.alias(own_tags=own).filter(own_tags__contains=[f"{instance.pk}:{tag}"])

    def labelled(self, *labels: str) -> Self:
        """Memories with one of *labels*."""
        return self.filter(labels__overlap=labels)

    def unimportant(self) -> Self:
        """Memories of low importance."""
        return self.filter(importance__lte=MAX_FADING_IMPORTANCE)

    def pinned(self) -> Self:
        """Memories that the assistant is always told."""
        return self.filter(pinned_at__isnull=False)

    def unused(self, now: datetime) -> Self:
        """Minor memories without a key or a pin that are old enough and were never recalled."""
        begin = now - timedelta(days=UNUSED_AFTER_DAYS)
        return (
            self.never_recalled()
            .unimportant()
            .filter(key="", pinned_at=None, created_at__lt=begin, updated_at__lt=begin)
        )

    def as_seen(self, seen: Mapping[int, datetime]) -> Self:
        """Memories that have not changed since they were seen; *seen* maps ids to `updated_at`."""
        same = [Q(pk=pk, updated_at=moment) for pk, moment in seen.items()]
        return self.filter(reduce(or_, same)) if same else self.none()

    @staticmethod
    def due_to_go_stale(instance: Instance, now: datetime) -> Q:
        """The condition for a memory of *instance* to go stale: its end has passed; or it has
        none, is not pinned, and was not created, changed, confirmed or recalled within the decay
        window.
        """
        due = has_ended(instance.date_of(now))
        if instance.decay_days is None:
            return due
        begin = now - timedelta(days=instance.decay_days)
        return due | (
            Q(valid_until=None, pinned_at=None, created_at__lt=begin, updated_at__lt=begin)
            & (Q(last_recalled_at=None) | Q(last_recalled_at__lt=begin))
            & (Q(verified_at=None) | Q(verified_at__lt=begin))
        )

    def with_conversations(self) -> Self:
        """Load the `sources` that are conversations, with these."""
        said = MemorySource.objects.in_conversations()
        return self.prefetch_related(models.Prefetch("sources", said))

    def free_rows(self) -> QuerySet["Memory", int]:
        """Lock the rows that no other transaction has locked, and return their ids."""
        rows = self.order_by().select_for_update(of=("self",), skip_locked=True)
        return rows.values_list("pk", flat=True)

    def with_key(self) -> Self:
        """Facts that have a key."""
        return self.exclude(key="")

    def comparable_with(self, key: str, value: str) -> Self:
        """Memories that may state the same fact as one with this *key* and *value*: those with the
        same ones, or without a key. Other facts are not the same, however similar their texts.
        """
        return self.filter(Q(key="") | Q(key=key, value__iexact=value)) if key else self

    def with_vector(self, space: str) -> Self:
        """Memories that vector search in *space* can find."""
        return self.filter(embeddings__space__name=space)

    def same_text(self, content: str) -> Self:
        """Memories with this *content*, ignoring case; uses the index `memory_same_text`."""
        return self.alias(text_md5=MD5(Lower("content"))).filter(
            text_md5=MD5(Lower(models.Value(content)))
        )


class Attributed:
    """Columns of memories, their revisions and statements for where they come from."""

    tier: int
    #: Only of memories and revisions.
    approved_at: datetime | None = None

    @property
    def provenance(self) -> str:
        """Where it comes from, in words for people and models."""
        approved = ", approved by a person" if self.approved_at else ""
        return f"{Tier(self.tier).in_words}{approved}"

    @property
    def is_below_user(self) -> bool:
        """True if neither the user nor a person has said it."""
        return self.tier < Tier.USER


class Memory(Attributed, Ending, InstanceContent):
    """One standalone sentence worth keeping."""

    #: The indexes of the list begin with it.
    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="memories", db_index=False
    )
    #: The person that the memory is about, if the instance serves several.
    end_user = models.CharField(max_length=200, blank=True)
    #: The person from whose memory it was shared with the group whose it is; see `trust.sharing`.
    shared_by = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - "" is one
    content = models.TextField()
    category = models.CharField(max_length=20, choices=Category, default=Category.GENERAL)
    importance = models.PositiveSmallIntegerField(
        default=5, validators=[MinValueValidator(1), MaxValueValidator(10)]
    )
    tags = ArrayField(models.CharField(max_length=50), default=list, blank=True)
    #: What the fact is about, such as ``home_city``: both are set, or neither. A key of
    #: `Instance.single_valued_keys` has one value at a time, others group facts.
    key = models.CharField(max_length=100, blank=True)
    value = models.CharField(max_length=500, blank=True)
    #: Its end; see `end_dates`.
    valid_until = models.DateField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    #: When it was last stated: the date of the message, or of the row of a file.
    said_at = models.DateTimeField(default=timezone.now)
    #: The file, call or reading that stored it or changed it last.
    batch = models.UUIDField(null=True, blank=True)
    #: When a fact with a key was last repeated, or confirmed by a person.
    verified_at = models.DateTimeField(null=True, blank=True)
    #: Since when a manager has it told to the assistant always; see `memoryapp.pipeline.pins`.
    pinned_at = models.DateTimeField(null=True, blank=True)
    origin = models.CharField(max_length=20, choices=Origin, default=Origin.MANUAL)
    #: How far it is believed, by where it comes from. Only a statement of the same or a higher tier
    #: changes it.
    tier = models.PositiveSmallIntegerField(choices=Tier, default=Tier.DOCUMENT)
    #: When a person approved its text: in review, or as one to keep.
    approved_at = models.DateTimeField(null=True, blank=True)
    #: How sure its source was, 0 to 100. It decides nothing.
    confidence = models.PositiveSmallIntegerField(null=True, blank=True)
    #: True if importance, dates and tags were assessed; otherwise they are what rules say.
    assessed = models.BooleanField(default=False)
    importance_by = models.CharField(
        max_length=10, choices=ImportanceBy, default=ImportanceBy.RULES
    )
    #: Its id in the system that it was imported from; empty if it was created here.
    external_id = models.CharField(max_length=300, blank=True)
    #: Who has stated it: agents, apps and runs; see `policy.labels`.
    labels = ArrayField(models.CharField(max_length=210), default=list, blank=True)
    #: Attached by the programs that stated it.
    metadata = models.JSONField(default=dict, blank=True)
    #: What a program has said of it last, and why.
    feedback = models.CharField(max_length=20, choices=Feedback, default=Feedback.NONE, blank=True)
    feedback_reason = models.CharField(max_length=MAX_FEEDBACK_REASON, blank=True)
    language = models.CharField(max_length=20, choices=LANGUAGES, default="english")
    #: Since when it is stale: past its last day, or unused for the whole decay window.
    stale_since = models.DateTimeField(null=True, blank=True)
    recall_count = models.PositiveIntegerField(default=0)
    #: A column of its own: the count changes too often to be in an index.
    recalled = models.GeneratedField(
        expression=models.ExpressionWrapper(
            Q(recall_count__gt=0), output_field=models.BooleanField()
        ),
        output_field=models.BooleanField(),
        db_persist=True,
    )
    last_recalled_at = models.DateTimeField(null=True, blank=True)
    #: When Keepsake has stored it; `created_at` is the date that an imported file gives it.
    stored_at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    search = models.GeneratedField(
        expression=SearchVector(F("instance_id"), F("language"), F("content")),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    objects = MemoryQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]
        constraints: ClassVar = [
            allow_values("category", Category, "memory_category"),
            models.CheckConstraint(
                condition=Q(importance__gte=1, importance__lte=10), name="memory_importance"
            ),
            allow_values("importance_by", ImportanceBy, "memory_importance_by"),
            allow_values("origin", Origin, "memory_origin"),
            allow_values("tier", Tier, "memory_tier"),
            allow_values("feedback", Feedback, "memory_feedback"),
            models.CheckConstraint(condition=~Q(content=""), name="memory_content_not_empty"),
            models.CheckConstraint(
                condition=Q(confidence=None) | Q(confidence__lte=100), name="memory_confidence"
            ),
            models.CheckConstraint(
                condition=Q(key="", value="") | (~Q(key="") & ~Q(value="")), name="memory_fact"
            ),
            models.CheckConstraint(
                condition=Q(expires_at=None) | Q(valid_until__isnull=False), name="memory_end"
            ),
            models.UniqueConstraint(fields=["id", "instance"], name="memory_in_instance"),
            models.UniqueConstraint(
                fields=["instance", "external_id"],
                condition=~Q(external_id=""),
                name="memory_external_id_once",
            ),
        ]
        indexes: ClassVar = [
            GinIndex(fields=["search"], name="memory_search"),
            # The list in its usual order, with what it filters by: pages far into it, and filters
            # that many memories pass, are read from the index alone. Recalling a memory again
            # changes none of its columns.
            models.Index(
                fields=["instance", "-created_at", "-id"],
                include=[
                    *("category", "origin", "end_user", "importance", "recalled"),
                    *("stale_since", "valid_until", "expires_at"),
                ],
                name="memory_list",
            ),
            # The same, by what few memories may have.
            *(
                models.Index(
                    fields=["instance", column, "-created_at", "-id"], name=f"memory_{name}"
                )
                for name, column in {
                    "category": "category",
                    "origin": "origin",
                    "person": "end_user",
                    "importance": "-importance",
                }.items()
            ),
            models.Index(fields=["instance", "-updated_at", "-id"], name="memory_last_changed"),
            models.Index(fields=["instance", "end_user", "-updated_at"], name="memory_of_person"),
            models.Index(
                fields=["instance", "shared_by"],
                condition=Q(shared_by__isnull=False),
                name="memory_shared_by",
            ),
            models.Index(fields=["instance", "stored_at"], name="memory_growth"),
            models.Index(F("instance"), MD5(Lower("content")), name="memory_same_text"),
            models.Index(
                fields=["instance", "end_user", "key"], condition=~Q(key=""), name="memory_key"
            ),
            models.Index(
                fields=["instance", "-created_at", "-id"],
                condition=Q(stale_since__isnull=False),
                name="memory_stale",
            ),
            models.Index(
                fields=["instance", "end_user", "pinned_at"],
                condition=Q(pinned_at__isnull=False),
                name="memory_pinned",
            ),
            models.Index(
                fields=["instance", "valid_until"],
                include=["category", "expires_at"],
                condition=Q(valid_until__isnull=False),
                name="memory_end_day",
            ),
            models.Index(
                fields=["instance", "-created_at", "-id"],
                include=["category", "updated_at"],
                condition=Q(key="", recalled=False, importance__lte=MAX_FADING_IMPORTANCE),
                name="memory_unused",
            ),
            models.Index(
                fields=["instance", "batch"], condition=~Q(batch=None), name="memory_batch"
            ),
            GinIndex(OwnTags(F("instance_id"), F("tags")), name="memory_tags"),
            GinIndex(fields=["labels"], name="memory_labels"),
            models.Index(
                fields=["instance"], condition=Q(assessed=False), name="memory_not_assessed"
            ),
        ]

    def __str__(self) -> str:
        return self.content[:80]

    def get_absolute_url(self) -> str:
        return reverse("memory", args=[self.pk])

    @property
    def version_token(self) -> str:
        """Id and present version of the memory: the microseconds from 1970 to its last change."""
        return f"{self.pk}@{(self.updated_at - _EPOCH) // _MICROSECOND}"

    @property
    def dated(self) -> datetime:
        """The moment that a list shows: when it was said, or without a conversation, created."""
        return self.said_at if self.sources.all() else self.created_at

    @property
    def last_used_at(self) -> datetime:
        """When it was last created, changed, confirmed or recalled."""
        moments = (self.created_at, self.updated_at, self.last_recalled_at, self.verified_at)
        return max(moment for moment in moments if moment is not None)

    @property
    def pinned(self) -> bool:
        """True if the assistant is always told it."""
        return self.pinned_at is not None

    @property
    def stated_by(self) -> list[str]:
        """Labels that name an agent, app or run."""
        return named(self.labels)

    @property
    def said_in(self) -> "list[MemorySource]":
        """Sources in conversations, as they are named to others: by ids, without a text."""
        return [source for source in self.sources.all() if source.conversation_id is not None]


class MemorySourceQuerySet(models.QuerySet["MemorySource"]):
    def in_conversations(self) -> Self:
        """Sources that were said in a conversation, and not written by a program or on a screen;
        with their conversations.
        """
        return self.exclude(conversation=None).select_related("conversation")

    def counting(self) -> Self:
        """Sources that still state the memory as it is or was: no person has undone them."""
        return self.exclude(action=SourceAction.UNDONE)


class MemorySource(InstanceContent):
    """A statement of a memory, for the first time or again, by a message, or without one, a
    program, an imported file or a person.
    """

    Action: TypeAlias = SourceAction

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    memory = ContentKey(Memory, on_delete=models.CASCADE, related_name="sources")
    conversation = ContentKey(
        Conversation,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="memory_sources",
    )
    message = ContentKey(
        Message, on_delete=models.CASCADE, null=True, blank=True, related_name="memory_sources"
    )
    #: The entry point that it came through; see `instances.actor.Actor`.
    via = models.CharField(max_length=20, blank=True)
    #: The batches in which it stated the memory, those of the versions that it made among them.
    batches = ArrayField(models.UUIDField(), default=list, blank=True)
    action = models.CharField(max_length=20, choices=Action, default=Action.STORED)
    created_at = models.DateTimeField(default=timezone.now)

    objects = MemorySourceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["created_at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["memory", "conversation", "message"],
                condition=~Q(conversation=None),
                nulls_distinct=False,
                name="source_once",
            ),
            allow_values("action", SourceAction, "source_action"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["instance", "created_at"], name="source_by_time"),
            models.Index(fields=["instance", "via"], name="source_by_door"),
        ]

    def __str__(self) -> str:
        return (
            f"{self.memory_id} from {f'message {self.message_id}' if self.message_id else self.via}"
        )


class MemoryRevisionQuerySet(models.QuerySet["MemoryRevision"]):
    def versions(self) -> Self:
        """Earlier versions of the memory itself."""
        return self.exclude(reason__in=MemoryRevision.NO_VERSION)

    def heard(self) -> Self:
        """Other values of a key that were not adopted."""
        return self.filter(reason=MemoryRevision.Reason.HEARD)


class MemoryRevision(Attributed, Ending, InstanceContent):
    """An earlier version of a memory, with everything that is needed to undo the change.

    With the reason `HEARD`: another value of the same key that was trusted less; a person can still
    choose it. With `OF_ANOTHER`: an earlier version of a memory that was merged into this one,
    needed to separate the two again.
    """

    Reason: TypeAlias = RevisionReason

    #: Reasons of rows that are not versions of the memory itself.
    NO_VERSION: ClassVar = NO_VERSION

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    memory = ContentKey(Memory, on_delete=models.CASCADE, related_name="revisions")
    content = models.TextField()
    category = models.CharField(max_length=20, choices=Category)
    importance = models.PositiveSmallIntegerField()
    tags = ArrayField(models.CharField(max_length=50), default=list, blank=True)
    key = models.CharField(max_length=100, blank=True)
    value = models.CharField(max_length=500, blank=True)
    valid_until = models.DateField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    origin = models.CharField(max_length=20, choices=Origin, default=Origin.MANUAL)
    tier = models.PositiveSmallIntegerField(choices=Tier, default=Tier.DOCUMENT)
    approved_at = models.DateTimeField(null=True, blank=True)
    confidence = models.PositiveSmallIntegerField(null=True, blank=True)
    assessed = models.BooleanField(default=False)
    importance_by = models.CharField(
        max_length=10, choices=ImportanceBy, default=ImportanceBy.RULES
    )
    metadata = models.JSONField(default=dict, blank=True)
    said_at = models.DateTimeField(default=timezone.now)
    batch = models.UUIDField(null=True, blank=True)
    #: The period in which this was the memory's text.
    valid_from = models.DateTimeField()
    replaced_at = models.DateTimeField(default=timezone.now)
    reason = models.CharField(max_length=20, choices=Reason)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    #: The statement that changed the memory, and its columns as a memory of its own: what is needed
    #: to keep both instead. With `JOINED`, the memory that was merged into this one; see
    #: `memoryapp.pipeline.duplicate_merge`. Empty if a person changed the memory.
    statement = models.TextField(blank=True)
    statement_as = models.JSONField(default=dict, blank=True)
    #: The source of the change, if it came from a conversation.
    source = ContentKey(
        MemorySource, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = MemoryRevisionQuerySet.as_manager()

    class Meta:
        # Newest first by id: a clock can be set back.
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(importance__gte=1, importance__lte=10), name="revision_importance"
            ),
            allow_values("category", Category, "revision_category"),
            allow_values("importance_by", ImportanceBy, "revision_importance_by"),
            allow_values("origin", Origin, "revision_origin"),
            allow_values("tier", Tier, "revision_tier"),
        ]

    def __str__(self) -> str:
        return self.content[:80]

    @property
    def by_model(self) -> bool:
        """True if the language model decided on the change, not the similarity of the texts."""
        return self.reason in (self.Reason.MERGED, self.Reason.REPLACED)
