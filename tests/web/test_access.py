"""Who may open what. The addresses come from the URL map, so that a new one cannot be forgotten:
one that the table below does not know fails a test until somebody has said how it is guarded.
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
from tests.web.access_instances import SECRETS, furnished
from tests.web.access_table import (
    ALLOWED,
    API_METHODS,
    API_OF_NOBODY,
    CLOSED,
    FOR_KEYS,
    GUARDED,
    KEYED,
    METHODS,
    OF_NOBODY,
    OPEN,
    SERVER,
    WITH_A_KEY,
    WITH_A_TOKEN,
    Address,
    addresses,
    ask,
    methods_of,
    url_of,
)


@pytest.fixture
def shared(instance: Instance, alice: User) -> dict[str, Any]:
    """What addresses of a shared instance of alice's are made of."""
    instance.slug, instance.name = "heliotrope", "Heliotrope"
    instance.save()
    return furnished(instance, alice)


@pytest.fixture
def secluded(private: Instance, alice: User) -> dict[str, Any]:
    """What addresses of alice's private instance are made of."""
    private.slug, private.name = "heliotrope", "Heliotrope"
    private.save()
    return furnished(private, alice)


def signed_in(user: User) -> Client:
    client = Client(raise_request_exception=True)
    client.force_login(user)
    return client


def sign_in(client: Client, user: User) -> None:
    """Sign *user* in, unless the session is there still: signing out is among the addresses, and
    what happens to a session is undone with the rest.
    """
    cookie = client.cookies.get(settings.SESSION_COOKIE_NAME)
    if not cookie or not Session.objects.filter(pk=cookie.value).exists():
        client.force_login(user)


def statuses(
    user: User, parts: Mapping[str, Any], among: Collection[str] = GUARDED
) -> dict[tuple[str, str], int]:
    """What *user* gets at each guarded address, by each method."""
    client = signed_in(user)
    found = {}
    for address in addresses():
        if address.name in among:
            for method in methods_of(address):
                response = ask(client, address, method, parts)
                assert_not_cached(response, address, method)
                found[address.name, method] = response.status_code
    return found


def assert_not_cached(response: Any, address: Address, method: str) -> None:
    """See that no cache may store what a person or a key is answered."""
    directives = set(response["Cache-Control"].split(", "))
    assert directives >= {"private", "no-store"}, f"{method} {address.name}"


def answers_of(found: Mapping[tuple[str, str], int], name: str) -> set[int]:
    """The statuses at one address, but for the methods that it does not take."""
    return {status for (at, _), status in found.items() if at == name} - {405}


def not_refused(
    allowed: Mapping[tuple[str, str], int], found: Mapping[tuple[str, str], int]
) -> dict[tuple[str, str], int]:
    """Which of the answers *found* are not 404, or 405 where nobody is *allowed* the method."""
    return {
        key: status
        for key, status in found.items()
        if status != (405 if allowed[key] == 405 else 404)
    }


def told(response: Any) -> list[str]:
    """Which of the secret words a response gives away, in its page or its headers."""
    text = response.content.decode() + str(response.headers)
    return [word for word in SECRETS if word.casefold() in text.casefold()]


def test_responses_are_not_cacheable(alice: User, shared: dict[str, Any]) -> None:
    """Where nothing is guarded; `statuses` looks at the rest."""
    Authenticator.objects.all().delete()  # A name alone is no passkey to confirm with.
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
    known = GUARDED.keys() | OF_NOBODY | KEYED.keys() | SERVER.keys() | WITH_A_TOKEN
    found = {address.name for address in addresses()}
    assert found == known, "Say in this module how a new address is guarded."


def test_each_url_opens_for_a_manager_and_not_for_an_outsider(
    alice: User, charlie: User, shared: dict[str, Any]
) -> None:
    found = statuses(alice, shared)
    for name in GUARDED:
        answers = answers_of(found, name)
        assert answers and answers <= ALLOWED, f"{name}: {answers}"
    assert not_refused(found, statuses(charlie, shared)) == {}


def test_private_instance_is_closed_to_outsiders_and_superadmins(
    alice: User, charlie: User, dana: User, secluded: dict[str, Any]
) -> None:
    found = statuses(alice, secluded)
    for other in (charlie, dana):
        assert not_refused(found, statuses(other, secluded)) == {}, other.username


def test_member_gets_404_for_settings(bob: User, shared: dict[str, Any]) -> None:
    found = statuses(bob, shared)
    for name, guarded in GUARDED.items():
        answers = answers_of(found, name)
        if guarded.manage or guarded.own:
            assert answers == {404}, name
        else:
            assert answers and answers <= ALLOWED, f"{name}: {answers}"


