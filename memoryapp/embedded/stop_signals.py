"""The signals that ask Keepsake to stop."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_arrived = threading.Event()


def interrupt_once() -> None:
    """Have the first signal raise KeyboardInterrupt, and ignore all others.

    Python may drop the exception, for example in a finalizer; `check` then raises it again.
    """
    _arrived.clear()
    for number in STOPPING:
        # Under nohup the hangup is ignored on purpose.
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _interrupt)


def check() -> None:
    """Raise KeyboardInterrupt if a signal has arrived since `interrupt_once`."""
    if _arrived.is_set():
        raise KeyboardInterrupt


def ignore() -> None:
    """Ignore these signals."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)


def _interrupt(number: int, frame: FrameType | None) -> None:
    ignore()
    _arrived.set()
    raise KeyboardInterrupt


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Deliver signals that ask us to stop only after the block.

    A KeyboardInterrupt between the start of a server and the assignment of its handle would leave a
    server that is never stopped. The signals are not blocked, because servers would inherit that.
    """
    if threading.current_thread() is not threading.main_thread():
        # Handlers run in the main thread only.
        yield
        return
    arrived: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        arrived.append(number)

    handlers = {
        number: handler
        for number in STOPPING
        if (handler := signal.getsignal(number)) not in (signal.SIG_IGN, None)
    }
    for number in handlers:
        signal.signal(number, note)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for waiting in arrived:
            signal.raise_signal(waiting)
