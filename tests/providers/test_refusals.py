"""Remembered rejections of servers, limited in number."""

from dataclasses import replace

import pytest

from memoryapp.providers import refusals
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.refusals import Refusals

ENDPOINT = Endpoint("custom", "http://models.test/v1", "", "a-model", instance_id=1)


def test_refusal_is_stored_per_instance_server_and_model() -> None:
    known = Refusals()
    known.add(ENDPOINT, "tools")
    assert known.has(ENDPOINT, "tools")
    assert not known.has(ENDPOINT, "stream_options")
    for other in ({"instance_id": 2}, {"base_url": "http://other.test/v1"}, {"model": "another"}):
        assert not known.has(replace(ENDPOINT, **other), "tools")


def test_oldest_refusal_is_dropped_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "MAX_ENTRIES", 2)
    known = Refusals()
    models = [replace(ENDPOINT, model=name) for name in ("one", "two", "three")]
    for model in models:
        known.add(model, "tools")
    assert [known.has(model, "tools") for model in models] == [False, True, True]
