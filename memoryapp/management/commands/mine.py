"""``manage.py mine``: file the turns that are not yet in the palace, here and now."""

import sys
from argparse import ArgumentParser, BooleanOptionalAction
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Exists, OuterRef

from conversations.models import Conversation, Message
from memoryapp.management.arguments import database_that_answers, instance_named
from memoryapp.mining.run import mine_here
from memoryapp.models import Run, awaiting_filing
from memoryapp.text.plurals import counted

#: Conversations between two lines of progress.
PROGRESS_EVERY_RUNS = 20


class Command(BaseCommand):
    """Files what the workers have not filed; what is filed stays where it is."""

    help = (
        "File the turns that are not yet in the palace. Can be stopped with Ctrl-C at any time, "
        "and goes on from there."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take an instance or a conversation, and whether a model may be asked."""
        parser.add_argument("--instance", metavar="SLUG", help="only this one; else all")
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
        """Go through the conversations, one after the other.

        Raises:
            CommandError: there is no such instance or conversation, or the run was stopped.

        """
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
            self._tell_what_waits(conversation)
            if number % PROGRESS_EVERY_RUNS == 0:
                all_ = counted(len(todo), "conversation")
                self._say(f"{number:,} of {all_}, {counted(filed, 'turn')} filed")
        self.stdout.write(f"{counted(len(todo), 'conversation')}: {counted(filed, 'turn')} filed.")

    def _tell_what_waits(self, conversation: Conversation) -> None:
        run = Run.objects.minings().filter(conversation=conversation).first()
        if run is not None and run.error:
            self._say(f"Conversation {conversation.pk}, {run.get_state_display()}: {run.error}")

    def _say(self, text: str) -> None:
        self.stderr.write(text, style_func=str)
        if self.stderr is sys.stderr:
            sys.stderr.flush()
