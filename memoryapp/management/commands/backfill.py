"""``manage.py backfill``: make missing vectors in this process."""

import time
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from instances.models import Instance
from memoryapp.embeddings.backfill import open_fill_in_job, run_job
from memoryapp.embeddings.reembedding import delete_unused_vectors
from memoryapp.management.arguments import database_that_answers, instance_named
from memoryapp.models import EmbeddingJob
from memoryapp.models.embedding_jobs import MAX_SECONDS
from memoryapp.providers.configured import embedder_for

#: Seconds between two lines of progress.
PROGRESS_INTERVAL_SECONDS = 2.0


def positive(value: str) -> int:
    """Read a whole number above zero."""
    if not value.isdecimal() or not 0 < int(value) <= 10_000:
        raise ArgumentTypeError("give a whole number from 1 to 10,000")
    return int(value)


class Command(BaseCommand):
    help = (
        "Make missing vectors, and continue a change of the embedding model. Stop it with Ctrl-C "
        "at any time; the next run continues."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--instance", metavar="SLUG", help="only this instance; default: all")
        parser.add_argument("--batch", type=positive, metavar="N", help="texts per call")
        parser.add_argument("--rate", type=positive, metavar="N", help="maximum texts per minute")

    def handle(
        self, *, instance: str | None, batch: int | None, rate: int | None, **options: Any
    ) -> None:
        instances = Instance.objects.order_by("slug")
        try:
            with database_that_answers():
                for each in instances if instance is None else [instance_named(instance)]:
                    self._fill(each, batch, rate)
        except KeyboardInterrupt:
            raise CommandError("Stopped. What is made stays; the rest can be made later.") from None

    def _fill(self, instance: Instance, batch: int | None, rate: int | None) -> None:
        open_fill_in_job(instance, resting=False)
        jobs = list(EmbeddingJob.objects.open().filter(instance=instance))
        for job in jobs:
            job.batch, job.rate = batch or job.batch, job.rate if rate is None else rate
            job.save(update_fields=["batch", "rate"])
            self._finish(instance, job)
        if not jobs:
            is_set_up = embedder_for(instance) is not None
            reason = "nothing is missing" if is_set_up else "no embedding provider is set up"
            self.stdout.write(f"{instance.slug}: {reason}.")
        delete_unused_vectors(instance)

    def _finish(self, instance: Instance, job: EmbeddingJob) -> None:
        """Work on *job* until it is over; while a worker does, report its progress."""
        last = ""
        while True:
            if job.claim():
                with job.kept(seconds=MAX_SECONDS):
                    run_job(job, seconds=PROGRESS_INTERVAL_SECONDS)
            if not job.row().exists():
                return
            job.refresh_from_db()
            line = self._progress(job)
            if line != last:
                self.stdout.write(f"{instance.slug}: {line}")
                self.stdout.flush()
                last = line
            if not job.is_running:
                return
            if not EmbeddingJob.objects.due().filter(pk=job.pk).exists():
                time.sleep(0.5)

    def _progress(self, job: EmbeddingJob) -> str:
        count = f"{job.done:,} of {job.total:,} vectors"
        refused = len(job.refused) + len(job.refused_drawers) + len(job.refused_documents)
        left_out = f", {refused:,} refused by the model" if refused else ""
        if job.is_held:
            verdict = job.verdict or {}
            reason = job.error or (
                f"the new model finds {verdict['after']} of {verdict['asked']}, the present one "
                f"{verdict['before']}"
            )
            return f"{count}; {reason}. Decide on the settings screen."
        if not job.is_running:
            return f"{job.state}, {count}{left_out}."
        if job.error:
            due = timezone.localtime(job.due_at)
            return f"{count}; waits until {due:%H:%M:%S}: {job.error}"
        return f"{count}, {job.per_minute:,} a minute{left_out}"
