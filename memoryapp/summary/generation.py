"""Writes the summary of one person, with one call to the language model."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from conversations.sanitizer import sanitize
from instances.actor import Actor
from instances.models import Instance
from instances.secrets import UnreadableSecret
from instances.tiers import Tier
from instances.translatable import internal_error, translatable
from memoryapp.llm.answers import UnusableAnswer
from memoryapp.llm.structured import ask
from memoryapp.models import Activity, Memory, Summary, Usage
from memoryapp.models.spending import may_spend
from memoryapp.policy.gate import SaidLine, Source, refusal
from memoryapp.privacy.excerpts import split_sentences
from memoryapp.providers.configured import chat_endpoint, reader_abilities
from memoryapp.providers.errors import ProviderError
from memoryapp.summary import prompt
from memoryapp.summary.prompt import DatedMemory, SummaryAnswer
from memoryapp.suppression.sending import policy_for_summaries

logger = logging.getLogger(__name__)

#: Memories that a summary is made from: the vital ones, then the latest.
MAX_MEMORIES = 400
#: Seconds before another attempt; doubles with each.
FIRST_BACKOFF_SECONDS = 30

NO_MODEL = translatable("No language model is set up, so no summary can be written.")
UNSUPPORTED = translatable("The language model’s summary says nothing that the memories say.")
CAP_REACHED = translatable(
    "This month’s cap for background calls is reached. The summary is written when there is room "
    "again."
)


def summed_up(instance: Instance, end_user: str) -> str:
    """The current summary of this person; empty if there is none."""
    if not instance.summary_enabled:
        return ""
    return Summary.objects.of(instance, end_user).values_list("text", flat=True).first() or ""


def write_again(instance: Instance, end_user: str) -> Summary:
    """Queue a new summary at a person's request."""
    summary, _ = Summary.objects.update_or_create(
        instance=instance,
        end_user=end_user,
        defaults={"due_at": timezone.now(), "attempts": 0, "error": ""},
    )
    return summary


def write(summary: Summary) -> None:
    """Write *summary*, which the caller has claimed: it ends written, queued again, or failed with
    a reason.
    """
    try:
        _write(summary)
    except ProviderError as error:
        if not error.was_sent:
            seconds = timedelta(seconds=error.retry_after or 0)
            summary.try_later(timezone.now() + seconds, error=str(error), counts=False)
            return
        again = _later(summary, error.retry_after) if error.retryable else None
        summary.try_later(again, error=str(error))
    except UnusableAnswer as error:
        summary.try_later(_later(summary), error=str(error))
    except UnreadableSecret as error:
        summary.try_later(None, error=str(error))
    except Exception as error:
        logger.exception("summary %s failed", summary.pk)
        summary.try_later(_later(summary), error=internal_error(error))


def _write(summary: Summary) -> None:
    instance = Instance.objects.prefetch_related("secrets").get(pk=summary.instance_id)
    if not instance.summary_enabled:
        # Switched off meanwhile.
        summary.try_later(None, error="")
        return
    memories = _memories(instance, summary.end_user)
    if not memories:
        summary.still_true().update(lease_until=None, text="", written_at=None, made_from=0)
        return
    endpoint = chat_endpoint(instance)
    if endpoint is None:
        summary.try_later(None, error=NO_MODEL)
        return
    if not may_spend(instance):
        summary.try_later(timezone.now() + timedelta(hours=1), error=CAP_REACHED)
        return
    today = instance.date_of(timezone.now())
    room = reader_abilities(instance).conversation_characters(prompt.MAX_MEMORIES)
    answer = ask(
        instance,
        Usage.Source.SUMMARY,
        endpoint,
        SummaryAnswer,
        about=[summary.end_user],
        system=prompt.SYSTEM,
        user=prompt.question([_dated(memory) for memory in memories], today=today, room=room),
    )
    text, left_out = supported(answer.summary, memories, summary.end_user)
    if not text:
        raise UnusableAnswer(UNSUPPORTED)
    with transaction.atomic():
        written = summary.still_true().update(
            text=sanitize(text),
            left_out=left_out,
            made_from=len(memories),
            newest_memory=max(memory.pk for memory in memories),
            written_at=timezone.now(),
            model=answer.model[:200],
            lease_until=None,
            error="",
        )
        if written:
            by = Actor(via="summary")
            instance.activity.record(by, Activity.Action.SUMMED_UP, about=str(summary.pk))
    if not written:
        # One of its memories has been deleted or edited meanwhile, so it must not be stored. That
        # change has queued another one.
        summary.try_later(timezone.now(), error="")


def _memories(instance: Instance, end_user: str) -> list[Memory]:
    """The current memories of the person: those with a key and vital ones first."""
    today = timezone.localdate()
    current = Memory.objects.in_instance(instance).current(today).filter(end_user=end_user)
    # A summary has no lines that could each tell where they come from.
    current = current.filter(Q(tier__gte=Tier.USER) | Q(approved_at__isnull=False))
    first = current.filter(~Q(key="") | Q(importance__gte=8))
    latest = list(current.defer("search").order_by("-updated_at", "-pk")[:MAX_MEMORIES])
    vital = list(first.defer("search").order_by("-importance", "-pk")[:MAX_MEMORIES])
    sent = filter(policy_for_summaries(instance).allows_memory, (*vital, *latest))
    return list(dict.fromkeys(sent))[:MAX_MEMORIES]


def supported(text: str, memories: Sequence[Memory], end_user: str) -> tuple[str, int]:
    """Return *text* without the sentences that *memories* do not say, and how many these are."""
    source = Source(
        [
            SaidLine(
                f"{memory.content}\n{memory.key.replace('_', ' ')} {memory.value}".strip(),
                role="",
                said_on=memory.said_at.date(),
            )
            for memory in memories
        ],
        people=filter(None, [end_user]),
    )
    paragraphs, left_out = [], 0
    for paragraph in text.split("\n\n"):
        sentences = split_sentences(paragraph)
        kept = [sentence for sentence in sentences if not refusal(sentence, source)]
        left_out += len(sentences) - len(kept)
        paragraphs.append(" ".join(kept))
    return "\n\n".join(filter(None, paragraphs)), left_out


def _dated(memory: Memory) -> DatedMemory:
    return DatedMemory(
        memory.content,
        memory.category,
        memory.importance,
        memory.said_at.date(),
        f"{memory.key} = {memory.value}" if memory.key else "",
        memory.valid_until,
    )


def _later(summary: Summary, after: float | None = None) -> datetime | None:
    if summary.attempts >= Summary.MAX_ATTEMPTS:
        return None
    seconds = max(FIRST_BACKOFF_SECONDS * 2 ** (summary.attempts - 1), min(after or 0, 600))
    return timezone.now() + timedelta(seconds=seconds)
