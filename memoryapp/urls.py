"""All addresses in one place, so that the whole can be seen."""

from django.urls import include, path

from memoryapp.addresses import typed
from memoryapp.admin import tables as admin
from memoryapp.api.mcp import endpoint as mcp
from memoryapp.api.mem0 import urls as mem0
from memoryapp.api.rest import routes as rest
from memoryapp.api.v1 import urls as v1
from memoryapp.web import connection_test, health_checks, model_servers, navigation
from memoryapp.web.activity import views as activity
from memoryapp.web.api_keys import views as api_keys
from memoryapp.web.audit import views as audit
from memoryapp.web.chat import views as chat
from memoryapp.web.conversations import actions as conversations
from memoryapp.web.documents import views as store
from memoryapp.web.embeddings import views as embedding
from memoryapp.web.golden import views as golden
from memoryapp.web.graph import edit as graph_edit
from memoryapp.web.graph import views as graph
from memoryapp.web.health import recommendations, servers
from memoryapp.web.health import views as health
from memoryapp.web.jobs import views as jobs
from memoryapp.web.memory import (
    bin,
    bulk_edit,
    bulk_merge,
    contradictions,
    delete,
    edit,
    export,
    merge,
    past,
    pin,
    refused,
    review,
    rollback,
    saved_filters,
    share,
    suppression,
    tags,
)
from memoryapp.web.memory import views as memories
from memoryapp.web.palace import backfill as palace_backfill
from memoryapp.web.palace import delete as palace_delete
from memoryapp.web.palace import notes as palace_notes
from memoryapp.web.palace import reorganise as palace_reorganise
from memoryapp.web.palace import views as palace
from memoryapp.web.palette import views as palette
from memoryapp.web.people import views as people
from memoryapp.web.profile import views as profile
from memoryapp.web.proposals import views as proposals
from memoryapp.web.recall import weights
from memoryapp.web.usage import calls
from memoryapp.web.usage import views as usage
from memoryapp.web.webhooks import views as webhooks
from memoryapp.web.welcome import views as welcome

