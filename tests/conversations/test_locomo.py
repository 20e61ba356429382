"""Import of LoCoMo JSON: sessions, dates, and malformed samples."""

import io
import json
from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from conversations.importers import (
    BrokenFile,
    Report,
)
from conversations.importers import (
    reader as reading,
)
from conversations.importers.locomo import parse_date
from conversations.models import Conversation, Message
from instances.models import Instance
from tests.conversations.import_files import counts, sample, turn


def test_sample_becomes_a_conversation(bring_in: Callable[..., Report]) -> None:
    report = bring_in([sample()])
    assert counts(report) == (1, 3, 0, 0)
    conversation = Conversation.objects.get()
    assert conversation.external_id == "locomo:allotment"
    assert conversation.title == "Rosa and Imre"
    assert conversation.created_at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert conversation.last_activity_at == datetime(2024, 3, 1, 0, 5, tzinfo=UTC)
    assert list(
        conversation.messages.values_list("external_id", "role", "author", "content", "caption")
    ) == [
        ("D2:1", "user", "Rosa", "I rented an allotment by the canal.", ""),
        ("D2:2", "user", "Imre", "", "a shed with a green door"),
        ("D10:1", "user", "Rosa", "The leeks are up.", ""),
    ]


def test_dates_use_the_time_zone_of_the_instance(
    instance: Instance, bring_in: Callable[..., Report]
) -> None:
    instance.time_zone = "Europe/Budapest"
    bring_in([sample()])
    assert Message.objects.get(external_id="D2:1").sent_at == datetime(
        2023, 5, 8, 11, 56, tzinfo=UTC
    )


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56)),
        ("12:09 am on 13 September, 2023", datetime(2023, 9, 13, 0, 9)),
        (" 10:37 AM on 27 June, 2023 ", datetime(2023, 6, 27, 10, 37)),
        ("31 February, 2023", None),
        ("1:56 pm on 31 February, 2023", None),
        ("", None),
    ],
)
def test_parse_date(text: str, date: datetime | None) -> None:
    zone = ZoneInfo("Asia/Tokyo")
    assert parse_date(text, zone) == (date.replace(tzinfo=zone) if date else None)


def test_single_sample_with_a_byte_order_mark(bring_in: Callable[..., Report]) -> None:
    content = b"\xef\xbb\xbf \n" + json.dumps(sample(), indent=2).encode()
    assert counts(bring_in(io.BytesIO(content))) == (1, 3, 0, 0)


def test_repeated_import_adds_only_new_messages(bring_in: Callable[..., Report]) -> None:
    bring_in([sample()])
    assert counts(bring_in([sample()])) == (1, 0, 3, 0)
    grown = sample(session_11=[turn("Imre", "D11:1", "And the beans?")])
    assert counts(bring_in([grown, sample("orchard")])) == (2, 4, 3, 0)


def test_sessions_without_date_or_turns(bring_in: Callable[..., Report]) -> None:
    bring_in(
        [
            sample(
                session_1=[turn("Imre", "D1:1", "Hello.")],
                session_3=[turn("Imre", "D3:1", "Bye.")],
                session_4=[],
                session_5_date_time="1:00 pm on 2 June, 2023",
            )
        ]
    )
    may = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    dates = dict(Message.objects.values_list("external_id", "sent_at"))
    assert (dates["D1:1"], dates["D3:1"]) == (may, may)


def test_malformed_parts_are_skipped_with_their_place(bring_in: Callable[..., Report]) -> None:
    report = bring_in(
        [
            sample(
                session_2=[
                    "hello",
                    turn("Rosa", "D2:2", " "),
                    {"speaker": "Rosa", "dia_id": "D2:3", "text": 7},
                    turn("Rosa", "D2:4", "Kept."),
                ],
                session_3="none",
                session_10_date_time="yesterday\x00",
            ),
            {"sample_id": "x", "conversation": {"session_1": []}},
            {"sample_id": "y"},
        ]
    )
    assert counts(report) == (1, 2, 0, 7)
    assert report.skipped == [
        "sample allotment, session 10: its date “yesterday” cannot be read.",
        "sample allotment, session 3: it is not a list of messages.",
        "sample allotment, session 2, turn 1: it is not an object.",
        "sample allotment, session 2, turn 2: it has neither “text” nor “blip_caption”.",
        "sample allotment, session 2, turn 3: “text” is not text.",
        "sample x: empty conversation.",
        "sample 3: it has no “conversation”.",
    ]


def test_turns_with_the_same_id_are_both_kept(bring_in: Callable[..., Report]) -> None:
    twice = [sample(session_2=[turn("Rosa", "D2:1", "One."), turn("Rosa", "D2:1", "Two.")])]
    assert counts(bring_in(twice)) == (1, 3, 0, 0)
    assert counts(bring_in(twice)) == (1, 0, 3, 0)


def test_samples_and_turns_without_ids(bring_in: Callable[..., Report]) -> None:
    bare = sample(session_2=[{"speaker": "Rosa", "text": "Hi."}])
    del bare["sample_id"]
    assert counts(bring_in([bare], "talk.json")) == (1, 2, 0, 0)
    assert counts(bring_in([bare], "talk.json")) == (1, 0, 2, 0)
    assert Conversation.objects.get().external_id == "locomo:talk.json:1"


def test_samples_before_a_truncation_are_imported(
    bring_in: Callable[..., Report], finished: list[str]
) -> None:
    whole = json.dumps([sample(), sample("orchard")])
    with pytest.raises(BrokenFile, match=r"broken near byte"):
        bring_in(whole[:-200])
    assert Conversation.objects.get().external_id == "locomo:allotment"
    assert finished == ["locomo:allotment"]
    assert counts(bring_in(whole)) == (2, 3, 3, 0)


def test_too_large_sample_is_skipped(
    bring_in: Callable[..., Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_PIECE_BYTES", 200_000)
    long = sample("long", session_1=[turn("Rosa", f"D1:{n}", "x" * 1000) for n in range(500)])
    report = bring_in([sample(), long, sample("orchard")])
    assert counts(report) == (2, 6, 0, 1)
    assert report.skipped[0].startswith("sample 2: it is larger than 0 MB")
