"""Texts that workers make: English as strings, and translated where they are shown."""

import copy
import json
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from django.template import Context, Template
from django.test import Client, override_settings
from django.utils import translation
from django.utils.translation import trans_real

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Import
from instances.models import Instance
from instances.translatable import (
    TranslatableText,
    cleaned,
    decoded,
    encoded,
    sentences,
    shortened,
    translatable,
    translatable_plural,
    translated,
)
from memoryapp.models import Run, Usage
from memoryapp.pipeline import Rejected
from memoryapp.privacy import pii
from memoryapp.privacy.redaction_words import redactions_in_words, refusal_in_words
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ErrorKind, ProviderError, from_status
from tests.translations import catalogs

SLOW = "%(server)s did not answer in time (%(status)s)."
GERMAN: dict[str | tuple[str, ...], str | tuple[str, ...]] = {
    SLOW: "%(server)s hat nicht rechtzeitig geantwortet (%(status)s).",
    "%(problem)s The server said: %(detail)s": "%(problem)s Der Server sagte: %(detail)s",
    ("%(number)s text of %(name)s", "%(number)s texts of %(name)s"): (
        "%(number)s Text von %(name)s",
        "%(number)s Texte von %(name)s",
    ),
    "Broken %(one)s": "Kaputt %(two)s",
}


@pytest.fixture
def german(tmp_path: Path) -> Iterator[None]:
    """A small German catalog beside the real ones."""
    catalog = Catalog(locale="de", domain="django")
    for source, target in GERMAN.items():
        catalog.add(source, target)
    folder = tmp_path / "de/LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text("")
    (folder / "django.mo").write_bytes(catalogs.compiled(catalog))
    with override_settings(LOCALE_PATHS=[str(tmp_path)]):
        _forget_translations()
        yield
    _forget_translations()


def _forget_translations() -> None:
    vars(trans_real).update(_translations={}, _default=None)


def slow(server: str = "http://ollama") -> TranslatableText:
    return translatable(SLOW, server=server, status=504)


def test_text_is_english_as_a_string() -> None:
    assert slow() == "http://ollama did not answer in time (504)."
    assert json.loads(json.dumps({"error": slow()})) == {"error": str(slow())}
    assert f"{slow()}".endswith("(504).")


@pytest.mark.usefixtures("german")
def test_text_is_translated_where_it_is_shown() -> None:
    with translation.override("de"):
        assert translated(slow()) == "http://ollama hat nicht rechtzeitig geantwortet (504)."
        assert translated("An old text.") == "An old text."
        shown = Template("{% load texts %}{{ text|translated }}").render(
            Context({"text": slow("<b>")})
        )
        assert shown == "&lt;b&gt; hat nicht rechtzeitig geantwortet (504)."
    with translation.override("en"):
        assert translated(slow()) == slow()


@pytest.mark.usefixtures("german")
def test_numbers_are_written_as_the_language_does() -> None:
    singular, plural = "%(number)s text of %(name)s", "%(number)s texts of %(name)s"
    assert translatable_plural(singular, plural, 1, name="Ana") == "1 text of Ana"
    many = translatable_plural(singular, plural, 12_000, name="Ana")
    assert many == "12,000 texts of Ana"
    with translation.override("de"):
        assert translated(many) == "12.000 Texte von Ana"


@pytest.mark.usefixtures("german")
def test_translation_that_does_not_fit_leaves_the_text_in_english() -> None:
    with translation.override("de"):
        assert translated(translatable("Broken %(one)s", one="A")) == "Broken A"


@pytest.mark.usefixtures("german")
def test_texts_within_texts_are_translated() -> None:
    endpoint = Endpoint("custom", "http://ollama", "", "llama")
    error = from_status(504, endpoint, detail="loading")
    assert str(error) == f"{slow()} The server said: loading"
    expected = "http://ollama hat nicht rechtzeitig geantwortet (504). Der Server sagte: loading"
    with translation.override("de"):
        assert translated(str(error)) == expected
        assert translated(sentences(slow(), "Und mehr.")).endswith("geantwortet (504). Und mehr.")


def test_exceptions_copies_and_pickles_keep_the_parts() -> None:
    for text in (
        str(ValueError(slow())),
        str(ProviderError(ErrorKind.TIMEOUT, slow())),
        copy.deepcopy(slow()),
        pickle.loads(pickle.dumps(slow())),  # noqa: S301 - Our own bytes.
        decoded(encoded(sentences(slow(), slow()))),
    ):
        assert isinstance(text, TranslatableText)
        assert text.values


