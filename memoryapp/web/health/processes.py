"""The processes of ``manage.py run``, as the health screen shows them."""

import re
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.embedded import processes
from memoryapp.embedded.processes import End, Process, ProcessState

#: Translations of the titles and the remarks that ``manage.py run`` writes. That has no Django when
#: it writes them, and no language.
_TEXTS = {
    "The web server": gettext_lazy("The web server"),
    "The worker": gettext_lazy("The worker"),
    "it could not be started": gettext_lazy("could not be started"),
    "Screens, search and the API still work; messages are stored and wait to be read.": (
        gettext_lazy(
            "Screens, search and the API still work. Messages are stored and wait to be read."
        )
    ),
}
_SIGNALLED = re.compile(r"(?:(\w+), )?signal (\d+)")
_EXITED = re.compile(r"exit code (\d+)")


def _translated(text: str) -> str:
    """Translate a *text* of ``manage.py run``; a name such as Redis stays as it is."""
    return str(_TEXTS.get(text, text))


def _how_ended(text: str) -> str:
    if signalled := _SIGNALLED.fullmatch(text):
        name, number = signalled.groups()
        if name == "killed":
            return _("killed, signal %(number)s") % {"number": number}
        return _("signal %(number)s") % {"number": f"{number} ({name})" if name else number}
    if exited := _EXITED.fullmatch(text):
        return _("exit code %(number)s") % {"number": exited[1]}
    return _translated(text)


@dataclass(frozen=True)
class ShownProcess:
    """A process with its unexpected ends."""

    process: Process
    #: Its last unexpected end within a day.
    last: End | None
    #: Unexpected ends within the last hour.
    in_last_hour: int

    @property
    def title(self) -> str:
        return _translated(self.process.title)

    @property
    def without(self) -> str:
        """Features that still work without the process; empty if nothing does."""
        return _translated(self.process.without)

    @property
    def how(self) -> str:
        """How it has ended last."""
        return _how_ended(self.last.how) if self.last else ""

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
