"""The memories of a person from the last week, for them to keep, correct or forget."""

from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from memoryapp.models import Memory
from memoryapp.web.memory.forms import SentenceForm
from memoryapp.web.profile.timeline import ProfileView

DAYS, MOST = 7, 10


@dataclass(frozen=True)
class Learned:
    """A memory of the week, with the form that corrects it."""

    memory: Memory
    form: SentenceForm


def load_week(view: ProfileView, correcting: SentenceForm | None = None) -> list[Learned]:
    """Return the most important memories of the person that are new or changed, and that nobody has
    confirmed or corrected yet; one of them with the form *correcting* it.
    """
    since = timezone.now() - timedelta(days=DAYS)
    memories = view.instance.memories.filter(end_user=view.end_user, stale_since=None)
    rows = memories.to_confirm(since).with_conversations().defer("search")
    forms = {
        memory.pk: SentenceForm(instance=memory, prefix=prefix_of(memory))
        for memory in rows.order_by("-importance", "-updated_at", "-pk")[:MOST]
    }
    if correcting is not None:
        forms[correcting.instance.pk] = correcting
    return [Learned(form.instance, form) for form in forms.values()]


def prefix_of(memory: Memory) -> str:
    """The prefix of the fields of the form that corrects *memory*."""
    return f"learned-{memory.pk}"
