"""One account that asks for as much as it can does not keep others from being answered."""

import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx2
import pytest
from django.conf import settings
from django.test import Client

from instances.models import Instance, User
from tests.api.conftest import key_of
from tests.serving import serving

pytestmark = pytest.mark.django_db(transaction=True)

#: Connections that ask at once, and the requests of others that are measured.
CALLERS, MEASURED = 16, 12
#: How much longer the others may wait. Alone, the account gets its share of the processor, which is
#: a few times that of one request.
MAX_RATIO = 15
WITHOUT_INSTANCE = ("/api/openapi.json", "/account", "/api/instances", "/instances/new", "/palette")


def cookie_of(user: User) -> dict[str, str]:
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    return {name: client.cookies[name].value}


@contextmanager
def hammering(root: str, user: User) -> Iterator[Counter[int]]:
    """Have *user* ask for addresses without an instance all the time; yield the statuses."""
    statuses: Counter[int] = Counter()
    over = threading.Event()
    cookies = cookie_of(user)

    def ask(number: int) -> None:
        with httpx2.Client(base_url=root, cookies=cookies, timeout=60, trust_env=False) as client:
            while not over.is_set():
                path = WITHOUT_INSTANCE[number % len(WITHOUT_INSTANCE)]
                statuses[client.get(path).status_code] += 1
                number += 1

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(CALLERS)]
    for thread in threads:
        thread.start()
    try:
        yield statuses
    finally:
        over.set()
        for thread in threads:
            thread.join(60)


def seconds_for(send: Callable[[int], httpx2.Response]) -> float:
    """Return the median time of the requests that *send* sends, which must all succeed."""
    times = []
    for number in range(MEASURED):
        begun = time.perf_counter()
        response = send(number)
        times.append(time.perf_counter() - begun)
        assert response.status_code in (200, 201), response.text[:300]
    return statistics.median(times)


def test_account_without_an_instance_does_not_keep_others_waiting(
    instance: Instance, alice: User, charlie: User
) -> None:
    secret = key_of(instance)[1].secret

    with (
        serving(DATABASE_POOL="6") as root,
        httpx2.Client(base_url=root, cookies=cookie_of(alice), timeout=60, trust_env=False) as hers,
        httpx2.Client(
            base_url=root,
            headers={"Authorization": f"Bearer {secret}"},
            timeout=60,
            trust_env=False,
        ) as program,
    ):

        def page(number: int) -> httpx2.Response:
            return hers.get("/memory", params={"instance": instance.slug})

        def write(number: int) -> httpx2.Response:
            store = {"namespace": ["load"], "key": f"{number}", "value": {"number": number}}
            return program.put("/api/store/document", json=store)

        alone = {send: seconds_for(send) for send in (page, write)}
        with hammering(root, charlie) as statuses:
            beside = {send: seconds_for(send) for send in (page, write)}
    assert set(statuses) <= {200, 429}, statuses
    for send, seconds in beside.items():
        ratio = seconds / alone[send]
        assert ratio < MAX_RATIO, f"{send.__name__}: {ratio:.1f} times as long"
