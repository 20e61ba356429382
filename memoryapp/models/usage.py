"""The usage log: each call to a provider, with its tokens and cost."""

from collections.abc import Collection
from datetime import datetime, timedelta
from decimal import Decimal
from typing import ClassVar, Self, TypeAlias

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from instances.constraints import allow_values
from instances.models import Instance
from instances.models.content_keys import ContentKey, InstanceContent
from instances.models.fields import TranslatableTextField
from instances.translatable import cleaned, shortened
from memoryapp.models.prices import language_model_prices, prices_of_space
from memoryapp.models.runs import Run
from memoryapp.providers.errors import MAX_ERROR_CHARACTERS, ProviderError
from memoryapp.providers.field_values import MAX_MODEL_CHARACTERS, storable

#: Prices are for this many tokens.
TOKENS_PER_PRICE = Decimal(1_000_000)
#: The most tokens of one entry, so that its cost fits the column at the highest price.
MAX_TOKENS = 40_000_000
#: The longest name in the DNS, with a port.
MAX_HOST_CHARACTERS = 260


class UsageSource(models.TextChoices):
    """Purpose of a call to a provider."""

    CHAT = "chat", _("Chat")
    EXTRACT = "memory_extract", _("Reading conversations")
    MERGE = "memory_merge", _("Merging memories")
    ASSESS = "memory_assess", _("Rating memories")
    SUMMARY = "memory_summary", _("Writing summaries")
    MINE = "memory_mine", _("Filing messages")
    RERANK = "memory_rerank", _("Ranking search results")
    EMBED = "memory_embed", _("Making vectors")


def _stored_name(model: str) -> str:
    """The name of a model as it is stored."""
    return storable(model)[:MAX_MODEL_CHARACTERS]


def _cost(
    instance: Instance, source: str, model: str, prompt_tokens: int, completion_tokens: int
) -> Decimal | None:
    """The cost of a call; None if a price that it needs is missing."""
    embeds = source == UsageSource.EMBED
    prices = prices_of_space(instance, model) if embeds else language_model_prices(instance, model)
    written = prices.completion if completion_tokens else Decimal(0)
    if prices.prompt is None or written is None:
        return None
    return (prompt_tokens * prices.prompt + completion_tokens * written) / TOKENS_PER_PRICE


class UsageQuerySet(models.QuerySet["Usage"]):
    def record(
        self,
        instance: Instance,
        source: UsageSource,
        model: str,
        *,
        host: str,
        about: Collection[str] | None,
        run: Run | None = None,
        prompt_tokens: int = 0,
        completion_tokens: int = 0,
        billed_prompt_tokens: int | None = None,
        error: ProviderError | str = "",
    ) -> "Usage":
        """Record a call to *host* with text *about* these end users, at the present prices, unless
        it was not sent. None: whom the text was about is not known.

        If a cache makes the prompt cheaper or dearer, *billed_prompt_tokens* are paid for.
        """
        billed = prompt_tokens if billed_prompt_tokens is None else billed_prompt_tokens
        billed = min(billed, MAX_TOKENS)
        prompt_tokens = min(prompt_tokens, MAX_TOKENS)
        completion_tokens = min(completion_tokens, MAX_TOKENS)
        people = None if about is None else set(about)
        entry = Usage(
            instance=instance,
            run=run,
            host=host[:MAX_HOST_CHARACTERS],
            end_user=next(iter(people)) if people and len(people) == 1 else None,
            people=None if people is None else len(people),
            source=source,
            model=_stored_name(model),
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            cost=_cost(instance, source, model, billed, completion_tokens),
            error=shortened(cleaned(str(error), storable), MAX_ERROR_CHARACTERS),
            error_kind=error.kind if isinstance(error, ProviderError) else "",
        )
        if not isinstance(error, ProviderError) or error.was_sent:
            entry.save(using=self.db)
        return entry

    def matching(
        self,
        *,
        host: str = "",
        end_user: str | None = None,
        source: str = "",
        since: datetime | None = None,
        before: datetime | None = None,
    ) -> Self:
        """Calls to *host*, about *end_user* alone, for *source*, from *since* on and *before*: each
        only if it is given.
        """
        given = {"host": host.lower(), "source": source, "at__gte": since, "at__lt": before}
        rows = self.filter(**{name: value for name, value in given.items() if value})
        return rows if end_user is None else rows.filter(end_user=end_user)

    def failed(self) -> Self:
        """Calls that a provider failed to answer; not those that a person stopped."""
        return self.exclude(error_kind="")

    def latest_error(
        self,
        instance: Instance,
        source: UsageSource,
        model: str,
        *,
        within: timedelta | None = None,
    ) -> str:
        """The error of the instance's latest call of *model* for *source*, as a sentence; empty if
        it succeeded, or if it is older than *within*.
        """
        last = self.filter(instance=instance, source=source, model=_stored_name(model)).first()
        if last is None:
            return ""
        too_old = within is not None and last.at <= timezone.now() - within
        return "" if too_old else last.error


class Usage(InstanceContent):
    """One call to a provider, failed ones included."""

    Source: TypeAlias = UsageSource

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="usage")
    run = ContentKey(Run, on_delete=models.SET_NULL, null=True, blank=True)
    at = models.DateTimeField(default=timezone.now)
    source = models.CharField(max_length=20, choices=Source)
    model = models.CharField(max_length=200)
    #: The server that was called, as ``name:port``; empty if it is not known.
    host = models.CharField(max_length=MAX_HOST_CHARACTERS, blank=True)
    #: The end user whom the text was about, until they are erased; empty for the user without an
    #: id, none if it was about nobody, about several, or that is not known.
    end_user = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - see above
    #: How many end users the text was about; none if that is not known.
    people = models.PositiveIntegerField(null=True, blank=True)
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    #: At the prices of that moment; None if one was not known.
    cost = models.DecimalField(max_digits=18, decimal_places=10, null=True, blank=True)
    #: What went wrong, as a sentence; empty if the call succeeded.
    error = TranslatableTextField(blank=True)
    #: The value of a `providers.errors.ErrorKind`, for counting.
    error_kind = models.CharField(max_length=20, blank=True)

    objects = UsageQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-at", "-id"]
        verbose_name_plural = "usage"
        constraints: ClassVar = [allow_values("source", UsageSource, "usage_source")]
        indexes: ClassVar = [
            models.Index(fields=["instance", "source", "-at"], name="usage_latest"),
            # The cost of a month is summed before each call in the background.
            models.Index(fields=["instance", "at"], include=["cost"], name="usage_spent"),
            models.Index(fields=["instance", "end_user", "-at"], name="usage_about"),
            models.Index(
                fields=["instance", "at"], condition=~Q(error_kind=""), name="usage_failed"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source} by {self.model}"
