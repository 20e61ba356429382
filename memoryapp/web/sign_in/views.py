"""The second step of signing in, and the account screen: a person's own password, second factors
and sessions.
"""

from typing import Any

from allauth.mfa.base import views as mfa
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.views import ActivateTOTPView
from allauth.socialaccount.internal.flows import connect
from allauth.socialaccount.models import SocialAccount
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from instances.access import Request, signed_in
from instances.interface_language import remember_language
from instances.oauth.connections import connections_of
from instances.oauth.forms import LimitForm
from instances.signin import oidc, second_factor, sessions
from instances.signin.devices import device_in_words
from memoryapp.web.sign_in.forms import LanguageForm, PasswordForm


@login_not_required
@never_cache
def second_step(request: HttpRequest) -> HttpResponse:
    """Ask for a second factor, unless the first step no longer holds, or none is needed."""
    step = None if request.user.is_authenticated else second_factor.pending_step(request)
    if step and not step.holds:
        messages.error(request, _("Sign in again: this sign-in is no longer valid."))
        return step.end()
    if step and not step.is_needed:
        return step.finish()
    return mfa.authenticate(request)


@require_GET
def account(request: HttpRequest) -> HttpResponse:
    """Show the person's own account."""
    request = signed_in(request)
    return render(request, "account/page.html", _context(request))


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Choose the language of the person's screens, or leave it to the browser."""
    request = signed_in(request)
    form = LanguageForm(request.POST, instance=request.user)
    if not form.is_valid():
        context = _context(request) | {"language_form": form}
        return render(request, "account/page.html", context, status=422)
    user = form.save()
    response = redirect("account")
    remember_language(response, user)
    return response


@sensitive_post_parameters()
@require_POST
def change_password(request: HttpRequest) -> HttpResponse:
    """Change the person's password, and sign them out everywhere else."""
    request = signed_in(request)
    form = PasswordForm(request, request.user, request.POST)
    if not form.is_valid():
        context = _context(request) | {"password_form": form}
        return render(request, "account/page.html", context, status=422)
    form.save()
    update_session_auth_hash(request, request.user)
    sessions.record_session(request, request.user)
    sessions.end_sessions(request.user, keep=request.session.session_key)
    sessions.dismiss_password_reset(request.user)
    messages.success(request, _("Your password is changed. You are signed out everywhere else."))
    return redirect("account")


class ActivateAppView(ActivateTOTPView):
    """Sets up an authenticator app."""

    @transaction.atomic
    def form_valid(self, form: ActivateTOTPForm) -> HttpResponse:
        """Use up the code as well, which would be good for signing in until its time is over."""
        response: HttpResponse = super().form_valid(form)
        second_factor.use_code(signed_in(self.request).user, form.cleaned_data["code"])
        return response


@require_POST
def end_other_sessions(request: HttpRequest) -> HttpResponse:
    """End all other sessions of the person."""
    request = signed_in(request)
    sessions.end_sessions(request.user, keep=request.session.session_key)
    messages.success(request, _("You are signed out everywhere else."))
    return redirect("account")


@require_POST
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    """End one session of the person."""
    request = signed_in(request)
    if not sessions.end_session(request.user, pk):
        raise Http404
    messages.success(request, _("That session has ended."))
    return redirect("account")


@require_POST
def disconnect(request: HttpRequest) -> HttpResponse:
    """Disconnect the account from the identity provider."""
    request = signed_in(request)
    connection = get_object_or_404(SocialAccount, user=request.user, provider=oidc.PROVIDER_ID)
    try:
        connect.validate_disconnect(request, connection)
    except ValidationError:
        messages.error(request, _("You have no password here, so you could no longer sign in."))
        return redirect("account")
    connect.disconnect(request, connection)
    return redirect("account")


@require_POST
def dismiss_notice(request: HttpRequest) -> HttpResponse:
    """Dismiss the notice that the password was reset."""
    request = signed_in(request)
    sessions.dismiss_password_reset(request.user)
    return redirect("account")


def _context(request: Request) -> dict[str, Any]:
    factors = list(Authenticator.objects.filter(user=request.user).order_by("created_at"))
    kinds = Authenticator.Type
    connections = SocialAccount.objects.filter(user=request.user, provider=oidc.PROVIDER_ID)
    return {
        "section": "account",
        "language_form": LanguageForm(instance=request.user),
        "password_form": PasswordForm(request, request.user),
        "authenticator_app": next((f for f in factors if f.type == kinds.TOTP), None),
        "passkeys": [f for f in factors if f.type == kinds.WEBAUTHN],
        "recovery_codes": next((f for f in factors if f.type == kinds.RECOVERY_CODES), None),
        "oidc_name": oidc.name_on_button(),
        "connection": connections.first(),
        "clients": [
            (key, LimitForm(initial=LimitForm.limits_of(key), auto_id=f"app-{key.pk}-%s"))
            for key in connections_of(request.user)
        ],
        "mcp_address": request.build_absolute_uri("/mcp"),
        "sessions": [
            {
                "pk": session.pk,
                "device": device_in_words(session.user_agent),
                "address": session.ip,
                "last_seen_at": session.last_seen_at,
                "here": session.session_key == request.session.session_key,
            }
            for session in sessions.open_sessions(request.user)
        ],
    }
