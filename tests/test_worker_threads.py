"""The threads in which a worker carries out tasks."""

import os
import sys
import threading

import pytest

from memoryapp.celery import ThreadPool
from memoryapp.process import size


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a thread has no niceness")
def test_tasks_give_way_to_other_threads() -> None:
    found: list[int] = []
    pool = ThreadPool()

    def ignore(*arguments: object) -> None:
        pass

    def task() -> None:
        found.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    pool.apply_async(task, callback=ignore, accept_callback=ignore)
    pool.on_stop()
    assert found == [own + size.NICENESS]
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == own
