"""The forms for a new instance, and for the export of one."""

import itertools
import secrets
from typing import Any, ClassVar
from zoneinfo import available_timezones

from django import forms
from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from instances.actor import Actor
from instances.models import Instance, User
from instances.server_activity import ServerAction, record_on_server
from memoryapp.bundle.sealing import MIN_PASSPHRASE

#: In the slug of every private instance, and in no other slug.
PRIVATE_MARK = "--"

#: Attempts to find a free slug when concurrent requests take the ones found.
MAX_TRIES = 3


class NewInstanceForm(forms.ModelForm[Instance]):
    """A new assistant with a memory of its own."""

    #: That of the browser, which a script fills in; without, the default.
    time_zone = forms.CharField(
        required=False, widget=forms.HiddenInput(attrs={"data-browser-zone": True})
    )
    private = forms.BooleanField(
        required=False,
        label=_("Private"),
        help_text=_("Only you can see it. Not even superadmins can."),
    )

    class Meta:
        model = Instance
        fields = ("name", "slug")
        labels: ClassVar = {"name": _("Name"), "slug": _("Short name")}
        help_texts: ClassVar = {
            "slug": _(
                "Used in addresses and in the API. Leave empty to derive it from the name. "
                "Private instances get two dashes and six random characters at the end."
            )
        }

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.fields["slug"].required = False
        if not user.is_superuser:
            # Only superadmins make shared instances.
            del self.fields["private"]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if "slug" in data:
            data["slug"] = self.free_slug(data["slug"])
        return data

    def _get_validation_exclusions(self) -> set[str]:
        # Django would report a taken slug even if it belongs to an instance that the person may
        # not know of.
        excluded: set[str] = super()._get_validation_exclusions()  # type: ignore[misc]  # Not in the stubs.
        return excluded | {"slug"}

    def clean_time_zone(self) -> str:
        zone: str = self.cleaned_data["time_zone"]
        return zone if zone in available_timezones() else ""

    def save(self, commit: bool = True) -> Instance:
        if zone := self.cleaned_data.get("time_zone"):
            self.instance.time_zone = zone
        if self._is_private:
            self.instance.private_to = self.user
        # The built-in reader sends nothing anywhere. Who connects a model is asked anew.
        self.instance.memory_enabled = True
        return super().save(commit)

    def save_if_free(self) -> Instance | None:
        """Save the instance. If its slug has been taken since it was checked, take the next free
        one; if it was chosen, return None, with an error in the form.
        """
        for _attempt in range(MAX_TRIES):
            try:
                with transaction.atomic():
                    made: Instance = self.save()
                    actor = Actor(self.user)
                    record_on_server(
                        actor, ServerAction.INSTANCE_CREATED, about=made.slug, instance=made
                    )
                    return made
            except IntegrityError:
                self.full_clean()
                if not self.is_valid():
                    return None
        # Many create the same at this moment.
        self.add_error("slug", _("This name is taken. Choose another one."))
        return None

    @property
    def _is_private(self) -> bool:
        return not self.user.is_superuser or bool(self.cleaned_data.get("private"))

    def free_slug(self, chosen: str) -> str:
        """Return a slug that is free.

        Only slugs of private instances have two dashes in a row, so the result never depends on an
        instance that the person may not see.
        """
        slug = chosen or slugify(self.cleaned_data.get("name", ""))[:56].strip("-") or "assistant"
        if self._is_private:
            return f"{slug[:51].rstrip('-')}{PRIVATE_MARK}{secrets.token_hex(3)}"
        taken = {"new", *Instance.objects.filter(private_to=None).values_list("slug", flat=True)}
        if chosen and PRIVATE_MARK in chosen:
            self.add_error("slug", _("Two dashes in a row are reserved for private instances."))
        elif chosen in taken:
            self.add_error("slug", _("This name is taken. Choose another one."))
        elif slug in taken:
            return next(name for n in itertools.count(2) if (name := f"{slug}-{n}") not in taken)
        return slug


class ExportForm(forms.Form):
    """The passphrase of a bundle; without one, secrets stay behind."""

    passphrase = forms.CharField(
        required=False,
        min_length=MIN_PASSPHRASE,
        max_length=1_000,
        strip=False,
        label=_("Passphrase (optional)"),
        help_text=_(
            "At least 12 characters. It encrypts provider keys, API keys and never-again rules, "
            "which stay behind without it."
        ),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
