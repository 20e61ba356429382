"""The cards of the settings screen that only change columns of the instance."""

from typing import Any, ClassVar

from django import forms

from instances.models import Instance


class MemorySettingsForm(forms.ModelForm[Instance]):
    """The memory switch, and when conversations are read."""

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
    """Prices of calls, and the monthly cap."""

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
    """The model that answers in the chat, and its instructions."""

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
