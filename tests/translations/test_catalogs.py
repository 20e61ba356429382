"""Catalogs hold every text, translated and with the same placeholders, and are compiled."""

from collections.abc import Iterator

import pytest
from babel.messages.catalog import Catalog, Message

from tests.translations import catalogs

LANGUAGES = catalogs.languages()


def _messages(catalog: Catalog) -> Iterator[Message]:
    return (message for message in catalog if message.id)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated(language: str) -> None:
    catalog = catalogs.load(language)
    catalog.update(catalogs.template(), no_fuzzy_matching=True)
    assert [message.id for message in catalogs.untranslated(catalog)] == [], "run make messages"


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_are_those_of_the_text(language: str) -> None:
    wrong = []
    for message in _messages(catalogs.load(language)):
        # A singular may leave out the number.
        allowed = {found for form in catalogs.forms(message.id) for found in _placeholders(form)}
        needed = set.intersection(*(_placeholders(form) for form in catalogs.forms(message.id)))
        for form in filter(None, catalogs.forms(message.string)):
            if not needed <= _placeholders(form) <= allowed:
                wrong.append((message.id, form))
    assert wrong == []


def _placeholders(text: str) -> set[str]:
    return {match[0] for match in catalogs.PLACEHOLDER.finditer(text)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalog_is_compiled(language: str) -> None:
    compiled = catalogs.path(language).with_suffix(".mo").read_bytes()
    assert compiled == catalogs.compiled(catalogs.load(language)), "run make messages"


def test_texts_of_code_and_templates_are_extracted() -> None:
    texts = {str(message.id) for message in _messages(catalogs.template())}
    assert {"The browser’s language", "Skip to content", "%(number)s min ago"} <= texts
