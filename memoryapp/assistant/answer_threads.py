"""The threads of this process that answer, and the state of each answer that a page streams.

They are threads rather than tasks, so that text reaches the page at once, without a broker. Other
processes and later requests read the database.
"""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from conversations.models import Conversation
from instances.models import Instance
from instances.translatable import translatable
from memoryapp.assistant.answer import answer
from memoryapp.assistant.events import (
    Delta,
    Event,
    MemoriesRecalled,
    ModelAsked,
    ToolBegan,
    ToolDone,
)
from memoryapp.assistant.submission import SubmissionRefused
from memoryapp.assistant.thread_registry import ThreadRegistry
from memoryapp.context.builder import addresses
from memoryapp.models import Answer
from memoryapp.process.fair_slots import FairSlots, NoSlot

logger = logging.getLogger(__name__)

#: Concurrent answers of one process. Each needs two threads, which have no database connection
#: while they wait for the provider.
MAX_ANSWERS = 64

threads: ThreadRegistry["RunningAnswer"] = ThreadRegistry(
    FairSlots(MAX_ANSWERS, what=translatable("answers"))
)

#: How exactly waiting times are told.
STEP_SECONDS = 5
#: Texts of the page while a tool runs.
_DOING = {
    "search_memory": _("Searching memory"),
    "save_memory": _("Saving a memory"),
    "list_memories": _("Looking through memory"),
    "forget_memory": _("Proposing to forget a memory"),
}
ANSWERING = _("Answering")


@dataclass(frozen=True)
class Snapshot:
    """The state of an answer at one moment."""

    text: str
    #: The current activity in words; empty while the model writes. Each page that shows it has a
    #: language of its own.
    activity: str | Promise
    #: Counts the changes of the notes on the answer.
    notes: int
    #: The ids that the text may cite, with the addresses of their pages.
    sources: Mapping[str, str]
    over: bool
    #: When the activity began, on the monotonic clock.
    since: float = field(default_factory=time.monotonic)

    @property
    def doing(self) -> str:
        """The current activity, with the time that it has taken, rounded down to five seconds."""
        seconds = int(time.monotonic() - self.since) // STEP_SECONDS * STEP_SECONDS
        activity = str(self.activity)
        if not activity or not seconds:
            return activity
        text = gettext("%(activity)s (%(seconds)s s so far)")
        return text % {"activity": activity, "seconds": seconds}


def _reading(seconds: float) -> str | Promise:
    """Say what is waited for while a model is expected to read for so many *seconds*."""
    if seconds < STEP_SECONDS:
        return ANSWERING
    about = max(1, round(seconds / STEP_SECONDS)) * STEP_SECONDS
    return format_lazy(_("Reading the prompt, about {seconds} s"), seconds=about)


class RunningAnswer:
    """An answer that this process is making. Any thread may call any method."""

    def __init__(self, attempt: Answer) -> None:
        self.attempt = attempt
        self.stop = threading.Event()
        self._lock = threading.Lock()
        self._listeners: set[Callable[[], None]] = set()
        self._seen = Snapshot("", ANSWERING, 0, {}, over=False)
        self._pieces: list[str] = []

    def snapshot(self) -> Snapshot:
        with self._lock:
            seen = self._seen
            return replace(seen, text="".join(self._pieces))

    def listen(self, listener: Callable[[], None]) -> None:
        """Call *listener*, in the answering thread, at each change."""
        with self._lock:
            self._listeners.add(listener)

    def forget(self, listener: Callable[[], None]) -> None:
        with self._lock:
            self._listeners.discard(listener)

    def apply(self, event: Event) -> None:
        """Update the state by *event*."""
        with self._lock:
            seen = self._seen
            doing: str | Promise = ""
            notes, sources = seen.notes, seen.sources
            match event:
                case Delta(text):
                    self._pieces.append(text)
                case ModelAsked(seconds):
                    doing = _reading(seconds)
                case ToolBegan(name):
                    doing = _DOING.get(name, "")
                case MemoriesRecalled(recalled):
                    doing = ANSWERING
                    notes, sources = notes + 1, {**sources, **recalled}
                case ToolDone(memory_ids=memory_ids):
                    notes, sources = notes + 1, {**sources, **addresses(memory_ids)}
            self._seen = Snapshot("", doing, notes, sources, seen.over)
        self._call()

    def run(self) -> None:
        """Make the answer."""
        try:
            for event in answer(self.attempt, self.stop):
                self.apply(event)
        except (Answer.DoesNotExist, Conversation.DoesNotExist):
            logger.info("answer %s was deleted before it was given", self.attempt.pk)
        except Exception:
            # Without a heartbeat, the sweeper soon ends it.
            logger.exception("answer %s was lost", self.attempt.pk)

    def end(self) -> None:
        """Tell the listeners that it is over."""
        with self._lock:
            seen = self._seen
            self._seen = Snapshot("", "", seen.notes, seen.sources, over=True)
        self._call()

    def _call(self) -> None:
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            # The listener may be gone, with its event loop.
            with contextlib.suppress(RuntimeError):
                listener()


def begin(instance: Instance, make: Callable[[], Answer]) -> Answer:
    """Start a thread for the answer that *make* creates.

    Raises `SubmissionRefused`, and stores nothing, if the process is busy or the instance has
    used its share.
    """
    try:
        running = threads.start(instance.holder, lambda: RunningAnswer(make()), name="answer")
    except NoSlot as full:
        raise SubmissionRefused(str(full)) from None
    return running.attempt


def running_answer(answer_id: int) -> RunningAnswer | None:
    """Return the answer with this id, if this process makes it."""
    running = list(threads.running)
    return next((each for each in running if each.attempt.pk == answer_id), None)


def stop(answer_id: int) -> None:
    """Stop an answer at once if this process makes it; another one reads the row."""
    if running := running_answer(answer_id):
        running.stop.set()


def stop_all(seconds: float = 3.0) -> None:
    """Stop all answers of this process, and wait until their texts so far are stored."""
    threads.stop_all(seconds)
