"""Helpers that call mem0's client."""

from typing import Any

from mem0 import MemoryClient

from memoryapp.extraction.run import read
from memoryapp.models import Run

ANA, BEN = {"user_id": "ana"}, {"user_id": "ben"}


def stored(client: MemoryClient, *texts: str, **more: Any) -> list[str]:
    """Add texts without inference; return the ids of the memories."""
    messages = [{"role": "user", "content": text} for text in texts]
    answer = client.add(messages, infer=False, **({"user_id": "ana"} | more))
    return [one["id"] for one in answer["results"]]


def texts(answer: Any) -> list[str]:
    return [one["memory"] for one in answer["results"]]


def read_waiting() -> None:
    for run in Run.objects.filter(state=Run.State.QUEUED):
        assert run.claim()
        read(run)
