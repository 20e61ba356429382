"""The first run: three steps from nothing to the first memory, each of which can be skipped.

The progress is derived from the existing rows. Only skipped steps are stored, in the session.
"""

from dataclasses import dataclass, replace

from django import forms
from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from instances.access import Request, managed_instance
from instances.actor import Actor
from instances.models import DEMO, Instance, Provider
from instances.presets import PRESETS
from memoryapp.models import MemoryCount
from memoryapp.pipeline import MAX_CONTENT
from memoryapp.web.connection_test import test_chat
from memoryapp.web.settings.changes import allow_address, carry_out, recorded_changes
from memoryapp.web.settings.forms.instances import NewInstanceForm
from memoryapp.web.settings.forms.providers import LanguageModelForm
from memoryapp.web.settings.views import found_ollama
from memoryapp.web.status import learning
from memoryapp.web.welcome.trial import load, say

#: The steps after the first, by the names that stand in addresses.
MODEL, MEMORIES = "model", "memories"
SKIPPED = "welcome_skipped"


@dataclass(frozen=True)
class Step:
    """One of the three steps, and its state."""

    name: str
    title: str
    #: The result in a few words; empty before the step is done.
    done: str = ""
    skipped: bool = False
    current: bool = False

    @property
    def url(self) -> str:
        return f"?{urlencode({'step': self.name})}"


def begins(request: Request) -> bool:
    """True if home is the guide: while the user has only the untouched demo."""
    if "all" in request.session.get(SKIPPED, ()):
        return False
    seen = list(Instance.objects.visible_to(request.user)[:2])
    return not seen or (len(seen) == 1 and _is_untouched_demo(seen[0]))


@require_http_methods(["GET", "POST"])
def welcome(request: Request) -> HttpResponse:
    """The first step: create an instance."""
    if "skip" in request.POST:
        _skip(request, "all")
        return redirect("home")
    form = NewInstanceForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid() and (made := form.save_if_free()):
        return redirect("welcome_instance", made.slug)
    managed = Instance.objects.managed_by(request.user)
    context = {
        "steps": _steps(None),
        "form": form,
        "begun": [instance for instance in managed if not _is_untouched_demo(instance)],
        "demo": Instance.objects.visible_to(request.user).filter(slug=DEMO).first(),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "welcome/page.html", context, status=status)


@require_http_methods(["GET", "POST"])
def welcome_instance(request: Request, slug: str) -> HttpResponse:
    """The other steps: a language model, and something to remember."""
    instance = managed_instance(request, slug)
    here = reverse("welcome_instance", args=[slug])
    if request.POST.get("skip") in (MODEL, MEMORIES):
        _skip(request, f"{instance.pk}:{request.POST['skip']}")
        return redirect(here)
    trial = load(request.GET, instance)
    if "fact" in request.POST:
        trial = say(instance, request.POST["fact"], by=request.user)
        if trial.memory:
            return redirect(f"{here}?step={MEMORIES}&said={trial.memory.pk}#{MEMORIES}")
    sent = request.POST if request.method == "POST" and not trial.problem else None
    form = ModelForm(sent, instance=instance, prefix="language-model")
    invalid = form.is_bound and not form.is_valid()
    if form.is_bound and not invalid:
        with transaction.atomic():
            text = carry_out(form, instance, by=request.user)
            instance.memory_enabled = form.cleaned_data["remember"]
            instance.save(update_fields=["memory_enabled"])
            instance.activity.record(
                Actor(request.user),
                "settings",
                about="Language model",
                changes=recorded_changes(form),
            )
        # The test below reports an address that is not called.
        text += allow_address(form, by=request.user)[0]
        answers, answer = test_chat(managed_instance(request, slug))
        if answers:
            messages.success(request, f"{text} {answer}")
            return redirect(here)
        messages.error(request, f"{answer} {_('What you entered is kept: correct it, or go on.')}")
        return redirect(f"{here}?step={MODEL}")
    if invalid:
        # The values that the form has set on the instance must not be shown as if they were saved.
        instance = managed_instance(request, slug)
    skipped = request.session.get(SKIPPED, ())
    steps = _steps(
        instance,
        [name for name in (MODEL, MEMORIES) if f"{instance.pk}:{name}" in skipped],
        chosen=MODEL if invalid else MEMORIES if trial.problem else request.GET.get("step", ""),
    )
    context = {
        "steps": steps,
        "step": next((step.name for step in steps if step.current), ""),
        "form": form,
        "presets": PRESETS,
        "learns": instance.memory_enabled and instance.can_read,
        "learning": learning(instance),
        "ollama": found_ollama(instance, request.user),
        "trial": trial,
        "max_fact": MAX_CONTENT,
    }
    status = 422 if invalid or trial.problem else 200
    return render(request, "welcome/page.html", context, status=status)


class ModelForm(LanguageModelForm):
    """The language model, with the switch for memory."""

    remember = forms.BooleanField(
        required=False,
        initial=True,
        label=gettext_lazy("Remember"),
        help_text=gettext_lazy(
            "Learn facts worth keeping from conversations, in the background. Conversations "
            "are sent to this provider to be read."
        ),
    )

    def clean_provider(self) -> str:
        provider: str = self.cleaned_data["provider"]
        if provider == Provider.NONE:
            raise forms.ValidationError(_("Choose a provider, or skip this step."))
        return provider


def _steps(
    instance: Instance | None, skipped: list[str] | None = None, chosen: str = ""
) -> list[Step]:
    """Return the steps, one of them current: the chosen one, or the first that is not done."""
    skipped = skipped or []
    name = instance.name if instance else ""
    model = _reader(instance, chosen=MODEL in skipped) if instance else ""
    content = _content(instance) if instance else ""
    steps = [
        Step("instance", _("Name your assistant"), name),
        Step(MODEL, _("Choose a model"), model, MODEL in skipped and not model),
        Step(
            MEMORIES,
            _("Add something to remember"),
            content,
            MEMORIES in skipped and not content,
        ),
    ]
    if instance is None:
        current = "instance"
    elif chosen in (MODEL, MEMORIES):
        current = chosen
    else:
        current = next((s.name for s in steps if not s.done and not s.skipped), "")
    return [replace(step, current=step.name == current) for step in steps]


def _reader(instance: Instance, *, chosen: bool) -> str:
    """Reader of conversations: a model, or the built-in reader if it was *chosen*."""
    if not instance.has_language_model:
        return _("The built-in reader") if chosen and instance.reads_by_itself else ""
    provider = instance.get_provider_display()
    if instance.memory_enabled:
        return provider
    return _("%(provider)s, memory is off") % {"provider": provider}


def _content(instance: Instance) -> str:
    conversations = instance.conversations.count()
    memories = MemoryCount.objects.total(instance)
    parts = []
    if conversations:
        text = ngettext("%(number)s conversation", "%(number)s conversations", conversations)
        parts.append(text % {"number": intcomma(conversations)})
    if memories:
        text = ngettext("%(number)s memory", "%(number)s memories", memories)
        parts.append(text % {"number": intcomma(memories)})
    return ", ".join(parts)


def _is_untouched_demo(instance: Instance) -> bool:
    """True if it is the demo, unchanged."""
    return instance.slug == DEMO and not (
        instance.memory_enabled
        or instance.provider
        or instance.imports.exists()
        or instance.activity.exclude(by=None).exists()
    )


def _skip(request: Request, what: str) -> None:
    request.session[SKIPPED] = sorted({*request.session.get(SKIPPED, ()), what})
