"""The check of webhooks, with what the product signs."""

import json
import time

import pytest

from keepsake_client import InvalidSignature, verify
from memoryapp.webhooks.signature import signed_headers

SECRET, OTHER = "whsec_c2VjcmV0", "whsec_b3RoZXI="
BODY = json.dumps(
    {
        "id": "evt_1",
        "type": "memory.forgotten",
        "created_at": "2031-03-01T09:30:00.123Z",
        "instance": "desk",
        "data": {"id": 12, "user_id": "ana"},
    }
).encode()


def signed(*secrets: str, age: int = 0) -> dict[str, str]:
    return signed_headers(secrets, "evt_1", int(time.time()) - age, BODY)


def test_event_is_returned() -> None:
    event = verify(SECRET, signed(OTHER, SECRET), BODY)
    assert (event.type, event.data["id"]) == ("memory.forgotten", 12)
    assert verify(SECRET, {name.title(): each for name, each in signed(SECRET).items()}, BODY)


@pytest.mark.parametrize(
    "changes, body",
    [
        ({}, BODY.replace(b"12", b"13")),
        ({"webhook-id": "evt_2"}, BODY),
        ({"webhook-timestamp": "soon"}, BODY),
        ({"webhook-signature": "v1,ü"}, BODY),
    ],
)
def test_what_was_changed_is_refused(changes: dict[str, str], body: bytes) -> None:
    with pytest.raises(InvalidSignature):
        verify(SECRET, signed(SECRET) | changes, body)


@pytest.mark.parametrize("age", [400, -400])
def test_another_time_is_refused(age: int) -> None:
    with pytest.raises(InvalidSignature):
        verify(SECRET, signed(SECRET, age=age), BODY)
    assert verify(SECRET, signed(SECRET, age=age), BODY, tolerance_seconds=500)


@pytest.mark.parametrize("headers", [signed(OTHER), {}])
def test_another_secret_and_none_are_refused(headers: dict[str, str]) -> None:
    with pytest.raises(InvalidSignature):
        verify(SECRET, headers, BODY, tolerance_seconds=3_600)
