"""Compares what requests to a model begin with, as the prompt cache of a provider does."""

import json
from collections.abc import Sequence
from typing import Any

from tests.scripted_provider import Recorded


def place_of_question(request: Recorded) -> int:
    """Return the index of the user's last message."""
    messages = request.body["messages"]
    return next(n for n in reversed(range(len(messages))) if messages[n]["role"] == "user")


def question(request: Recorded) -> str:
    """Return the user's last message as it was sent."""
    return json.dumps(request.body["messages"][place_of_question(request)])


def assert_turns_continue(turns: Sequence[Sequence[Recorded]], said: Sequence[Any]) -> None:
    """Assert, for the requests of each turn, that they all begin with the same bytes up to the
    user's message and its addition, and that the next turn begins with the same bytes up to the
    user's message, which follows as it was *said*.
    """
    for first, *later in turns:
        place = place_of_question(first)
        for request in later:
            assert _bytes(request, place + 1) == _bytes(first, place + 1)
    for before, after, text in zip(turns, turns[1:], said, strict=False):
        place = place_of_question(before[-1])
        assert _bytes(after[0], place) == _bytes(before[-1], place)
        assert after[0].body["messages"][place] == {"role": "user", "content": text}


def _bytes(request: Recorded, count: int) -> str:
    """Return the tools and the first *count* messages, with their keys in the order received."""
    return json.dumps([request.body.get("tools"), request.body["messages"][:count]])
