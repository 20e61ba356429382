"""Resources that a client can read without a call: a person's profile, and single memories."""

from dataclasses import dataclass

from django.db.models.functions import Length

from instances.ids import parse_pk
from instances.models import Instance, Reach
from instances.models.groups import seen_by
from memoryapp.models import Memory
from memoryapp.models.memory import MemoryQuerySet
from memoryapp.summary.generation import summed_up
from memoryapp.suppression.sending import UNKNOWN, SendingPolicy

PROFILE = "keepsake://profile"
MEMORY = "keepsake://memories/{id}"

#: The most memories of a profile, and characters of one.
MAX_MEMORIES, MAX_CHARACTERS = 50, 500


@dataclass(frozen=True)
class Resources:
    """The resources of a connection for *end_user*; empty: for all people together."""

    instance: Instance
    end_user: str
    #: The part of what the person may see.
    reach: Reach = Reach.ALL

    def read(self, uri: str) -> str | None:
        """Return the text at *uri*; None if there is none."""
        if uri == PROFILE:
            return self._profile()
        beginning = MEMORY.partition("{")[0]
        pk = parse_pk(uri.removeprefix(beginning).removeprefix("m"))
        memory = (
            self._memories().filter(pk=pk).first() if uri.startswith(beginning) and pk else None
        )
        return _line(memory) if memory and self._policy.allows_memory(memory) else None

    def _profile(self) -> str:
        """Profile of the person: the summary, and the pinned and most important memories."""
        memories = self._memories().annotate(length=Length("content"))
        memories = memories.filter(length__lte=MAX_CHARACTERS)
        chosen = memories.order_by("pinned_at", "-importance", "-said_at", "-pk")[:MAX_MEMORIES]
        lines = [_line(memory) for memory in chosen if self._policy.allows_memory(memory)]
        summary = summed_up(self.instance, self.end_user)
        summary = summary if self._policy.allows_text(summary) else ""
        return "\n\n".join(part for part in (summary, "\n".join(lines)) if part) or "Nothing yet."

    @property
    def _policy(self) -> SendingPolicy:
        return SendingPolicy(self.instance, UNKNOWN)

    def _memories(self) -> MemoryQuerySet:
        memories = Memory.objects.in_instance(self.instance)
        if not self.end_user:
            return memories
        people = seen_by(self.instance, self.end_user, reach=self.reach)
        return memories.filter(end_user__in=people)


def _line(memory: Memory) -> str:
    return f"[m{memory.pk}] ({memory.said_at:%Y-%m-%d}, {memory.provenance}) {memory.content}"
