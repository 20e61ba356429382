"""The threads of this process that answer, and what those who look on see of them.

A thread and not a task: the words reach the page in the moment in which they come, from memory and
without a broker between. The rows of the database say what is to be known anywhere else, and later.
"""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db import connections

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.assistant.answer import answer
from memoryapp.assistant.events import Delta, Event, MemoriesRecalled, ToolBegan, ToolDone
from memoryapp.assistant.submission import SubmissionRefused
from memoryapp.context.builder import addresses
from memoryapp.fair_slots import FairSlots, NoSlot
from memoryapp.models import Answer

logger = logging.getLogger(__name__)

#: Answers that one process gives at once. Each takes two threads, without a database connection
#: while they wait for the provider.
MAX_ANSWERS = 64

_slots = FairSlots(MAX_ANSWERS, what="answers")
_live: dict[int, "RunningAnswer"] = {}

#: What the page says while a tool runs.
_DOING = {
    "search_memory": "Searching memory",
    "save_memory": "Saving a memory",
    "list_memories": "Looking through memory",
    "forget_memory": "Forgetting a memory",
}


@dataclass(frozen=True)
class Snapshot:
    """What there is to see of an answer at one moment."""

    text: str
    #: What it does at present, in words; empty while it speaks.
    doing: str
    #: Counts what the notes beside the answer have to show.
    notes: int
    #: The ids that the text may cite, with the addresses of what they name.
    sources: Mapping[str, str]
    over: bool


class RunningAnswer:
    """One answer that this process gives, as others see it. Any thread may call any method."""

    def __init__(self, answer_id: int) -> None:
        self.answer_id = answer_id
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

    def end(self) -> None:
        with self._lock:
            seen = self._seen
            self._seen = Snapshot("", "", seen.notes, seen.sources, over=True)
        self._call()

    def _call(self) -> None:
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            # Whoever listened may be gone, with the loop that they listened in.
            with contextlib.suppress(RuntimeError):
                listener()


def begin(instance: Instance, make: Callable[[], Answer]) -> Answer:
    """Have the answer that *make* creates be given in the background.

    Raises `SubmissionRefused`, and stores nothing, if the process is busy or the instance has
    used its share.
    """
    holder = instance.holder
    try:
        _slots.take(holder)
    except NoSlot as full:
        raise SubmissionRefused(str(full)) from None
    try:
        attempt = make()
        running = _live[attempt.pk] = RunningAnswer(attempt.pk)
        threading.Thread(
            target=_answer,
            args=(attempt, running, holder),
            name=f"answer-{attempt.pk}",
            daemon=True,
        ).start()
    except BaseException:
        _slots.give_back(holder)
        raise
    return attempt


def running_answer(answer_id: int) -> RunningAnswer | None:
    """The answer of this number, if this very process gives it."""
    return _live.get(answer_id)


def stop(answer_id: int) -> None:
    """Stop it at once, if this process gives it; another one finds the flag on the row."""
    if found := _live.get(answer_id):
        found.stop.set()


def stop_all(seconds: float = 3.0) -> None:
    """Stop all that this process gives, and wait until what has been said by then is stored."""
    for each in list(_live.values()):
        each.stop.set()
    deadline = time.monotonic() + seconds
    while _live and time.monotonic() < deadline:
        time.sleep(0.02)


def _answer(attempt: Answer, running: RunningAnswer, holder: str) -> None:
    try:
        for event in answer(attempt, running.stop):
            running.tell(event)
    except (Answer.DoesNotExist, Conversation.DoesNotExist):
        logger.info("answer %s was deleted before it was given", attempt.pk)
    except Exception:
        # It goes on in the sweeper: without a heartbeat, it is given up soon.
        logger.exception("answer %s was lost", attempt.pk)
    finally:
        connections.close_all()
        _live.pop(attempt.pk, None)
        _slots.give_back(holder)
        running.end()
