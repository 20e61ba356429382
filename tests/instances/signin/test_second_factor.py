"""Second factors: codes of an app, recovery codes, passkeys, and resets."""

import html
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from allauth.usersessions.models import UserSession
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import NoReverseMatch, reverse
from pytest_django import Settings

from instances import accounts, secrets
from instances.key_rotation import TOKEN_START
from instances.models import User
from memoryapp.web.sign_in.forms import CodeForm
from tests.instances.signin.test_throttle import is_signed_in, pass_time, try_to

CODE = "/accounts/login/code"


def code_for(secret: str, ahead: int = 0) -> str:
    """Return the code that the app shows *ahead* half minutes from now."""
    return totp.format_hotp_value(totp.hotp_value(secret, int(time.time()) // 30 + ahead))


def confirmed(client: Client, name: str = "alice") -> Client:
    """Reauthenticate, as changes of the second factor require."""
    answer = client.post("/accounts/confirm", {"password": f"{name}-password"})
    assert answer.status_code == 302
    return client


def set_up(client: Client) -> tuple[str, list[str]]:
    """Set up an authenticator app; return its secret and the recovery codes."""
    page = confirmed(client).get("/account/authenticator").content.decode()
    secret = re.search(r'id="secret" value="[\w ]+" data-plain="(\w+)"', page)
    assert secret and "<svg" in page
    answer = client.post("/account/authenticator", {"code": code_for(secret[1])})
    assert answer["Location"] == "/account/recovery-codes"
    codes_block = re.search(r'<pre[^>]*id="codes">(.*?)</pre>', recovery_page(client), re.DOTALL)
    assert codes_block
    return secret[1], codes_block[1].split("\n")[:-1]


def recovery_page(client: Client) -> str:
    return client.get("/account/recovery-codes").content.decode()


def first_step(name: str = "alice", address: str = "127.0.0.1") -> Client:
    """Enter name and password with a new client."""
    client = Client(REMOTE_ADDR=address)
    assert try_to(client, name, f"{name}-password")["Location"] == CODE
    assert not is_signed_in(client)
    return client


def second_step(client: Client, code: str) -> Any:
    return client.post(CODE, {"code": code})


@pytest.fixture
def app(as_alice: Client) -> str:
    """The secret of Alice's authenticator app."""
    return set_up(as_alice)[0]


def test_password_alone_does_not_sign_in(app: str) -> None:
    client = first_step()
    answer = second_step(client, "000000")
    assert "not the right code" in answer.content.decode()
    assert not is_signed_in(client)
    assert second_step(client, code_for(app, 1)).status_code == 302
    assert is_signed_in(client)


def test_code_works_once(app: str) -> None:
    # Both at once: half a minute may end meanwhile.
    older, code = code_for(app), code_for(app, 1)
    assert second_step(first_step(), code).status_code == 302
    client = first_step()
    answer = second_step(client, code)
    assert "This code was used already. Wait for the next one." in answer.content.decode()
    assert not is_signed_in(client)
    answer = second_step(client, older)
    assert "A newer code was used already." in answer.content.decode()
    assert not is_signed_in(client), "an older code was accepted"


def test_who_lacks_the_code_is_not_told_of_its_use(app: str) -> None:
    code = code_for(app, 1)
    assert second_step(first_step(), code).status_code == 302
    wrong = f"{(int(code) + 1) % 10**6:06}"
    page = second_step(first_step(), wrong).content.decode()
    assert "not the right code" in page
    assert "used already" not in page


def test_used_codes_count_as_failures(app: str, settings: Settings) -> None:
    code = code_for(app, 1)
    assert second_step(first_step(), code).status_code == 302
    client = first_step()
    pages = [second_step(client, code).content.decode() for _ in range(30)]
    assert "used already" in pages[0]
    assert "used already" not in pages[-1]


def test_activation_code_cannot_be_reused(as_alice: Client) -> None:
    page = confirmed(as_alice).get("/account/authenticator").content.decode()
    secret = page.partition('data-plain="')[2].partition('"')[0]
    code = code_for(secret)
    assert as_alice.post("/account/authenticator", {"code": code}).status_code == 302
    client = first_step()
    answer = second_step(client, code)
    assert "This code was used already. Wait for the next one." in answer.content.decode()
    assert not is_signed_in(client)


def test_codes_work_while_redis_is_down(app: str, settings: Settings) -> None:
    settings.CACHES = {
        "default": settings.CACHES["default"] | {"LOCATION": "redis://127.0.0.1:9/0"}
    }
    client = first_step()
    assert second_step(client, code_for(app, 1)).status_code == 302
    assert is_signed_in(client)


def test_recovery_code_works_once(as_alice: Client) -> None:
    _, codes = set_up(as_alice)
    assert len(set(codes)) == 10
    client = first_step()
    assert second_step(client, codes[3]).status_code == 302
    assert is_signed_in(client)
    again = first_step()
    answer = second_step(again, codes[3])
    assert "This recovery code was used already." in answer.content.decode()
    assert not is_signed_in(again)
    assert "9 of 10 not used yet" in recovery_page(as_alice)
    assert "9 of 10 left" in as_alice.get("/account").content.decode()
    text = as_alice.get("/account/recovery-codes/download")
    assert text["Content-Disposition"].startswith("attachment")
    assert codes[3] not in text.content.decode()
    assert codes[4] in text.content.decode()


@pytest.mark.parametrize("typed", ["{} {}", "{}{}", "{}-{}"])
def test_recovery_code_works_with_and_without_the_space(typed: str, as_alice: Client) -> None:
    _, codes = set_up(as_alice)
    client = first_step()
    second_step(client, typed.format(*codes[0].split()))
    assert is_signed_in(client)


def test_app_code_is_not_required_without_an_app(alice: User, app: str) -> None:
    assert "authenticator app" in CodeForm(user=alice).fields["code"].help_text
    Authenticator.objects.filter(user=alice, type="totp").delete()
    code = CodeForm(user=alice).fields["code"]
    assert code.label == "Recovery code"
    assert "app" not in code.help_text


def test_new_passkey_is_named_after_the_device(as_alice: Client) -> None:
    set_up(as_alice)
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    page = as_alice.get("/account/passkeys/new", headers={"user-agent": agent}).content.decode()
    assert 'value="Firefox on Linux"' in page


def test_new_recovery_codes_replace_the_old_ones(as_alice: Client) -> None:
    _, codes = set_up(as_alice)
    as_alice.post("/account/recovery-codes/new")
    client = first_step()
    second_step(client, codes[0])
    assert not is_signed_in(client)


def test_code_guesses_are_throttled_like_passwords(app: str) -> None:
    for number in range(5):
        client = first_step(address=f"203.0.113.{number}")
        assert second_step(client, "000000").status_code == 200
    client = first_step(address="198.51.100.1")
    answer = second_step(client, code_for(app, 1))
    assert answer.status_code == 429
    assert answer["Retry-After"]
    assert "Too many failed attempts" in answer.content.decode()
    pass_time(seconds=31)
    assert second_step(client, code_for(app, 1)).status_code == 302


def test_password_success_does_not_clear_failed_codes(app: str) -> None:
    at_home = first_step()
    second_step(at_home, code_for(app, 1))
    assert is_signed_in(at_home)
    at_home.post("/accounts/logout")
    statuses = []
    for _ in range(6):
        assert try_to(at_home, "alice", "alice-password").status_code == 302
        statuses.append(second_step(at_home, "000000").status_code)
        at_home.post("/accounts/logout")
    assert statuses == [200] * 5 + [429]


def test_reauthentication_by_code_is_throttled(as_alice: Client, app: str) -> None:
    for _ in range(5):
        assert as_alice.post("/accounts/confirm/code", {"code": "000000"}).status_code == 200
    answer = as_alice.post("/accounts/confirm/code", {"code": code_for(app, 1)})
    assert answer.status_code == 429


@pytest.mark.parametrize(
    "page",
    [
        "authenticator",
        "authenticator/remove",
        "passkeys/new",
        "recovery-codes",
        "recovery-codes/new",
        "recovery-codes/download",
    ],
)
def test_changes_require_reauthentication(as_alice: Client, app: str, page: str) -> None:
    fresh = first_step()
    second_step(fresh, code_for(app, 1))
    redirects = fresh.get(f"/account/{page}", follow=True).redirect_chain
    assert redirects and redirects[-1][0].startswith("/accounts/confirm")


def test_app_is_removed_with_its_recovery_codes(as_alice: Client, app: str) -> None:
    assert as_alice.post("/account/authenticator/remove").status_code == 302
    assert not Authenticator.objects.exists()
    client = Client()
    try_to(client, "alice", "alice-password")
    assert is_signed_in(client)


def test_passkey_of_another_person_cannot_be_removed(as_alice: Client, bob: User) -> None:
    passkey = Authenticator.objects.create(user=bob, type="webauthn", data={"name": "Key"})
    confirmed(as_alice)
    assert as_alice.post(f"/account/passkeys/{passkey.pk}/remove").status_code == 404
    assert Authenticator.objects.exists()


def test_secrets_are_stored_encrypted(as_alice: Client) -> None:
    secret, codes = set_up(as_alice)
    stored = str(list(Authenticator.objects.values()))
    assert secret not in stored
    assert not any(code in stored for code in codes)
    sealed = [
        secrets.decrypt(value)
        for data in Authenticator.objects.values_list("data", flat=True)
        for value in data.values()
        if isinstance(value, str) and value.startswith(TOKEN_START)
    ]
    assert secret in sealed and len(sealed) == 2


def test_undecryptable_secret_is_explained(app: str, settings: Settings) -> None:
    client = first_step()
    settings.ENCRYPTION_KEY = "A" * 43 + "="
    answer = second_step(client, code_for(app, 1))
    assert "ENCRYPTION_KEY has changed" in html.unescape(answer.content.decode())


def test_sign_in_can_be_restarted_between_the_steps(app: str, bob: User) -> None:
    client = first_step()
    assert client.get("/accounts/login")["Location"] == CODE
    client.post("/accounts/logout")
    assert client.get("/accounts/login").status_code == 200
    assert try_to(client, "bob", "bob-password").status_code == 302
    assert is_signed_in(client)


def test_command_resets_the_second_factor(
    app: str, alice: User, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("reset_second_factor", "alice")
    assert "Removed 1 second factor of alice." in capsys.readouterr().out
    client = Client()
    try_to(client, "alice", "alice-password")
    assert is_signed_in(client)
    call_command("reset_second_factor", "alice")
    assert "alice has no second factor." in capsys.readouterr().out
    with pytest.raises(CommandError, match="There is no account zoe"):
        call_command("reset_second_factor", "zoe")


def test_removal_of_the_second_factor_completes_a_pending_sign_in(app: str, alice: User) -> None:
    client = first_step()
    call_command("reset_second_factor", "alice")
    answer = client.get("/accounts/login", follow=True)
    assert answer.status_code == 200
    assert is_signed_in(client)
    assert "account_login" not in client.session


def test_code_for_a_removed_factor_completes_the_sign_in(app: str) -> None:
    client = first_step()
    call_command("reset_second_factor", "alice")
    assert second_step(client, "000000")["Location"] == "/"
    assert is_signed_in(client)


def deactivate(alice: User, dana: User) -> None:
    accounts.deactivate(alice, by=dana)


def delete(alice: User, dana: User) -> None:
    accounts.delete(alice, by=dana)


def reset_password(alice: User, dana: User) -> None:
    accounts.set_password(accounts.make_password_link(alice, by=dana), "a-kettle-in-the-attic")


@pytest.mark.parametrize("meanwhile", [deactivate, delete, reset_password])
@pytest.mark.parametrize("and_no_factor", [False, True])
def test_invalidated_first_step_ends_the_sign_in(
    app: str, alice: User, dana: User, meanwhile: Callable[[User, User], None], and_no_factor: bool
) -> None:
    waiting, sending = first_step(), first_step()
    meanwhile(alice, dana)
    if and_no_factor:
        Authenticator.objects.all().delete()
    for answer in (
        waiting.get("/accounts/login", follow=True),
        sending.post(CODE, {"code": code_for(app, 1)}, follow=True),
    ):
        assert answer.redirect_chain[-1] == ("/accounts/login", 302)
        assert "this sign-in is no longer valid" in answer.content.decode()
    for client in (waiting, sending):
        assert not is_signed_in(client)
        assert client.get("/accounts/login").status_code == 200
    assert not UserSession.objects.filter(session_key=sending.session.session_key).exists()


@pytest.mark.parametrize(
    "name",
    [
        "account_signup",
        "account_email",
        "account_reset_password",
        "account_set_password",
        "account_change_password",
        "account_confirm_login_code",
        "account_request_login_code",
        "mfa_edit_webauthn",
        "mfa_signup_webauthn",
        "mfa_trust",
        "socialaccount_signup",
        "usersessions_list",
    ],
)
def test_unused_pages_do_not_exist(name: str) -> None:
    with pytest.raises(NoReverseMatch):
        reverse(name)


def test_every_page_uses_our_templates(as_alice: Client, app: str) -> None:
    """They use our layout and comply with the content security policy."""
    passkey = Authenticator.objects.create(
        user=User.objects.get(), type="webauthn", data={"name": "Key"}
    )
    fresh = first_step()
    pages = [(fresh, CODE), (Client(), "/accounts/login"), (Client(), "/accounts/inactive")]
    pages += [
        (as_alice, path)
        for path in (
            "/account",
            "/account/authenticator/remove",
            "/account/recovery-codes",
            "/account/recovery-codes/new",
            "/account/recovery-codes/download",
            f"/account/passkeys/{passkey.pk}/remove",
            "/accounts/confirm",
            "/accounts/confirm/code",
        )
    ]
    passkey_data = passkey.data
    for client, path in pages:
        if path in (CODE, "/account"):
            Authenticator.objects.filter(pk=passkey.pk).delete()  # It contains no real key.
        answer = client.get(path)
        Authenticator.objects.update_or_create(
            pk=passkey.pk, defaults={"user": passkey.user, "type": "webauthn", "data": passkey_data}
        )
        assert answer.status_code == 200, path
        (whole, *_) = answer.templates
        assert str(django_settings.BASE_DIR / "templates") in whole.origin.name, path
        page = answer.content.decode()
        assert not re.search(r"<script(?![^>]*(src|application/json))", page), path
        assert "style=" not in page, path
