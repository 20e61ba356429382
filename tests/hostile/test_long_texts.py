"""The time of a page of messages depends on how many it shows, not on how long they are."""

import gc
import time
from collections.abc import Callable
from itertools import count

import pytest
from django.test import Client

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance
from memoryapp.documents.admission import StoreRefused, admitted
from memoryapp.models import Wing
from memoryapp.models.pagination import MAX_PAGE_CHARACTERS
from memoryapp.privacy import verbatim
from memoryapp.privacy.verbatim import masked, masked_beginning
from tests.hostile.growth import MAX_RATIO
from tests.palace_factories import file_turn

CARD = "4111 1111 1111 1111"
#: Messages on the page, characters of each, and how many times as long the others are.
MESSAGES, SHORT, TIMES = 4, 60_000, 4
#: Between no growth (1) and linear growth (4), their geometric mean.
MOST = 2.0
#: How often a bad ratio must be measured.
ATTEMPTS = 4

PAGES = [
    "/api/conversations/{talk}/messages",
    "/api/palace/drawers?instance_id=desk&wing_id={wing}",
    "/conversations/{talk}",
    "/chat/{talk}",
    "/conversations/palace?instance=desk&wing={wing}",
]
numbers = count()


def long_text(length: int) -> str:
    """A text that was never read before, with a secret in every line."""
    number = next(numbers)
    lines = (f"The card of shop {number} {line} is {CARD}." for line in range(length // 50))
    return "\n".join(lines)[:length]


def talk_of(instance: Instance, length: int) -> Conversation:
    talk = Conversation.objects.create(instance=instance, origin="chat", title="Long")
    said = [NewMessage("user", long_text(length)) for _ in range(MESSAGES)]
    for message in append(talk, said).added:
        file_turn(message, f"Of {length}", "Cards")
    return talk


def seconds(call: Callable[[], object]) -> float:
    gc.collect()
    begin = time.process_time()
    call()
    return time.process_time() - begin


def test_page_takes_no_longer_for_longer_messages(
    as_alice: Client,
    instance: Instance,
    monkeypatch: pytest.MonkeyPatch,
    subtests: pytest.Subtests,
) -> None:
    talks = {length: talk_of(instance, length) for length in (SHORT, SHORT * TIMES)}
    # Every page looks for secrets itself, in texts that it was not shown before.
    monkeypatch.setattr(verbatim, "_secrets", verbatim._found)

    def page(pattern: str, length: int) -> float:
        wing = Wing.objects.get(name=f"Of {length}")
        address = pattern.format(talk=talks[length].pk, wing=wing.pk)
        begin = time.process_time()
        read = as_alice.get(address).content.decode()
        spent = time.process_time() - begin
        assert "[REDACTED:CARD]" in read
        assert CARD not in read
        assert len(read) < 3 * MAX_PAGE_CHARACTERS
        return spent

    for pattern in PAGES:
        with subtests.test(pattern):
            page(pattern, SHORT)  # What is loaded once.
            ratios: list[float] = []
            while not ratios or ratios[-1] > MOST:
                assert len(ratios) < ATTEMPTS, ratios
                ratios.append(page(pattern, SHORT * TIMES) / page(pattern, SHORT))


def test_same_text_is_examined_once() -> None:
    text = long_text(100_000)
    first, again = (seconds(lambda: masked(text, "redact")) for _ in range(2))
    assert again * MAX_RATIO < first


def test_beginning_of_a_text_does_not_depend_on_its_length() -> None:
    short, long = long_text(20_000), long_text(1_000_000)
    spent = []
    for text in (short, long):
        assert CARD not in masked_beginning(text, 1_000, "redact")
        # Texts that were not read before, of the same length.
        spent.append(seconds(lambda text=text: masked_beginning(f"New. {text}", 1_000, "redact")))  # type: ignore[misc]
    assert spent[1] < MAX_RATIO * max(spent[0], 0.005)


@pytest.mark.parametrize(
    ("text", "most"),
    [
        (f"{'x ' * 30}my card is {CARD}, and {'y ' * 5_000}", 80),
        ("my password is Tr0ub4dor&3xyz, and so on " * 400, 20),
        (f"{'x ' * 10}-----BEGIN PRIVATE KEY-----\n{'MIIEv' * 2_000}", 60),
        (f"{'x ' * 10}eyJhbGciOiJIUzI1NiJ9.{'a1B2' * 2_500}.sig", 60),
    ],
)
def test_a_secret_is_not_cut_in_half(text: str, most: int) -> None:
    shown = masked_beginning(text, most, "redact")
    assert shown.endswith("…")
    for secret in (CARD[:8], "Tr0ub", "MIIEv", "eyJhb"):
        assert secret not in shown


def test_document_of_many_fields_is_refused() -> None:
    admitted({f"f{number}": "x" for number in range(2_000)}, "redact")
    with pytest.raises(StoreRefused, match="4,000"):
        admitted({f"f{number}": "x" for number in range(2_001)}, "redact")
    with pytest.raises(StoreRefused, match="4,000"):
        admitted({"rows": list(range(4_000))}, "redact")
