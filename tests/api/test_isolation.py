"""Isolation: every operation of the document, for each caller who may not use it."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Import
from instances.actor import Actor
from instances.models import Agent, Instance, User
from instances.models.sensitivity_settings import AREAS
from instances.tiers import Tier
from memoryapp.api.rest.routes import api
from memoryapp.documents.writing import NewDocument, put
from memoryapp.forgetting.holds import set_hold
from memoryapp.graph.ingestion import NamedEntity, StatementIn, ingest
from memoryapp.models import Erasure, Memory, Origin, RefusedProposal, Run, Summary
from memoryapp.palace.filing import PlacedMessage, file_messages
from memoryapp.palace.notes import NewNote, add_note
from memoryapp.people.groups import GroupMembers, create_group
from memoryapp.pipeline import Candidate, Changes, Writer, remember, revise
from tests.api.conftest import SCOPES, Program, key_of

#: Parameters and bodies that operations need in addition to the ids in their URLs.
BODIES: dict[str, Mapping[str, Any]] = {
    "create_memory": {"content": "The user plays the flute."},
    "create_memories": {"memories": [{"content": "The user plays the flute."}]},
    "start_import": {"content": "The user plays the flute."},
    "delete_memories": {"ids": ["{memory_id}"]},
    "correct_memory": {"importance": 9},
    "search": {"q": "ocarina"},
    "keep_golden_question": {"question": "Who plays?", "memory_ids": ["{memory_id}"]},
    "ask_golden_questions": {},
    "store": {"content": "The user plays the flute."},
    "retrieve": {"query": "ocarina"},
    "call_search_memory": {"query": "ocarina"},
    "call_list_memories": {},
    "call_save_memory": {"content": "The user plays the flute."},
    "call_forget_memory": {"content": "The user lives in Zanzibar."},
    "begin_conversation": {"title": "On the flute"},
    "rename_conversation": {"title": "On the flute"},
    "delete_several_drawers": {"ids": ["{drawer_id}"]},
    "file_note": {"text": "Tune the flute.", "wing": "Flute"},
    "change_a_note": {"text": "Tune the flute."},
    "set_hold": {"name": "Case 17", "user_id": "Heliotrope"},
    "set_rule": {"kept": "activity", "days": 365},
    "make_group": {"name": "Flutes"},
    "set_sending_rules": {"items": []},
    "set_sensitive_areas": {**dict.fromkeys(AREAS, "keep"), "own_areas": []},
    "add_webhook": {"url": "https://hooks.invalid/events"},
    "change_webhook": {"enabled": False},
    "share_memory": {"group_id": "{group_id}"},
    "share_conversation": {"group_id": "{group_id}"},
    "share_note": {"group_id": "{group_id}"},
    "set_group": {"name": "Flutes"},
    "erase_person": {"user_id": "Heliotrope", "confirm": "Heliotrope"},
    "append_messages": {"messages": [{"role": "user", "content": "Yes."}]},
    "take_back_source": {"since": "2100-01-01"},
    "put_document": {"namespace": ["flutes"], "key": "new", "value": {"text": "Tune it."}},
    "delete_namespace": {"prefix": ["flutes"]},
    "search_documents": {"q": "ocarina"},
}
QUERIES = {
    "read_inventory": "user_id=Heliotrope",
    "export_person": "user_id=Heliotrope",
    "delete_conversation": "memories=delete",
    "drawer_by_pointer": "pointer=W-1/R-1/D-1",
    "preview_rule": "kept=activity&days=365",
    "preview_rollback": "since=2100-01-01",
    "get_document": "namespace=flutes&key=tuning",
    "delete_document": "namespace=flutes&key=tuning",
}
#: Operations without an instance, which show what the caller may see.
WITHOUT_INSTANCE = {"list_instances", "who_am_i", "describe_tools", "list_requests"}
#: Operations allowed for any key.
OF_ANY_SCOPE = {"who_am_i", "describe_tools", "list_requests"}
#: Operations that no key may call, whatever its scopes.
FOR_PEOPLE = {
    *("list_review", "approve_held", "reject_held"),
    *("preview_rollback", "take_back_source"),
    *("pin_memory", "unpin_memory"),
}
#: The scope of each operation by method, except a search and a deletion by POST.
SCOPE_OF = {"get": "read", "post": "write", "put": "write", "patch": "write", "delete": "delete"}
EXCEPT = {
    "remove_golden_question": "write",
    "unshare_conversation": "write",
    "unshare_note": "write",
    "unpin_memory": "write",
    "read_inventory": "people",
    "export_person": "people",
    "erase_person": "people",
    "list_holds": "people",
    "read_hold": "people",
    "set_hold": "people",
    "lift_hold": "people",
    "list_rules": "people",
    "list_calls": "people",
    "read_rule": "people",
    "preview_rule": "people",
    "set_rule": "people",
    "remove_rule": "people",
    "list_sending_rules": "people",
    "set_sending_rules": "people",
    "read_sensitive_areas": "people",
    "set_sensitive_areas": "people",
    "list_groups": "people",
    "read_group": "people",
    "make_group": "people",
    "set_group": "people",
    "delete_group": "people",
    **dict.fromkeys(
        (
            *("list_webhooks", "read_webhook", "add_webhook", "change_webhook", "remove_webhook"),
            *("replace_webhook_secret", "test_webhook", "list_webhook_events"),
        ),
        "webhooks",
    ),
    "list_erasures": "people",
    "read_erasure": "people",
    "search": "read",
    "retrieve": "read",
    "call_search_memory": "read",
    "call_list_memories": "read",
    "call_forget_memory": "delete",
    "delete_memories": "delete",
    "delete_several_drawers": "delete",
    "delete_namespace": "delete",
    "search_documents": "read",
}

WORDS = ("ocarina", "Zanzibar", "heliotrope")


@dataclass(frozen=True)
class Operation:
    """One operation of the document."""

    name: str
    method: str
    path: str

    @property
    def scope(self) -> str | None:
        if self.name in OF_ANY_SCOPE:
            return None
        return EXCEPT.get(self.name, SCOPE_OF[self.method])

    def ask(self, program: Program, parts: Mapping[str, Any], slug: str | None) -> Any:
        """Make the request about *parts* with ``slug`` as the instance, and roll it back."""
        body, query = self.request(parts, slug)
        path = self.path.format_map(parts)
        with transaction.atomic():
            response = program.ask(self.method.upper(), f"{path}?{query}", body)
            transaction.set_rollback(True)
        return response

    def request(self, parts: Mapping[str, Any], slug: str | None) -> tuple[Any, str]:
        """Return the body and the query string."""
        named = {"instance_id": slug} if slug else {}
        query = QUERIES.get(self.name, "")
        if self.name not in BODIES:
            return None, "&".join([query, *(f"{k}={v}" for k, v in named.items())]).strip("&")
        text = json.dumps(BODIES[self.name])
        for part, value in parts.items():
            text = text.replace(f'"{{{part}}}"', json.dumps(value))
        if self.name == "start_import":  # The body is the file.
            return json.loads(text), "&".join(f"{k}={v}" for k, v in named.items())
        in_body = "{" not in self.path
        return json.loads(text) | (named if in_body else {}), query


OPERATIONS = [
    Operation(operation["operationId"], method, path)
    for path, methods in api.get_openapi_schema()["paths"].items()
    for method, operation in methods.items()
]
GUARDED = [operation for operation in OPERATIONS if operation.name not in WITHOUT_INSTANCE]


def create_objects(instance: Instance, author: User) -> dict[str, Any]:
    """Create one object of each kind in *instance*; return the ids by URL parameter."""
    Agent.objects.create(instance=instance, slug="heliotrope", name="Heliotrope")
    conversation = Conversation.objects.create(instance=instance, title="On the ocarina")
    (message,) = append(conversation, [NewMessage("user", "I play the ocarina.")]).added
    candidate = Candidate(
        "The user went to Zanzibar.", conversation_id=conversation.pk, message_id=message.pk
    )
    (outcome,) = remember(instance, [candidate], Writer(Origin.MANUAL, Actor(author, "test")))
    changes = Changes("The user lives in Zanzibar.", "fact", 7)
    revise(outcome.memory, changes, by=Actor(author), tier=Tier.USER)
    document = NewDocument(("flutes",), "tuning", {"text": "The ocarina is in Zanzibar."})
    put(instance, document, by=Actor(author))
    run = Run.objects.create(instance=instance, conversation=conversation, state="failed")
    instance.provider, instance.base_url = "custom", "http://127.0.0.1:9/v1"
    instance.save()
    wing = "Ocarina"
    with transaction.atomic():
        (drawer,) = file_messages(conversation, [PlacedMessage(message.pk, wing)])
        who, what = NamedEntity("Heliotrope"), NamedEntity(wing)
        ingest(
            instance, "", [StatementIn(who, "plays", what, message.sent_at, drawer_id=drawer.pk)]
        )
    note = add_note(instance, NewNote("The ocarina is in Zanzibar.", wing=wing), by=Actor(author))
    Summary.objects.create(instance=instance, end_user="Heliotrope", text="Plays the ocarina.")
    refused = RefusedProposal.objects.create(
        instance=instance,
        conversation=conversation,
        message=message,
        content="The ocarina is from Zanzibar.",
        reason="unsupported",
    )
    imported = Import.objects.create(instance=instance, by=author, filename="Heliotrope.jsonl")
    held = instance.held.create(
        conversation=conversation, content="The ocarina obeys.", tier=1, reason="tier", digest="d"
    )
    return {
        "instance_id": instance.slug,
        "refused_id": refused.pk,
        "held_id": held.pk,
        "memory_id": outcome.memory.pk,
        "revision_id": outcome.memory.revisions.get().pk,
        "conversation_id": conversation.pk,
        "message_id": message.pk,
        "run_id": run.pk,
        "import_id": imported.pk,
        "drawer_id": drawer.pk,
        "note_id": note.pk,
        "erasure_id": str(Erasure.objects.create(instance=instance, asked_by="Heliotrope").uid),
        "hold_id": set_hold(instance, "On the ocarina", by=Actor(author), end_user="Bo").pk,
        "group_id": create_group(
            instance, "Ocarina", GroupMembers(["Heliotrope"]), by=Actor(author)
        ).pk,
        # No address that is called: the loopback is refused.
        "webhook_id": instance.webhooks.create(
            url="http://127.0.0.1:9/ocarina", events=["memory.learned"], enabled=False
        ).pk,
        "rule_id": instance.retention_rules.create(kept="usage", days=365).pk,
        "question_id": instance.golden_questions.create(text="Ocarina?", memories=[1]).pk,
        "round_id": instance.golden_rounds.create(cause="nightly").pk,
        "entity_id": instance.entities.filter(slug="heliotrope").get().pk,
    }


@pytest.fixture
def parts(instance: Instance, alice: User) -> dict[str, Any]:
    """Objects of Alice's shared instance."""
    return create_objects(instance, alice)


