"""The long jobs of an instance: imports, reading for facts, filing in Palace, and vectors."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, Min, Q, Sum
from django.db.models.functions import TruncDate
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.models import Import, ImportState
from conversations.time_left import seconds_left
from instances.models import Instance
from instances.translatable import translated
from memoryapp.models import EmbeddingJob, Run
from memoryapp.privacy.excerpts import first_sentence
from memoryapp.web.conversations.imports import left_out_in_words
from memoryapp.web.settings.pages import card_url
from memoryapp.web.status import CAP_IN_SHORT

#: Ended jobs that are listed of each kind, and days of reading and filing.
MAX_ENDED, DAYS = 20, 7


@dataclass(frozen=True)
class Job:
    """A job, with its progress while it runs, and its result once it has ended."""

    title: str
    #: Where it is shown in full; empty if nowhere.
    url: str
    at: datetime
    state: str = ""
    result: str = ""
    problem: str = ""
    #: None once it has ended, and while it waits for a person.
    percent: int | None = None
    seconds_left: float | None = None
    #: True if only managers may open it.
    is_for_managers: bool = False


def open_jobs(instance: Instance, *, capped: bool) -> list[Job]:
    """Return the jobs that run, or wait for a worker or for a person, the latest first."""
    jobs = [
        *_open_imports(instance),
        *_open_runs(instance, capped=capped),
        *_open_embedding_jobs(instance),
    ]
    return sorted(jobs, key=lambda job: job.at, reverse=True)


def ended_jobs(instance: Instance) -> list[Job]:
    """Return the jobs that have ended, the latest first."""
    jobs = [
        *_ended_imports(instance),
        *_ended_runs(instance),
        *_ended_embedding_jobs(instance),
    ]
    return sorted(jobs, key=lambda job: job.at, reverse=True)


def _open_imports(instance: Instance) -> Iterator[Job]:
    rows = instance.imports.exclude(state__in=Import.OVER).defer("skipped", "reasons")
    for import_ in rows:
        yield Job(
            _("Import of %(file)s") % {"file": import_.filename},
            import_.get_absolute_url(),
            import_.created_at,
            state=_("Waits for you")
            if import_.state == ImportState.READY
            else import_.get_state_display(),
            percent=None if import_.state == ImportState.READY else import_.percent,
            seconds_left=import_.seconds_left,
        )


def _open_runs(instance: Instance, *, capped: bool) -> Iterator[Job]:
    """The queues of reading and of filing. Each counts from the oldest run that is still open."""
    rows = Run.objects.filter(instance=instance)
    oldest = rows.open().order_by().values("kind")
    for queue in oldest.annotate(since=Min("created_at")):
        since, kind = queue["since"], queue["kind"]
        counts = rows.filter(kind=kind, created_at__gte=since).aggregate(
            total=Count("pk"),
            waiting=Count("pk", filter=Q(state=Run.State.QUEUED)),
            running=Count("pk", filter=Q(state=Run.State.RUNNING)),
        )
        total, left = counts["total"], counts["waiting"] + counts["running"]
        if not total:
            continue  # All of them have ended meanwhile.
        waits = kind == Run.Kind.EXTRACTION and capped and not counts["running"]
        yield Job(
            _conversations_in_words(kind, left),
            _conversations_url(instance, "waiting") if kind == Run.Kind.EXTRACTION else "",
            since,
            state=str(CAP_IN_SHORT) if waits else "",
            percent=100 * (total - left) // total,
            seconds_left=None
            if waits
            else seconds_left(total - left, total, since=since, until=timezone.now()),
        )


def _open_embedding_jobs(instance: Instance) -> Iterator[Job]:
    for job in instance.embedding_jobs.open():
        yield Job(
            _embedding_title(job),
            _embedding_url(instance),
            job.created_at,
            state=_("Needs your decision") if job.is_held else "",
            problem=translated(job.error),
            percent=job.percent,
            seconds_left=job.seconds_left,
            is_for_managers=True,
        )


def _ended_imports(instance: Instance) -> Iterator[Job]:
    rows = instance.imports.filter(state__in=Import.OVER).defer("skipped")
    for import_ in rows.order_by("-finished_at")[:MAX_ENDED]:
        if import_.is_of_memories:
            count = import_.memories_new + import_.memories_changed
            added = ngettext("%(number)s memory.", "%(number)s memories.", count)
        else:
            count = import_.messages_added
            added = ngettext("%(number)s new message.", "%(number)s new messages.", count)
        results = [added % {"number": _number(count)}, left_out_in_words(import_)]
        if not import_.was_read:
            results = []
        yield Job(
            _("Import of %(file)s") % {"file": import_.filename},
            import_.get_absolute_url(),
            import_.finished_at or import_.created_at,
            state=import_.get_state_display(),
            result=" ".join(filter(None, results)),
            problem=first_sentence(translated(import_.error)),
        )


def _ended_runs(instance: Instance) -> Iterator[Job]:
    """Results of reading and filing, by day."""
    since = timezone.localtime() - timedelta(days=DAYS - 1)
    ended = Run.objects.filter(
        instance=instance,
        finished_at__gte=since.replace(hour=0, minute=0, second=0, microsecond=0),
        state__in=[Run.State.SUCCEEDED, Run.State.FAILED],
    )
    by_day = ended.annotate(day=TruncDate("finished_at")).order_by().values("day", "kind")
    for row in by_day.annotate(
        read=Count("conversation", distinct=True, filter=Q(state=Run.State.SUCCEEDED)),
        failed=Count("conversation", distinct=True, filter=Q(state=Run.State.FAILED)),
        stored_sum=Sum("stored"),
        updated_sum=Sum("updated"),
        filed_sum=Sum("filed"),
    ):
        reads = row["kind"] == Run.Kind.EXTRACTION
        yield Job(
            _("Reading for facts") if reads else _("Filing in Palace"),
            _conversations_url(instance, "failed" if row["failed"] else "") if reads else "",
            _end_of(row["day"]),
            result=" ".join(
                _reading_in_words(row["read"], row["stored_sum"], row["updated_sum"])
                if reads
                else _filing_in_words(row["read"], row["filed_sum"])
            ),
            problem=_failed_in_words(row["failed"]),
        )


def _ended_embedding_jobs(instance: Instance) -> Iterator[Job]:
    states = [EmbeddingJob.State.DONE, EmbeddingJob.State.CANCELLED]
    for job in instance.embedding_jobs.filter(state__in=states)[:MAX_ENDED]:
        result = ngettext("%(number)s vector created.", "%(number)s vectors created.", job.done)
        yield Job(
            _embedding_title(job),
            _embedding_url(instance),
            job.finished_at or job.created_at,
            state=_("Cancelled") if job.state == EmbeddingJob.State.CANCELLED else "",
            result=result % {"number": _number(job.done)},
            is_for_managers=True,
        )


def _conversations_in_words(kind: str, count: int) -> str:
    if kind == Run.Kind.EXTRACTION:
        text = ngettext(
            "Reading for facts: %(number)s conversation left",
            "Reading for facts: %(number)s conversations left",
            count,
        )
    else:
        text = ngettext(
            "Filing in Palace: %(number)s conversation left",
            "Filing in Palace: %(number)s conversations left",
            count,
        )
    return text % {"number": _number(count)}


def _reading_in_words(read: int, stored: int, updated: int) -> Sequence[str]:
    text = ngettext("%(number)s conversation read.", "%(number)s conversations read.", read)
    new = ngettext("%(number)s new memory.", "%(number)s new memories.", stored)
    texts = [text % {"number": _number(read)}, new % {"number": _number(stored)}]
    if updated:
        text = ngettext("%(number)s memory changed.", "%(number)s memories changed.", updated)
        texts.append(text % {"number": _number(updated)})
    return texts


def _filing_in_words(read: int, filed: int) -> Sequence[str]:
    conversations = ngettext(
        "%(number)s conversation filed.", "%(number)s conversations filed.", read
    )
    messages = ngettext("%(number)s message.", "%(number)s messages.", filed)
    return [conversations % {"number": _number(read)}, messages % {"number": _number(filed)}]


def _failed_in_words(failed: int) -> str:
    if not failed:
        return ""
    text = ngettext("%(number)s conversation failed.", "%(number)s conversations failed.", failed)
    return text % {"number": _number(failed)}


def _embedding_title(job: EmbeddingJob) -> str:
    if job.is_reembedding:
        return _("Switch of the embedding model to %(model)s") % {"model": job.choice}
    return _("Missing vectors")


def _embedding_url(instance: Instance) -> str:
    return card_url(instance.slug, "embeddings")


def _conversations_url(instance: Instance, state: str) -> str:
    url = f"{reverse('conversations')}?instance={instance.slug}"
    return f"{url}&state={state}" if state else url


def _end_of(day: date) -> datetime:
    """The moment until which the work of *day* is summed up: its end, or now."""
    midnight = timezone.make_aware(datetime(day.year, day.month, day.day))
    return min(midnight + timedelta(days=1, seconds=-1), timezone.now())


def _number(count: int) -> str:
    return number_format(count or 0, force_grouping=True)
