"""Instances: their settings, and who may see them."""

import zoneinfo
from datetime import date, datetime
from typing import TYPE_CHECKING, ClassVar, Self

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from instances.embedding_choice import EmbeddingChoice
from instances.languages import LANGUAGES
from instances.models.choices import (
    EmbeddingProvider,
    ExtractWhen,
    PIIPolicy,
    Provider,
    RecallProfile,
    SecretName,
)
from instances.models.people import InstanceRole, User
from instances.presets import PRESETS
from instances.provider_urls import validate_base_url

if TYPE_CHECKING:
    from django_stubs_ext.db.models.manager import RelatedManager

    from conversations.models import Conversation
    from instances.models.circuit_breaker import CircuitBreaker
    from instances.models.invitations import MembershipInvitation
    from instances.models.keys import ApiKey
    from instances.models.people import Agent, Membership
    from instances.models.secret import Secret
    from memoryapp.models import EmbeddingJob, Memory


#: The slug of the instance that the first start brings along.
DEMO = "demo"


def validate_time_zone(name: str) -> None:
    """Accept the names of the IANA database only."""
    if name not in zoneinfo.available_timezones():
        raise ValidationError(
            f"“{name}” is not a time zone. Use a name such as Europe/Berlin or UTC."
        )


class InstanceQuerySet(models.QuerySet["Instance"]):
    def visible_to(self, user: User) -> Self:
        """Those that *user* may read: their own, those they are a member of, and for a superadmin
        every shared one. A private instance is visible to its owner only.
        """
        return self._open_to(user, InstanceRole.VIEWER)

    def edited_by(self, user: User) -> Self:
        """Those whose memories and conversations *user* may change and export."""
        return self._open_to(user, InstanceRole.MEMBER)

    def managed_by(self, user: User) -> Self:
        """Those whose settings, keys and members *user* may change."""
        return self._open_to(user, InstanceRole.MANAGER)

    def _open_to(self, user: User, role: InstanceRole) -> Self:
        """Those in which *user* has at least *role*; `Instance.role_of` is the same for one."""
        seen = Q(private_to=user) | Q(
            private_to=None, membership__user=user, membership__role__in=role.and_above
        )
        if user.is_superuser:
            seen |= Q(private_to=None)
        # A subquery rather than a join: a person's membership must not double a row.
        return self.filter(pk__in=Instance.objects.filter(seen).values("pk"))


