"""Labels and help texts are translated when they are shown, not when the code is loaded."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from itertools import chain
from typing import Any

import pytest
from django import forms
from django.apps import apps
from django.conf import settings
from django.db import models
from django.utils.functional import Promise

import instances
from instances.presets import PRESETS
from memoryapp.web import accounts, sign_in
from memoryapp.web import settings as settings_screens
from memoryapp.web.settings.pages import PAGES

PACKAGES = (instances, accounts, settings_screens, sign_in)
#: Names of products, and languages in their own words. They are the same in every language.
NAMES = {
    *("OpenAI", "OpenRouter", "Anthropic", "Amazon Bedrock", "Ollama"),
    *(name for _, name in settings.LANGUAGES),
}


def classes_of(base: type) -> list[type[Any]]:
    """Return the subclasses of *base* that `instances` and its screens define."""
    packages = chain.from_iterable(
        pkgutil.walk_packages(package.__path__, f"{package.__name__}.") for package in PACKAGES
    )
    modules = [import_module(each.name) for each in packages if ".migrations" not in each.name]
    found = {
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, base)
    }
    own_names = tuple(f"{package.__name__}." for package in PACKAGES)
    own = [each for each in found if each.__module__.startswith(own_names)]
    return sorted(own, key=lambda each: (each.__module__, each.__qualname__))


def texts_of_choices(choices: Any) -> Iterator[Any]:
    return (label for value, label in choices if value != "" or label)


def texts_of_form(form: Any) -> Iterator[tuple[str, Any]]:
    """Yield each text of the form with a name for it."""
    for name, field in form.base_fields.items():
        if not field.widget.is_hidden:
            yield f"label of {name}", field.label
        yield f"help of {name}", field.help_text
        if isinstance(field, forms.ChoiceField) and not isinstance(field, forms.ModelChoiceField):
            for label in texts_of_choices(field.choices):
                yield f"choice of {name}", label


def is_fixed(text: Any) -> bool:
    """True if *text* has been made a string of one language."""
    return bool(text) and not isinstance(text, Promise) and text not in NAMES


@pytest.mark.parametrize("choices", classes_of(models.Choices), ids=lambda each: each.__name__)
def test_choices(choices: type[models.Choices]) -> None:
    assert [label for label in texts_of_choices(choices.choices) if is_fixed(label)] == []


@pytest.mark.parametrize("form", classes_of(forms.BaseForm), ids=lambda each: each.__name__)
def test_forms(form: type[forms.BaseForm]) -> None:
    assert [(name, text) for name, text in texts_of_form(form) if is_fixed(text)] == []


def test_columns() -> None:
    fixed = [
        f"{model.__name__}.{field.name}"
        for model in apps.get_app_config("instances").get_models()
        for field in model._meta.local_concrete_fields
        if not field.auto_created
        # What a column is called if nothing is given comes from its name, and no form shows it.
        if is_fixed(vars(field)["_verbose_name"]) or is_fixed(field.help_text)
    ]
    assert fixed == []


def test_settings_pages_and_providers() -> None:
    assert [page for page in PAGES if is_fixed(page.title) or is_fixed(page.about)] == []
    presets = PRESETS.values()
    assert [each for each in presets if is_fixed(each.label) or is_fixed(each.help)] == []
