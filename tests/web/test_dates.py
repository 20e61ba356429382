"""Fields of days: one form for programs in every language, and the writings that scripts show."""

from datetime import date
from typing import Any

import pytest
from django.utils.translation import override

from memoryapp.web.day_formats import DaysOfMonths, day
from memoryapp.web.days import DayInput
from memoryapp.web.graph.edit import RelationForm
from memoryapp.web.memory.bulk_edit import EndForm
from memoryapp.web.memory.forms import MemoryForm
from memoryapp.web.settings.forms.holds import HoldForm

LANGUAGES = ("en", "de", "it")


@pytest.mark.parametrize("language", LANGUAGES)
def test_value_of_the_field_is_one_that_browsers_read(language: str) -> None:
    with override(language):
        field = DayInput().render("day", date(2031, 2, 3))

    assert 'type="date"' in field
    assert 'value="2031-02-03"' in field


@pytest.mark.parametrize(
    ("form", "name"),
    [
        (MemoryForm, "valid_until"),
        (EndForm, "valid_until"),
        (RelationForm, "since"),
        (RelationForm, "until"),
        (HoldForm, "first"),
        (HoldForm, "last"),
    ],
)
def test_forms_have_this_field(form: Any, name: str) -> None:
    assert isinstance(form.base_fields[name].widget, DayInput)


@pytest.mark.parametrize("language", LANGUAGES)
def test_scripts_write_days_as_the_server_does(language: str) -> None:
    with override(language):
        patterns = str(DaysOfMonths()).split("|")
        days = [date(2026, month, 29) for month in range(1, 13) if month != 2]
        written = [patterns[each.month - 1] % {"day": each.day, "year": each.year} for each in days]

        assert written == [day(each) for each in days]