class Instance(models.Model):
    """One assistant with a memory of its own: the partition that no read or write crosses."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=100)
    private_to = models.ForeignKey(
        User,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="private_instances",
        help_text="Set on a private instance: the one person who can see it.",
    )
    members = models.ManyToManyField(User, through="Membership", related_name="instances")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    memory_enabled = models.BooleanField(
        "Memory",
        default=False,
        help_text="Read conversations in the background and keep the facts worth keeping.",
    )
    extract_when = models.CharField(
        "When to read conversations",
        max_length=20,
        choices=ExtractWhen,
        default=ExtractWhen.AFTER_RESPONSE,
        help_text="Whichever you choose: a button on each conversation reads at once what is new "
        "in it.",
    )
    palace_enabled = models.BooleanField(
        "Palace",
        default=True,
        help_text="While it remembers, also file every turn, word for word, by subject and topic. "
        "With a language model, one small call for each stretch of a conversation names them and "
        "notes who and what is spoken of; without one, turns are filed by their conversation.",
    )
    stale_minutes = models.PositiveSmallIntegerField(
        "Minutes of silence",
        default=30,
        validators=[MinValueValidator(1), MaxValueValidator(1440)],
        help_text="How long nothing is said before a conversation is read: 1 to 1440. All that is "
        "new is then read at once, which takes fewer calls than reading after every response.",
    )

    pii_policy = models.CharField(
        "Secrets and identifiers",
        max_length=10,
        choices=PIIPolicy,
        default=PIIPolicy.REDACT,
        help_text="Passwords, keys, PINs, card and phone numbers, IBANs, social security numbers, "
        "e-mail and IP addresses: a memory holds [REDACTED:CARD] in their place, or is refused, "
        "and they are stored nowhere but in the conversation itself. Names, places and dates stay.",
    )

    provider = models.CharField(
        "Provider",
        max_length=20,
        choices=Provider,
        default=Provider.NONE,
        blank=True,
        help_text="Who answers in the chat and reads conversations for facts. Any "
        "OpenAI-compatible server will do.",
    )
    base_url = models.CharField(
        "Address",
        max_length=300,
        blank=True,
        validators=[validate_base_url],
        help_text="Only to override the provider’s usual address, for example "
        "http://localhost:11434/v1.",
    )
    fast_model = models.CharField(
        "Model",
        max_length=200,
        blank=True,
        help_text="A small, fast model is enough. Empty: the provider’s usual one.",
    )

    chat_model = models.CharField(
        "Model",
        max_length=200,
        blank=True,
        help_text="Who answers in the chat. Empty: the same model that reads conversations.",
    )
    instructions = models.TextField(
        "Instructions",
        max_length=20_000,
        blank=True,
        help_text="What the assistant is told first: who it is, and how it answers.",
    )
    recall_enabled = models.BooleanField(
        "Recall",
        default=True,
        help_text="Before each answer, look up what memory holds about the message, and let the "
        "assistant search it. Works whether or not anything new is learned.",
    )
    summary_enabled = models.BooleanField(
        "Summary of each person",
        default=True,
        help_text="After something new was learned, write a short portrait of the person from all "
        "that is remembered, and tell it to the assistant before each answer. One call to the "
        "language model each time; you find it on the person’s profile.",
    )
    top_k = models.PositiveSmallIntegerField(
        "Memories at once",
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(20)],
        help_text="How many memories and turns it is shown at most with each message: 1 to 20.",
    )
    turns_enabled = models.BooleanField(
        "Turns, word for word",
        default=True,
        help_text="Show the assistant also what was said, where that answers better than what was "
        "learned from it. Secrets and identifiers are taken out of it as out of memories.",
    )
    recall_profile = models.CharField(
        "Ranking",
        max_length=10,
        choices=RecallProfile,
        default=RecallProfile.DEFAULT,
        help_text="How what is found is put in order, in search as in what the assistant is shown.",
    )
    #: What signals count in ranking, by name, where it is not what was measured.
    recall_weights = models.JSONField(default=dict, blank=True)
    rerank_enabled = models.BooleanField(
        "Rerank",
        default=False,
        help_text="Before each answer, let a language model read the first 20 that were found and "
        "put the best 5 in front. One more call, of 5 seconds at most; when it fails, the order "
        "stays as it was. Search on the screens does without.",
    )
    rerank_model = models.CharField(
        "Model that reranks",
        max_length=200,
        blank=True,
        help_text="Empty: the same model that reads conversations.",
    )
    tools_for_clients = models.BooleanField(
        "Memory tools for OpenAI clients",
        default=False,
        help_text="Clients of OpenAI’s API are given what memory holds in any case. On: while it "
        "answers them, the model may also search and save by itself, unseen by them.",
    )
    prompt_price = models.DecimalField(
        "Price of a million tokens read",
        max_digits=10,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="What your provider charges, in whatever currency.",
    )
    completion_price = models.DecimalField(
        "… and of a million tokens written",
        max_digits=10,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="Empty: tokens are counted, and no cost is named.",
    )
    embedding_price = models.DecimalField(
        "Price of a million tokens embedded",
        max_digits=10,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="The built-in embedder costs nothing.",
    )
    monthly_cap = models.DecimalField(
        "Cap for a month",
        max_digits=12,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text="In the same currency. Once a month has cost this much, what runs in the "
        "background waits for the next one; the chat goes on. Empty: no cap.",
    )
    decay_days = models.PositiveIntegerField(
        "Goes stale after",
        default=90,
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(3650)],
        help_text="Days for which a memory may go unasked for. Then it is marked as stale and "
        "ranks a little lower, until it is asked for again. Nothing is deleted. Empty: never.",
    )

    embedding_provider = models.CharField(
        "Embeddings from",
        max_length=20,
        choices=EmbeddingProvider,
        default=EmbeddingProvider.BUILTIN,
        help_text="What search by meaning runs on. Independent of the language model.",
    )
    embedding_base_url = models.CharField(
        "Address",
        max_length=300,
        blank=True,
        validators=[validate_base_url],
        help_text="Only to override the provider’s usual address.",
    )
    embedding_model = models.CharField(
        "Embedding model",
        max_length=200,
        blank=True,
        help_text="Empty: the provider’s usual one.",
    )

    #: Length of that model's vectors; None until it has answered for the first time.
    embedding_dimensions = models.PositiveIntegerField(null=True, blank=True, editable=False)
    #: Which of two secrets is the key of that provider. A change of model gives this name in the
    #: same row, so that nobody who has read the row before sends one provider's key to another.
    embedding_key = models.CharField(max_length=40, default="embedding_api_key", editable=False)

    dedup_exact = models.FloatField(
        "Same fact from",
        default=0.98,
        validators=[MinValueValidator(0.5), MaxValueValidator(1.0)],
        help_text="Cosine similarity from which a new fact that says the same is left out.",
    )
    dedup_update = models.FloatField(
        "New wording above",
        default=0.90,
        validators=[MinValueValidator(0.5), MaxValueValidator(1.0)],
        help_text="Above this, a new fact becomes the new version of the old one, which stays in "
        "its history.",
    )
    merge_with_model = models.BooleanField(
        "Merge with the model",
        default=False,
        help_text="When a new fact is near one that is known, let the language model say whether "
        "to merge the two, to replace the old one, or to keep both. One more call for each reading "
        "in which that happens; you can take back what it does.",
    )
    dedup_merge = models.FloatField(
        "Ask the model from",
        default=0.70,
        validators=[MinValueValidator(0.5), MaxValueValidator(1.0)],
        help_text="From here on the language model compares a new fact with an old one, if it is "
        "to merge.",
    )
    time_zone = models.CharField(
        "Time zone",
        max_length=60,
        default="UTC",
        validators=[validate_time_zone],
        help_text="“Tomorrow” in a conversation becomes a date in this zone.",
    )
    language = models.CharField(
        "Search language",
        max_length=20,
        choices=LANGUAGES,
        default="english",
        help_text="Decides word endings and stop words: “moved” finds “move”.",
    )

    objects = InstanceQuerySet.as_manager()

    if TYPE_CHECKING:
        conversations: RelatedManager[Conversation]
        embedding_jobs: RelatedManager[EmbeddingJob]
        memories: RelatedManager[Memory]
        secrets: RelatedManager[Secret]
        agents: RelatedManager[Agent]
        circuit_breakers: RelatedManager[CircuitBreaker]
        api_keys: RelatedManager[ApiKey]
        invitations: RelatedManager[MembershipInvitation]
        membership_set: RelatedManager[Membership]

    class Meta:
        ordering: ClassVar = ["name", "id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(extract_when__in=ExtractWhen.values), name="instance_extract_when"
            ),
            models.CheckConstraint(
                condition=Q(pii_policy__in=PIIPolicy.values), name="instance_pii_policy"
            ),
            models.CheckConstraint(
                condition=Q(provider__in=Provider.values), name="instance_provider"
            ),
            models.CheckConstraint(
                condition=Q(embedding_provider__in=EmbeddingProvider.values),
                name="instance_embedding_provider",
            ),
            models.CheckConstraint(
                condition=Q(language__in=[name for name, _ in LANGUAGES]), name="instance_language"
            ),
            models.CheckConstraint(
                condition=Q(
                    dedup_update__gte=0.5,
                    dedup_exact__gte=models.F("dedup_update"),
                    dedup_exact__lte=1.0,
                ),
                name="instance_dedup_thresholds",
            ),
            models.CheckConstraint(
                condition=Q(dedup_merge__gte=0.5, dedup_merge__lte=models.F("dedup_exact")),
                name="instance_dedup_merge",
            ),
            models.CheckConstraint(
                condition=Q(recall_profile__in=RecallProfile.values), name="instance_recall_profile"
            ),
            models.CheckConstraint(condition=Q(top_k__gte=1, top_k__lte=20), name="instance_top_k"),
            models.CheckConstraint(
                condition=Q(stale_minutes__gte=1, stale_minutes__lte=1440),
                name="instance_stale_minutes",
            ),
            models.CheckConstraint(
                condition=Q(monthly_cap=None) | Q(monthly_cap__gte=0), name="instance_monthly_cap"
            ),
            models.CheckConstraint(
                condition=Q(decay_days=None) | Q(decay_days__gte=1), name="instance_decay_days"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("instance_settings", args=[self.slug])

    def role_of(self, user: User) -> InstanceRole | None:
        """The role of *user* here; None if they may not know of the instance."""
        if self.private_to_id is not None:
            return InstanceRole.MANAGER if self.private_to_id == user.pk else None
        if user.is_superuser:
            return InstanceRole.MANAGER
        membership = self.membership_set.filter(user=user).first()
        return InstanceRole(membership.role) if membership else None

    def date_of(self, moment: datetime) -> date:
        """The day that *moment* falls on where this instance is at home."""
        return moment.astimezone(zoneinfo.ZoneInfo(self.time_zone)).date()

    @property
    def holder(self) -> str:
        """Whose share of workers and slots this instance uses: its own, or the owner's for all
        private instances together, since a person may create any number of them.
        """
        if self.private_to_id is not None:
            return f"person {self.private_to_id}"
        return f"instance {self.pk}"

    def key_for(self, address: str, *names: str) -> str:
        """Return the first of the secrets *names* that belongs to the server at *address*,
        decrypted; empty if none does.

        This is the only way to a key, so a key is never sent to a server that it was not entered
        for, even if the settings change.
        """
        secret = self._secret_for(address, *names)
        return secret.reveal(address) if secret else ""

    def has_key_for(self, address: str, *names: str) -> bool:
        """Return whether one of the secrets *names* belongs to the server at *address*."""
        return self._secret_for(address, *names) is not None

    def _secret_for(self, address: str, *names: str) -> "Secret | None":
        stored = {secret.name: secret for secret in self.secrets.all()}
        found = (stored[name] for name in names if name in stored)
        return next((secret for secret in found if secret.opens(address)), None)

    @property
    def chat_address(self) -> str:
        """The address of the language model: the one set, or the provider's default; empty without
        a provider.
        """
        preset = PRESETS.get(self.provider)
        return (self.base_url or preset.base_url) if preset else ""

    @property
    def has_language_model(self) -> bool:
        """Whether there is anyone to read conversations."""
        if self.provider in (Provider.OLLAMA, Provider.CUSTOM):
            return bool(self.chat_address)
        return self.has_key_for(self.chat_address, SecretName.CHAT_API_KEY)

    @property
    def reads_what_goes_stale(self) -> bool:
        """Whether conversations are read once nothing has been said in them for a while."""
        return self.memory_enabled and self.extract_when == ExtractWhen.STALE

    @property
    def embeddings(self) -> EmbeddingChoice:
        """Who embeds what is asked and what is stored, at present."""
        return EmbeddingChoice(
            self.embedding_provider,
            self.embedding_base_url,
            self.embedding_model,
            self.embedding_dimensions,
            self.embedding_key,
        )

    #: The columns that say who embeds: they change together.
    EMBEDDING_COLUMNS: ClassVar = (
        "embedding_provider",
        "embedding_base_url",
        "embedding_model",
        "embedding_dimensions",
        "embedding_key",
    )

    def embed_with(self, choice: EmbeddingChoice) -> None:
        """Let *choice* embed from now on; save `EMBEDDING_COLUMNS` afterwards."""
        self.embedding_provider = choice.provider
        self.embedding_base_url = choice.base_url
        self.embedding_model = choice.model
        self.embedding_dimensions = choice.dimensions
        self.embedding_key = choice.key

    @property
    def has_embeddings(self) -> bool:
        """Whether there is anyone to turn text into vectors."""
        return self.can_embed_with(self.embeddings)

    def can_embed_with(self, choice: EmbeddingChoice) -> bool:
        """Whether *choice* has all that it takes to be asked."""
        if choice.provider in (EmbeddingProvider.BUILTIN, EmbeddingProvider.OLLAMA):
            return True
        if choice.provider == EmbeddingProvider.CUSTOM:
            return bool(choice.base_url)
        return self.has_key_for(choice.address, choice.key, SecretName.CHAT_API_KEY)

    def key_that_opens(self, choice: EmbeddingChoice) -> str:
        """The key for *choice*: its own, or the language model's if both are on the same server;
        empty if there is none.
        """
        return self.key_for(choice.address, choice.key, SecretName.CHAT_API_KEY)
