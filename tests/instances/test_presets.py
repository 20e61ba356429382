"""What the forms say about each provider is about the model that they ask for."""

import re

import pytest
from django.test import Client
from django.utils import translation

from instances.models import Instance
from instances.presets import PRESETS
from memoryapp.web.settings.forms.providers import EmbeddingsForm, LanguageModelForm

#: What follows the command that downloads a model.
PULLED = re.compile(r"pull (\S+)")

FORMS = [(LanguageModelForm, "chat_model"), (EmbeddingsForm, "embedding_model")]


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "de", "it"])
@pytest.mark.parametrize("provider", PRESETS)
@pytest.mark.parametrize(("form_class", "model"), FORMS)
def test_help_of_a_provider_names_the_model_of_the_form(
    instance: Instance,
    form_class: type[LanguageModelForm] | type[EmbeddingsForm],
    model: str,
    provider: str,
    language: str,
) -> None:
    setattr(instance, form_class.names[0], provider)
    usual = getattr(PRESETS[provider], model)
    with translation.override(language):
        form = form_class(instance=instance)
        widget = form.fields[form_class.names[0]].widget
        option = widget.create_option("provider", provider, "", False, 0)
    others = {
        value for each in PRESETS.values() for value in (each.chat_model, each.embedding_model)
    }
    assert "%(" not in form.preset_help
    assert set(PULLED.findall(form.preset_help)) <= {usual}
    assert not any(other in form.preset_help for other in others - {usual, ""})
    field = form.fields[form_class.names[2]]
    assert field.widget.attrs["placeholder"] == usual
    assert option["attrs"]["data-help"] == form.preset_help
    assert option["attrs"]["data-model"] == usual


def test_first_run_names_the_language_model(as_alice: Client, instance: Instance) -> None:
    page = as_alice.get("/welcome/desk").content.decode()
    assert set(PULLED.findall(page)) == {PRESETS["ollama"].chat_model}