def test_viewer_reads_and_changes_nothing(vera: User, shared: dict[str, Any]) -> None:
    """Each address by each method: one that is not safe lets no viewer through, unless the table
    says why.
    """
    for (name, method), status in statuses(vera, shared).items():
        guarded = GUARDED[name]
        if status == 405:
            continue
        if guarded.manage or guarded.own:
            expected = {404}
        elif (method == "GET" and not guarded.member) or guarded.viewer_may:
            expected = ALLOWED
        else:
            expected = {403}
        assert status in expected, f"{method} {name}: {status}"


#: What viewers may send: their own filters, a theme, signing out, answers to invitations.
OFFERED_TO_VIEWERS = {"filters", "filter_rename", "filter_delete", "logout"}


def test_pages_offer_a_viewer_only_permitted_actions(vera: User, shared: dict[str, Any]) -> None:
    """Neither a button that would be refused, nor a link to one."""
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
    whom = "Ask a manager to make you a member to change it."
    refused = client.post(reverse("memory_edit", args=[shared["memory"]]))
    assert refused.status_code == 403
    assert whom in refused.content.decode()
    url = f"/api/memories/{shared['memory']}"
    answer = client.patch(url, {"content": "No."}, content_type="application/json")
    assert answer.status_code == 403
    assert answer.json()["code"] == "role_required"
    assert whom in answer.json()["detail"]
    assert Memory.objects.get(pk=shared["memory"]).content == "The user lives in Zanzibar."


def test_superadmin_manages_shared_instances(dana: User, shared: dict[str, Any]) -> None:
    found = statuses(dana, shared)
    own = {name for name, guarded in GUARDED.items() if guarded.own}
    assert {name for (name, _), status in found.items() if status == 404} == own


def test_server_screens_are_for_superadmins(
    alice: User, bob: User, charlie: User, vera: User, dana: User, shared: dict[str, Any]
) -> None:
    allowed = statuses(dana, shared, among=SERVER)
    assert set(allowed.values()) <= ALLOWED | {405}, allowed
    for other in (alice, bob, charlie, vera):
        refused = statuses(other, shared, among=SERVER)
        assert not_refused(allowed, refused) == {}, other.username


@pytest.mark.parametrize("owned", ["shared", "secluded"])
def test_no_page_reveals_an_instance_to_an_outsider(
    owned: str, charlie: User, request: pytest.FixtureRequest
) -> None:
    assert_nothing_told(charlie, request.getfixturevalue(owned))


def test_no_page_reveals_a_private_instance_to_a_superadmin(
    alice: User, dana: User, secluded: dict[str, Any]
) -> None:
    """Those about alice included, and what deleting her would delete."""
    assert signed_in(dana).get(f"/server/people/{alice.pk}/delete").status_code == 200
    assert_nothing_told(dana, secluded)


def assert_nothing_told(user: User, parts: dict[str, Any]) -> None:
    """Look through every page that is of nobody, and through the others as if of nobody."""
    client = Client()
    for address in addresses():
        if "slug" in address.parameters:
            continue  # The answer repeats what was asked for: a 404, as shown above.
        for method in methods_of(address):
            sign_in(client, user)
            response = ask(client, address, method, parts | {"instance": "elsewhere"})
            assert not told(response), f"{method} {address.route} says {told(response)}"
    for name in ("memories", "palace", "profile", "conversations", "chat"):
        choice = client.get(reverse(name))
        assert choice.status_code == 200
        assert not told(choice)


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
        assert not told(response) or response.status_code == 302, address.name
        if address.name in OPEN:
            assert response.status_code in (200, 405), address.name
        elif address.name in CLOSED | WITH_A_TOKEN:
            assert response.status_code in (404, 405), address.name
        elif address.name in ("logout", "account_logout") and method == "GET":
            assert response.status_code == 405
        elif address.name in FOR_KEYS:
            assert response.status_code in (401, 405), address.name
            assert response.json()["error"].keys() == {"message", "type", "param", "code"}
        elif address.name == "v1_nowhere":
            assert response.status_code == 404
            assert response.json()["error"]["code"] == "not_found"
        elif address.name in KEYED:
            # 404: mem0 has something there, and Keepsake has not.
            assert response.status_code in (401, 404, 405), address.name
            assert response.json().keys() == {"detail", "code"}
        elif address.name in WITH_A_KEY or (
            address.name.startswith("api:")
            and (address.name in GUARDED or address.name in API_OF_NOBODY)
        ):
            assert response.status_code in (401, 405), address.name
            assert response.json().keys() == {"detail", "code"}
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
            assert not told(response)


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
    assert as_alice.get("/memory/recall?q=boat&page=2")["Location"] == (
        "/memory/recall?q=boat&page=2&instance=desk"
    )
    for name in ("palace", "graph", "profile", "health", "activity", "conversations", "chat"):
        assert as_alice.get(reverse(name))["Location"] == f"{reverse(name)}?instance=desk"
    Instance.objects.create(slug="diary", name="Diary", private_to=alice)
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
    """Whoever was a member before it became private, say."""
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
