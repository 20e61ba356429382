"""The page that a password link leads to."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import SetPasswordForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from instances import accounts
from instances.models import PasswordLink, User
from memoryapp.web.sign_in.forms import SIGN_IN_AS, describe_new_password


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg]  # Not generic at run time.
    """A password, twice; worded like the form of the account screen."""

    def __init__(self, user: User, data: Any = None) -> None:
        super().__init__(user, data)
        describe_new_password(self)
        self.fields["new_password1"].widget.attrs["autofocus"] = True

    def clean(self) -> dict[str, Any]:
        """Report a weak password where it was chosen, and a difference where it was repeated."""
        self.validate_passwords("new_password1", "new_password2")
        self.validate_password_for_user(self.user, "new_password1")
        return self.cleaned_data


@login_not_required
@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def password_link(request: HttpRequest) -> HttpResponse:
    """Show the invitation or reset, and let the person set a password, once.

    A GET does not use the link up: mail programs and chats fetch links before people open them.
    """
    token = request.POST.get("token", "") or request.GET.get("token", "")
    links = PasswordLink.objects.opened_by(token).select_related("user", "made_by")
    link = links.first()
    if link is None:
        return render(request, "people/link_expired.html", status=404)
    form = NewPasswordForm(link.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        done = accounts.set_password(token, form.cleaned_data["new_password1"])
        if done is None:
            return render(request, "people/link_expired.html", status=404)
        person, invited = done
        logout(request)
        if invited:
            login(request, person, backend=settings.AUTHENTICATION_BACKENDS[0])
            return redirect("home")
        # The sign-in still asks for a second factor.
        request.session[SIGN_IN_AS] = person.get_username()
        messages.success(request, _("Your new password is set. Sign in with it."))
        return redirect("login")
    context = {
        "form": form,
        "token": token,
        "link": link,
        "is_invited": accounts.is_invited(link.user),
        "memberships": link.user.membership_set.select_related("instance").order_by(
            "instance__name"
        ),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "people/set_password.html", context, status=status)
