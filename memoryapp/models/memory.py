"""Memories, their vectors, where they came from, and what they said before."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import MD5, Lower
from django.urls import reverse
from django.utils import timezone

from conversations.models import Conversation, Message
from conversations.search import SearchVector
from instances.languages import LANGUAGES
from instances.models import Instance, User

if TYPE_CHECKING:
    from django_stubs_ext.db.models.manager import RelatedManager

    from memoryapp.models.vectors import MemoryEmbedding, RevisionEmbedding


class OwnTags(models.Func):
    """The `keepsake_own_tags` SQL function: (instance id, tags) to the tags, each with the instance
    before it. What many instances call alike is then found in each by itself.
    """

    function = "keepsake_own_tags"
    output_field = ArrayField(models.TextField())


CREATE_OWN_TAGS = """
CREATE FUNCTION keepsake_own_tags(instance_id bigint, tags text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT instance_id::text || ':' || tag FROM unnest(tags) AS tag);
"""
DROP_OWN_TAGS = "DROP FUNCTION keepsake_own_tags(bigint, text[])"


class Category(models.TextChoices):
    """The closed set of kinds of memory."""

    #: Anything that none of the others fits.
    GENERAL = "general"
    #: What somebody likes, dislikes or wants done in a certain way.
    PREFERENCE = "preference"
    #: A neutral statement about a person or the world they live in.
    FACT = "fact"
    #: Something with a date.
    EVENT = "event"
    #: How two people or things stand to each other.
    RELATIONSHIP = "relationship"
    #: A choice that was made.
    DECISION = "decision"


class Origin(models.TextChoices):
    """Who says so: the source of a memory."""

    #: Learned from what was said.
    CONVERSATION = "conversation", "conversation"
    #: The result of a tool that the assistant called.
    TOOL_CALL = "tool_call", "tool result"
    #: Found out by the assistant by itself.
    AUTO_DISCOVERY = "auto_discovery", "found out"
    #: The person asked for it to be remembered.
    USER_EXPLICIT = "user_explicit", "told to remember"
    MANUAL = "manual", "added by hand"
    API = "api", "API"
    IMPORT = "import", "import"

    @property
    def confidence(self) -> int:
        """How sure such a source is, 0 to 100, when nobody says."""
        return _CONFIDENCE.get(self, 70)


_CONFIDENCE = {
    # Whoever corrects a memory by hand is asked by nobody twice.
    Origin.MANUAL: 100,
    Origin.TOOL_CALL: 95,
    Origin.AUTO_DISCOVERY: 95,
    Origin.USER_EXPLICIT: 90,
}


#: Up to this importance, a memory counts as one of little weight.
MAX_FADING_IMPORTANCE = 3
#: Days after which a memory of little weight that nobody was shown seems not to be needed.
UNUSED_AFTER_DAYS = 90


class MemoryQuerySet(models.QuerySet["Memory"]):
    def in_instance(self, instance: Instance) -> Self:
        return self.filter(instance=instance)

    def current(self, today: date) -> Self:
        """Those that hold on *today*."""
        return self.filter(Q(valid_until=None) | Q(valid_until__gte=today))

    def expired(self, today: date) -> Self:
        """Those whose last day has passed."""
        return self.filter(valid_until__lt=today)

    def stale(self) -> Self:
        """Those that are marked as stale; see `health.decay`."""
        return self.filter(stale_since__isnull=False)

    def never_recalled(self) -> Self:
        """Those that no answer and no search has been shown."""
        return self.filter(recalled=False)

    def tagged(self, instance: Instance, tag: str) -> Self:
        """Those of *instance* with that tag; uses `memory_tags`."""
        own = OwnTags(F("instance_id"), F("tags"))
        return self.alias(own_tags=own).filter(own_tags__contains=[f"{instance.pk}:{tag}"])

    def of_little_weight(self) -> Self:
        """Those of low importance."""
        return self.filter(importance__lte=MAX_FADING_IMPORTANCE)

    def unused(self, now: datetime) -> Self:
        """Those of little weight that have had their time and were never recalled. Not the facts
        with a key, which programs look up by it.
        """
        begin = now - timedelta(days=UNUSED_AFTER_DAYS)
        return (
            self.never_recalled()
            .of_little_weight()
            .filter(key="", created_at__lt=begin, updated_at__lt=begin)
        )

    def as_seen(self, seen: Mapping[int, datetime]) -> Self:
        """Those of the ids in *seen* that have not been changed since the moment beside them."""
        same = [Q(pk=pk, updated_at=moment) for pk, moment in seen.items()]
        return self.filter(reduce(or_, same)) if same else self.none()

    @staticmethod
    def due_to_go_stale(instance: Instance, now: datetime) -> Q:
        """What makes a memory of *instance* stale: its last day has passed; or it has none, and has
        not been recalled, confirmed, changed or made within the window.
        """
        due = Q(valid_until__lt=instance.date_of(now))
        if instance.decay_days is None:
            return due
        begin = now - timedelta(days=instance.decay_days)
        return due | (
            Q(valid_until=None, created_at__lt=begin, updated_at__lt=begin)
            & (Q(last_recalled_at=None) | Q(last_recalled_at__lt=begin))
            & (Q(verified_at=None) | Q(verified_at__lt=begin))
        )

    def free_rows(self) -> QuerySet["Memory", int]:
        """The ids of those whose row nobody holds, which the caller then does."""
        rows = self.order_by().select_for_update(of=("self",), skip_locked=True)
        return rows.values_list("pk", flat=True)

    def changed(self) -> Self:
        """Those that have said something else before."""
        return self.filter(Exists(MemoryRevision.objects.versions().filter(memory=OuterRef("pk"))))

    def with_key(self) -> Self:
        """Facts that have a key."""
        return self.exclude(key="")

    def comparable_with(self, key: str) -> Self:
        """Those that may say the same as a fact of this *key*: a fact of another key never does,
        however alike the two may sound.
        """
        return self.filter(key__in=["", key]) if key else self

    def with_vector(self, space: str) -> Self:
        """Those that search by meaning in *space* can find."""
        return self.filter(embeddings__space__name=space)

    def same_text(self, content: str) -> Self:
        """Those that say *content* to the letter, but for case; uses `memory_same_text`."""
        return self.alias(text_md5=MD5(Lower("content"))).filter(
            text_md5=MD5(Lower(models.Value(content)))
        )


class Memory(models.Model):
    """One standalone sentence worth keeping."""

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="memories")
    #: Whom the memory is about, when the instance serves more than one person.
    end_user = models.CharField(max_length=200, blank=True)
    content = models.TextField()
    category = models.CharField(max_length=20, choices=Category, default=Category.GENERAL)
    importance = models.PositiveSmallIntegerField(
        default=5, validators=[MinValueValidator(1), MaxValueValidator(10)]
    )
    tags = ArrayField(models.CharField(max_length=50), default=list, blank=True)
    #: Of a fact that has one value at a time, such as ``home_city``: both, or neither.
    key = models.CharField(max_length=100, blank=True)
    value = models.CharField(max_length=500, blank=True)
    #: The last day it holds; None: persistent.
    valid_until = models.DateField(null=True, blank=True)
    #: When a fact with a key was last heard again, or vouched for by a person.
    verified_at = models.DateTimeField(null=True, blank=True)
    origin = models.CharField(max_length=20, choices=Origin, default=Origin.MANUAL)
    #: How sure the source was, 0 to 100.
    confidence = models.PositiveSmallIntegerField(null=True, blank=True)
    #: Whether importance, dates and tags were judged by somebody, or are the defaults.
    assessed = models.BooleanField(default=False)
    #: The id by which the system that it came from knows it; empty when it began here.
    external_id = models.CharField(max_length=300, blank=True)
    #: What the program that brought it attached: its labels, the ids of its agents and runs.
    metadata = models.JSONField(default=dict, blank=True)
    language = models.CharField(max_length=20, choices=LANGUAGES, default="english")
    #: Since when it is marked as stale: past its last day, or not asked for within the window.
    stale_since = models.DateTimeField(null=True, blank=True)
    recall_count = models.PositiveIntegerField(default=0)
    #: Apart from the count, which changes too often for an index.
    recalled = models.GeneratedField(
        expression=models.ExpressionWrapper(
            Q(recall_count__gt=0), output_field=models.BooleanField()
        ),
        output_field=models.BooleanField(),
        db_persist=True,
    )
    last_recalled_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    search = models.GeneratedField(
        expression=SearchVector(F("instance_id"), F("language"), F("content")),
        output_field=SearchVectorField(),
        db_persist=True,
    )

    objects = MemoryQuerySet.as_manager()

    if TYPE_CHECKING:
        sources: RelatedManager["MemorySource"]
        revisions: RelatedManager["MemoryRevision"]
        embeddings: RelatedManager["MemoryEmbedding"]

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(category__in=Category.values), name="memory_category"
            ),
            models.CheckConstraint(
                condition=Q(importance__gte=1, importance__lte=10), name="memory_importance"
            ),
            models.CheckConstraint(condition=Q(origin__in=Origin.values), name="memory_origin"),
            models.CheckConstraint(condition=~Q(content=""), name="memory_content_not_empty"),
            models.CheckConstraint(
                condition=Q(confidence=None) | Q(confidence__lte=100), name="memory_confidence"
            ),
            models.CheckConstraint(
                condition=Q(key="", value="") | (~Q(key="") & ~Q(value="")), name="memory_fact"
            ),
            models.UniqueConstraint(
                fields=["instance", "end_user", "category", "key"],
                condition=~Q(key=""),
                name="memory_key_once",
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
            models.Index(F("instance"), F("created_at").desc(), F("id").desc(), name="memory_list"),
            models.Index(F("instance"), MD5(Lower("content")), name="memory_same_text"),
            # The list counts all that it could show by category: this index alone answers that,
            # and nothing in it changes when a memory is recalled once more.
            models.Index(
                fields=[
                    *("instance", "category", "origin", "end_user", "valid_until"),
                    *("importance", "recalled"),
                ],
                name="memory_counts",
            ),
            models.Index(
                fields=["instance", "category"],
                condition=Q(stale_since__isnull=False),
                name="memory_stale",
            ),
            GinIndex(OwnTags(F("instance_id"), F("tags")), name="memory_tags"),
            models.Index(
                fields=["instance"], condition=Q(assessed=False), name="memory_not_assessed"
            ),
        ]

    def __str__(self) -> str:
        return self.content[:80]

    def get_absolute_url(self) -> str:
        return reverse("memory", args=[self.pk])

    @property
    def last_used_at(self) -> datetime:
        """When it was last asked for, confirmed, changed or made, whichever came last."""
        moments = (self.created_at, self.updated_at, self.last_recalled_at, self.verified_at)
        return max(moment for moment in moments if moment is not None)

    def is_expired(self, today: date) -> bool:
        return self.valid_until is not None and self.valid_until < today


class MemorySource(models.Model):
    """A message that a memory was learned from, or heard again in."""

    class Action(models.TextChoices):
        #: The memory was written because of this message.
        STORED = "stored_new", "learned here"
        #: This message gave the memory its present wording.
        UPDATED = "updated_existing", "changed here"
        #: The message says what the memory already said.
        REPEATED = "duplicate_exact", "said again"
        #: It changed the memory, and somebody took that back.
        UNDONE = "undone", "changed here, and taken back"
        #: It gives another value to the key, and was believed less than the present one.
        HEARD = "heard", "said otherwise here, and not taken"

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="+")
    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="sources")
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="memory_sources"
    )
    message = models.ForeignKey(
        Message, on_delete=models.CASCADE, null=True, blank=True, related_name="memory_sources"
    )
    action = models.CharField(max_length=20, choices=Action, default=Action.STORED)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["created_at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["memory", "conversation", "message"],
                nulls_distinct=False,
                name="source_once",
            ),
            models.CheckConstraint(
                condition=Q(
                    action__in=[
                        "stored_new",
                        "updated_existing",
                        "duplicate_exact",
                        "undone",
                        "heard",
                    ]
                ),
                name="source_action",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.memory_id} from message {self.message_id}"


class MemoryRevisionQuerySet(models.QuerySet["MemoryRevision"]):
    def versions(self) -> Self:
        """What the memory has said."""
        return self.exclude(reason__in=MemoryRevision.NO_VERSION)

    def heard(self) -> Self:
        """What was said otherwise, and not taken."""
        return self.filter(reason=MemoryRevision.Reason.HEARD)


class MemoryRevision(models.Model):
    """What a memory said until something changed it: all that it takes to take the change back.

    Or, with the reason `HEARD`, what it might have said: another value of the same key that was
    believed less. It is kept, so that a person may have it after all. With `OF_ANOTHER`, what a
    memory said before that was put together with this one, for when the two are taken apart.
    """

    class Reason(models.TextChoices):
        EDITED = "edited", "edited by hand"
        EXTRACTED = "extracted", "changed by what was said later"
        SAVED = "saved", "changed by a newer version"
        RESTORED = "restored", "restored"
        HEARD = "heard", "heard, and not taken"
        MERGED = "merged", "put together with what was said later"
        REPLACED = "replaced", "replaced by what was said later"
        JOINED = "joined", "put together with another memory"
        OF_ANOTHER = "of_another", "said by a memory that was put together with this one"

    #: What tells of something else than what the memory has said.
    NO_VERSION: ClassVar = (Reason.HEARD, Reason.OF_ANOTHER)

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="revisions")
    content = models.TextField()
    category = models.CharField(max_length=20, choices=Category)
    importance = models.PositiveSmallIntegerField()
    tags = ArrayField(models.CharField(max_length=50), default=list, blank=True)
    key = models.CharField(max_length=100, blank=True)
    value = models.CharField(max_length=500, blank=True)
    valid_until = models.DateField(null=True, blank=True)
    origin = models.CharField(max_length=20, choices=Origin, default=Origin.MANUAL)
    confidence = models.PositiveSmallIntegerField(null=True, blank=True)
    assessed = models.BooleanField(default=False)
    metadata = models.JSONField(default=dict, blank=True)
    #: From when to when this was the memory's text.
    valid_from = models.DateTimeField()
    replaced_at = models.DateTimeField(default=timezone.now)
    reason = models.CharField(max_length=20, choices=Reason)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    #: What was said that changed the memory, and what it would have been as a memory of its own:
    #: all that it takes to keep both instead. With `JOINED`, the memory that went into this one;
    #: see `memoryapp.pipeline.duplicate_merge`. Empty when somebody changed the memory by hand.
    statement = models.TextField(blank=True)
    statement_as = models.JSONField(default=dict, blank=True)
    #: The link to the message that brought the change, when it came from a conversation.
    source = models.ForeignKey(
        MemorySource, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = MemoryRevisionQuerySet.as_manager()

    if TYPE_CHECKING:
        embeddings: RelatedManager["RevisionEmbedding"]

    class Meta:
        # Newest first by id: clocks are set back now and then.
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(importance__gte=1, importance__lte=10), name="revision_importance"
            ),
            models.CheckConstraint(
                condition=Q(category__in=Category.values), name="revision_category"
            ),
            models.CheckConstraint(condition=Q(origin__in=Origin.values), name="revision_origin"),
        ]

    def __str__(self) -> str:
        return self.content[:80]

    @property
    def by_model(self) -> bool:
        """Whether the language model decided it, and not the similarity of the texts."""
        return self.reason in (self.Reason.MERGED, self.Reason.REPLACED)
