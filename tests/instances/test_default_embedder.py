"""The built-in embedder of a new instance."""

import pytest
from django.utils import translation
from pytest_django import Settings

from instances.models import Instance


@pytest.mark.parametrize(
    ("setting", "provider"), [("small", "builtin"), ("multilingual", "multilingual")]
)
@pytest.mark.parametrize("language", ["en", "de", None])
def test_new_instance_has_the_embedder_of_the_setting_in_any_language(
    setting: str, provider: str, language: str | None, settings: Settings
) -> None:
    settings.EMBEDDER = setting
    with translation.override(language):
        assert Instance(slug="desk").embedding_provider == provider
