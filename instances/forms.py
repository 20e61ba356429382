"""The forms of the settings screen: one for each of its cards."""

import itertools
import secrets
from dataclasses import replace
from typing import Any, ClassVar

from django import forms
from django.db import IntegrityError, transaction
from django.utils.functional import cached_property
from django.utils.text import slugify

from instances.embedding_choice import EmbeddingChoice
from instances.models import (
    Agent,
    ApiKey,
    EmbeddingProvider,
    Instance,
    Permission,
    Provider,
    SecretName,
    User,
)
from instances.presets import PRESETS, Preset
from instances.provider_urls import name_of, server_of

#: In the slug of every private instance, and in no other slug.
PRIVATE_MARK = "--"

#: Attempts to find a free slug when concurrent requests take the ones found.
MAX_TRIES = 3


class NewInstanceForm(forms.ModelForm[Instance]):
    """A new assistant with a memory of its own."""

    private = forms.BooleanField(
        required=False,
        label="Private",
        help_text="Only you can see it, on every screen: not even a superadmin can.",
    )

    class Meta:
        model = Instance
        fields = ("name", "slug")
        help_texts: ClassVar = {
            "slug": "Its name in addresses. If empty, it is made from the name. The slug of a "
            "private instance ends in two dashes and six random characters."
        }

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.fields["slug"].required = False
        if not user.is_superuser:
            # Shared instances are a superadmin's to make.
            del self.fields["private"]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if "slug" in data:
            data["slug"] = self._free(data["slug"])
        return data

    def _get_validation_exclusions(self) -> set[str]:
        # Django would say of a slug that it is taken, even where nobody may know by whom.
        # Django has it, its stubs do not.
        excluded: set[str] = super()._get_validation_exclusions()  # type: ignore[misc]
        return excluded | {"slug"}

    def save(self, commit: bool = True) -> Instance:
        if self._is_private:
            self.instance.private_to = self.user
        return super().save(commit)

    def save_if_free(self) -> Instance | None:
        """Save the instance. If its slug has been taken since it was checked, take the next free
        one; if it was chosen, return None, with an error in the form.
        """
        for _ in range(MAX_TRIES):
            try:
                with transaction.atomic():
                    return self.save()
            except IntegrityError:
                self.full_clean()
                if not self.is_valid():
                    return None
        return self.save()

    @property
    def _is_private(self) -> bool:
        return not self.user.is_superuser or bool(self.cleaned_data.get("private"))

    def _free(self, chosen: str) -> str:
        """Return a slug that is free.

        Only slugs of private instances have two dashes in a row, so the result never depends on an
        instance that the person may not see.
        """
        slug = chosen or slugify(self.cleaned_data.get("name", ""))[:56].strip("-") or "assistant"
        if self._is_private:
            return f"{slug[:51].rstrip('-')}{PRIVATE_MARK}{secrets.token_hex(3)}"
        taken = {"new", *Instance.objects.filter(private_to=None).values_list("slug", flat=True)}
        if chosen and PRIVATE_MARK in chosen:
            self.add_error("slug", "Two dashes in a row are for private instances. Use one.")
        elif chosen in taken:
            self.add_error("slug", "This name is taken. Choose another one.")
        elif slug in taken:
            return next(name for n in itertools.count(2) if (name := f"{slug}-{n}") not in taken)
        return slug


