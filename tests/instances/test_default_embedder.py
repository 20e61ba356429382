"""The built-in embedder of a new instance."""

import pytest
from django.utils import translation
from pytest_django import Settings

from instances.models import Instance


@pytest.mark.parametrize(
    ("setting", "language", "provider"),
    [
        ("", "en", "builtin"),
        ("", "en-gb", "builtin"),
        ("", "de", "multilingual"),
        ("", "it", "multilingual"),
        ("", None, "builtin"),
        ("small", "de", "builtin"),
        ("multilingual", "en", "multilingual"),
    ],
)
def test_new_instance_reads_the_language_of_who_makes_it(
    setting: str, language: str | None, provider: str, settings: Settings
) -> None:
    settings.EMBEDDER = setting
    with translation.override(language):
        assert Instance(slug="desk").embedding_provider == provider
