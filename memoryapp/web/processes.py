"""How the processes of ``manage.py run`` are told on the health screen."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from memoryapp.embedded import processes
from memoryapp.embedded.processes import End, Process, State


@dataclass(frozen=True)
class Told:
    """A process as the screen shows it."""

    process: Process
    #: The last time that it ended by itself, within a day.
    last: End | None
    #: How often it did within the last hour.
    in_last_hour: int

    @property
    def running(self) -> bool:
        return self.process.state == State.RUNNING

    @property
    def given_up(self) -> bool:
        return self.process.state == State.GIVEN_UP


def told_of_processes() -> list[Told]:
    """All of them; none where something else starts the processes, as Docker Compose does."""
    now = timezone.now()
    found = []
    for process in processes.read(settings.HOME):
        ends = [end for end in process.ends if now - end.at < timedelta(days=1)]
        recent = sum(now - end.at < timedelta(hours=1) for end in ends)
        found.append(Told(process, ends[-1] if ends else None, recent))
    return found
