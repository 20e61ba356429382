"""The types of the clients are those of the OpenAPI document."""

from datetime import UTC, date, datetime

import pytest

from keepsake_client.types import TemporalOut
from tests.sdk.generated_types import LANGUAGES, Types, document


@pytest.mark.parametrize("language", LANGUAGES)
def test_types_are_up_to_date(language: type[Types]) -> None:
    made = language(document()).text
    assert language.path.read_text() == made, "run python -m tests.sdk.generated_types"


@pytest.mark.parametrize(
    "written, read",
    [
        ("2031-05-31", date(2031, 5, 31)),
        ("2031-05-31T00:00:00Z", datetime(2031, 5, 31, tzinfo=UTC)),
        ("2031-05-31T18:00:00Z", datetime(2031, 5, 31, 18, tzinfo=UTC)),
    ],
)
def test_a_day_stays_a_day_and_a_moment_a_moment(written: str, read: object) -> None:
    body = f'{{"type": "temporal", "valid_until": "{written}"}}'
    valid_until = TemporalOut.model_validate_json(body).valid_until
    assert (type(valid_until), valid_until) == (type(read), read)


def test_what_a_later_version_adds_does_not_break_a_reader() -> None:
    read = TemporalOut.model_validate_json('{"type": "seasonal", "valid_until": null, "new": 1}')
    assert read.type == "seasonal"