@pytest.fixture
def secluded(private: Instance, alice: User) -> dict[str, Any]:
    """Objects of Alice's private instance."""
    return create_objects(private, alice)


def assert_no_secret_words(response: Any) -> None:
    text = response.getvalue().decode(errors="replace") + str(response.headers)
    assert not [word for word in WORDS if word in text]


def test_operation_requires_exactly_its_scope(
    subtests: pytest.Subtests, parts: dict[str, Any], program_that_may: Callable[..., Program]
) -> None:
    """Check the requests: a refusal below must not be due to a mistake in them."""
    programs = {scope: program_that_may(scope) for scope in SCOPES}
    for operation in OPERATIONS:
        with subtests.test(operation.name):
            for slug in (None, "desk"):
                for scope, program in programs.items():
                    response = operation.ask(program, parts, slug)
                    if operation.name in FOR_PEOPLE and operation.scope == scope:
                        assert response.status_code == 403
                        assert response.json()["code"] == "role_required"
                    elif operation.scope in (None, scope):
                        assert response.status_code in (200, 201, 202, 204), response.content
                    else:
                        assert response.status_code == 403
                        assert response.json()["code"] == "scope_required"
                        assert_no_secret_words(response)


def test_key_of_another_instance_gets_404(
    subtests: pytest.Subtests, parts: dict[str, Any], secluded: dict[str, Any], dana: User
) -> None:
    theirs = Instance.objects.create(slug="theirs", name="Theirs", private_to=dana)
    for operation in GUARDED:
        # A key of its own for each: one may not make so many requests a minute.
        _, stranger = key_of(theirs)
        with subtests.test(operation.name):
            for owned in (parts, secluded):
                slug = owned["instance_id"]
                response = operation.ask(stranger, owned, slug)
                assert response.status_code == 404, response.content
                assert response.json()["code"] == "not_found"
                assert_no_secret_words(response)
                # Omitting the instance or naming another one does not help.
                for other in (None, "theirs"):
                    response = operation.ask(stranger, owned, other)
                    assert_no_secret_words(response)
                    if "{" in operation.path:
                        assert response.status_code == 404, response.content
            mine = set(Memory.objects.exclude(instance=theirs).values_list("content", flat=True))
            assert mine == {"The user lives in Zanzibar."}


