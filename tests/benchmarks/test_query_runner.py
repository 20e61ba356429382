"""The query runner: the time at which a question is asked."""

from datetime import UTC, datetime

from django.utils import timezone

from benchmarks.query_runner import Question, on_the_day_of
from instances.models import Instance


def test_question_is_asked_on_its_date() -> None:
    tokyo = Instance(time_zone="Asia/Tokyo")
    question = Question("What did I buy last week?", "dates", [])
    before = timezone.now()
    with on_the_day_of(question, tokyo):
        assert timezone.now() >= before
    dated = Question("…", "dates", [], asked_at=datetime(2023, 5, 30, 8, 0))
    with on_the_day_of(dated, tokyo):
        assert timezone.now() == datetime(2023, 5, 29, 23, 0, tzinfo=UTC)
        assert str(tokyo.date_of(timezone.now())) == "2023-05-30"
    assert timezone.now() >= before
