"""``manage.py mine``: file the messages that are not yet in the palace, in this process."""

from argparse import ArgumentParser, BooleanOptionalAction
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Exists, OuterRef

from conversations.models import Conversation, Message
from memoryapp.language.plurals import counted
from memoryapp.management.arguments import database_that_answers, instance_named
from memoryapp.management.output import show_progress
from memoryapp.mining.run import mine_here
from memoryapp.models import Run, awaiting_filing

#: Conversations between two lines of progress.
PROGRESS_EVERY_RUNS = 20


class Command(BaseCommand):
    help = (
        "File the turns that are not yet in the palace. Stop it with Ctrl-C at any time; the next "
        "run continues."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--instance", metavar="SLUG", help="only this instance; default: all")
        parser.add_argument("--conversation", metavar="ID", type=int, help="only this one")
        parser.add_argument(
            "--model",
            action=BooleanOptionalAction,
            default=False,
            help="ask the instance’s language model for subjects and topics: one small call for "
            "each stretch of a conversation; without it, turns are filed by their conversation",
        )

    def handle(
        self,
        *args: Any,
        instance: str | None,
        conversation: int | None,
        model: bool,
        **options: Any,
    ) -> None:
        try:
            with database_that_answers():
                rows = Conversation.objects.select_related("instance").order_by("pk")
                if instance is not None:
                    rows = rows.filter(instance=instance_named(instance))
                if conversation is not None:
                    rows = rows.filter(pk=conversation)
                    if not rows.exists():
                        raise CommandError(f"There is no conversation {conversation} here.")
                self._file(rows, model=model)
        except KeyboardInterrupt:
            raise CommandError(
                "Stopped. What is filed stays; the rest can be filed later."
            ) from None

    def _file(self, rows: Any, *, model: bool) -> None:
        turns = awaiting_filing(Message.objects.filter(conversation=OuterRef("pk")))
        todo = list(rows.filter(Exists(turns)).values_list("pk", flat=True))
        filed = 0
        for number, pk in enumerate(todo, start=1):
            conversation = Conversation.objects.select_related("instance").filter(pk=pk).first()
            if conversation is None:
                continue  # Deleted meanwhile.
            filed += mine_here(conversation, with_model=model)
            self._report_error(conversation)
            if number % PROGRESS_EVERY_RUNS == 0:
                all_ = counted(len(todo), "conversation")
                show_progress(self, f"{number:,} of {all_}, {counted(filed, 'turn')} filed")
        self.stdout.write(f"{counted(len(todo), 'conversation')}: {counted(filed, 'turn')} filed.")

    def _report_error(self, conversation: Conversation) -> None:
        run = Run.objects.minings().filter(conversation=conversation).first()
        if run is not None and run.error:
            show_progress(
                self, f"Conversation {conversation.pk}, {run.get_state_display()}: {run.error}"
            )
