"""The threads of this process that answer, and the state of each answer that a page streams.

Threads and not tasks: the words reach the page at once, from memory and without a broker in
between. Other processes, and later requests, read the rows of the database.
"""

import contextlib
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.assistant.answer import answer
from memoryapp.assistant.events import Delta, Event, MemoriesRecalled, ToolBegan, ToolDone
from memoryapp.assistant.submission import SubmissionRefused
from memoryapp.assistant.thread_registry import ThreadRegistry
from memoryapp.context.builder import addresses
from memoryapp.fair_slots import FairSlots, NoSlot
from memoryapp.models import Answer

logger = logging.getLogger(__name__)

#: Answers that one process gives at once. Each takes two threads, without a database connection
#: while they wait for the provider.
MAX_ANSWERS = 64

threads: ThreadRegistry["RunningAnswer"] = ThreadRegistry(FairSlots(MAX_ANSWERS, what="answers"))

#: What the page says while a tool runs.
_DOING = {
    "search_memory": "Searching memory",
    "save_memory": "Saving a memory",
    "list_memories": "Looking through memory",
    "forget_memory": "Forgetting a memory",
}


@dataclass(frozen=True)
class Snapshot:
    """The state of an answer at one moment."""

    text: str
    #: What it does at present, in words; empty while it speaks.
    doing: str
    #: Grows with each change of the notes beside the answer.
    notes: int
    #: The ids that the text may cite, with the addresses of their pages.
    sources: Mapping[str, str]
    over: bool


class RunningAnswer:
    """One answer that this process gives, as others see it. Any thread may call any method."""

    def __init__(self, attempt: Answer) -> None:
        self.attempt = attempt
        self.stop = threading.Event()
        self._lock = threading.Lock()
        self._listeners: set[Callable[[], None]] = set()
        self._seen = Snapshot("", "", 0, {}, over=False)
        self._pieces: list[str] = []

    def snapshot(self) -> Snapshot:
        with self._lock:
            seen = self._seen
            return Snapshot("".join(self._pieces), seen.doing, seen.notes, seen.sources, seen.over)

    def listen(self, listener: Callable[[], None]) -> None:
        """Have *listener* called, in the answering thread, whenever there is something new."""
        with self._lock:
            self._listeners.add(listener)

    def forget(self, listener: Callable[[], None]) -> None:
        with self._lock:
            self._listeners.discard(listener)

    def tell(self, event: Event) -> None:
        """Note what happened."""
        with self._lock:
            seen = self._seen
            doing, notes, sources = "", seen.notes, seen.sources
            match event:
                case Delta(text):
                    self._pieces.append(text)
                case ToolBegan(name):
                    doing = _DOING.get(name, "")
                case MemoriesRecalled(found):
                    notes, sources = notes + 1, {**sources, **found}
                case ToolDone(memory_ids=memory_ids):
                    notes, sources = notes + 1, {**sources, **addresses(memory_ids)}
            self._seen = Snapshot("", doing, notes, sources, seen.over)
        self._call()

    def run(self) -> None:
        """Give the answer."""
        try:
            for event in answer(self.attempt, self.stop):
                self.tell(event)
        except (Answer.DoesNotExist, Conversation.DoesNotExist):
            logger.info("answer %s was deleted before it was given", self.attempt.pk)
        except Exception:
            # Without a heartbeat, the sweeper soon gives it up.
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
    """Have the answer that *make* creates be given in the background.

    Raises `SubmissionRefused`, and stores nothing, if the process is busy or the instance has
    used its share.
    """
    try:
        running = threads.start(instance.holder, lambda: RunningAnswer(make()), name="answer")
    except NoSlot as full:
        raise SubmissionRefused(str(full)) from None
    return running.attempt


def running_answer(answer_id: int) -> RunningAnswer | None:
    """The answer with this id, if this process gives it."""
    running = list(threads.running)
    return next((each for each in running if each.attempt.pk == answer_id), None)


def stop(answer_id: int) -> None:
    """Stop an answer at once if this process gives it; another one reads the flag on its row."""
    if running := running_answer(answer_id):
        running.stop.set()


def stop_all(seconds: float = 3.0) -> None:
    """Stop all that this process gives, and wait until what has been said by then is stored."""
    threads.stop_all(seconds)
