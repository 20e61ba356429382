"""From a registration to a call, and to the end of the connection."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from instances.models import (
    AccessToken,
    ApiKey,
    AuthorizationCode,
    Group,
    Instance,
    Membership,
    OAuthClient,
    RefreshToken,
    User,
)
from instances.oauth.connections import delete_unused_clients
from memoryapp.models import Activity, Memory
from memoryapp.tasks import delete_expired_tokens
from tests.instances.oauth.conftest import HOME, OAuthProgram, answer_in, decide
from tests.instances.people import page, signed_in

pytestmark = pytest.mark.django_db


# The screen.


def test_screen_names_client_instance_and_permissions(
    oauth_program: OAuthProgram, alice: User, instance: Instance
) -> None:
    screen = page(signed_in(alice).get(oauth_program.address()))
    for text in ("Attic Assistant", instance.name, "127.0.0.1", "Search and read", "alice"):
        assert text in screen
    assert "Move memories to the bin" not in screen
    assert "form-action 'self' http://127.0.0.1:7777" in str(
        signed_in(alice).get(oauth_program.address())["Content-Security-Policy"]
    )


def test_screen_needs_login_and_comes_back(oauth_program: OAuthProgram, client: Any) -> None:
    response = client.get(oauth_program.address())
    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login?next=/oauth/authorize")


def test_cancel_tells_the_client(
    oauth_program: OAuthProgram, alice: User, instance: Instance
) -> None:
    answer = answer_in(decide(alice, oauth_program.address(), instance, ["read"], allow=""))
    assert (answer["error"], answer["state"]) == ("access_denied", "xyz")
    assert answer["iss"] == "http://testserver"
    assert not ApiKey.objects.exists()


def test_question_cannot_be_skipped(connected: OAuthProgram, alice: User) -> None:
    response = signed_in(alice).get(connected.address() + "&approval_prompt=auto")
    assert response.status_code == 200


def test_only_instances_of_the_person_are_offered(
    oauth_program: OAuthProgram, charlie: User, instance: Instance
) -> None:
    assert instance.name not in page(signed_in(charlie).get(oauth_program.address()))
    response = decide(charlie, oauth_program.address(), instance, ["read"])
    assert response.status_code == 200
    assert not ApiKey.objects.exists()


def test_viewer_cannot_allow_more_than_reading(
    oauth_program: OAuthProgram, vera: User, instance: Instance
) -> None:
    response = decide(vera, oauth_program.address(), instance, ["read", "write"])
    assert "You can only read" in page(response)
    assert answer_in(decide(vera, oauth_program.address(), instance, ["read"]))["code"]


def test_no_more_is_allowed_than_was_asked_for(
    oauth_program: OAuthProgram, alice: User, instance: Instance
) -> None:
    address = oauth_program.address(scope="read")
    assert decide(alice, address, instance, ["read", "delete"]).status_code == 200
    assert not ApiKey.objects.exists()


def test_unknown_scopes_are_left_out(
    oauth_program: OAuthProgram, alice: User, instance: Instance
) -> None:
    address = oauth_program.address(scope="openid read offline_access")
    answer = answer_in(decide(alice, address, instance, ["read"]))
    assert oauth_program.exchange(answer["code"]).json()["scope"] == "read"


def test_unknown_client_is_told_to_the_person(oauth_program: OAuthProgram, alice: User) -> None:
    response = signed_in(alice).get(oauth_program.address(client_id="nobody"))
    assert response.status_code == 400
    assert "Keepsake does not know this app" in page(response)


def test_foreign_return_address_is_not_followed(oauth_program: OAuthProgram, alice: User) -> None:
    response = signed_in(alice).get(oauth_program.address(redirect_uri="https://evil.example/x"))
    assert response.status_code == 400


@pytest.mark.parametrize("method", ["plain", ""])
def test_proof_key_is_required(
    oauth_program: OAuthProgram, alice: User, instance: Instance, method: str
) -> None:
    changes = {"code_challenge_method": method} | ({} if method else {"code_challenge": ""})
    address = oauth_program.address(**changes)
    response = signed_in(alice).get(address)
    if response.status_code == 200:
        response = decide(alice, address, instance, ["read"])
    assert answer_in(response)["error"] == "invalid_request"


@pytest.mark.parametrize(
    "resource",
    [
        "https://other.example/mcp",
        "http://testserver.evil.example/mcp",
        "http://testserver/accounts",
        "https://testserver/mcp",
    ],
)
def test_resource_of_another_server_is_refused(
    oauth_program: OAuthProgram, alice: User, resource: str
) -> None:
    response = signed_in(alice).get(oauth_program.address(resource=resource))
    answer = answer_in(response)
    assert (answer["error"], answer["state"]) == ("invalid_target", "xyz")
    assert answer["iss"] == "http://testserver"


def test_instance_is_chosen_once_and_kept(
    oauth_program: OAuthProgram, alice: User, instance: Instance
) -> None:
    chosen = f'value="{instance.slug}" selected'
    assert chosen not in page(signed_in(alice).get(oauth_program.address(scope="delete")))
    Instance.objects.create(slug="another", name="Another", private_to=alice)
    screen = page(signed_in(alice).get(oauth_program.address()))
    assert (
        "Choose an instance" in screen
        and "selected" not in screen.split("</select>")[0].split("Choose an instance")[1]
    )
    unanswered = decide(alice, oauth_program.address(), None, ["read"])
    assert "Choose the instance that it may use." in page(unanswered)

    answer = answer_in(decide(alice, oauth_program.address(), instance, ["read"]))
    oauth_program.exchange(answer["code"])
    assert chosen in page(signed_in(alice).get(oauth_program.address(scope="delete")))
    # Also after it was disconnected.
    signed_in(alice).post(f"/oauth/connections/{ApiKey.objects.get().pk}/end")
    assert chosen in page(signed_in(alice).get(oauth_program.address()))


def test_connection_that_opens_nothing_is_over(
    oauth_program: OAuthProgram, alice: User, instance: Instance
) -> None:
    address = oauth_program.address()
    decide(alice, address, instance, ["read"])
    keys = f"/instances/{instance.slug}/settings/keys"
    browser = signed_in(alice)
    assert all("Attic Assistant" in page(browser.get(path)) for path in ("/account", keys))
    AuthorizationCode.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert not any("Attic Assistant" in page(browser.get(path)) for path in ("/account", keys))
    delete_expired_tokens()
    assert ApiKey.objects.get().revoked_at is not None

    answer = answer_in(decide(alice, address, instance, ["read"]))
    oauth_program.exchange(answer["code"])
    first = oauth_program.tokens["refresh_token"]
    oauth_program.refresh()
    assert "Attic Assistant" in page(browser.get("/account"))
    let_grace_pass()
    # A token that is used twice ends all.
    oauth_program.refresh(first)
    assert "Attic Assistant" not in page(browser.get("/account"))


# Tokens.


def test_client_saves_and_finds_a_memory(connected: OAuthProgram, instance: Instance) -> None:
    response = connected.call("save_memory", content="The user plays the cello.")
    assert response.status_code == 200, response.content
    assert "stored" in response.json()["result"]["content"][0]["text"]
    assert Memory.objects.get(instance=instance).content == "The user plays the cello."
    found = connected.ask("POST", "/api/search", {"q": "Which instrument?"})
    assert found.status_code == 200, found.content
    assert "cello" in found.content.decode()


def test_person_says_whose_memories_an_app_is_told(
    oauth_program: OAuthProgram, alice: User, bob: User, instance: Instance
) -> None:
    address = oauth_program.address()
    decide(alice, address, instance, ["read"], end_user=" mara ", reach="own")
    key = ApiKey.objects.get()
    assert (key.end_user, key.reach) == ("mara", "own")
    # The screen begins with what holds.
    assert 'value="mara"' in page(signed_in(alice).get(address))
    account = page(signed_in(alice).get("/account"))
    assert "Is told what is kept for <bdi>mara</bdi>" in account
    change = f"/oauth/connections/{key.pk}/limit"
    Group.objects.create(instance=instance, name="Family", shared_id="family-2")
    Instance.objects.update(has_groups=True)
    signed_in(alice).post(change, {"end_user": "FAMILY", "reach": "all"})
    key.refresh_from_db()
    assert (key.end_user, key.reach) == ("family-2", "all")
    assert "Is told what <bdi>Family</bdi> may see" in page(signed_in(alice).get("/account"))
    assert signed_in(bob).post(change, {"end_user": ""}).status_code == 404
    signed_in(alice).post(change, {"end_user": "x" * 201})
    signed_in(alice).post(change, {"end_user": "jo", "reach": "shared"})
    key.refresh_from_db()
    assert key.end_user == "family-2"


def test_connection_and_its_end_are_recorded(
    connected: OAuthProgram, alice: User, instance: Instance
) -> None:
    key = ApiKey.objects.get(client__isnull=False)
    assert (key.name, key.scopes, key.created_by) == ("Attic Assistant", ["read", "write"], alice)
    browser = signed_in(alice)
    assert "Attic Assistant" in page(browser.get("/account"))
    browser.post(f"/oauth/connections/{key.pk}/end")
    assert connected.ask("GET", "/api/memories").status_code == 401
    assert connected.refresh().status_code == 400
    actions = list(Activity.objects.order_by("pk").values_list("action", flat=True))
    assert actions == ["connected", "disconnected"]


def test_manager_disconnects_where_keys_are(
    connected: OAuthProgram, alice: User, instance: Instance
) -> None:
    key = ApiKey.objects.get(client__isnull=False)
    browser = signed_in(alice)
    assert "Attic Assistant" in page(browser.get(f"/instances/{instance.slug}/settings/keys"))
    browser.post(f"/instances/{instance.slug}/keys/{key.pk}/revoke")
    assert connected.ask("GET", "/api/memories").status_code == 401


def test_nobody_ends_the_connections_of_others(connected: OAuthProgram, bob: User) -> None:
    key = ApiKey.objects.get(client__isnull=False)
    assert signed_in(bob).post(f"/oauth/connections/{key.pk}/end").status_code == 404


def test_token_counts_only_for_its_addresses(
    oauth_program: OAuthProgram, alice: User, instance: Instance
) -> None:
    answer = answer_in(decide(alice, oauth_program.address(), instance, ["read", "write"]))
    oauth_program.exchange(answer["code"])
    assert oauth_program.call("list_memories").status_code == 200
    refused = oauth_program.ask("GET", "/api/memories")
    assert refused.status_code == 401
    assert 'error="invalid_token"' in refused["WWW-Authenticate"]


def test_code_is_good_once_and_with_its_verifier(
    oauth_program: OAuthProgram, alice: User, instance: Instance
) -> None:
    answer = answer_in(decide(alice, oauth_program.address(), instance, ["read"]))
    assert answer["iss"] == "http://testserver"
    assert oauth_program.exchange(answer["code"], "another" * 10).status_code == 400
    answer = answer_in(decide(alice, oauth_program.address(), instance, ["read"]))
    assert oauth_program.exchange(answer["code"]).status_code == 200
    assert oauth_program.exchange(answer["code"]).status_code == 400


def test_refreshing_gives_new_tokens_and_using_an_old_one_ends_all(
    connected: OAuthProgram,
) -> None:
    first = connected.tokens
    assert connected.refresh().status_code == 200
    assert connected.tokens["access_token"] != first["access_token"]
    assert connected.ask("GET", "/api/memories").status_code == 200
    assert connected.ask("GET", "/api/memories", token=first["access_token"]).status_code == 401
    latest = connected.tokens
    let_grace_pass()
    assert connected.refresh(first["refresh_token"]).status_code == 400
    assert connected.refresh(latest["refresh_token"]).status_code == 400


def test_app_that_refreshes_twice_at_once_stays_connected(connected: OAuthProgram) -> None:
    first = connected.tokens["refresh_token"]
    assert connected.refresh().status_code == 200
    assert connected.refresh(first).json()["error"] == "invalid_grant"
    assert connected.ask("GET", "/api/memories").status_code == 200
    assert connected.refresh().status_code == 200


def test_second_exchange_of_a_code_ends_the_tokens_of_the_first(
    oauth_program: OAuthProgram, alice: User, instance: Instance
) -> None:
    address = oauth_program.address(resource="http://testserver/")
    code = answer_in(decide(alice, address, instance, ["read"]))["code"]
    assert oauth_program.exchange(code).status_code == 200
    assert oauth_program.refresh().status_code == 200
    assert oauth_program.ask("GET", "/api/memories").status_code == 200
    AuthorizationCode.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert oauth_program.exchange(code).json()["error"] == "invalid_grant"
    assert oauth_program.ask("GET", "/api/memories").status_code == 401
    assert oauth_program.refresh().status_code == 400


def let_grace_pass() -> None:
    """Let the first use of a refresh token be a minute ago."""
    used = RefreshToken.objects.exclude(revoked=None)
    used.update(revoked=timezone.now() - timedelta(minutes=1))


def test_expired_token_opens_nothing(connected: OAuthProgram) -> None:
    AccessToken.objects.update(expires=timezone.now() - timedelta(seconds=1))
    response = connected.ask("GET", "/api/memories")
    assert (response.status_code, response.json()["code"]) == (401, "unauthenticated")


def test_secrets_are_stored_as_digests(connected: OAuthProgram) -> None:
    rows = [*AccessToken.objects.values_list("token"), *RefreshToken.objects.values_list("token")]
    assert {row[0] for row in rows} == {""}


def test_client_that_revokes_its_token_is_disconnected(connected: OAuthProgram) -> None:
    fields = {"client_id": connected.client_id, "token": connected.tokens["refresh_token"]}
    assert connected.web.post("/oauth/revoke", fields).status_code == 200
    assert ApiKey.objects.get(client__isnull=False).revoked_at is not None
    assert not AccessToken.objects.filter(key__isnull=False).exists()


# What the person may not do, their client may not either.


def test_client_loses_what_its_person_loses(
    oauth_program: OAuthProgram, bob: User, instance: Instance
) -> None:
    address = oauth_program.address(resource="http://testserver")
    answer = answer_in(decide(bob, address, instance, ["read", "write"]))
    oauth_program.exchange(answer["code"])
    assert oauth_program.ask("GET", "/api/memories").status_code == 200

    Membership.objects.filter(user=bob).update(role="viewer")
    assert oauth_program.ask("GET", "/api/memories").status_code == 200
    body = {"content": "The user plays the cello."}
    refused = oauth_program.ask("POST", "/api/memories", body)
    assert (refused.status_code, refused.json()["code"]) == (403, "scope_required")

    Membership.objects.filter(user=bob).delete()
    assert oauth_program.ask("GET", "/api/memories").status_code == 401
    assert oauth_program.refresh().status_code == 400


def test_inactive_person_has_no_clients(connected: OAuthProgram, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert connected.ask("GET", "/api/memories").status_code == 401
    assert connected.refresh().status_code == 400


def test_more_is_asked_for_when_it_is_needed(
    connected: OAuthProgram, alice: User, instance: Instance
) -> None:
    listed = connected.ask("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert "forget_memory" in {tool["name"] for tool in listed.json()["result"]["tools"]}
    saved = connected.call("save_memory", content="The user plays the cello.")
    memory = saved.json()["result"]["structuredContent"]["id"]
    refused = connected.call("forget_memory", id=memory)
    assert refused.status_code == 403
    assert 'error="insufficient_scope", scope="read write delete"' in refused["WWW-Authenticate"]

    address = connected.address(scope="read write delete")
    answer = answer_in(decide(alice, address, instance, ["read", "write", "delete"]))
    connected.exchange(answer["code"])
    assert connected.call("forget_memory", id=memory).status_code == 200
    assert ApiKey.objects.filter(client__isnull=False).count() == 1


# Registration.


@pytest.mark.parametrize(
    "uri",
    [
        "http://evil.example/callback",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "https://good.example/#fragment",
        "https://good.example\\@evil.example/",
        "https://user@good.example/",
        "https://good.example;script-src/",
        "https://good'.example/",
        "https://good.example /",
        "https://good.example\t/",
        "https://exa／mple.example/",
        "https://[x]@good.example/",
        "https://good.example:99999/",
        "https://",
        "chrome://settings",
        "ms-msdt:/id",
        "vbscript:x",
        "intent://x",
        "com.example.app:",
        "com.example.app://a;b/",
        "com.example.app:/a\u0000",
    ],
)
def test_unsafe_return_addresses_are_refused(oauth_program: OAuthProgram, uri: str) -> None:
    response = oauth_program.register(redirect_uris=[uri])
    assert response.status_code == 400
    assert response.json()["error"].startswith("invalid_")


@pytest.mark.parametrize(
    "uri",
    [
        "https://claude.ai/api/mcp/auth_callback",
        "https://xn--bcher-kva.example:8443/a?b=c",
        "http://[::1]:7777/callback",
        "cursor://anysphere.cursor-mcp/oauth",
        "com.example.app:/oauth",
        "com.example.app://oauth/callback",
        HOME,
    ],
)
def test_usual_return_addresses_are_accepted(oauth_program: OAuthProgram, uri: str) -> None:
    assert oauth_program.register(redirect_uris=[uri]).status_code == 201


def test_program_may_listen_on_any_port(
    oauth_program: OAuthProgram, alice: User, instance: Instance
) -> None:
    address = oauth_program.address(redirect_uri="http://127.0.0.1:50123/callback")
    assert decide(alice, address, instance, ["read"])["Location"].startswith(
        "http://127.0.0.1:50123/callback?"
    )


def test_clients_that_nobody_connects_are_forgotten(
    connected: OAuthProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OAuthClient, "MAX_UNUSED", 2)
    names = [f"client {number}" for number in range(4)]
    for name in names:
        OAuthProgram(name=name).register()
    delete_unused_clients()
    # A person may just be connecting them.
    assert OAuthClient.objects.count() == 5
    hours = timedelta(hours=2)
    OAuthClient.objects.update(created=F("created") - hours)
    delete_unused_clients()
    kept = set(OAuthClient.objects.values_list("name", flat=True))
    assert kept == {"Attic Assistant", "client 2", "client 3"}


def test_registrations_of_one_address_are_limited(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OAuthClient, "MAX_OF_NETWORK", 2)
    assert [OAuthProgram().register().status_code for _ in range(2)] == [201, 201]
    refused = OAuthProgram().register()
    assert (refused.status_code, refused["Retry-After"]) == (429, "3600")
    other = OAuthProgram()
    other.web = Client(REMOTE_ADDR="198.51.100.7")
    assert other.register().status_code == 201
    OAuthClient.objects.update(created=timezone.now() - timedelta(hours=2))
    assert OAuthProgram().register().status_code == 201


def test_token_of_a_registration_opens_nothing(oauth_program: OAuthProgram) -> None:
    token = oauth_program.register().json()["registration_access_token"]
    assert oauth_program.ask("GET", "/api/memories", token=token).status_code == 401


def test_key_of_a_connection_is_no_api_key(connected: OAuthProgram) -> None:
    key = ApiKey.objects.get(client__isnull=False)
    assert key.prefix.startswith("oc_")
    secret = "oc_" + "x" * 40
    ApiKey.objects.filter(pk=key.pk).update(digest=ApiKey.digest_of(secret))
    assert connected.ask("GET", "/api/memories", token=secret).status_code == 401


def test_codes_are_deleted(connected: OAuthProgram) -> None:
    AuthorizationCode.objects.update(expires=timezone.now() - timedelta(days=1))
    delete_expired_tokens()
    assert not AuthorizationCode.objects.exists()


@pytest.mark.parametrize(
    "metadata",
    [
        {"grant_types": ["client_credentials"]},
        {"grant_types": ["authorization_code", "client_credentials"]},
        {"grant_types": ["refresh_token"]},
        {"grant_types": {}},
        {"client_name": "a\u0000b"},
        {"client_name": "a\ud800b"},
        {"client_name": ["a"]},
        {"redirect_uris": "https://good.example/"},
        {"redirect_uris": [["https://good.example/"]]},
        {"token_endpoint_auth_method": {}},
    ],
)
def test_other_descriptions_are_refused(
    oauth_program: OAuthProgram, metadata: dict[str, Any]
) -> None:
    response = oauth_program.register(**metadata)
    assert response.status_code == 400
    assert response.json()["error"] == "invalid_client_metadata"
    assert OAuthClient.objects.count() == 1


@pytest.mark.parametrize(
    "grant_type",
    ["client_credentials", "password", "urn:ietf:params:oauth:grant-type:device_code", "x\0", ""],
)
def test_only_grants_that_exist_give_tokens(oauth_program: OAuthProgram, grant_type: str) -> None:
    fields = {"grant_type": grant_type, "client_id": oauth_program.client_id}
    response = oauth_program.web.post("/oauth/token", fields)
    assert response.status_code == 400
    assert response.json()["error"] == "unsupported_grant_type"


def test_strangers_are_not_led_to_addresses_of_apps(oauth_program: OAuthProgram) -> None:
    response = oauth_program.web.get(oauth_program.address() + "&prompt=none")
    assert response.status_code == 400
    assert "Location" not in response
    assert "login_required" in page(response)


def test_registration_must_be_json(oauth_program: OAuthProgram) -> None:
    response = oauth_program.web.post("/oauth/register", "{", "application/json")
    assert response.status_code == 400
    assert json.loads(response.content)["error"] == "invalid_client_metadata"


def test_expired_tokens_are_deleted(connected: OAuthProgram) -> None:
    long_ago = timezone.now() - timedelta(days=61)
    AccessToken.objects.update(expires=long_ago)
    RefreshToken.objects.update(created=long_ago)
    delete_expired_tokens()
    assert not RefreshToken.objects.exists()
    delete_expired_tokens()
    assert not AccessToken.objects.filter(key__isnull=False).exists()