def test_foreign_words_are_cleaned_and_cut_without_losing_the_parts() -> None:
    error = ProviderError(ErrorKind.TIMEOUT, slow("http://\x00" + "o" * 2_000))
    text = str(error)
    assert isinstance(text, TranslatableText)
    assert len(text) <= 500
    assert "\x00" not in text
    assert cleaned(slow("key"), lambda word: word.replace("key", "***")).startswith("***")
    assert shortened("x" * 600, 500) == "x" * 500


@pytest.mark.parametrize(
    "stored",
    ["plain", "words\x1e", "words\x1e{", 'words\x1e{"text": 1}', "words\x1e[]", "words\x1enull"],
)
def test_anything_else_in_a_column_is_read_as_it_is(stored: str) -> None:
    assert str.__str__(decoded(stored)) == stored.partition("\x1e")[0]


def test_foreign_text_cannot_pose_as_a_stored_text() -> None:
    forged = "Ha \x1e" + json.dumps({"text": "%(a)s", "plural": "", "values": {"a": "<b>"}})
    assert "\x1e" not in encoded(forged)
    assert not isinstance(decoded(encoded(forged)), TranslatableText)
    inside = decoded(encoded(slow("\x1e{}")))
    assert isinstance(inside, TranslatableText)


@pytest.mark.django_db
def test_columns_keep_the_parts(instance: Instance) -> None:
    error = ProviderError(ErrorKind.TIMEOUT, slow())
    Usage.objects.record(
        instance, Usage.Source.EXTRACT, "llama", host="models.example", about=(), error=error
    )
    stored = Usage.objects.values_list("error", flat=True).get()
    assert isinstance(stored, TranslatableText)
    assert stored == slow()
    assert Usage.objects.filter(error=slow()).exists()
    assert not Usage.objects.filter(error="").exists()


@pytest.mark.django_db
def test_columns_of_json_keep_the_parts(instance: Instance) -> None:
    told = translatable("%(place)s: %(reason)s.", place="line 3", reason=slow())
    made = Import.objects.create(instance=instance, skipped=[told, "old"], reasons={slow(): 2})
    Import.objects.filter(pk=made.pk).update(skipped=[told, "old"])
    stored = Import.objects.get(pk=made.pk)
    assert stored.skipped == [told, "old"]
    assert stored.reasons == {str(slow()): 2}
    assert isinstance(stored.skipped[0], TranslatableText)
    assert [type(name) for name in stored.reasons] == [TranslatableText]


@pytest.mark.usefixtures("german")
def test_rejections_speak_the_language_of_the_request() -> None:
    rejected = Rejected(slow())
    with translation.override("de"):
        assert str(rejected) == "http://ollama hat nicht rechtzeitig geantwortet (504)."
        assert rejected.text == slow()
    assert str(rejected) == slow()


@pytest.mark.usefixtures("german")
def test_secrets_are_listed_in_words() -> None:
    words = redactions_in_words({"CARD": 2, "PASSWORD": 1, "IBAN": 1})
    assert words == "a password, an IBAN and 2 card numbers"
    assert isinstance(words, TranslatableText)
    assert redactions_in_words({}) == ""
    refused = pii.examine("My card is 4111 1111 1111 1111.", pii.PIIMode.REJECT)
    assert refusal_in_words(refused) == refused.refusal
    unclear = pii.ExaminedText("", refusal=pii.UNCLEAR)
    assert refusal_in_words(unclear) == pii.UNCLEAR


@pytest.mark.django_db
@pytest.mark.usefixtures("german")
def test_screens_show_stored_errors_in_the_language_of_the_page(
    as_alice: Client, instance: Instance
) -> None:
    conversation = Conversation.objects.create(instance=instance)
    append(conversation, [NewMessage("user", "I live in Porto.")])
    Run.objects.create(
        instance=instance, conversation=conversation, state=Run.State.FAILED, error=slow()
    )
    address = f"/conversations/{conversation.pk}"
    german = as_alice.get(address, headers={"Accept-Language": "de"}).text
    assert "http://ollama hat nicht rechtzeitig geantwortet (504)." in german
    assert "http://ollama did not answer in time (504)." in as_alice.get(address).text