class MemorySettingsForm(forms.ModelForm[Instance]):
    """The switch, and when conversations are read."""

    class Meta:
        model = Instance
        fields = (
            "memory_enabled",
            "extract_when",
            "stale_minutes",
            "palace_enabled",
            "merge_with_model",
            "pii_policy",
            "decay_days",
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Asked for by one of the choices only.
        self.fields["stale_minutes"].required = False
        self.fields["pii_policy"].required = False

    def clean_pii_policy(self) -> str:
        # What is left out stays as it is, and is not switched off.
        policy: str = self.cleaned_data["pii_policy"]
        return policy or self.instance.pii_policy

    def clean_stale_minutes(self) -> int:
        minutes: int | None = self.cleaned_data["stale_minutes"]
        return self.instance.stale_minutes if minutes is None else minutes


class ProviderSelect(forms.Select):
    """A choice of provider that brings along what is usual with each."""

    def __init__(self, model: str) -> None:
        super().__init__(attrs={"data-presets": True})
        #: Which of a preset's models is meant.
        self.model = model

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        preset = PRESETS.get(str(value))
        if preset:
            option["attrs"] |= {
                "data-address": preset.base_url,
                "data-model": getattr(preset, self.model),
                "data-help": preset.help,
            }
        return option


class _WithKey(forms.ModelForm[Instance]):
    """A form with a key that is written and never read back."""

    key = forms.CharField(
        required=False,
        label="Key",
        max_length=1000,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )
    remove_key = forms.BooleanField(required=False, label="Remove the stored key")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stored = self.instance.secrets.filter(name=self.secret_name).first()
        if self.stored is None:
            del self.fields["remove_key"]
        elif foreign := self._foreign_key():
            self.fields["key"].help_text = foreign
        else:
            ending = f" · ends in …{self.stored.ending}" if self.stored.ending else ""
            self.fields["key"].help_text = f"set{ending}. Enter another one to replace it."

    @property
    def secret_name(self) -> str:
        """Where the key is kept."""
        return SecretName.CHAT_API_KEY

    @property
    def address(self) -> str:
        """The address of the provider in the form; empty for one without a server."""
        return self.instance.chat_address

    def save_key(self) -> str:
        """Store or remove the key, as the form says. A stored key of another server is removed as
        well; return the message about that, else an empty string.
        """
        if key := self.cleaned_data["key"].strip():
            stored = self.stored or self.instance.secrets.model(
                instance=self.instance, name=self.secret_name
            )
            stored.seal(key, self.address)
            stored.save()
            return ""
        foreign = self._foreign_key()
        if self.stored and (foreign or self.cleaned_data.get("remove_key")):
            self.stored.delete()
        return foreign

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]  # Django has it, its stubs do not.
        if self.cleaned_data.get("key", "").strip() and not self.address:
            self.add_error("key", "Choose a provider first: a key belongs to its server.")

    def _foreign_key(self) -> str:
        """Return the message that the stored key belongs to another server than the one in the
        form; empty if it does not.
        """
        server = server_of(self.address)
        if self.stored is None or not server or self.stored.server == server:
            return ""
        owner = name_of(self.stored.server, beside=server)
        other = name_of(server, beside=self.stored.server)
        return (
            f"The stored key belongs to {owner} and is not sent to {other}. "
            "Enter the key of that server if it needs one."
        )


