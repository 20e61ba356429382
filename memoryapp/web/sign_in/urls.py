"""URLs to sign in, and of the account page.

Views of allauth that are not listed here do not exist. Where one screen of Keepsake replaces
several of allauth's, it has their names as well, so that allauth's redirects lead there.
"""

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as passkeys
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LogoutView
from django.urls import path

from instances.signin import oidc
from memoryapp.web.sign_in import views

login = account.LoginView.as_view(extra_context={"oidc_name": oidc.name_on_button})
#: Open without login, so that a person can start again between the two steps of signing in.
logout = login_not_required(LogoutView.as_view())

urlpatterns = [
    path("accounts/login", login, name="login"),
    path("accounts/login", login, name="account_login"),
    path("accounts/login", login, name="socialaccount_login_cancelled"),
    path("accounts/login/code", views.second_step, name="mfa_authenticate"),
    path("accounts/login/passkey", passkeys.login_webauthn, name="mfa_login_webauthn"),
    path("accounts/oidc", oidc.begin, name="oidc_begin"),
    path("accounts/oidc/callback", oidc.callback, name="oidc_callback"),
    path("accounts/inactive", account.account_inactive, name="account_inactive"),
    path("accounts/logout", logout, name="logout"),
    path("accounts/logout", logout, name="account_logout"),
    path("accounts/confirm", account.reauthenticate, name="account_reauthenticate"),
    path("accounts/confirm/code", mfa.reauthenticate, name="mfa_reauthenticate"),
    path(
        "accounts/confirm/passkey",
        passkeys.reauthenticate_webauthn,
        name="mfa_reauthenticate_webauthn",
    ),
    path("account", views.account, name="account"),
    path("account", views.account, name="mfa_index"),
    path("account", views.account, name="mfa_list_webauthn"),
    path("account", views.account, name="socialaccount_connections"),
    path("account/language", views.choose_language, name="account_language"),
    path("account/password", views.change_password, name="account_password"),
    path("account/password/notice", views.dismiss_notice, name="account_notice_dismiss"),
    path("account/sessions/end", views.end_other_sessions, name="account_sessions_end"),
    path("account/sessions/<int:pk>/end", views.end_session, name="account_session_end"),
    path("account/oidc/remove", views.disconnect, name="oidc_disconnect"),
    path("account/authenticator", views.ActivateAppView.as_view(), name="mfa_activate_totp"),
    path("account/authenticator/remove", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("account/passkeys/new", passkeys.add_webauthn, name="mfa_add_webauthn"),
    path("account/passkeys/<int:pk>/remove", passkeys.remove_webauthn, name="mfa_remove_webauthn"),
    path(
        "account/recovery-codes",
        recovery_codes.view_recovery_codes,
        name="mfa_view_recovery_codes",
    ),
    path(
        "account/recovery-codes/new",
        recovery_codes.generate_recovery_codes,
        name="mfa_generate_recovery_codes",
    ),
    path(
        "account/recovery-codes/download",
        recovery_codes.download_recovery_codes,
        name="mfa_download_recovery_codes",
    ),
]
