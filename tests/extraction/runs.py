"""Helpers that append messages and carry out runs."""

from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from memoryapp.extraction.run import read
from memoryapp.models import Run

CHAT = "chat/completions"


def exchange(conversation: Conversation, content: str, reply: str = "I see.") -> list[Message]:
    return append(conversation, [NewMessage("user", content), NewMessage("assistant", reply)]).added


def work(conversation: Conversation) -> list[Run]:
    """Carry out the runs of *conversation* until none is queued; return them in order."""
    done = []
    while run := Run.objects.waiting().filter(conversation=conversation).first():
        assert run.claim()
        read(run)
        run.refresh_from_db()
        done.append(run)
    return done


def attempt(run: Run) -> Run:
    """Make one attempt at *run*, as if it were due."""
    Run.objects.filter(pk=run.pk).update(due_at=timezone.now())
    run = Run.objects.get(pk=run.pk)
    assert run.claim()
    read(run)
    run.refresh_from_db()
    return run
