"""Table of every URL pattern, with its permissions and requests."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from instances.models.sensitivity_settings import AREAS
from memoryapp.admin.tables import site

METHODS = ("GET", "POST")
#: The API has more.
API_METHODS = (*METHODS, "PUT", "PATCH", "DELETE")


@dataclass(frozen=True)
class Guarded:
    """How to request a URL of an instance, from its parts by name; see `parts_of`."""

    #: URL parameter to part.
    parameters: Mapping[str, str] = field(default_factory=dict)
    #: Query parameter to part.
    query: Mapping[str, str] = field(default_factory=dict)
    #: Data to post, with ``{instance}`` for the slug. JSON for the API.
    body: Mapping[str, Any] = field(default_factory=dict)
    #: Only for managers.
    manage: bool = False
    #: Only for its owner.
    own: bool = False
    #: For members even if it only reads: a form that a viewer cannot submit, or an export.
    member: bool = False
    #: Why a viewer may use an unsafe method here.
    viewer_may: str = ""


OF_INSTANCE = {"instance": "instance"}
OF_PERSON = OF_INSTANCE | {"end_user": "end_user"}
IN_API = {"instance_id": "instance"}
PERSON_IN_API = IN_API | {"user_id": "end_user"}
ERASURE = {"instance_id": "{instance}", "user_id": "Wolpertinger", "confirm": "Wolpertinger"}
HOLD = {
    "instance_id": "{instance}",
    "name": "A",
    "first_day": "2000-01-01",
    "last_day": "2000-01-01",
}
GROUP = {"instance_id": "{instance}", "name": "Quokkas"}
RULE = {"instance_id": "{instance}", "kept": "activity", "days": 365}
GOLDEN = {"instance_id": "{instance}", "question": "Who?", "memory_ids": [0]}
OF_CONVERSATION = {"conversation_id": "conversation"}
SETTINGS = {"slug": "instance"}
#: Why a viewer may post.
BOOKMARK = "a filter is the person's own, and no memory changes"
ASKS = "a question or a listing, in a body because it is long"
TURN = {"messages": [{"role": "user", "content": "Hello."}]}
#: A URL of the API has several names, one for each method.
MEMORIES = Guarded(query=IN_API, body={"instance_id": "{instance}", "content": "The user sails."})
CONVERSATIONS = Guarded(query=IN_API, body={"instance_id": "{instance}"})
ROLLBACK = Guarded(
    query=IN_API | {"conversation_id": "conversation"},
    body={"instance_id": "{instance}", "since": "2200-01-01"},
    manage=True,
)
CONVERSATION = Guarded(OF_CONVERSATION, query={"memories": "keep"}, body={"title": "New"})

DOCUMENT = Guarded(
    query=IN_API | {"namespace": "document_namespace", "key": "document_key"},
    body={"instance_id": "{instance}", "namespace": ["quokkas"], "key": "any", "value": {}},
)

GUARDED = {
    "memories": Guarded(query=OF_INSTANCE | {"why": "memory"}),
    "memory_status": Guarded(query=OF_INSTANCE),
    "memory_new": Guarded(query=OF_INSTANCE, member=True),
    "recall_weights": Guarded(query=OF_INSTANCE, body={"w-words": "3"}, manage=True),
    "profile": Guarded(query=OF_INSTANCE),
    "profile_summary": Guarded(query=OF_INSTANCE),
    "profile_fact": Guarded({"pk": "memory"}),
    "profile_keep": Guarded({"pk": "memory"}),
    "profile_correct": Guarded({"pk": "memory"}),
    "profile_forget": Guarded({"pk": "memory"}),
    "health": Guarded(query=OF_INSTANCE),
    "health_server_try": Guarded({"pk": "breaker"}, body={"instance": "{instance}"}, manage=True),
    "golden": Guarded(query=OF_INSTANCE),
    "golden_keep": Guarded(query=OF_INSTANCE, body={"q": "Who?", "memory": "{memory}"}),
    "golden_ask": Guarded(query=OF_INSTANCE),
    "golden_try": Guarded(query=OF_INSTANCE, body={"w-words": "3"}, manage=True),
    "golden_file": Guarded(query=OF_INSTANCE),
    "golden_remove": Guarded({"pk": "golden"}),
    "health_part": Guarded(query=OF_INSTANCE),
    "health_remedy": Guarded({"what": "remedy"}, query=OF_INSTANCE),
    "memory_delete": Guarded(query=OF_INSTANCE, body={"all": "yes"}),
    "memory_export": Guarded(query=OF_INSTANCE | {"format": "format"}, member=True),
    "memory_choices": Guarded(query=OF_INSTANCE),
    "filters": Guarded(query=OF_INSTANCE, viewer_may=BOOKMARK),
    "filter_rename": Guarded({"pk": "filter"}, body={"name": "Another"}, own=True),
    "filter_delete": Guarded({"pk": "filter"}, own=True),
    "memory_bulk": Guarded({"what": "bulk_action"}, query=OF_INSTANCE, body={"all": "yes"}),
    "memory_bulk_undo": Guarded({"batch": "batch"}, query=OF_INSTANCE),
    "memory_merge": Guarded(query=OF_INSTANCE, body={"id": "{memory}"}),
    "memory_merge_undo": Guarded(query=OF_INSTANCE),
    "tags": Guarded(query=OF_INSTANCE),
    "tag_rename": Guarded(query=OF_INSTANCE, body={"tag": "a", "name": "b"}),
    "tag_delete": Guarded(query=OF_INSTANCE, body={"tag": "a"}),
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
    "memory_importance": Guarded({"pk": "memory"}, body={"importance": "8"}),
    "memory_pin": Guarded({"pk": "memory"}, manage=True),
    "memory_unpin": Guarded({"pk": "memory"}, manage=True),
    "memory_share": Guarded(
        {"pk": "memory"}, body={"group": "{group}", "text": "All sail."}, member=True
    ),
    "memory_unshare": Guarded({"pk": "shared"}, member=True),
    "memory_restore": Guarded({"pk": "memory", "revision": "revision"}),
    "memory_keep_both": Guarded({"pk": "memory", "revision": "revision"}),
    "memory_both_right": Guarded({"pk": "memory", "other": "contradicting"}),
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
    "message": Guarded({"pk": "message"}),
    "conversation_read": Guarded({"pk": "conversation"}),
    "conversation_again": Guarded({"pk": "conversation"}),
    "read_again_with_model": Guarded(query=OF_INSTANCE, member=True),
    "suppression": Guarded(query=OF_INSTANCE),
    "review": Guarded(query=OF_INSTANCE),
    "review_decide": Guarded({"pk": "held"}),
    "proposal": Guarded({"pk": "answer"}),
    "rollback": Guarded(query=OF_INSTANCE | {"conversation": "conversation"}, manage=True),
    "bin": Guarded(query=OF_INSTANCE),
    "bin_restore": Guarded(query=OF_INSTANCE, body={"all": "yes"}),
    "bin_forget": Guarded(query=OF_INSTANCE, body={"all": "yes"}),
    "refused": Guarded(query=OF_INSTANCE),
    "refused_keep": Guarded({"pk": "refused"}),
    "refused_dismiss": Guarded({"pk": "refused"}),
    "palette": Guarded(query=OF_INSTANCE),
    "stored_documents": Guarded(query=OF_INSTANCE),
    "stored_document": Guarded({"pk": "document"}),
    "stored_document_delete": Guarded({"pk": "document"}),
    "past": Guarded(query=OF_INSTANCE),
    "end_users": Guarded(query=OF_INSTANCE, manage=True),
    "end_user": Guarded(query=OF_PERSON, manage=True),
    "end_user_export": Guarded(query=OF_PERSON, manage=True),
    "end_user_erase": Guarded(query=OF_PERSON, body={"typed": "Wolpertinger"}, manage=True),
    "end_user_join": Guarded(query=OF_PERSON | {"other": "other"}, manage=True),
    "erasures": Guarded(query=OF_INSTANCE, manage=True),
    "erasure": Guarded({"pk": "erasure"}, manage=True),
    "certificate": Guarded({"pk": "erasure"}, manage=True),
    "suppression_lift": Guarded({"pk": "rule"}),
    "conversation_share": Guarded({"pk": "conversation"}, body={"group": "{group}"}, member=True),
    "conversation_unshare": Guarded({"pk": "conversation"}, member=True),
    "palace_note_share": Guarded({"pk": "note"}, body={"group": "{group}"}, member=True),
    "palace_note_unshare": Guarded({"pk": "note"}, member=True),
    "conversation_delete": Guarded(
        {"pk": "conversation"}, body={"memories": "delete"}, member=True
    ),
    "activity": Guarded(query=OF_INSTANCE),
    "instance_audit": Guarded(query=OF_INSTANCE, manage=True),
    "jobs": Guarded(query=OF_INSTANCE),
    "usage": Guarded(query=OF_INSTANCE),
    "calls": Guarded(query=OF_INSTANCE, manage=True),
    "chat": Guarded(query=OF_INSTANCE),
    "chat_with": Guarded({"pk": "conversation"}),
    "chat_again": Guarded({"pk": "conversation"}),
    "chat_stop": Guarded({"pk": "conversation"}),
    "chat_follow": Guarded({"pk": "conversation"}),
    "import_new": Guarded(query=OF_INSTANCE, member=True),
    "import": Guarded({"pk": "import"}),
    "import_rows": Guarded({"pk": "import"}),
    "import_confirm": Guarded({"pk": "import"}),
    "import_cancel": Guarded({"pk": "import"}),
    "rail": Guarded(query=OF_INSTANCE),
    "import_dismiss": Guarded({"pk": "import"}, member=True),
    "import_left_out": Guarded({"pk": "import"}),
    "import_read": Guarded({"pk": "import"}),
    "import_take_back": Guarded({"pk": "import"}, member=True),
    "conversation_rename": Guarded({"pk": "conversation"}, body={"title": "Taken over"}),
    "welcome_instance": Guarded(SETTINGS, body={"skip": "model"}, manage=True),
    "instance_settings": Guarded(SETTINGS),
    "instance_card": Guarded({**SETTINGS, "name": "card"}, manage=True),
    "memory_on": Guarded(SETTINGS, manage=True),
    "instance_export": Guarded(SETTINGS, manage=True),
    "instance_delete": Guarded(SETTINGS, body={"slug": "{instance}"}, manage=True),
    "member_named": Guarded(SETTINGS, manage=True),
    "member_role": Guarded({**SETTINGS, "pk": "membership"}, body={"role": "viewer"}, manage=True),
    "invitation_accept": Guarded({"pk": "invitation"}, own=True),
    "invitation_decline": Guarded({"pk": "invitation"}, own=True),
    "invitation_withdraw": Guarded({**SETTINGS, "pk": "invitation"}, manage=True),
    "member_remove": Guarded({**SETTINGS, "pk": "membership"}, manage=True),
    "agent_edit": Guarded({**SETTINGS, "pk": "agent"}, manage=True),
    "agent_remove": Guarded({**SETTINGS, "pk": "agent"}, manage=True),
    "group_new": Guarded(SETTINGS, body={"group-name": "Quokkas"}, manage=True),
    "group_edit": Guarded({**SETTINGS, "pk": "group"}, body={"name": "Quokkas"}, manage=True),
    "group_remove": Guarded({**SETTINGS, "pk": "group"}, manage=True),
    "hold_set": Guarded(SETTINGS, body={"hold-name": "A", "hold-scope": "instance"}, manage=True),
    "hold_lift": Guarded({**SETTINGS, "pk": "hold"}, manage=True),
    "own_area_set": Guarded(
        SETTINGS,
        body={"area-name": "Quokkas", "area-words": "quokka", "area-handling": "refuse"},
        manage=True,
    ),
    "own_area_remove": Guarded(SETTINGS, body={"row": "Quokkas"}, manage=True),
    "sending_rule_set": Guarded(SETTINGS, body={"sending-tier": 2}, manage=True),
    "sending_rule_remove": Guarded(
        SETTINGS,
        body={"row": '{{"category": "quokka"}}'},
        manage=True,
    ),
    "retention_set": Guarded(
        SETTINGS, body={"rule-kept": "activity", "rule-days": 365}, manage=True
    ),
    "retention_remove": Guarded({**SETTINGS, "pk": "retention_rule"}, manage=True),
    "model_report": Guarded(SETTINGS, manage=True),
    "offered_models": Guarded({**SETTINGS, "what": "what"}, manage=True),
    "embedding_offer": Guarded(SETTINGS, manage=True),
    "connection_test": Guarded({**SETTINGS, "what": "what"}, manage=True),
    "embedding_work": Guarded(SETTINGS, manage=True),
    "embedding_do": Guarded({**SETTINGS, "what": "work"}, body={"job": "{job}"}, manage=True),
    "api_key_new": Guarded(SETTINGS, manage=True),
    "account_session_end": Guarded({"pk": "session"}, own=True),
    "oauth2_provider:end": Guarded({"pk": "connection"}, own=True),
    "oauth2_provider:limit": Guarded({"pk": "connection"}, own=True),
    "api_key": Guarded({**SETTINGS, "pk": "api_key"}, manage=True),
    "api_key_revoke": Guarded({**SETTINGS, "pk": "api_key"}, manage=True),
    "webhook_new": Guarded(SETTINGS, manage=True),
    "webhook_edit": Guarded({**SETTINGS, "pk": "webhook"}, manage=True),
    "webhook_resume": Guarded({**SETTINGS, "pk": "webhook"}, manage=True),
    "webhook_rotate": Guarded({**SETTINGS, "pk": "webhook"}, manage=True),
    "webhook_remove": Guarded({**SETTINGS, "pk": "webhook"}, manage=True),
    "webhook_log": Guarded({**SETTINGS, "pk": "webhook"}, manage=True),
    "webhook_test": Guarded({**SETTINGS, "pk": "webhook"}, manage=True),
    "webhook_again": Guarded({**SETTINGS, "pk": "webhook", "delivery": "delivery"}, manage=True),
    "api:list_memories": MEMORIES,
    "api:create_memory": MEMORIES,
    "api:create_memories": Guarded(
        body={"instance_id": "{instance}", "memories": [{"content": "x"}]}
    ),
    "api:export_memories": Guarded(query=IN_API, member=True),
    "api:read_summary": Guarded(query=IN_API),
    "api:delete_memories": Guarded(body={"instance_id": "{instance}", "ids": [1]}),
    "api:read_memory": Guarded({"memory_id": "memory"}),
    "api:correct_memory": Guarded({"memory_id": "memory"}),
    "api:delete_memory": Guarded({"memory_id": "memory"}),
    "api:list_revisions": Guarded({"memory_id": "memory"}),
    "api:restore_revision": Guarded({"memory_id": "memory", "revision_id": "revision"}),
    "api:search": Guarded(body={"instance_id": "{instance}", "q": "boat"}, viewer_may=ASKS),
    "api:store": MEMORIES,
    "api:retrieve": Guarded(body={"instance_id": "{instance}", "query": "boat"}, viewer_may=ASKS),
    "api:call_search_memory": Guarded(
        body={"instance_id": "{instance}", "query": "boat"}, viewer_may=ASKS
    ),
    "api:call_list_memories": Guarded(body={"instance_id": "{instance}"}, viewer_may=ASKS),
    "api:call_save_memory": MEMORIES,
    "api:call_forget_memory": Guarded(body={"instance_id": "{instance}", "content": "boat"}),
    "api:list_conversations": CONVERSATIONS,
    "api:begin_conversation": CONVERSATIONS,
    "api:read_conversation": CONVERSATION,
    "api:rename_conversation": CONVERSATION,
    "api:delete_conversation": CONVERSATION,
    "api:read_for_facts": Guarded(OF_CONVERSATION),
    "api:list_messages": Guarded(OF_CONVERSATION, body=TURN),
    "api:append_messages": Guarded(OF_CONVERSATION, body=TURN),
    "api:read_message": Guarded({"message_id": "message"}),
    "api:list_review": Guarded(query=IN_API, manage=True),
    "api:approve_held": Guarded({"held_id": "held"}, manage=True),
    "api:reject_held": Guarded({"held_id": "held"}, manage=True),
    "api:pin_memory": Guarded({"memory_id": "memory"}, manage=True),
    "api:unpin_memory": Guarded({"memory_id": "memory"}, manage=True),
    "api:preview_rollback": ROLLBACK,
    "api:take_back_source": ROLLBACK,
    "api:list_refused": Guarded(query=IN_API),
    "api:dismiss_refused": Guarded({"refused_id": "refused"}),
    "api:list_runs": Guarded(query=IN_API),
    "api:start_import": Guarded(query=IN_API),
    "api:read_import": Guarded({"import_id": "import"}),
    "api:read_run": Guarded({"run_id": "run"}),
    "api:retry_run": Guarded({"run_id": "run"}),
    "api:read_health": Guarded(query=IN_API),
    "api:list_wings": Guarded(query=IN_API),
    "api:list_rooms": Guarded(query=IN_API),
    "api:list_drawers": Guarded(query=IN_API),
    "api:drawer_by_pointer": Guarded(query=IN_API | {"pointer": "pointer"}),
    "api:delete_several_drawers": Guarded(body={"instance_id": "{instance}", "ids": [1]}),
    "api:read_drawer": Guarded({"drawer_id": "drawer"}),
    "api:delete_drawer": Guarded({"drawer_id": "drawer"}),
    "api:file_note": Guarded(body={"instance_id": "{instance}", "text": "Any.", "wing": "Any"}),
    "api:change_a_note": Guarded({"note_id": "note"}, body={"text": "Any."}),
    "api:list_entities": Guarded(query=IN_API),
    "api:read_entity": Guarded({"entity_id": "entity"}),
    "api:list_relations": Guarded(query=IN_API),
    "api:read_inventory": Guarded(query=PERSON_IN_API, manage=True),
    "api:export_person": Guarded(query=PERSON_IN_API, manage=True),
    "api:list_holds": Guarded(query=IN_API, body=HOLD, manage=True),
    "api:set_hold": Guarded(query=IN_API, body=HOLD, manage=True),
    "api:read_hold": Guarded({"hold_id": "hold"}, manage=True),
    "api:lift_hold": Guarded({"hold_id": "hold"}, manage=True),
    "api:list_groups": Guarded(query=IN_API, body=GROUP, manage=True),
    "api:make_group": Guarded(query=IN_API, body=GROUP, manage=True),
    **dict.fromkeys(
        ("api:read_group", "api:set_group", "api:delete_group"),
        Guarded({"group_id": "group"}, body={"name": "Quokkas"}, manage=True),
    ),
    "api:list_calls": Guarded(query=IN_API, manage=True),
    "api:list_activity": Guarded(query=IN_API),
    **dict.fromkeys(
        ("api:list_webhooks", "api:add_webhook"),
        Guarded(query=IN_API, body={"url": "https://quokkas.invalid/events"}, manage=True),
    ),
    **dict.fromkeys(
        (
            *("api:read_webhook", "api:change_webhook", "api:remove_webhook"),
            *("api:replace_webhook_secret", "api:test_webhook", "api:list_webhook_events"),
        ),
        Guarded({"webhook_id": "webhook"}, body={"enabled": False}, manage=True),
    ),
    **dict.fromkeys(
        ("api:list_sending_rules", "api:set_sending_rules"),
        Guarded(query=IN_API, body={"items": []}, manage=True),
    ),
    **dict.fromkeys(
        ("api:read_sensitive_areas", "api:set_sensitive_areas"),
        Guarded(query=IN_API, body={**dict.fromkeys(AREAS, "keep"), "own_areas": []}, manage=True),
    ),
    "api:share_memory": Guarded({"memory_id": "memory"}, body={"group_id": "{group}"}),
    "api:share_conversation": Guarded(OF_CONVERSATION, body={"group_id": "{group}"}),
    "api:unshare_conversation": Guarded(OF_CONVERSATION, body={"group_id": "{group}"}),
    "api:share_note": Guarded({"note_id": "note"}, body={"group_id": "{group}"}),
    "api:unshare_note": Guarded({"note_id": "note"}, body={"group_id": "{group}"}),
    "api:list_rules": Guarded(query=IN_API, body=RULE, manage=True),
    "api:preview_rule": Guarded(query=IN_API | {"kept": "kept", "days": "days"}, manage=True),
    "api:set_rule": Guarded(query=IN_API, body=RULE, manage=True),
    "api:read_rule": Guarded({"rule_id": "retention_rule"}, manage=True),
    "api:remove_rule": Guarded({"rule_id": "retention_rule"}, manage=True),
    "api:list_golden_questions": Guarded(query=IN_API, body=GOLDEN),
    "api:keep_golden_question": Guarded(query=IN_API, body=GOLDEN),
    "api:read_golden_question": Guarded({"question_id": "golden"}),
    "api:remove_golden_question": Guarded({"question_id": "golden"}),
    "api:list_golden_rounds": Guarded(query=IN_API, body={"instance_id": "{instance}"}),
    "api:ask_golden_questions": Guarded(query=IN_API, body={"instance_id": "{instance}"}),
    "api:read_golden_round": Guarded({"round_id": "round"}),
    "api:list_erasures": Guarded(query=IN_API, body=ERASURE, manage=True),
    "api:erase_person": Guarded(query=IN_API, body=ERASURE, manage=True),
    "api:read_erasure": Guarded({"erasure_id": "erasure_uid"}, manage=True),
    "api:put_document": DOCUMENT,
    "api:get_document": DOCUMENT,
    "api:delete_document": DOCUMENT,
    "api:list_documents": Guarded(query=IN_API),
    "api:delete_namespace": Guarded(body={"instance_id": "{instance}", "prefix": ["quokkas"]}),
    "api:search_documents": Guarded(
        body={"instance_id": "{instance}", "q": "boat"}, viewer_may=ASKS
    ),
    "api:list_namespaces": Guarded(query=IN_API),
    "api:read_instance": Guarded({"instance_id": "instance"}),
}

#: Addresses that need a key, even with a session.
FOR_KEYS = {
    "v1_chat_completions",
    "v1_responses",
    "v1_response",
    "v1_conversations",
    "v1_conversation",
    "v1_items",
    "v1_messages",
    "v1_count_tokens",
    "v1_embeddings",
    "v1_models",
    "v1_model",
}
#: Of these, those in Anthropic's format.
OF_ANTHROPIC = {"v1_messages", "v1_count_tokens"}

#: URLs without an instance: every signed-in user may open them, and they show nothing of other
#: users.
WITHOUT_INSTANCE = {
    "home",
    "login_typed",
    "api_typed",
    "status_typed",
    "memory_rows",
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
    "account_language",
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
    # Of the key itself: a person has none.
    "api:list_requests",
    "metrics",
    "oauth2_provider:authorize",
    "mcp",
    "api:openapi-json",
    "api:openapi-view",
    "api:api-root",
    "api:nowhere",
    *FOR_KEYS,
    "v1_nowhere",
}

#: URLs that require a key: a session gives no more access than an anonymous visitor has.
KEYED = {
    "mem0:ping": Guarded(),
    "mem0:memories_v1": Guarded(),
    "mem0:memory": Guarded({"memory_id": "memory"}),
    "mem0:history": Guarded({"memory_id": "memory"}),
    "mem0:event": Guarded({"event_id": "run"}),
    "mem0:events": Guarded(),
    "mem0:exports": Guarded(),
    "mem0:export": Guarded(),
    "mem0:summary": Guarded(),
    "mem0:feedback": Guarded(),
    "mem0:project": Guarded({"organisation": "keep", "project": "keep"}),
    "mem0:server_memories": Guarded(),
    "mem0:server_memory": Guarded({"memory_id": "memory"}),
    "mem0:server_history": Guarded({"memory_id": "memory"}),
    "mem0:server_search": Guarded(),
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

#: URLs for apps that are not connected yet, which have no session.
FOR_APPS = {
    "oauth2_provider:oauth-server-metadata": Guarded(),
    "oauth2_provider:oauth-resource-metadata": Guarded(),
    "oauth2_provider:oauth-resource-metadata-path": Guarded({"resource_path": "keep"}),
    "oauth2_provider:well-known": Guarded({"path": "keep"}),
    "oauth2_provider:token": Guarded(),
    "oauth2_provider:revoke-token": Guarded(),
    "oauth2_provider:dcr-register": Guarded(),
    "oauth2_provider:dcr-register-management": Guarded({"client_id": "keep"}),
}

#: URLs of the whole server, only for superadmins.
SERVER = {
    "outgoing_connections": Guarded(body={"mode": "listed"}),
    "outgoing_add": Guarded(body={"address": "10.0.0.9"}),
    "outgoing_remove": Guarded({"pk": "allowed"}),
    "audit": Guarded(),
    "audit_verify": Guarded(),
    "audit_export": Guarded(),
    "people": Guarded(),
    "person": Guarded({"pk": "person"}),
    "person_invite": Guarded(body={"username": "eve"}),
    "person_link": Guarded({"pk": "person"}),
    "person_link_withdraw": Guarded({"pk": "person"}),
    "person_add": Guarded({"pk": "person"}),
    "person_change": Guarded({"pk": "person", "what": "change"}),
    "admin:index": Guarded(),
    "admin:login": Guarded(),
    "person_delete": Guarded({"pk": "person"}, body={"username": "alice"}),
}

#: Pages of single rows in the admin, and its texts for scripts; `tests/admin` opens one of each.
ADMIN_ROWS = {"admin:jsi18n"}
for _model in site._registry:
    _name = f"admin:{_model._meta.app_label}_{_model._meta.model_name}"
    SERVER[f"{_name}_changelist"] = Guarded()
    ADMIN_ROWS.add(f"{_name}_change")

#: Status codes that mean access. 409: the state does not allow it now.
ALLOWED = {200, 201, 202, 204, 302, 409, 422}

#: What the API says in JSON to those who have not signed in, though it is of no instance.
API_WITHOUT_INSTANCE = {
    "api:list_instances",
    "api:who_am_i",
    "api:describe_tools",
    "api:list_requests",
    "api:openapi-json",
}

#: Likewise, with errors in the format of that API.
WITH_A_KEY = {"mcp"}

#: Public.
OPEN = {
    "login",
    "account_login",
    "socialaccount_login_cancelled",
    "account_inactive",
    "healthz",
    "readyz",
}

#: Open with a token, which is not sent here.
WITH_A_TOKEN = {"password_link"}

#: Disabled unless enabled in the settings, with a separate key.
CLOSED = {"metrics", "oidc_begin", "oidc_callback"}


@dataclass(frozen=True)
class Address:
    """One URL pattern."""

    name: str
    route: str
    parameters: frozenset[str]


def addresses(
    resolver: URLResolver | None = None, prefix: str = "", namespace: str = ""
) -> Iterator[Address]:
    """Return every URL pattern, including nested ones."""
    for entry in (resolver or get_resolver()).url_patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            inner = f"{namespace}{entry.namespace}:" if entry.namespace else namespace
            yield from addresses(entry, route, inner)
        elif isinstance(entry, URLPattern):
            parameters = entry.pattern.converters or entry.pattern.regex.groupindex
            yield Address(f"{namespace}{entry.name or ''}", route, frozenset(parameters))


def methods_of(address: Address) -> tuple[str, ...]:
    """Return the methods to try."""
    return API_METHODS if address.name.startswith("api:") else METHODS


def url_of(address: Address, parts: Mapping[str, Any]) -> str:
    """Return the URL with its parameters filled in from *parts*."""
    guarded = (GUARDED | KEYED | FOR_APPS | SERVER).get(address.name, Guarded())
    names = {name: guarded.parameters.get(name, name) for name in address.parameters}
    values = {name: parts[part] for name, part in names.items()}
    if address.name.endswith(":"):  # unnamed, so without `reverse`
        filled = re.sub(r"<(?:\w+:)?(\w+)>", lambda m: str(values[m.group(1)]), address.route)
        url = "/" + filled.partition("(?P")[0]
    else:
        url = reverse(address.name, kwargs=values)
    query = "&".join(f"{name}={parts[part]}" for name, part in guarded.query.items())
    return f"{url}?{query}" if query else url


def ask(client: Client, address: Address, method: str, parts: Mapping[str, Any]) -> Any:
    """Make the request, and roll it back."""
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
