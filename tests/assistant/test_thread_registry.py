"""Threads of a process that can be stopped, each within its holder's share."""

import threading

import pytest

from memoryapp.assistant.thread_registry import ThreadRegistry
from memoryapp.process.fair_slots import FairSlots


class Waiting:
    """Work that lasts until it is stopped."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.ended = False

    def run(self) -> None:
        self.stop.wait()

    def end(self) -> None:
        self.ended = True


def test_work_is_registered_until_it_is_stopped() -> None:
    registry: ThreadRegistry[Waiting] = ThreadRegistry(FairSlots(2, what="tests"))
    work = registry.start("a", Waiting, name="test")
    assert registry.running == {work}
    registry.stop_all(5)
    assert not registry.running
    assert registry.slots.held_by("a") == 0


def test_work_whose_thread_cannot_be_started_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    registry: ThreadRegistry[Waiting] = ThreadRegistry(FairSlots(2, what="tests"))
    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(RuntimeError):
        registry.start("a", Waiting, name="test")
    assert not registry.running
    assert registry.slots.held_by("a") == 0
