"""Looks of people and programs at what is remembered, in the audit log of instances that record
them.

One middleware sees every request, whatever its door. A look is one that was answered at an address
that shows memories, messages or what was made of them; it is recorded with that address, the row
that it names, and the person whom it asks about. What was shown is not recorded.
"""

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from conversations.sanitizer import sanitize
from instances.actor import Actor
from instances.middleware import middleware
from instances.models import ApiKey, Instance
from instances.server_activity import ServerAction
from memoryapp.models import AuditRecord

#: Names of the addresses that show something to who reads them. Operations of the API share an
#: address, and its name.
READ = frozenset(
    "activity bin chat chat_with conversation conversations end_user end_user_export end_users "
    "entity entity_merge golden graph health health_part health_remedy import import_left_out "
    "import_rows memories memory memory_edit memory_export memory_merge message palace "
    "palace_drawer palace_note_edit palace_topic palace_wing past profile profile_fact proposal "
    "refused review rollback stored_document stored_documents "
    "api:drawer_by_pointer api:export_memories api:export_person api:list_conversations "
    "api:list_documents api:list_drawers api:list_entities api:list_golden_questions "
    "api:list_memories api:list_messages api:list_namespaces api:list_refused api:list_relations "
    "api:list_review api:list_revisions api:list_rooms api:list_wings api:preview_rollback "
    "api:put_document api:read_conversation api:read_drawer api:read_entity "
    "api:read_golden_question api:read_inventory api:read_memory api:read_message "
    "api:read_summary mem0:entities mem0:export mem0:exports mem0:history mem0:memories_v1 "
    "mem0:memory mem0:server_history mem0:server_memories mem0:server_memory mem0:summary "
    "v1_conversation v1_conversations v1_items v1_response".split()
)
#: Names of those that show it to who posts a question.
ASKED = frozenset(
    "api:call_list_memories api:call_search_memory api:retrieve api:search api:search_documents "
    "instance_export mcp mem0:export mem0:list_v2 mem0:list_v3 mem0:search_v1 mem0:search_v2 "
    "mem0:search_v3 mem0:server_search v1_chat_completions v1_messages v1_responses".split()
)
#: Parameters of addresses that name the person who is asked about.
_PERSON = ("user", "user_id", "end_user")


def _shows(request: HttpRequest) -> bool:
    """True if the address of *request* shows what is remembered."""
    match = request.resolver_match
    return match is not None and match.view_name in (ASKED if request.method == "POST" else READ)


def _record(request: HttpRequest, response: HttpResponseBase) -> None:
    if response.status_code != 200 or not _shows(request):
        return
    instance, by = _who(request)
    if instance is None or not instance.looks_recorded:
        return
    match = request.resolver_match
    assert match is not None  # noqa: S101 - `_shows` has looked.
    person = next((request.GET[name] for name in _PERSON if request.GET.get(name)), None)
    AuditRecord.objects.record(
        by,
        ServerAction.LOOKED,
        instance=instance,
        detail=f"{request.method} /{match.route}",
        object_id=next((each for each in match.kwargs.values() if isinstance(each, int)), None),
        end_user=None if person is None else instance.canonical_end_user(sanitize(person)[:200]),
    )


def _who(request: HttpRequest) -> tuple[Instance | None, Actor]:
    """The instance that was looked at, and who did: a key, or a person who is signed in."""
    given: dict[str, Any] = request.__dict__
    key: ApiKey | None = given.get("key")
    if key is not None:
        return key.instance, Actor(via=f"api {key.prefix}")
    instance, pk = given.get("instance"), given.get("instance_pk")
    if instance is None and pk is not None:
        instance = Instance.objects.filter(pk=pk).first()
    via = "api" if pk is not None else "screen"
    return instance, Actor(request.user if request.user.is_authenticated else None, via)


record_looks = middleware(after=_record, after_blocks=_shows)