def test_objects_of_one_instance_are_404_through_another(
    subtests: pytest.Subtests, parts: dict[str, Any], secluded: dict[str, Any], private: Instance
) -> None:
    """Both instances are Alice's, but a key belongs to one."""
    _, of_diary = key_of(private)
    for operation in GUARDED:
        with subtests.test(operation.name):
            response = operation.ask(of_diary, parts, "desk")
            assert response.status_code == 404
            response = operation.ask(of_diary, secluded | {"memory_id": parts["memory_id"]}, None)
            if operation.name == "delete_memories":
                assert response.json() == {"deleted": 0, "more": False}
            elif "memory_id" in operation.path:
                assert response.status_code == 404


def test_revoked_key_and_anonymous_get_401(
    subtests: pytest.Subtests, parts: dict[str, Any], instance: Instance
) -> None:
    key, program = key_of(instance)
    key.revoke()
    for operation in OPERATIONS:
        with subtests.test(operation.name):
            body, query = operation.request(parts, "desk")
            path = f"{operation.path.format_map(parts)}?{query}"
            anonymous = Client().generic(
                operation.method.upper(), path, json.dumps(body), content_type="application/json"
            )
            for response in (operation.ask(program, parts, "desk"), anonymous):
                assert response.status_code == 401
                assert response.json()["code"] == "unauthenticated"
                assert_no_secret_words(response)


