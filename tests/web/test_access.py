"""Who may open what. The addresses come from the URL map, so that a new one cannot be forgotten:
one that the table below does not know fails a test until somebody has said how it is guarded.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve, reverse
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation, ConversationOrigin, Import
from instances.actor import Actor
from instances.models import (
    Agent,
    AllowedAddress,
    ApiKey,
    Instance,
    Membership,
    MembershipInvitation,
    User,
)
from memoryapp.graph import NamedEntity, StatementIn, ingest
from memoryapp.models import Answer, EmbeddingJob, Memory, Origin, Relation, Run, SavedFilter
from memoryapp.pipeline import Candidate, Changes, Writer, remember, revise
from memoryapp.policy.minhash import SIZE
from tests.api.conftest import key_of
from tests.palace_factories import file_note, file_turn

METHODS = ("GET", "POST")
#: The API has more.
API_METHODS = (*METHODS, "PATCH", "DELETE")


@dataclass(frozen=True)
class Guarded:
    """How to open an address of an instance, from its parts by name; see `parts_of`."""

    #: URL parameter to part.
    parameters: Mapping[str, str] = field(default_factory=dict)
    #: Query parameter to part.
    query: Mapping[str, str] = field(default_factory=dict)
    #: What to post, in which ``{instance}`` stands for the slug. JSON if it is the API's.
    body: Mapping[str, Any] = field(default_factory=dict)
    #: For those only who may change settings.
    manage: bool = False
    #: For the one person only who made it.
    own: bool = False
    #: For members even when it only reads: a form that a viewer cannot send, or an export.
    member: bool = False
    #: Why a viewer may use a method that is not safe here.
    viewer_may: str = ""


OF_INSTANCE = {"instance": "instance"}
IN_API = {"instanceId": "instance"}
OF_CONVERSATION = {"conversation_id": "conversation"}
SETTINGS = {"slug": "instance"}
#: Why a viewer may post.
BOOKMARK = "a filter is the person's own, and no memory changes"
ASKS = "a question or a listing, in a body because it is long"
TURN = {"messages": [{"role": "user", "content": "Hello."}]}
#: One address of the API has several names: one for each method that it takes.
MEMORIES = Guarded(query=IN_API, body={"instanceId": "{instance}", "content": "The user sails."})
CONVERSATIONS = Guarded(query=IN_API, body={"instanceId": "{instance}"})
CONVERSATION = Guarded(OF_CONVERSATION, query={"memories": "keep"}, body={"title": "New"})

GUARDED = {
    "memories": Guarded(query=OF_INSTANCE),
    "memory_status": Guarded(query=OF_INSTANCE),
    "memory_new": Guarded(query=OF_INSTANCE, member=True),
    "recall_weights": Guarded(query=OF_INSTANCE, body={"w-words": "3"}, manage=True),
    "recall": Guarded(query=OF_INSTANCE | {"why": "memory"}),
    "profile": Guarded(query=OF_INSTANCE),
    "profile_summary": Guarded(query=OF_INSTANCE),
    "profile_fact": Guarded({"pk": "memory"}),
    "profile_forget": Guarded({"pk": "memory"}),
    "health": Guarded(query=OF_INSTANCE),
    "health_server_try": Guarded({"pk": "breaker"}, body={"instance": "{instance}"}, manage=True),
    "health_part": Guarded(query=OF_INSTANCE),
    "health_remedy": Guarded({"what": "remedy"}, query=OF_INSTANCE),
    "memory_delete": Guarded(query=OF_INSTANCE, body={"all": "yes"}),
    "memory_export": Guarded(query=OF_INSTANCE | {"format": "format"}, member=True),
    "filters": Guarded(query=OF_INSTANCE, viewer_may=BOOKMARK),
    "filter_rename": Guarded({"pk": "filter"}, body={"name": "Another"}, own=True),
    "filter_delete": Guarded({"pk": "filter"}, own=True),
    "memory_undelete": Guarded(query=OF_INSTANCE),
    "palace": Guarded(query=OF_INSTANCE),
    "palace_delete": Guarded(query=OF_INSTANCE, body={"all": "yes"}),
    "palace_drawer": Guarded({"pk": "drawer"}),
    "palace_file": Guarded(query=OF_INSTANCE, member=True),
    "palace_note_new": Guarded(query=OF_INSTANCE, member=True),
    "palace_note_edit": Guarded({"pk": "note"}, member=True),
    "palace_wing": Guarded({"pk": "wing"}, member=True),
    "palace_topic": Guarded({"pk": "topic"}, member=True),
    "memory": Guarded({"pk": "memory"}),
    "memory_row": Guarded({"pk": "memory"}),
    "memory_edit": Guarded({"pk": "memory"}, member=True),
    "memory_restore": Guarded({"pk": "memory", "revision": "revision"}),
    "memory_keep_both": Guarded({"pk": "memory", "revision": "revision"}),
    "memory_undo": Guarded({"pk": "memory", "revision": "revision"}),
    "graph": Guarded(query=OF_INSTANCE),
    "entity": Guarded({"pk": "entity"}),
    "entity_rename": Guarded({"pk": "entity"}, body={"name": "Taken over", "kind": "item"}),
    "entity_merge": Guarded({"pk": "entity"}, member=True),
    "relation_new": Guarded(query=OF_INSTANCE, member=True),
    "relation_end": Guarded({"pk": "relation"}, body={"day": "2999-01-01"}),
    "relation_withdraw": Guarded({"pk": "relation"}),
    "conversations": Guarded(query=OF_INSTANCE),
    "conversation": Guarded({"pk": "conversation"}),
    "conversation_read": Guarded({"pk": "conversation"}),
    "conversation_again": Guarded({"pk": "conversation"}),
    "never_again": Guarded(query=OF_INSTANCE),
    "past": Guarded(query=OF_INSTANCE),
    "never_again_lift": Guarded({"pk": "rule"}),
    "conversation_delete": Guarded(
        {"pk": "conversation"}, body={"memories": "delete"}, member=True
    ),
    "activity": Guarded(query=OF_INSTANCE),
    "usage": Guarded(query=OF_INSTANCE),
    "chat": Guarded(query=OF_INSTANCE),
    "chat_with": Guarded({"pk": "conversation"}),
    "chat_again": Guarded({"pk": "conversation"}),
    "chat_stop": Guarded({"pk": "conversation"}),
    "chat_follow": Guarded({"pk": "conversation"}),
    "import_new": Guarded(query=OF_INSTANCE, member=True),
    "import": Guarded({"pk": "import"}),
    "import_confirm": Guarded({"pk": "import"}),
    "import_cancel": Guarded({"pk": "import"}),
    "import_left_out": Guarded({"pk": "import"}),
    "import_read": Guarded({"pk": "import"}),
    "conversation_rename": Guarded({"pk": "conversation"}, body={"title": "Taken over"}),
    "welcome_instance": Guarded(SETTINGS, body={"skip": "model"}, manage=True),
    "instance_settings": Guarded(SETTINGS, manage=True),
    "instance_save": Guarded({**SETTINGS, "card": "card"}, manage=True),
    "instance_delete": Guarded(SETTINGS, body={"slug": "{instance}"}, manage=True),
    "member_role": Guarded({**SETTINGS, "pk": "membership"}, body={"role": "viewer"}, manage=True),
    "invitation_accept": Guarded({"pk": "invitation"}, own=True),
    "invitation_decline": Guarded({"pk": "invitation"}, own=True),
    "invitation_withdraw": Guarded({**SETTINGS, "pk": "invitation"}, manage=True),
    "member_remove": Guarded({**SETTINGS, "pk": "membership"}, manage=True),
    "agent_edit": Guarded({**SETTINGS, "pk": "agent"}, manage=True),
    "agent_remove": Guarded({**SETTINGS, "pk": "agent"}, manage=True),
    "connection_test": Guarded({**SETTINGS, "what": "what"}, manage=True),
    "embedding_work": Guarded(SETTINGS, manage=True),
    "embedding_do": Guarded({**SETTINGS, "what": "work"}, body={"job": "{job}"}, manage=True),
    "api_key_new": Guarded(SETTINGS, manage=True),
    "account_session_end": Guarded({"pk": "session"}, own=True),
    "api_key_revoke": Guarded({**SETTINGS, "pk": "api_key"}, manage=True),
    "api:list_memories": MEMORIES,
    "api:create_memory": MEMORIES,
    "api:delete_memories": Guarded(body={"instanceId": "{instance}", "ids": [1]}),
    "api:read_memory": Guarded({"memory_id": "memory"}),
    "api:correct_memory": Guarded({"memory_id": "memory"}),
    "api:delete_memory": Guarded({"memory_id": "memory"}),
    "api:list_revisions": Guarded({"memory_id": "memory"}),
    "api:restore_revision": Guarded({"memory_id": "memory", "revision_id": "revision"}),
    "api:search": Guarded(body={"instanceId": "{instance}", "q": "boat"}, viewer_may=ASKS),
    "api:store": MEMORIES,
    "api:retrieve": Guarded(body={"instanceId": "{instance}", "query": "boat"}, viewer_may=ASKS),
    "api:call_search_memory": Guarded(
        body={"instanceId": "{instance}", "query": "boat"}, viewer_may=ASKS
    ),
    "api:call_list_memories": Guarded(body={"instanceId": "{instance}"}, viewer_may=ASKS),
    "api:call_save_memory": MEMORIES,
    "api:call_forget_memory": Guarded(body={"instanceId": "{instance}", "content": "boat"}),
    "api:list_conversations": CONVERSATIONS,
    "api:begin_conversation": CONVERSATIONS,
    "api:read_conversation": CONVERSATION,
    "api:rename_conversation": CONVERSATION,
    "api:delete_conversation": CONVERSATION,
    "api:read_for_facts": Guarded(OF_CONVERSATION),
    "api:list_messages": Guarded(OF_CONVERSATION, body=TURN),
    "api:append_messages": Guarded(OF_CONVERSATION, body=TURN),
    "api:read_message": Guarded({"message_id": "message"}),
    "api:list_runs": Guarded(query=IN_API),
    "api:read_run": Guarded({"run_id": "run"}),
    "api:retry_run": Guarded({"run_id": "run"}),
    "api:read_health": Guarded(query=IN_API),
    "api:list_wings": Guarded(query=IN_API),
    "api:list_rooms": Guarded(query=IN_API),
    "api:list_drawers": Guarded(query=IN_API),
    "api:drawer_by_pointer": Guarded(query=IN_API | {"pointer": "pointer"}),
    "api:delete_several_drawers": Guarded(body={"instanceId": "{instance}", "ids": [1]}),
    "api:read_drawer": Guarded({"drawer_id": "drawer"}),
    "api:delete_drawer": Guarded({"drawer_id": "drawer"}),
    "api:file_note": Guarded(body={"instanceId": "{instance}", "text": "Any.", "wing": "Any"}),
    "api:change_a_note": Guarded({"note_id": "note"}, body={"text": "Any."}),
    "api:list_entities": Guarded(query=IN_API),
    "api:read_entity": Guarded({"entity_id": "entity"}),
    "api:list_relations": Guarded(query=IN_API),
    "api:read_instance": Guarded({"instanceId": "instance"}),
}

#: Addresses that are of no instance: whoever has signed in may open them, and sees there nothing
#: of what others have.
OF_NOBODY = {
    "home",
    "welcome",
    "instances",
    "instance_new",
    "login",
    "account_login",
    "socialaccount_login_cancelled",
    "oidc_begin",
    "oidc_callback",
    "oidc_disconnect",
    "socialaccount_connections",
    "mfa_authenticate",
    "mfa_login_webauthn",
    "account_inactive",
    "logout",
    "account_logout",
    "account_reauthenticate",
    "mfa_reauthenticate",
    "mfa_reauthenticate_webauthn",
    "account",
    "mfa_index",
    "mfa_list_webauthn",
    "account_password",
    "account_notice_dismiss",
    "account_sessions_end",
    "mfa_activate_totp",
    "mfa_deactivate_totp",
    "mfa_add_webauthn",
    "mfa_remove_webauthn",
    "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes",
    "mfa_download_recovery_codes",
    "healthz",
    "readyz",
    "api:list_instances",
    "api:who_am_i",
    "api:describe_tools",
    "metrics",
    "mcp",
    "api:openapi-json",
    "api:openapi-view",
    "api:api-root",
    "api:nowhere",
    "v1_chat_completions",
    "v1_models",
    "v1_model",
    "v1_nowhere",
}

#: Addresses that open for keys alone: nobody who has signed in gets more than a visitor there.
KEYED = {
    "mem0:ping": Guarded(),
    "mem0:memories_v1": Guarded(),
    "mem0:memory": Guarded({"memory_id": "memory"}),
    "mem0:history": Guarded({"memory_id": "memory"}),
    "mem0:event": Guarded({"event_id": "run"}),
    "mem0:batch": Guarded(),
    "mem0:entities": Guarded(),
    "mem0:entity": Guarded({"kind": "keep", "name": "keep"}),
    "mem0:list_v2": Guarded(),
    "mem0:list_v3": Guarded(),
    "mem0:add_v3": Guarded(),
    "mem0:search_v1": Guarded(),
    "mem0:search_v2": Guarded(),
    "mem0:search_v3": Guarded(),
    "mem0:nowhere": Guarded(),
}

#: Addresses of the whole server: for superadmins alone.
SERVER = {
    "outgoing_connections": Guarded(body={"mode": "listed"}),
    "outgoing_add": Guarded(body={"address": "10.0.0.9"}),
    "outgoing_remove": Guarded({"pk": "allowed"}),
    "people": Guarded(),
    "person": Guarded({"pk": "person"}),
    "person_invite": Guarded(body={"username": "eve"}),
    "person_link": Guarded({"pk": "person"}),
    "person_link_withdraw": Guarded({"pk": "person"}),
    "person_add": Guarded({"pk": "person"}),
    "person_change": Guarded({"pk": "person", "what": "change"}),
    "person_delete": Guarded({"pk": "person"}, body={"username": "alice"}),
}

#: What those get who may open an address. 409: it has come at a bad moment.
ALLOWED = {200, 201, 202, 204, 302, 409, 422}

#: What the API says in JSON to those who have not signed in, though it is of no instance.
API_OF_NOBODY = {"api:list_instances", "api:who_am_i", "api:describe_tools"}

#: What only a key opens, whoever has signed in beside it.
FOR_KEYS = {"v1_chat_completions", "v1_models", "v1_model"}

#: Likewise; they say in the API's own words what is wrong.
WITH_A_KEY = {"mcp"}

#: Open to everybody, signed in or not.
OPEN = {
    "login",
    "account_login",
    "socialaccount_login_cancelled",
    "account_inactive",
    "healthz",
    "readyz",
}

#: Open to whoever has the token that is not sent here.
WITH_A_TOKEN = {"password_link"}

#: Closed to everybody unless the settings open it, with a key of its own.
CLOSED = {"metrics", "oidc_begin", "oidc_callback"}


@dataclass(frozen=True)
class Address:
    """One entry of the URL map."""

    name: str
    route: str
    parameters: frozenset[str]


def addresses(
    resolver: URLResolver | None = None, prefix: str = "", namespace: str = ""
) -> Iterator[Address]:
    """Every address of the URL map, those of what it includes too."""
    for entry in (resolver or get_resolver()).url_patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            inner = f"{namespace}{entry.namespace}:" if entry.namespace else namespace
            yield from addresses(entry, route, inner)
        elif isinstance(entry, URLPattern):
            parameters = entry.pattern.converters or entry.pattern.regex.groupindex
            yield Address(f"{namespace}{entry.name or ''}", route, frozenset(parameters))


def methods_of(address: Address) -> tuple[str, ...]:
    """What to try at an address."""
    return API_METHODS if address.name.startswith("api:") else METHODS


def url_of(address: Address, parts: Mapping[str, Any]) -> str:
    """The address with its parameters filled in from *parts*."""
    guarded = (GUARDED | KEYED | SERVER).get(address.name, Guarded())
    names = {name: guarded.parameters.get(name, name) for name in address.parameters}
    values = {name: parts[part] for name, part in names.items()}
    if address.name.endswith(":"):  # Without a name, so written out.
        filled = re.sub(r"<(?:\w+:)?(\w+)>", lambda m: str(values[m.group(1)]), address.route)
        url = "/" + filled.partition("(?P")[0]
    else:
        url = reverse(address.name, kwargs=values)
    query = "&".join(f"{name}={parts[part]}" for name, part in guarded.query.items())
    return f"{url}?{query}" if query else url


def ask(client: Client, address: Address, method: str, parts: Mapping[str, Any]) -> Any:
    """Make the request, and undo whatever it did."""
    url = url_of(address, parts)
    body = {
        name: value.format(**parts) if isinstance(value, str) else value
        for name, value in (GUARDED | SERVER).get(address.name, Guarded()).body.items()
    }
    with transaction.atomic():
        if method == "GET":
            response = client.get(url)
        elif address.name.startswith("api:"):
            data = json.dumps(body)
            response = client.generic(method, url, data, content_type="application/json")
        else:
            response = client.post(url, body)
        transaction.set_rollback(True)
    return response


#: Words that stand nowhere but in what `furnished` makes.
SECRETS = ("heliotrope", "Zanzibar", "quokka", "Wolpertinger", "ocarina", "marzipan", "Xanthippe")


def furnished(instance: Instance, author: User) -> dict[str, Any]:
    """Put one of everything into *instance*; return what its addresses are made of."""
    conversation = Conversation.objects.create(
        instance=instance, title="On the quokka", origin=ConversationOrigin.CHAT
    )
    message = append(conversation, [NewMessage("user", "I play the ocarina.", author="Xanthippe")])
    run = Run.objects.create(instance=instance, conversation=conversation, state="failed")
    writer = Writer(Origin.MANUAL, Actor(author, "test"))
    candidate = Candidate(
        "The user went to Zanzibar.",
        conversation_id=conversation.pk,
        message_id=message.added[0].pk,
        end_user="Wolpertinger",
    )
    (outcome,) = remember(instance, [candidate], writer)
    Answer.objects.create(
        instance=instance,
        conversation=conversation,
        message=message.added[0],
        state=Answer.State.FAILED,
        error="The marzipan is burnt.",
    )
    revise(outcome.memory, Changes("The user lives in Zanzibar.", "fact", 7), by=Actor(author))
    revision = outcome.memory.revisions.get()
    rule = instance.never_again.create(
        memory_id=7, end_user="Wolpertinger", words=b"w" * SIZE, by=author, via="screen"
    )
    saved = SavedFilter.objects.create(
        instance=instance, user=author, name="Wolpertinger", query="category=fact"
    )
    import_ = Import.objects.create(instance=instance, by=author, filename="marzipan.jsonl")
    agent = Agent.objects.create(instance=instance, slug="heliotrope-agent", name="Heliotrope 2")
    api_key = ApiKey(instance=instance, name="For the heliotrope", scopes=["read"])
    api_key.make_secret()
    api_key.save()
    membership = Membership.objects.get_or_create(instance=instance, user=author)[0]
    invitation = MembershipInvitation.objects.create(
        instance=instance, username=author.username, user=author
    )
    drawer = file_turn(message.added[0], "The Wolpertinger", "ocarina", people=["Xanthippe"])
    breaker = instance.circuit_breakers.create(
        server="https://api.example.com:443", said="The marzipan!", retry_at=timezone.now()
    )
    job = EmbeddingJob.objects.create(instance=instance, kind="fill_in", error="The marzipan!")
    said = StatementIn(NamedEntity("Xanthippe"), "plays", NamedEntity("Ocarina"), timezone.now())
    ingest(instance, "Wolpertinger", [replace(said, memory_id=outcome.memory.pk)])
    relation = Relation.objects.get(instance=instance)
    session = UserSession.objects.create(
        user=author, ip="192.0.2.1", session_key="any", user_agent="Firefox"
    )
    passkey = Authenticator.objects.create(
        user=author, type=Authenticator.Type.WEBAUTHN, data={"name": "Blue key"}
    )
    return {
        "instance": instance.slug,
        "memory": outcome.memory.pk,
        "revision": revision.pk,
        "filter": saved.pk,
        "rule": rule.pk,
        "entity": relation.subject_id,
        "relation": relation.pk,
        "format": "csv",
        "conversation": conversation.pk,
        "message": message.added[0].pk,
        "drawer": drawer.pk,
        "note": file_note(instance, "The quokka sleeps.", "The Wolpertinger").pk,
        "pointer": "W-1/R-1/D-1",
        "wing": drawer.closet.room.wing_id,
        "topic": drawer.closet_id,
        "run": run.pk,
        "keep": "keep",
        "api_key": api_key.pk,
        "allowed": AllowedAddress.objects.get_or_create(address="10.0.0.5")[0].pk,
        "import": import_.pk,
        "agent": agent.pk,
        "membership": membership.pk,
        "invitation": invitation.pk,
        "card": "memory",
        "what": "chat",
        "job": job.pk,
        "work": "try-now",
        "remedy": "runs",
        "session": session.pk,
        "pk": passkey.pk,
        "breaker": breaker.pk,
        "person": author.pk,
        "name": "any-model",
        "change": "appoint",
    }


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


def test_no_cache_may_store_what_people_and_keys_are_answered(
    alice: User, shared: dict[str, Any]
) -> None:
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


def test_every_address_is_in_the_table() -> None:
    known = GUARDED.keys() | OF_NOBODY | KEYED.keys() | SERVER.keys() | WITH_A_TOKEN
    found = {address.name for address in addresses()}
    assert found == known, "Say in this module how a new address is guarded."


def test_each_address_opens_for_a_manager_and_not_for_an_outsider(
    alice: User, charlie: User, shared: dict[str, Any]
) -> None:
    found = statuses(alice, shared)
    for name in GUARDED:
        answers = answers_of(found, name)
        assert answers and answers <= ALLOWED, f"{name}: {answers}"
    assert not_refused(found, statuses(charlie, shared)) == {}


def test_a_private_instance_is_closed_to_an_outsider_and_to_a_superadmin(
    alice: User, charlie: User, dana: User, secluded: dict[str, Any]
) -> None:
    found = statuses(alice, secluded)
    for other in (charlie, dana):
        assert not_refused(found, statuses(other, secluded)) == {}, other.username


def test_a_member_gets_404_where_settings_are_changed(bob: User, shared: dict[str, Any]) -> None:
    found = statuses(bob, shared)
    for name, guarded in GUARDED.items():
        answers = answers_of(found, name)
        if guarded.manage or guarded.own:
            assert answers == {404}, name
        else:
            assert answers and answers <= ALLOWED, f"{name}: {answers}"


def test_a_viewer_reads_and_changes_nothing(vera: User, shared: dict[str, Any]) -> None:
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


def test_no_page_offers_a_viewer_what_they_may_not_do(vera: User, shared: dict[str, Any]) -> None:
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


def test_a_viewer_is_told_whom_to_ask(vera: User, shared: dict[str, Any]) -> None:
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


def test_a_superadmin_manages_what_is_shared(dana: User, shared: dict[str, Any]) -> None:
    found = statuses(dana, shared)
    own = {name for name, guarded in GUARDED.items() if guarded.own}
    assert {name for (name, _), status in found.items() if status == 404} == own


def test_the_server_is_for_superadmins(
    alice: User, bob: User, charlie: User, vera: User, dana: User, shared: dict[str, Any]
) -> None:
    allowed = statuses(dana, shared, among=SERVER)
    assert set(allowed.values()) <= ALLOWED | {405}, allowed
    for other in (alice, bob, charlie, vera):
        refused = statuses(other, shared, among=SERVER)
        assert not_refused(allowed, refused) == {}, other.username


@pytest.mark.parametrize("owned", ["shared", "secluded"])
def test_no_page_tells_an_outsider_of_it(
    owned: str, charlie: User, request: pytest.FixtureRequest
) -> None:
    assert_nothing_told(charlie, request.getfixturevalue(owned))


def test_no_page_tells_a_superadmin_of_a_private_instance(
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


def test_a_404_looks_like_any_other(charlie: User, shared: dict[str, Any]) -> None:
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
def test_a_visitor_is_sent_to_the_login_page(method: str, shared: dict[str, Any]) -> None:
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
def test_where_keys_are_asked_for_signing_in_opens_nothing(
    method: str, alice: User, shared: dict[str, Any]
) -> None:
    client = signed_in(alice)
    for address in addresses():
        if address.name in KEYED:
            response = ask(client, address, method, shared)
            assert response.status_code in (401, 404, 405), address.name
            assert not told(response)


def test_after_signing_in_a_visitor_lands_where_they_wanted(
    client: Client, alice: User, instance: Instance
) -> None:
    wanted = f"{reverse('memories')}?instance={instance.slug}"
    login = client.get(wanted)["Location"]
    form = {"login": "alice", "password": "alice-password", "next": wanted}
    assert client.post(login, form)["Location"] == wanted


def test_where_there_is_only_one_instance_nobody_is_asked_which(
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


def test_a_member_who_is_removed_sees_nothing_from_then_on(
    bob: User, shared: dict[str, Any]
) -> None:
    client = signed_in(bob)
    url = reverse("memory", args=[shared["memory"]])
    assert client.get(url).status_code == 200
    Membership.objects.filter(user=bob).delete()
    assert client.get(url).status_code == 404


def test_a_membership_does_not_open_a_private_instance(
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
