"""The forms of the cards that only change columns of the instance."""

from copy import copy
from datetime import date
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from instances.models import Instance
from instances.models.sensitivity_settings import AREAS
from memoryapp.models.prices import embedding_prices, language_model_prices
from memoryapp.pipeline import Rejected
from memoryapp.pipeline.validation import admitted_text
from memoryapp.providers.list_prices import as_of
from memoryapp.web.amounts import price


class _SettingsForm(forms.ModelForm[Instance]):
    """A form some of whose fields may be left out: their columns stay as they are."""

    may_be_left_out: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.may_be_left_out:
            self.fields[name].required = False

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for name in self.may_be_left_out:
            if data.get(name, "-") in (None, ""):
                data[name] = getattr(self.instance, name)
        return data


class GeneralForm(forms.ModelForm[Instance]):
    """Name, time zone and language. The slug never changes, since programs use it."""

    class Meta:
        model = Instance
        fields = ("name", "time_zone", "language")
        labels: ClassVar = {"name": _("Name")}
        widgets: ClassVar = {"time_zone": forms.TextInput(attrs={"list": "time-zones"})}


class MemorySettingsForm(_SettingsForm):
    """The memory switch, and when conversations are read."""

    # One of the choices alone asks for the minutes.
    may_be_left_out = ("stale_minutes",)

    class Meta:
        model = Instance
        fields = (
            *("memory_enabled", "extract_when", "stale_minutes"),
            *("builtin_reader", "palace_enabled"),
        )


class PrivacyForm(forms.ModelForm[Instance]):
    """Form for what memories may hold, and for statements that are not the user's."""

    class Meta:
        model = Instance
        fields = (
            *("pii_policy", "assistant_handling", "tool_handling", "document_handling"),
            "looks_recorded",
        )


class GuidanceForm(forms.ModelForm[Instance]):
    """Form for what the model that reads is told of what matters."""

    class Meta:
        model = Instance
        fields = ("guidance",)
        widgets: ClassVar = {
            "guidance": forms.Textarea(
                attrs={"rows": 3, "placeholder": _("Remember diets and allergies of guests.")}
            )
        }

    def clean_guidance(self) -> str:
        """The text without secrets."""
        try:
            return admitted_text(self.instance, self.cleaned_data["guidance"])
        except Rejected as problem:
            raise forms.ValidationError(str(problem)) from None


class SensitiveAreasForm(forms.ModelForm[Instance]):
    """Form for what becomes of statements about each sensitive area."""

    class Meta:
        model = Instance
        fields = tuple(f"{area}_handling" for area in AREAS)


class DuplicatesForm(_SettingsForm):
    """When two facts count as one, and when one goes stale."""

    may_be_left_out = ("dedup_merge",)

    class Meta:
        model = Instance
        fields = (
            *("merge_with_model", "single_valued_keys"),
            *("dedup_exact", "dedup_update", "dedup_merge", "decay_days"),
        )
        widgets: ClassVar = {
            name: forms.NumberInput(attrs={"step": "0.01", "min": "0.5", "max": "1"})
            for name in ("dedup_merge", "dedup_exact", "dedup_update")
        }

    @property
    def thresholds(self) -> list[forms.BoundField]:
        """The fields that few people need."""
        return [self[name] for name in ("dedup_exact", "dedup_update", "dedup_merge")]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        exact, update = data.get("dedup_exact"), data.get("dedup_update")
        if exact is not None and update is not None and exact < update:
            self.add_error("dedup_exact", _("Must not be below “Rewording above”."))
        merge = data.get("dedup_merge")
        if exact is not None and merge is not None and exact < merge:
            self.add_error("dedup_merge", _("Must not be above “Duplicate above”."))
        return data


class CostForm(forms.ModelForm[Instance]):
    """Prices of calls, and the monthly cap. Empty fields show the price that stands in."""

    class Meta:
        model = Instance
        fields = ("prompt_price", "completion_price", "embedding_price", "monthly_cap")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        unpriced = copy(self.instance)
        unpriced.prompt_price = unpriced.completion_price = unpriced.embedding_price = None
        model, embedder = language_model_prices(unpriced), embedding_prices(unpriced)
        self._stand_in = [model] if unpriced.embeddings.is_builtin else [model, embedder]
        for name, amount in (
            ("prompt_price", model.prompt),
            ("completion_price", model.completion),
            ("embedding_price", embedder.prompt),
        ):
            if amount is not None:
                self.fields[name].widget.attrs["placeholder"] = price(amount)

    @property
    def costs_list_price(self) -> bool:
        """True if a list price stands in for an empty field."""
        return any(prices.costs_list_price for prices in self._stand_in)

    @property
    def is_priced(self) -> bool:
        """True if a price is known without being entered."""
        return any(prices.prompt is not None for prices in self._stand_in)

    @property
    def listed_on(self) -> date:
        return as_of()

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        prices = ("prompt_price", "completion_price", "embedding_price")
        is_priced = self.is_priced or any(data.get(name) is not None for name in prices)
        if data.get("monthly_cap") is not None and not is_priced:
            self.add_error(
                "monthly_cap",
                _("Enter prices as well. Without them, nothing counts towards the cap."),
            )
        return data


class AssistantForm(forms.ModelForm[Instance]):
    """The model that answers in the chat, and its instructions."""

    class Meta:
        model = Instance
        fields = (
            *("instructions", "chat_model", "top_k"),
            *("recall_enabled", "turns_enabled", "summary_enabled"),
        )
        widgets: ClassVar = {
            "instructions": forms.Textarea(
                attrs={"rows": 4, "placeholder": _("You are a patient cooking teacher. Be brief.")}
            ),
            # The models of the language model's server, which the page loads.
            "chat_model": forms.TextInput(attrs={"list": "offered-chat", "autocomplete": "off"}),
        }


class RankingForm(_SettingsForm):
    """How results are ranked, and where a model is shown them."""

    may_be_left_out = ("context_placement",)

    class Meta:
        model = Instance
        fields = (
            *("tools_for_clients", "rerank_enabled", "rerank_model"),
            *("recall_profile", "context_placement"),
        )
        widgets: ClassVar = {
            "rerank_model": forms.TextInput(attrs={"list": "offered-chat", "autocomplete": "off"}),
        }