@pytest.mark.parametrize("who", ["charlie", "dana"])
def test_non_member_gets_404(
    who: str,
    subtests: pytest.Subtests,
    parts: dict[str, Any],
    secluded: dict[str, Any],
    request: pytest.FixtureRequest,
) -> None:
    client = Client()
    client.force_login(request.getfixturevalue(who))
    for operation in GUARDED:
        with subtests.test(operation.name):
            # A superadmin sees shared instances but no private ones.
            for owned in [secluded] if who == "dana" else [parts, secluded]:
                body, query = operation.request(owned, owned["instance_id"])
                with transaction.atomic():
                    response = client.generic(
                        operation.method.upper(),
                        f"{operation.path.format_map(owned)}?{query}",
                        "" if body is None else json.dumps(body),
                        content_type="application/json",
                    )
                    transaction.set_rollback(True)
                assert response.status_code == 404, response.content
                assert_no_secret_words(response)


def test_404_does_not_reveal_existence(parts: dict[str, Any], private: Instance) -> None:
    _, stranger = key_of(private)
    there = stranger.ask("GET", f"memories/{parts['memory_id']}")
    nowhere = stranger.ask("GET", "memories/999999999")
    known, unknown = (answer.json() for answer in (there, nowhere))
    del known["request_id"], unknown["request_id"]
    unknown["detail"] = unknown["detail"].replace("999999999", str(parts["memory_id"]))
    assert known == unknown
    # The second request has one fewer left, and the number is of another length.
    drop = {"x-request-id", "ratelimit", "content-length"}
    headers = [
        {k: v for k, v in r.headers.items() if k.lower() not in drop} for r in (there, nowhere)
    ]
    assert headers[0] == headers[1]


def test_lists_of_instances_and_keys_show_only_own_ones(
    parts: dict[str, Any], secluded: dict[str, Any], instance: Instance, bob: User
) -> None:
    _, program = key_of(instance)
    assert [i["slug"] for i in program.send("GET", "instances")["items"]] == ["desk"]
    client = Client()
    client.force_login(bob)
    assert [i["slug"] for i in client.get("/api/instances").json()["items"]] == ["desk"]


def test_instance_is_read_without_secrets(
    parts: dict[str, Any], instance: Instance, program: Program
) -> None:
    secret = instance.secrets.model(instance=instance, name="chat_api_key")
    secret.seal("sk-0123456789abcdef", "https://api.openai.com/v1")
    secret.save()
    answer = json.dumps(program.send("GET", "instances/desk"))
    assert not re.search(r"cdef|127\.0\.0\.1|token", answer)


def test_responses_are_not_cacheable(parts: dict[str, Any], program: Program) -> None:
    for operation in OPERATIONS:
        assert "no-store" in operation.ask(program, parts, "desk")["Cache-Control"]
    assert "no-store" in program.ask("GET", "memories/999999999")["Cache-Control"]
