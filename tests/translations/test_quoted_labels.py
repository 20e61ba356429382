"""A text that quotes a button or a field names it as its translation on the screen does."""

import re
from collections import defaultdict
from collections.abc import Iterator

import pytest
from babel.messages.catalog import Catalog

from tests.translations import catalogs

QUOTED = re.compile(r"“([^“”%{}<>]+)”|«([^«»%{}<>]+)»|„([^„“”%{}<>]+)[“”]")


def quoted_in(text: str) -> set[str]:
    return {part for match in QUOTED.findall(text) for part in match if part}


def forms(texts: str | tuple[str, ...] | list[str] | None) -> list[str]:
    return [texts] if isinstance(texts, str) else list(texts or ())


def translations_of(catalog: Catalog) -> dict[str, set[str]]:
    """The translations of each text, without regard to whether they begin with a capital."""
    found: dict[str, set[str]] = defaultdict(set)
    for message in catalog:
        for text in forms(message.id):
            found[text.casefold()] |= {each.casefold() for each in forms(message.string)}
    return found


def misquoted(catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Each text that quotes a label, with a translation of it that does not quote the label's."""
    labels = translations_of(catalog)
    for message in catalog:
        if not message.id:
            continue
        named = {label for text in forms(message.id) for label in quoted_in(text)}
        for translation in forms(message.string):
            quoted = {each.casefold() for each in quoted_in(translation)}
            for label in named:
                # The name of a field in a file is the same in all languages.
                known = labels.get(label.casefold(), set()) | (
                    {label} if label.islower() else set()
                )
                if label.casefold() in labels and not known & quoted:
                    yield forms(message.id)[0], translation


@pytest.mark.parametrize("language", catalogs.languages())
def test_quoted_labels_are_those_of_the_screen(language: str) -> None:
    assert list(misquoted(catalogs.load(language))) == []


@pytest.mark.parametrize("language", catalogs.languages())
def test_what_only_a_translation_quotes_is_on_a_screen(language: str) -> None:
    catalog = catalogs.load(language)
    said = {text for texts in translations_of(catalog).values() for text in texts}
    strays = [
        (forms(message.id)[0], quoted)
        for message in catalog
        if message.id and not any(quoted_in(text) for text in forms(message.id))
        for translation in forms(message.string)
        for quoted in quoted_in(translation)
        if quoted.casefold() not in said and quoted not in " ".join(forms(message.id))
    ]
    assert strays == []


def test_a_misquoted_label_is_found() -> None:
    catalog = Catalog("it")
    catalog.add("Read", "Leggi")
    catalog.add("Tick “Read” first.", "Seleziona prima «Leggi».")
    catalog.add("A key with “Read” searches.", "Una chiave con «Lettura» cerca.")
    catalog.add("“Unknown” is quoted.", "È citato «Sconosciuto».")
    wrong = ("A key with “Read” searches.", "Una chiave con «Lettura» cerca.")
    assert list(misquoted(catalog)) == [wrong]