urlpatterns = [
    path("", memories.home, name="home"),
    path("welcome", welcome.welcome, name="welcome"),
    path("welcome/<slug:slug>", welcome.welcome_instance, name="welcome_instance"),
    path("rail", navigation.rail, name="rail"),
    path("palette", palette.palette, name="palette"),
    path("memory", memories.memories, name="memories"),
    path("memory/status", memories.status, name="memory_status"),
    path("memory/rows", memories.rows, name="memory_rows"),
    path("memory/new", edit.new, name="memory_new"),
    path("memory/recall/weights", weights.keep, name="recall_weights"),
    path("memory/profile", profile.profile, name="profile"),
    path("memory/profile/summary", profile.profile_summary, name="profile_summary"),
    path("memory/profile/<int:pk>", profile.profile_fact, name="profile_fact"),
    path("memory/profile/<int:pk>/keep", profile.profile_keep, name="profile_keep"),
    path("memory/profile/<int:pk>/correct", profile.profile_correct, name="profile_correct"),
    path("memory/profile/<int:pk>/forget", profile.profile_forget, name="profile_forget"),
    path("memory/people", people.people, name="end_users"),
    path("memory/people/file", people.person_file, name="end_user"),
    path("memory/people/file/export", people.export, name="end_user_export"),
    path("memory/people/file/erase", people.erase, name="end_user_erase"),
    path("memory/people/file/join", people.join, name="end_user_join"),
    path("memory/people/erasures", people.erasures, name="erasures"),
    path("memory/people/erasures/<int:pk>", people.erasure, name="erasure"),
    path("memory/people/erasures/<int:pk>/certificate", people.certificate, name="certificate"),
    path("memory/documents", store.documents, name="stored_documents"),
    path("memory/documents/<int:pk>", store.document, name="stored_document"),
    path("memory/documents/<int:pk>/delete", store.remove, name="stored_document_delete"),
    path("memory/past", past.past, name="past"),
    path("status/health", health.health, name="health"),
    path("status/health/merge/part", merge.part, name="health_part"),
    path("status/health/servers/<int:pk>", servers.try_now, name="health_server_try"),
    path("status/health/<slug:what>", recommendations.health_remedy, name="health_remedy"),
    path("memory/delete", delete.delete, name="memory_delete"),
    path("memory/export", export.export, name="memory_export"),
    path("memory/choices", memories.choices, name="memory_choices"),
    path("memory/filters", saved_filters.saved, name="filters"),
    path("memory/filters/<int:pk>", saved_filters.rename, name="filter_rename"),
    path("memory/filters/<int:pk>/delete", saved_filters.delete, name="filter_delete"),
    path("memory/bulk/<slug:what>", bulk_edit.change, name="memory_bulk"),
    path("memory/bulk/<uuid:batch>/undo", bulk_edit.undo, name="memory_bulk_undo"),
    path("memory/merge", bulk_merge.merge, name="memory_merge"),
    path("memory/merge/undo", bulk_merge.undo, name="memory_merge_undo"),
    path("memory/tags", tags.tags, name="tags"),
    path("memory/tags/rename", tags.rename, name="tag_rename"),
    path("memory/tags/delete", tags.delete, name="tag_delete"),
    path("memory/undo", delete.undelete, name="memory_undelete"),
    path("memory/review", review.queue, name="review"),
    path("memory/review/<int:pk>", review.decide, name="review_decide"),
    path("memory/removed/rollback", rollback.rollback, name="rollback"),
    path("memory/removed/bin", bin.archived, name="bin"),
    path("memory/removed/bin/restore", bin.restore, name="bin_restore"),
    path("memory/removed/bin/forget", bin.forget, name="bin_forget"),
    path("memory/proposals/<int:pk>", proposals.proposal, name="proposal"),
    path("memory/removed/refused", refused.proposals, name="refused"),
    path("memory/removed/refused/<int:pk>/keep", refused.keep, name="refused_keep"),
    path("memory/removed/refused/<int:pk>/dismiss", refused.dismiss, name="refused_dismiss"),
    path("memory/removed/blocked", suppression.rules, name="suppression"),
    path("memory/removed/blocked/<int:pk>/lift", suppression.lift, name="suppression_lift"),
    path("memory/graph", graph.graph, name="graph"),
    path("memory/graph/new", graph_edit.new_relation, name="relation_new"),
    path("memory/graph/<int:pk>", graph.entity, name="entity"),
    path("memory/graph/<int:pk>/rename", graph_edit.rename_entity, name="entity_rename"),
    path("memory/graph/<int:pk>/merge", graph_edit.merge_entity, name="entity_merge"),
    path(
        "memory/graph/relations/<int:pk>/end",
        graph_edit.end_relation,
        name="relation_end",
    ),
    path(
        "memory/graph/relations/<int:pk>/withdraw",
        graph_edit.withdraw_relation,
        name="relation_withdraw",
    ),
    path("conversations/palace", palace.palace, name="palace"),
    path("conversations/palace/delete", palace_delete.delete, name="palace_delete"),
    path("conversations/palace/file", palace_backfill.file_rest, name="palace_file"),
    path("conversations/palace/drawers/<int:pk>", palace.drawer, name="palace_drawer"),
    path("conversations/palace/notes/new", palace_notes.new_note, name="palace_note_new"),
    path(
        "conversations/palace/notes/<int:pk>/edit", palace_notes.edit_note, name="palace_note_edit"
    ),
    path("conversations/palace/wings/<int:pk>", palace_reorganise.wing, name="palace_wing"),
    path("conversations/palace/topics/<int:pk>", palace_reorganise.closet, name="palace_topic"),
    path("memory/<int:pk>", memories.memory, name="memory"),
    path("memory/<int:pk>/row", edit.row, name="memory_row"),
    path("memory/<int:pk>/edit", edit.edit, name="memory_edit"),
    path("memory/<int:pk>/importance", edit.importance, name="memory_importance"),
    path("memory/<int:pk>/pin", pin.pin, name="memory_pin"),
    path("memory/<int:pk>/unpin", pin.unpin, name="memory_unpin"),
    path("memory/<int:pk>/share", share.share, name="memory_share"),
    path("memory/<int:pk>/unshare", share.unshare, name="memory_unshare"),
    path(
        "memory/<int:pk>/restore/<int:revision>",
        edit.restore_revision,
        name="memory_restore",
    ),
    path("memory/<int:pk>/undo/<int:revision>", edit.undo_change, name="memory_undo"),
    path(
        "memory/<int:pk>/keep-both/<int:revision>",
        edit.keep_both_instead,
        name="memory_keep_both",
    ),
    path("conversations/messages/<int:pk>", conversations.message, name="message"),
    path(
        "memory/<int:pk>/both-right/<int:other>",
        contradictions.keep_both,
        name="memory_both_right",
    ),
    path("conversations/<int:pk>/read", conversations.read_now, name="conversation_read"),
    path("conversations/<int:pk>/again", conversations.read_again, name="conversation_again"),
    path("conversations/<int:pk>/share", conversations.share, name="conversation_share"),
    path("conversations/<int:pk>/unshare", conversations.unshare, name="conversation_unshare"),
    path(
        "conversations/palace/notes/<int:pk>/share",
        palace_notes.share_note,
        name="palace_note_share",
    ),
    path(
        "conversations/palace/notes/<int:pk>/unshare",
        palace_notes.unshare_note,
        name="palace_note_unshare",
    ),
    path("conversations/<int:pk>/delete", conversations.delete, name="conversation_delete"),
    path(
        "conversations/read-again",
        conversations.read_again_with_model,
        name="read_again_with_model",
    ),
    path("conversations/imports/<int:pk>/read", conversations.read_imported, name="import_read"),
    path(
        "conversations/imports/<int:pk>/take-back",
        rollback.take_back_import,
        name="import_take_back",
    ),
    path("", include("memoryapp.web.conversations.urls")),
    path("activity", activity.activity, name="activity"),
    path("activity/audit", audit.audit_of_instance, name="instance_audit"),
    path("server/audit", audit.audit, name="audit"),
    path("server/audit/verify", audit.verify, name="audit_verify"),
    path("server/audit/export", audit.export, name="audit_export"),
    path("status/usage", usage.usage, name="usage"),
    path("status/usage/calls", calls.calls, name="calls"),
    path("status/jobs", jobs.jobs, name="jobs"),
    path("status/golden", golden.questions, name="golden"),
    path("status/golden/keep", golden.keep, name="golden_keep"),
    path("status/golden/ask", golden.ask, name="golden_ask"),
    path("status/golden/try", golden.try_weights, name="golden_try"),
    path("status/golden/file", golden.add_file, name="golden_file"),
    path("status/golden/<int:pk>/remove", golden.remove, name="golden_remove"),
    path("chat", chat.chat, name="chat"),
    path("chat/<int:pk>", chat.chat_with, name="chat_with"),
    path("chat/<int:pk>/again", chat.again, name="chat_again"),
    path("chat/<int:pk>/stop", chat.stop, name="chat_stop"),
    path("chat/<int:pk>/follow", chat.follow, name="chat_follow"),
    path("instances/<slug:slug>/test/<str:what>", connection_test.test, name="connection_test"),
    path(
        "instances/<slug:slug>/models/<str:what>",
        model_servers.offered_models,
        name="offered_models",
    ),
    path(
        "instances/<slug:slug>/embedding-offer",
        model_servers.embedding_offer,
        name="embedding_offer",
    ),
    path("instances/<slug:slug>/model", connection_test.report, name="model_report"),
    path("instances/<slug:slug>/embedding", embedding.embedding_work, name="embedding_work"),
    path("instances/<slug:slug>/embedding/<str:what>", embedding.embedding_do, name="embedding_do"),
    path("instances/<slug:slug>/keys/<int:pk>", api_keys.api_key, name="api_key"),
    path("instances/<slug:slug>/webhooks/<int:pk>/log", webhooks.log, name="webhook_log"),
    path("instances/<slug:slug>/webhooks/<int:pk>/test", webhooks.test, name="webhook_test"),
    path(
        "instances/<slug:slug>/webhooks/<int:pk>/log/<int:delivery>/again",
        webhooks.again,
        name="webhook_again",
    ),
    path("", include("memoryapp.web.settings.urls")),
    path("", include("instances.oauth.urls")),
    # Before what else is below /v1/ and /api/, where all that is left is nowhere.
    path("", mem0.addresses()),
    path("api/", rest.addresses()),
    path("v1/", include(v1.urlpatterns)),
    *mcp.addresses(),
    path("healthz", health_checks.healthz, name="healthz"),
    path("readyz", health_checks.readyz, name="readyz"),
    path("metrics", health_checks.metrics, name="metrics"),
    path("", include("memoryapp.web.sign_in.urls")),
    path("", include("memoryapp.web.accounts.urls")),
    path("admin/", admin.site.urls),
    # What people type.
    path("login", typed("login"), name="login_typed"),
    path("api", typed("api:openapi-view"), name="api_typed"),
    path("status", typed("health"), name="status_typed"),
]

handler400 = "memoryapp.web.error_pages.bad_request"
handler404 = "memoryapp.web.memory.views.not_found"
handler500 = "memoryapp.web.error_pages.server_error"
