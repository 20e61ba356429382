"""``manage.py count_memories``: count the memories anew."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from instances.models import Instance
from memoryapp.management.arguments import database_that_answers, instance_named
from memoryapp.models import MemoryCount


class Command(BaseCommand):
    help = (
        "Count the memories of every instance anew, and correct the numbers that the list shows. "
        "Needed only after rows were changed past the triggers of the database."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--instance", metavar="SLUG", help="only this instance; default: all")

    def handle(self, *, instance: str | None, **options: Any) -> None:
        with database_that_answers():
            instances = Instance.objects.order_by("slug")
            for each in instances if instance is None else [instance_named(instance)]:
                wrong = MemoryCount.objects.recount(each.pk)
                self.stdout.write(f"{each.slug}: {'corrected' if wrong else 'correct'}.")
