"""Shares of concurrent requests: a hanging provider of one instance does not block others."""

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import partial
from typing import Any

import openai
import pytest
from openai import OpenAI

from instances.models import Instance, User
from memoryapp.api import request_shares
from memoryapp.api.v1 import worker_threads
from tests.api.conftest import key_of
from tests.provider_fixtures import embed_with, eventually, read_with
from tests.scripted_provider import ScriptedProvider
from tests.serving import serving as serving_from_processes

pytestmark = pytest.mark.django_db(transaction=True)

HELLO: list[Any] = [{"role": "user", "content": "Hello"}]
CHAT = "chat/completions"


@pytest.fixture
def hanging() -> Iterator[ScriptedProvider]:
    """A provider that takes requests and never answers."""
    with ScriptedProvider() as provider:
        provider.fail_next("hang", None, seconds=120)
        yield provider


def test_hanging_requests_of_one_instance_do_not_delay_others(
    address: str, hanging: ScriptedProvider, secret: str, alice: User
) -> None:
    diary = Instance.objects.create(slug="diary", name="Diary", private_to=alice)
    notes = Instance.objects.create(slug="notes", name="Notes", private_to=alice)
    secrets = []
    for private in (diary, notes):
        read_with(hanging, private)
        secrets.append(key_of(private, ("read", "write"))[1].secret)
    refusals: list[openai.RateLimitError] = []

    def hang(secret: str) -> None:
        with OpenAI(base_url=address, api_key=secret, max_retries=0) as client:
            try:
                client.chat.completions.create(model="keepsake", messages=HELLO)
            except openai.RateLimitError as error:
                refusals.append(error)
            except openai.APIError:
                pass  # the provider has closed

    def begun(count: int) -> bool:
        return hanging.count(CHAT) + len(refusals) == count

    threads = [threading.Thread(target=hang, args=(secrets[n % 2],)) for n in range(66)]
    for number, thread in enumerate(threads, start=1):
        thread.start()
        # In groups, because without a pool each request holds a connection until it waits.
        if number % 6 == 0:
            eventually(partial(begun, number), "they have been passed on")
    share = worker_threads.MAX_REQUESTS // 2
    # The share is per person, not per private instance.
    assert (hanging.count(CHAT), len(refusals)) == (share, 66 - share)
    assert f"Your share is used up: {share} requests are under way" in str(refusals[0])
    assert isinstance(refusals[0].body, dict)
    assert refusals[0].body["code"] == "share_used"

    with OpenAI(base_url=address, api_key=secret, max_retries=0, timeout=10) as client:
        assert client.chat.completions.create(model="keepsake", messages=HELLO).choices
    hanging.close()
    for thread in threads:
        thread.join(30)


def test_calls_waiting_for_a_provider_hold_no_database_connection(
    hanging: ScriptedProvider, instance: Instance
) -> None:
    """Requests that store a memory wait for its vector without a connection from the pool."""
    embed_with(hanging, instance)
    neighbour = Instance.objects.create(slug="neighbour", name="Neighbour", palace_enabled=False)
    _, waits = key_of(instance)
    _, asks = key_of(neighbour)

    answers: list[int] = []

    def store(root: str) -> None:
        body = json.dumps({"content": "The user plays the cello."}).encode()
        answers.append(status(f"{root}/api/memories", waits.secret, body))

    def begun(count: int) -> bool:
        return hanging.count("embeddings") + len(answers) == count

    # Two processes with two connections each.
    with serving_from_processes(DATABASE_POOL="2") as root:
        threads = [threading.Thread(target=store, args=(root,)) for _ in range(12)]
        for number, thread in enumerate(threads, start=1):
            thread.start()
            # As many have a slot, whichever process they reach.
            if number <= request_shares.MIN_SHARE:
                eventually(partial(begun, number), "they wait for the provider")
        eventually(partial(begun, 12), "they wait for the provider, or are refused")
        assert hanging.count("embeddings") >= request_shares.MIN_SHARE
        assert set(answers) <= {429}
        for _ in range(4):  # reaches both processes
            assert status(f"{root}/api/memories", asks.secret, None) == 200
        hanging.close()
        for thread in threads:
            thread.join(30)


def status(url: str, secret: str, body: bytes | None) -> int:
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    request = urllib.request.Request(url, data=body, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code
