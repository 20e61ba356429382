"""Screens in each language: they open, and numbers for the browser stay as browsers read them."""

import re

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests.translations import catalogs
from tests.web.query_screens import FEW, SCREENS, furnish
from tests.web.test_queries import Answered, Desk

#: A number with a comma where a browser needs a point.
WRONG_NUMBER = re.compile(
    r"\s(?:[xyr]|[xy][12]|c[xy]|r[xy]|d|width|height|max|min|step|points|viewBox|transform)"
    r'="[^"]*?\d,\d+(?=[ ,"])[^"]*"|<progress[^>]*value="\d+,\d'
)
#: Coordinates of a path are separated by commas.
PAIRS = re.compile(r'\s(?:d|points)="')


@pytest.fixture(scope="module")
def opened(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> dict[str, dict[str, Answered]]:
    """The screens by language, all of the same rows."""
    with django_db_blocker.unblock(), transaction.atomic():
        desk = Desk.made()
        furnish(desk.instance, desk.alice, 1, FEW)
        found = {}
        for language in catalogs.languages():
            desk.client.cookies["django_language"] = language
            found[language] = desk.open_all()
        transaction.set_rollback(True)
    return found


@pytest.mark.django_db
@pytest.mark.parametrize("language", catalogs.languages())
@pytest.mark.parametrize("name", [name for name, screen in SCREENS.items() if screen.body is None])
def test_screen_opens(name: str, language: str, opened: dict[str, dict[str, Answered]]) -> None:
    answered = opened[language][name]
    assert answered.status == 200
    if "<html" in answered.page:
        assert f'<html lang="{language}"' in answered.page
    wrong = [match[0] for match in WRONG_NUMBER.finditer(answered.page)]
    assert [text for text in wrong if not PAIRS.match(text)] == []
