"""Saves a form of the settings, with all consequences."""

from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import TextField
from django.utils.translation import gettext as _

from instances.models import AllowedAddress, EmbeddingProvider, Instance, Provider, User
from instances.outgoing.current_policy import refusal_of
from instances.signals import language_changed, model_changed
from instances.translatable import translated
from memoryapp.embeddings import reembedding
from memoryapp.tasks.dispatch import hand_over_job
from memoryapp.web.settings.forms.members import INVITED, InvitationForm
from memoryapp.web.settings.forms.providers import EmbeddingsForm, LanguageModelForm
from memoryapp.web.settings.forms.settings import GeneralForm

#: The fields that name the language model.
_MODEL = {"provider", "base_url", "fast_model", "chat_model"}
#: Columns whose values are for managers.
UNTOLD = {"base_url", "embedding_base_url"}


def carry_out(form: Any, instance: Instance, *, by: User) -> str:
    """Save *form* with all consequences, and return a message about it.

    Raises `reembedding.ReembeddingRunning` if another change of model has begun since the form was
    checked.
    """
    if isinstance(form, EmbeddingsForm) and form.reembeds:
        key = form.cleaned_data["key"].strip()
        job = reembedding.start(instance, form.choice, by=by, key=key)
        transaction.on_commit(partial(hand_over_job, job.pk))
        return _("Embedding everything again. Until that is done, search uses the current model.")
    if isinstance(form, InvitationForm):
        return INVITED % {"username": form.save().username}
    language = Instance.objects.values_list("language", flat=True).get(pk=instance.pk)
    _save(form)
    dropped = ""
    if isinstance(form, LanguageModelForm | EmbeddingsForm):
        dropped = form.save_key()
        # Earlier failures belong to the previous settings.
        form.instance.circuit_breakers.all().delete()
    if isinstance(form.instance, Instance) and _MODEL.intersection(form.changed_data):
        model_changed.send(sender=Instance, instance=form.instance)
    if isinstance(form, GeneralForm) and form.instance.language != language:
        language_changed.send(sender=Instance, instance=form.instance)
    if isinstance(form, LanguageModelForm) and _prefers_openai(form):
        form.instance.embedding_provider = EmbeddingProvider.OPENAI
        form.instance.save(update_fields=["embedding_provider"])
        return _("Saved. Embeddings now come from OpenAI as well, with the same key.")
    return " ".join(filter(None, (_("Saved."), dropped)))


def recorded_changes(form: Any) -> list[tuple[Any, ...]]:
    """The columns that *form* changes, for the activity log: with their values before and after,
    but texts and addresses by name alone, since members who are no managers read the log.
    """
    if not isinstance(form.instance, Instance):
        return []
    if isinstance(form, EmbeddingsForm) and form.reembeds:
        return []  # They change once everything is embedded again.
    return [
        (name,)
        if name in UNTOLD or isinstance(Instance._meta.get_field(name), TextField)
        else (name, form.initial[name], form.cleaned_data[name])
        for name in _changed_columns(form)
    ]


def _changed_columns(form: Any) -> list[str]:
    new = form.cleaned_data
    return [name for name in form._meta.fields if new[name] != form.initial[name]]


def allow_address(form: Any, *, by: User) -> tuple[str, str]:
    """Allow the provider's address if a superadmin has just saved it with *form*. Return the
    message about that, and a warning: why the saved address is not called. Both may be empty.

    This resolves the host, so it must not run in a transaction.
    """
    if isinstance(form, LanguageModelForm):
        changed, address = {"provider", "base_url"}, form.instance.chat_address
    elif isinstance(form, EmbeddingsForm):
        changed, address = {"embedding_provider", "embedding_base_url"}, form.choice.address
    else:
        return "", ""
    if not changed.intersection(form.changed_data):
        return "", ""
    refusal = refusal_of(address)
    if refusal is None:
        return "", ""
    if not (by.is_superuser and refusal.entry):
        return "", translated(str(refusal))
    AllowedAddress.objects.allow(refusal.entry, by=by, note=_("The address of a provider."))
    allowed = _("%(address)s is now an allowed address.") % {"address": refusal.entry}
    return f" {allowed}", ""


def _save(form: Any) -> None:
    """Save only what *form* has changed: a worker that switches the instance to another embedding
    model may have changed other columns since it was loaded.
    """
    if not isinstance(form.instance, Instance):
        form.save()
        return
    changed = _changed_columns(form)
    if isinstance(form, EmbeddingsForm) and form.changes_space:
        # The length of the vectors of another model is known after its first answer.
        form.instance.embedding_dimensions = None
        changed.append("embedding_dimensions")
    form.instance.save(update_fields=changed)


def _prefers_openai(form: LanguageModelForm) -> bool:
    """True if OpenAI's embeddings become the default: its key is new, and no memory exists."""
    instance = form.instance
    return bool(
        form.cleaned_data["key"]
        and instance.provider == Provider.OPENAI
        and not instance.base_url
        and instance.embeddings.is_builtin
        and not instance.memories.exists()
    )
