import os
import signal

import pytest

from memoryapp.embedded import stop_signals
from memoryapp.embedded.stop_signals import held_back


def test_signal_is_delayed_until_the_end_of_the_block() -> None:
    finished = False
    with pytest.raises(KeyboardInterrupt), held_back():
        os.kill(os.getpid(), signal.SIGINT)
        finished = True

    assert finished
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with held_back():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


class Last:
    """Sends a signal in its finalizer, where Python prints exceptions and drops them."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_signal_survives_a_dropped_exception() -> None:
    before = {number: signal.getsignal(number) for number in stop_signals.STOPPING}
    try:
        stop_signals.interrupt_once()
        stop_signals.check()
        Last()
        with pytest.raises(KeyboardInterrupt):
            stop_signals.check()
        stop_signals.interrupt_once()
        stop_signals.check()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