class LanguageModelForm(_WithKey):
    """Who reads conversations."""

    class Meta:
        model = Instance
        fields = ("provider", "base_url", "fast_model")
        widgets: ClassVar = {"provider": ProviderSelect("chat_model")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.preset = _show_what_is_usual(self, "provider", "base_url", "fast_model", "chat_model")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("provider") == Provider.CUSTOM and not data.get("base_url"):
            self.add_error("base_url", "Give the server’s address; it usually ends in /v1.")
        if data.get("provider") == Provider.CUSTOM and not data.get("fast_model"):
            self.add_error("fast_model", "Name the model, as the server calls it.")
        return data


class EmbeddingsForm(_WithKey):
    """Who turns text into vectors.

    Another model than the present one is saved at once only while there are no vectors: else it is
    asked for with a tick, and gets its vectors beside the present ones first.
    """

    reembed = forms.BooleanField(required=False, label="Make the vectors of the new model")

    class Meta:
        model = Instance
        fields = ("embedding_provider", "embedding_base_url", "embedding_model")
        widgets: ClassVar = {"embedding_provider": ProviderSelect("embedding_model")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.preset = _show_what_is_usual(
            self, "embedding_provider", "embedding_base_url", "embedding_model", "embedding_model"
        )
        self.present = self.instance.embeddings

    @property
    def secret_name(self) -> str:
        return self.instance.embedding_key

    @property
    def address(self) -> str:
        choice = self.instance.embeddings
        return "" if choice.is_builtin else choice.address

    @property
    def choice(self) -> EmbeddingChoice:
        """What was chosen, of which nothing is known yet but the name."""
        return replace(self.instance.embeddings, dimensions=None)

    @property
    def changes_space(self) -> bool:
        """Whether the vectors that are stored are of another model than the one chosen."""
        return self.choice.identity != self.present.identity

    @cached_property
    def has_vectors(self) -> bool:
        """Whether there is anything to lose."""
        return self.instance.memories.filter(embeddings__isnull=False).exists()

    @property
    def reembeds(self) -> bool:
        """Whether the new model gets its vectors beside the present ones."""
        return self.changes_space and self.has_vectors

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("embedding_provider") == EmbeddingProvider.CUSTOM:
            if not data.get("embedding_base_url"):
                self.add_error("embedding_base_url", "Give the server’s address.")
            if not data.get("embedding_model"):
                self.add_error("embedding_model", "Name the model, as the server calls it.")
        return data

    def _post_clean(self) -> None:
        super()._post_clean()
        if not self.changes_space:
            return
        if self.instance.embedding_jobs.filter(kind="reembed", state__in=["running", "held"]):
            self.add_error(
                None,
                "The memories are going over to another model already. Cancel that first, or wait "
                "until it is done.",
            )
        elif self.has_vectors and not self.cleaned_data.get("reembed"):
            self.add_error(
                "reembed",
                "The memories have vectors of the present model, and vectors of two models cannot "
                "be compared. Tick below to have new ones made.",
            )


def _show_what_is_usual(
    form: forms.ModelForm[Instance], provider: str, address: str, model: str, of_preset: str
) -> Preset | None:
    """Put the usual address and model of the chosen provider behind the empty fields."""
    preset = PRESETS.get(form[provider].value() or "")
    form.fields[address].widget.attrs |= {"placeholder": "", "data-usual": "address"}
    form.fields[model].widget.attrs |= {"placeholder": "", "data-usual": "model"}
    if preset:
        form.fields[address].widget.attrs["placeholder"] = preset.base_url
        form.fields[model].widget.attrs["placeholder"] = getattr(preset, of_preset)
    return preset


class SearchForm(forms.ModelForm[Instance]):
    """How facts are compared and found."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["dedup_merge"].required = False

    class Meta:
        model = Instance
        fields = ("time_zone", "language", "dedup_exact", "dedup_update", "dedup_merge")
        widgets: ClassVar = {
            "dedup_merge": forms.NumberInput(attrs={"step": "0.01", "min": "0.5", "max": "1"}),
            "dedup_exact": forms.NumberInput(attrs={"step": "0.01", "min": "0.5", "max": "1"}),
            "dedup_update": forms.NumberInput(attrs={"step": "0.01", "min": "0.5", "max": "1"}),
            "time_zone": forms.TextInput(attrs={"list": "time-zones"}),
        }

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        exact, update = data.get("dedup_exact"), data.get("dedup_update")
        if exact is not None and update is not None and exact < update:
            self.add_error("dedup_exact", "This must not be below “new wording above”.")
        merge = data.get("dedup_merge")
        if exact is not None and merge is not None and exact < merge:
            self.add_error("dedup_merge", "This must not be above “same fact from”.")
        return data

    def clean_dedup_merge(self) -> float:
        # What is left out stays as it is.
        merge: float | None = self.cleaned_data["dedup_merge"]
        return self.instance.dedup_merge if merge is None else merge


class CostForm(forms.ModelForm[Instance]):
    """What calls cost, and how much a month may."""

    class Meta:
        model = Instance
        fields = ("prompt_price", "completion_price", "embedding_price", "monthly_cap")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        prices = ("prompt_price", "completion_price", "embedding_price")
        if data.get("monthly_cap") is not None and all(data.get(name) is None for name in prices):
            self.add_error(
                "monthly_cap", "Give the prices as well: without them nothing counts towards it."
            )
        return data


class AssistantForm(forms.ModelForm[Instance]):
    """Who answers in the chat, and what it is told."""

    class Meta:
        model = Instance
        fields = (
            "instructions",
            "recall_enabled",
            "summary_enabled",
            "tools_for_clients",
            "top_k",
            "recall_profile",
            "chat_model",
            "turns_enabled",
            "rerank_enabled",
            "rerank_model",
        )
        widgets: ClassVar = {
            "instructions": forms.Textarea(
                attrs={"rows": 4, "placeholder": "You are a patient cooking teacher. Be brief."}
            ),
        }


class AgentForm(forms.ModelForm[Agent]):
    """A new persona: it takes a name."""

    class Meta:
        model = Agent
        fields = ("name",)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        agents = self.instance.instance.agents
        if agents.filter(name__iexact=name).exists():
            raise forms.ValidationError("There is an agent of this name already.")
        # Different names may have one slug: those in other scripts have none at all.
        slug = slugify(name)[:50] or "agent"
        taken = set(agents.values_list("slug", flat=True))
        slugs = itertools.chain([slug], (f"{slug}-{n}" for n in itertools.count(2)))
        self.instance.slug = next(slug for slug in slugs if slug not in taken)
        return name


class AgentDetailsForm(forms.ModelForm[Agent]):
    """What a persona is called and told. Its slug stays: programs know it by that."""

    class Meta:
        model = Agent
        fields = ("name", "instructions", "recall_enabled")
        widgets: ClassVar = {"instructions": forms.Textarea(attrs={"rows": 6})}

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        others = Agent.objects.filter(instance=self.instance.instance).exclude(pk=self.instance.pk)
        if others.filter(name__iexact=name).exists():
            raise forms.ValidationError("There is an agent of this name already.")
        return name


class ApiKeyForm(forms.ModelForm[ApiKey]):
    """A program's way in."""

    scopes = forms.MultipleChoiceField(
        choices=Permission.choices,
        initial=[Permission.READ, Permission.WRITE],
        label="May",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Tick what the key may do."},
    )

    class Meta:
        model = ApiKey
        fields = ("name", "scopes")
        labels: ClassVar = {"name": "What it is for"}
