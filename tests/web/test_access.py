"""Access control of every URL. The URLs come from the URL configuration, so a new one fails a test
until the table in `access_table` says how it is protected.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import resolve, reverse

from instances.models import Instance, Membership, User
from memoryapp.models import Memory
from tests.api.conftest import key_of
from tests.web.access_instances import SECRETS, secluded, shared
from tests.web.access_table import (
    ADMIN_ROWS,
    ALLOWED,
    API_METHODS,
    API_WITHOUT_INSTANCE,
    CLOSED,
    FOR_APPS,
    FOR_KEYS,
    GUARDED,
    KEYED,
    METHODS,
    OF_ANTHROPIC,
    OF_INSTANCE,
    OPEN,
    SERVER,
    WITH_A_KEY,
    WITH_A_TOKEN,
    WITHOUT_INSTANCE,
    Address,
    addresses,
    ask,
    methods_of,
    url_of,
)

__all__ = ["secluded", "shared"]


def signed_in(user: User) -> Client:
    client = Client(raise_request_exception=True)
    client.force_login(user)
    return client


def sign_in(client: Client, user: User) -> None:
    """Sign *user* in unless the session still exists: signing out is one of the requests, and is
    rolled back like the rest.
    """
    cookie = client.cookies.get(settings.SESSION_COOKIE_NAME)
    if not cookie or not Session.objects.filter(pk=cookie.value).exists():
        client.force_login(user)


def statuses(
    user: User,
    parts: Mapping[str, Any],
    among: Collection[str] = GUARDED,
    *,
    told: bool = True,
) -> dict[tuple[str, str], int]:
    """Return the status that *user* gets for each protected URL and method; unless they may be
    *told* of the instance, check that no response does.
    """
    client = signed_in(user)
    results = {}
    for address in addresses():
        if address.name in among:
            for method in methods_of(address):
                response = ask(client, address, method, parts)
                assert_not_cached(response, address, method)
                results[address.name, method] = response.status_code
                if not told:
                    asked = said_by(address, parts)
                    leaked = [word for word in leaks(response) if word.casefold() not in asked]
                    assert not leaked, f"{method} {address.route} says {leaked}"
    return results


def said_by(address: Address, parts: Mapping[str, Any]) -> str:
    """Return the words of the requests to a protected URL, which a response may repeat."""
    body = str(GUARDED[address.name].body).replace("{instance}", parts["instance"])
    return f"{url_of(address, parts)} {body}".casefold()


def assert_not_cached(response: Any, address: Address, method: str) -> None:
    """Check that caches may not store a response to a user or key."""
    directives = set(response["Cache-Control"].split(", "))
    assert directives >= {"private", "no-store"}, f"{method} {address.name}"


def answers_of(results: Mapping[tuple[str, str], int], name: str) -> set[int]:
    """Return the statuses of one URL, except for unsupported methods."""
    return {status for (at, _), status in results.items() if at == name} - {405}


def not_refused(
    allowed: Mapping[tuple[str, str], int], results: Mapping[tuple[str, str], int]
) -> dict[tuple[str, str], int]:
    """Return those of *results* that are not 404, or not 405 if the method is not supported."""
    return {
        key: status
        for key, status in results.items()
        if status != (405 if allowed[key] == 405 else 404)
    }


def leaks(response: Any) -> list[str]:
    """Return the secret words that occur in the body or headers of a response."""
    text = response.content.decode() + str(response.headers)
    return [word for word in SECRETS if word.casefold() in text.casefold()]


def test_responses_are_not_cacheable(alice: User, shared: dict[str, Any]) -> None:
    """Public URLs; `statuses` checks the rest."""
    Authenticator.objects.all().delete()  # An authenticator with only a name cannot confirm.
    secret = key_of(Instance.objects.get())[1].secret
    keyed = Client(headers={"Authorization": f"Bearer {secret}"})
    person = Client()
    for address in addresses():
        for method in methods_of(address):
            if address.name not in GUARDED:
                sign_in(person, alice)
                assert_not_cached(ask(person, address, method, shared), address, method)
            assert_not_cached(ask(keyed, address, method, shared), address, method)


def test_every_url_is_in_the_table() -> None:
    known = GUARDED.keys() | WITHOUT_INSTANCE | KEYED.keys() | SERVER.keys() | WITH_A_TOKEN
    known |= FOR_APPS.keys() | ADMIN_ROWS
    results = {address.name for address in addresses()}
    assert results == known, "Add the new URL to access_table.py."


def test_pages_of_an_instance_open_at_addresses_that_do_not_name_it(
    alice: User, shared: dict[str, Any]
) -> None:
    """People type addresses; the rail says whose memory is shown."""
    client = signed_in(alice)
    opened, lost = 0, {}
    for address in addresses():
        query = GUARDED[address.name].query if address.name in GUARDED else {}
        if dict(query) != OF_INSTANCE or address.parameters:
            continue
        response = ask(client, address, "GET", shared)
        if response.status_code == 200 and "<html" in response.content.decode():
            opened += 1
            bare = client.get(reverse(address.name), follow=True)
            if bare.status_code != 200:
                lost[address.name] = bare.status_code
    assert opened
    assert lost == {}


def test_each_url_opens_for_a_manager_and_not_for_an_outsider(
    alice: User, charlie: User, shared: dict[str, Any]
) -> None:
    results = statuses(alice, shared)
    for name in GUARDED:
        answers = answers_of(results, name)
        assert answers and answers <= ALLOWED, f"{name}: {answers}"
    assert not_refused(results, statuses(charlie, shared, told=False)) == {}


def test_private_instance_is_closed_to_outsiders_and_superadmins(
    alice: User, charlie: User, dana: User, secluded: dict[str, Any]
) -> None:
    results = statuses(alice, secluded)
    for other in (charlie, dana):
        refused = statuses(other, secluded, told=False)
        assert not_refused(results, refused) == {}, other.username


def test_member_is_refused_what_is_for_managers(bob: User, shared: dict[str, Any]) -> None:
    results = statuses(bob, shared)
    for name, guarded in GUARDED.items():
        answers = answers_of(results, name)
        if guarded.own:
            assert answers == {404}, name
        elif guarded.manage:
            assert answers == {403}, name
        else:
            assert answers and answers <= ALLOWED, f"{name}: {answers}"


def test_viewer_reads_and_changes_nothing(vera: User, shared: dict[str, Any]) -> None:
    """No unsafe method of any URL accepts a viewer, unless the table gives a reason."""
    for (name, method), status in statuses(vera, shared).items():
        guarded = GUARDED[name]
        if status == 405:
            continue
        if guarded.own:
            expected = {404}
        elif guarded.manage:
            expected = {403}
        elif (method == "GET" and not guarded.member) or guarded.viewer_may:
            expected = ALLOWED
        else:
            expected = {403}
        assert status in expected, f"{method} {name}: {status}"


def test_no_viewer_exports_anything() -> None:
    """Exports are not for viewers; the test above tries the addresses that are so marked."""
    for name, guarded in GUARDED.items():
        # mem0's addresses take no session: no person exports there.
        if "export" in name and not name.startswith("mem0:"):
            assert guarded.member or guarded.manage, name


#: The parts of an error in the format of OpenAI.
OPENAI_ERROR = {"message", "type", "param", "code"}
#: Forms for viewers: their own filters, theme, signing out, answers to invitations.
OFFERED_TO_VIEWERS = {"filters", "filter_rename", "filter_delete", "memory_rows", "logout"}


def test_pages_offer_a_viewer_only_permitted_actions(vera: User, shared: dict[str, Any]) -> None:
    """Pages contain neither forms that would be rejected, nor links to them."""
    client = signed_in(vera)
    refused = {name for name, each in GUARDED.items() if each.member or each.manage}
    for address in addresses():
        if address.name not in GUARDED or address.name.startswith("api:"):
            continue
        url = url_of(address, shared)
        response = client.get(url)
        page = "" if response.streaming else response.content.decode()
        if 'id="main"' not in page:
            continue
        for path in re.findall(
            r'(?:method="post"[^>]* action|formaction|hx-post)="(/[^"?]*)', page
        ):
            name = resolve(path).url_name
            assert name in OFFERED_TO_VIEWERS, f"{url} offers {name}"
        for path in re.findall(r'(?:href|hx-get)="(/[^"?#]*)', page):
            if not path.startswith("/static/"):
                assert resolve(path).url_name not in refused, f"{url} links to {path}"


def test_viewer_is_referred_to_a_manager(vera: User, shared: dict[str, Any]) -> None:
    client = signed_in(vera)
    whom = "You need to be a member. Ask a manager to make you one."
    refused = client.post(reverse("memory_edit", args=[shared["memory"]]))
    assert refused.status_code == 403
    assert whom in refused.content.decode()
    url = f"/api/memories/{shared['memory']}"
    answer = client.patch(url, {"content": "No."}, content_type="application/json")
    assert answer.status_code == 403
    assert answer.json()["code"] == "role_required"
    assert whom in answer.json()["detail"]
    assert Memory.objects.get(pk=shared["memory"]).content == "The user lives in Zanzibar."


@pytest.mark.parametrize("name", ["vera", "bob"])
def test_pages_for_managers_name_the_role(
    name: str, vera: User, bob: User, shared: dict[str, Any]
) -> None:
    """Whether they are opened or posted to, in the frame of the instance."""
    client = signed_in({"vera": vera, "bob": bob}[name])
    whom = "You need to be a manager. Ask a manager to make you one."
    for address in addresses():
        guarded = GUARDED.get(address.name)
        if guarded and guarded.manage:
            for method in methods_of(address):
                response = ask(client, address, method, shared)
                if response.status_code != 405:
                    assert whom in response.content.decode(), f"{method} {address.route}"


def test_superadmin_manages_shared_instances(dana: User, shared: dict[str, Any]) -> None:
    results = statuses(dana, shared)
    own = {name for name, guarded in GUARDED.items() if guarded.own}
    assert {name for (name, _), status in results.items() if status == 404} == own


def test_server_screens_are_for_superadmins(
    alice: User, charlie: User, dana: User, shared: dict[str, Any]
) -> None:
    """Neither for who manages an instance, nor for who is in none."""
    allowed = statuses(dana, shared, among=SERVER)
    assert set(allowed.values()) <= ALLOWED | {405}, allowed
    for other in (alice, charlie):
        refused = statuses(other, shared, among=SERVER)
        assert not_refused(allowed, refused) == {}, other.username


@pytest.mark.parametrize("owned", ["shared", "secluded"])
def test_no_page_reveals_an_instance_to_an_outsider(
    owned: str, charlie: User, request: pytest.FixtureRequest
) -> None:
    assert_nothing_leaked(charlie, request.getfixturevalue(owned))


def test_no_page_reveals_a_private_instance_to_a_superadmin(
    alice: User, dana: User, secluded: dict[str, Any]
) -> None:
    """Includes the pages about Alice, and the preview of her deletion."""
    assert signed_in(dana).get(f"/server/people/{alice.pk}/delete").status_code == 200
    assert_nothing_leaked(dana, secluded)


def assert_nothing_leaked(user: User, parts: dict[str, Any]) -> None:
    """Check every page that is of no instance; `statuses` checks the others."""
    client = Client()
    for address in addresses():
        if address.name in GUARDED:
            continue
        for method in methods_of(address):
            sign_in(client, user)
            response = ask(client, address, method, parts | {"instance": "elsewhere"})
            assert not leaks(response), f"{method} {address.route} says {leaks(response)}"
    for name in ("memories", "palace", "profile", "conversations", "chat"):
        choice = client.get(reverse(name))
        assert choice.status_code == 200
        assert not leaks(choice)


def test_404_does_not_reveal_existence(charlie: User, shared: dict[str, Any]) -> None:
    client = signed_in(charlie)

    def page(url: str) -> str:
        response = client.get(url)
        assert response.status_code == 404
        return re.sub(
            r'(X-CSRFToken": |csrfmiddlewaretoken" value=)"\w+"', "", response.content.decode()
        )

    nowhere = page("/nowhere-at-all")
    assert "There is nothing here" in nowhere
    assert page(reverse("memory", args=[shared["memory"]])) == nowhere
    assert page(reverse("memory", args=[2**70])) == nowhere
    assert page(reverse("memories") + "?instance=heliotrope") == nowhere
    assert page(reverse("instance_settings", args=["heliotrope"])) == nowhere


@pytest.mark.parametrize("method", API_METHODS)
def test_anonymous_visitor_is_redirected_to_the_login_page(
    method: str, shared: dict[str, Any]
) -> None:
    for address in addresses():
        if method not in methods_of(address):
            continue
        response = ask(Client(), address, method, shared)
        assert not leaks(response) or response.status_code == 302, address.name
        if address.name in OPEN:
            assert response.status_code in (200, 405), address.name
        elif address.name in CLOSED | WITH_A_TOKEN:
            assert response.status_code in (404, 405), address.name
        elif address.name in ("logout", "account_logout") and method == "GET":
            assert response.status_code == 405
        elif address.name in FOR_KEYS:
            assert response.status_code in (401, 405), address.name
            ours = {"type", "message"} if address.name in OF_ANTHROPIC else OPENAI_ERROR
            assert response.json()["error"].keys() == ours
        elif address.name == "v1_nowhere":
            assert response.status_code == 404
            assert response.json()["error"]["code"] == "not_found"
        elif address.name in FOR_APPS:
            assert response.status_code in (200, 400, 401, 404, 405), address.name
        elif address.name in KEYED:
            # 404: an endpoint of mem0 that Keepsake does not support.
            assert response.status_code in (401, 404, 405), address.name
            assert response.json().keys() == {"detail", "code"}, address.name
        elif address.name in WITH_A_KEY or (
            address.name.startswith("api:")
            and (address.name in GUARDED or address.name in API_WITHOUT_INSTANCE)
        ):
            assert response.status_code in (401, 405), address.name
            ours = (
                {"type", "title", "status", "request_id"}
                if address.name.startswith("api:")
                else set()
            )
            assert response.json().keys() == {"detail", "code"} | ours
        elif address.name in ("api:nowhere", "api:api-root"):
            assert response.status_code == 404
            assert response.json()["code"] == "not_found"
        else:
            assert response.status_code == 302, address.name
            assert response["Location"].startswith(reverse("login"))


@pytest.mark.parametrize("method", METHODS)
def test_key_endpoints_ignore_a_session(method: str, alice: User, shared: dict[str, Any]) -> None:
    client = signed_in(alice)
    for address in addresses():
        if address.name in KEYED:
            response = ask(client, address, method, shared)
            assert response.status_code in (401, 404, 405), address.name
            assert not leaks(response)


def test_sign_in_returns_to_the_requested_page(
    client: Client, alice: User, instance: Instance
) -> None:
    wanted = f"{reverse('memories')}?instance={instance.slug}"
    login = client.get(wanted)["Location"]
    form = {"login": "alice", "password": "alice-password", "next": wanted}
    assert client.post(login, form)["Location"] == wanted


def test_single_instance_is_selected_automatically(
    as_alice: Client, alice: User, instance: Instance
) -> None:
    desk = f"{reverse('memories')}?instance=desk"
    assert as_alice.get("/", follow=True).redirect_chain[-1][0] == desk
    assert as_alice.get("/memory/removed/bin?q=boat&page=2")["Location"] == (
        "/memory/removed/bin?q=boat&page=2&instance=desk"
    )
    for name in ("palace", "graph", "profile", "health", "activity", "conversations", "chat"):
        assert as_alice.get(reverse(name))["Location"] == f"{reverse(name)}?instance=desk"
    Instance.objects.create(slug="diary", name="Diary", private_to=alice)
    del as_alice.cookies["instance"]  # Of two, the one that was open last would be selected.
    asked = as_alice.get("/", follow=True)
    assert asked.redirect_chain[-1][0] == reverse("memories")
    assert "Whose memory?" in asked.content.decode()


def test_removed_member_loses_access_at_once(bob: User, shared: dict[str, Any]) -> None:
    client = signed_in(bob)
    url = reverse("memory", args=[shared["memory"]])
    assert client.get(url).status_code == 200
    Membership.objects.filter(user=bob).delete()
    assert client.get(url).status_code == 404


def test_membership_does_not_open_a_private_instance(
    charlie: User, secluded: dict[str, Any]
) -> None:
    """For example, a member from before the instance became private."""
    instance = Instance.objects.get(slug=secluded["instance"])
    Membership.objects.create(instance=instance, user=charlie, role="manager")
    assert not Instance.objects.visible_to(charlie).exists()
    assert not Instance.objects.managed_by(charlie).exists()
    assert signed_in(charlie).get(f"/memory/{secluded['memory']}").status_code == 404


def test_several_memberships_show_an_instance_once(instance: Instance, alice: User) -> None:
    for number in range(3):
        member = User.objects.create(username=f"member-{number}")
        Membership.objects.create(instance=instance, user=member, role="manager")
    assert list(Instance.objects.visible_to(alice)) == [instance]
    assert list(Instance.objects.managed_by(alice)) == [instance]
    assert Memory.objects.filter(instance__in=Instance.objects.visible_to(alice)).count() == 0
