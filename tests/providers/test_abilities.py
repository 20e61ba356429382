"""What follows from what a model can do."""

import pytest

from memoryapp.providers.abilities import (
    MAX_SECONDS,
    MIN_CHARACTERS,
    ModelAbilities,
    Schema,
    Tools,
)
from memoryapp.web.ability_words import consequences, words

SLOW = ModelAbilities(
    "http://127.0.0.1:8080/v1", "tiny", True, None, Schema.JSON_SCHEMA, Tools.TEXT, 15.0, 2.4
)
FAST = ModelAbilities(
    "https://api.example/v1", "big", False, 128_000, Schema.JSON_SCHEMA, Tools.NATIVE, 3000.0, 90.0
)
UNKNOWN = ModelAbilities()


def test_what_is_stored_is_the_same() -> None:
    for each in (SLOW, FAST, UNKNOWN):
        assert ModelAbilities.stored(each.as_dict()) == each


def test_nothing_changes_for_a_fast_or_unknown_model() -> None:
    for each in (FAST, UNKNOWN):
        assert not each.is_slow
        assert each.offers_tools
        assert each.limit_seconds(6_000, 200, usual=60.0) == 60.0
        assert each.conversation_characters(12_000) == 12_000
        assert each.history_characters(48_000) == 48_000
        assert each.work_seconds == 0
        assert consequences(each) == []


def test_slow_model_gets_less_to_read_and_more_time() -> None:
    assert SLOW.is_slow
    assert not SLOW.offers_tools
    # 5,000 characters are about 1,250 tokens, which take 83 seconds.
    assert SLOW.reading_seconds(5_000) == pytest.approx(83, abs=1)
    assert SLOW.limit_seconds(5_000, 200, usual=60.0) > 2 * 160
    assert SLOW.limit_seconds(500_000, 200, usual=60.0) == MAX_SECONDS
    assert MIN_CHARACTERS < SLOW.conversation_characters(12_000) < 2_500
    assert SLOW.history_characters(48_000) == 2 * SLOW.conversation_characters(48_000)


@pytest.mark.parametrize(
    ("abilities", "slow"),
    [
        (ModelAbilities(read=20.0, written=30.0), True),
        (ModelAbilities(read=500.0, written=3.0), True),
        (ModelAbilities(read=500.0, written=30.0, context=2048), True),
        (ModelAbilities(read=500.0, written=30.0, context=8192), False),
    ],
)
def test_reading_writing_or_the_context_makes_it_slow(
    abilities: ModelAbilities, slow: bool
) -> None:
    assert abilities.is_slow is slow


def test_small_context_limits_the_conversation() -> None:
    small = ModelAbilities(read=900.0, written=50.0, context=2048)
    assert small.conversation_characters(12_000) < 4_000
    assert ModelAbilities(context=100).conversation_characters(12_000) == MIN_CHARACTERS


def test_words_for_people() -> None:
    slow, fast = " ".join(words(SLOW)), " ".join(words(FAST))
    assert "Reads 15 tokens a second and writes 2.4. Answers take a minute or more." in slow
    assert "as text" in slow
    assert "Keeps to a JSON schema." in slow
    assert "does not say" in slow
    assert "Answers come at once" in fast
    assert "Reads up to 128,000 tokens at once." in fast
    assert "no tools" in " ".join(consequences(SLOW))
    assert words(UNKNOWN) == ["The server does not say how much it can read at once."]
