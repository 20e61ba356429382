"""Saving a form of the settings, with all that follows from it."""

from typing import Any

from instances import forms
from instances.models import EmbeddingProvider, Instance, Provider
from instances.signals import language_changed


def carry_out(form: Any, instance: Instance) -> str:
    """Save *form* with all that follows from it, and say what was done."""
    said = "Saved."
    if isinstance(form, forms.EmbeddingsForm) and form.changes_space:
        # Another model: the length of its vectors shows with its first answer.
        form.instance.embedding_dimensions = None
        if form.memories:
            said = f"Saved. {form.memories:,} memories get their new vectors in the background."
    language = Instance.objects.values_list("language", flat=True).get(pk=instance.pk)
    form.save()
    if isinstance(form, forms.LanguageModelForm | forms.EmbeddingsForm):
        form.save_key()
    if isinstance(form, forms.SearchForm) and form.instance.language != language:
        language_changed.send(sender=Instance, instance=form.instance)
    if isinstance(form, forms.LanguageModelForm) and _prefers_openai(form):
        form.instance.embedding_provider = EmbeddingProvider.OPENAI
        form.instance.save(update_fields=["embedding_provider"])
        said = "Saved. Embeddings come from OpenAI too from now on, since its key is there."
    return said


def _prefers_openai(form: forms.LanguageModelForm) -> bool:
    """With an OpenAI key and nothing remembered yet, OpenAI's embeddings are the default; later,
    changing the model is a decision that somebody has to make.
    """
    instance = form.instance
    return bool(
        form.cleaned_data["key"]
        and instance.provider == Provider.OPENAI
        and not instance.base_url
        and instance.embedding_provider == EmbeddingProvider.BUILTIN
        and not instance.memories.exists()
    )
