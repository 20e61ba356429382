"""The processes of ``manage.py run``, as the health screen shows them."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from memoryapp.embedded import processes
from memoryapp.embedded.processes import End, Process, ProcessState


@dataclass(frozen=True)
class ShownProcess:
    """A process with its unexpected ends."""

    process: Process
    #: Its last unexpected end within a day.
    last: End | None
    #: Unexpected ends within the last hour.
    in_last_hour: int

    @property
    def running(self) -> bool:
        return self.process.state == ProcessState.RUNNING

    @property
    def given_up(self) -> bool:
        return self.process.state == ProcessState.GIVEN_UP


def shown_processes() -> list[ShownProcess]:
    """Return all processes; none if something else starts them, such as Docker Compose."""
    now = timezone.now()
    shown = []
    for process in processes.read(settings.HOME):
        ends = [end for end in process.ends if now - end.at < timedelta(days=1)]
        recent = sum(now - end.at < timedelta(hours=1) for end in ends)
        shown.append(ShownProcess(process, ends[-1] if ends else None, recent))
    return shown
