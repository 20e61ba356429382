"""Forms to sign in, to confirm one's identity, and to change the password."""

from typing import Any, ClassVar

from allauth.account import forms as account
from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from django import forms
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.forms import PasswordChangeForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from instances.models import User
from instances.secrets import UnreadableSecret
from instances.signin import throttle
from instances.signin.second_factor import CodeUsed, use_code


class _Plain(forms.Form):
    """Drops the placeholders, which only repeat the labels, and focuses the first field."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        next(iter(self.fields.values())).widget.attrs["autofocus"] = True


#: In the session: the username to fill in at the next sign-in.
SIGN_IN_AS = "sign_in_as"


class SignInForm(_Plain, account.LoginForm):
    """Name and password. Where the name is known, the password has the focus."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.is_bound and SIGN_IN_AS in self.request.session:
            self.initial["login"] = self.request.session.pop(SIGN_IN_AS)
        if self["login"].value():
            del self.fields["login"].widget.attrs["autofocus"]
            self.fields["password"].widget.attrs["autofocus"] = True


class ConfirmByPasswordForm(_Plain, account.ReauthenticateForm):
    """Confirms the person's identity by password."""


class _Code(_Plain):
    """Takes a code of an authenticator app or a recovery code, and counts failures."""

    user: User
    authenticator: Authenticator

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.has_app = self.user.authenticator_set.filter(type=Authenticator.Type.TOTP).exists()
        code = self.fields["code"]
        code.widget.attrs["inputmode"] = "numeric"
        if self.has_app:
            code.label = _("Code")
            code.help_text = _("From your authenticator app, or one of your recovery codes.")
        else:
            code.label = _("Recovery code")
            code.help_text = _("Eight digits. Each code works once.")

    def clean_code(self) -> str:
        """Accept a valid code, once."""
        code: str = self.cleaned_data["code"]
        with throttle.attempt(context.request, "code", self.user.get_username()) as attempt:
            try:
                authenticator = use_code(self.user, code)
            except UnreadableSecret:
                raise ValidationError(
                    _(
                        "Your second factor cannot be read, because ENCRYPTION_KEY has changed. "
                        "The operator of this server can remove it: reset_second_factor"
                    )
                ) from None
            except CodeUsed as used:
                raise ValidationError(str(used)) from None
            if authenticator is None:
                raise get_adapter().validation_error("incorrect_code")
            self.authenticator = authenticator
            attempt.succeeded = True
        return code


class CodeForm(_Code, AuthenticateForm):
    """The second step of signing in."""


class ConfirmByCodeForm(_Code, ReauthenticateForm):
    """Confirms the person's identity by code."""


class NewAppForm(_Plain, ActivateTOTPForm):
    """Proves that the authenticator app has the secret."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("The code that the app shows now")
        self.fields["code"].widget.attrs["inputmode"] = "numeric"


def describe_new_password(form: forms.Form) -> None:
    """Word the two fields of a form for a new password."""
    new, again = form.fields["new_password1"], form.fields["new_password2"]
    new.help_text = _("At least 10 characters, not only digits, and not one of the common ones.")
    again.label, again.help_text = _("New password again"), ""


class LanguageForm(forms.ModelForm[User]):
    """Chooses the language of the person's screens."""

    class Meta:
        model = User
        fields: ClassVar = ["language"]

    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=[("", _("The browser’s language")), *settings.LANGUAGES],
    )


class PasswordForm(PasswordChangeForm):
    """Changes the person's own password."""

    def __init__(self, request: HttpRequest, user: User, data: Any = None) -> None:
        super().__init__(user, data)
        self._request = request
        self.fields["old_password"].label = _("Current password")
        self.fields["old_password"].widget.attrs.pop("autofocus")
        describe_new_password(self)

    def clean_old_password(self) -> str:
        """Check the current password as at a sign-in, so that guesses are counted."""
        password: str = self.cleaned_data["old_password"]
        name = self.user.get_username()
        if authenticate(self._request, username=name, password=password) is None:
            raise ValidationError(_("That is not your current password."))
        return password
