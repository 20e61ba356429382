"""All addresses in one place, so that the whole can be seen."""

from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from memoryapp.api import openai, rest
from memoryapp.api.mcp import door as mcp
from memoryapp.api.mem0 import door as mem0
from memoryapp.web import (
    activity,
    chat,
    connections,
    conversations,
    correcting,
    deleting,
    embedding,
    exporting,
    filters,
    graph,
    graph_correcting,
    health,
    memories,
    merging,
    never_again,
    past,
    probes,
    profile,
    recall,
    remedies,
    usage,
    weights,
    welcome,
)
from memoryapp.web.palace import arriving as palace_arriving
from memoryapp.web.palace import deleting as palace_deleting
from memoryapp.web.palace import notes as palace_notes
from memoryapp.web.palace import ordering as palace_ordering
from memoryapp.web.palace import screen as palace

urlpatterns = [
    path("", memories.home, name="home"),
    path("welcome", welcome.welcome, name="welcome"),
    path("welcome/<slug:slug>", welcome.welcome_instance, name="welcome_instance"),
    path("memory", memories.memories, name="memories"),
    path("memory/status", memories.status, name="memory_status"),
    path("memory/new", correcting.new, name="memory_new"),
    path("memory/recall", recall.asked, name="recall"),
    path("memory/recall/weights", weights.keep, name="recall_weights"),
    path("memory/profile", profile.profile, name="profile"),
    path("memory/profile/summary", profile.profile_summary, name="profile_summary"),
    path("memory/profile/<int:pk>", profile.profile_fact, name="profile_fact"),
    path("memory/profile/<int:pk>/forget", profile.profile_forget, name="profile_forget"),
    path("memory/past", past.past, name="past"),
    path("memory/health", health.health, name="health"),
    path("memory/health/merge/part", merging.part, name="health_part"),
    path("memory/health/<slug:what>", remedies.health_remedy, name="health_remedy"),
    path("memory/delete", deleting.delete, name="memory_delete"),
    path("memory/export", exporting.export, name="memory_export"),
    path("memory/filters", filters.saved, name="filters"),
    path("memory/filters/<int:pk>", filters.rename, name="filter_rename"),
    path("memory/filters/<int:pk>/delete", filters.delete, name="filter_delete"),
    path("memory/undo", deleting.undelete, name="memory_undelete"),
    path("memory/never-again", never_again.rules, name="never_again"),
    path("memory/never-again/<int:pk>/lift", never_again.lift, name="never_again_lift"),
    path("memory/graph", graph.graph, name="graph"),
    path("memory/graph/new", graph_correcting.new_relation, name="relation_new"),
    path("memory/graph/<int:pk>", graph.entity, name="entity"),
    path("memory/graph/<int:pk>/rename", graph_correcting.rename_entity, name="entity_rename"),
    path("memory/graph/<int:pk>/merge", graph_correcting.merge_entity, name="entity_merge"),
    path(
        "memory/graph/relations/<int:pk>/end",
        graph_correcting.end_relation,
        name="relation_end",
    ),
    path(
        "memory/graph/relations/<int:pk>/withdraw",
        graph_correcting.withdraw_relation,
        name="relation_withdraw",
    ),
    path("memory/palace", palace.palace, name="palace"),
    path("memory/palace/delete", palace_deleting.delete, name="palace_delete"),
    path("memory/palace/file", palace_arriving.file_rest, name="palace_file"),
    path("memory/palace/drawers/<int:pk>", palace.drawer, name="palace_drawer"),
    path("memory/palace/notes/new", palace_notes.new_note, name="palace_note_new"),
    path("memory/palace/notes/<int:pk>/edit", palace_notes.edit_note, name="palace_note_edit"),
    path("memory/palace/wings/<int:pk>", palace_ordering.wing, name="palace_wing"),
    path("memory/palace/topics/<int:pk>", palace_ordering.closet, name="palace_topic"),
    path("memory/<int:pk>", memories.memory, name="memory"),
    path("memory/<int:pk>/row", correcting.row, name="memory_row"),
    path("memory/<int:pk>/edit", correcting.edit, name="memory_edit"),
    path(
        "memory/<int:pk>/restore/<int:revision>",
        correcting.restore_revision,
        name="memory_restore",
    ),
    path("memory/<int:pk>/undo/<int:revision>", correcting.undo_change, name="memory_undo"),
    path(
        "memory/<int:pk>/keep-both/<int:revision>",
        correcting.keep_both_instead,
        name="memory_keep_both",
    ),
    path("conversations/<int:pk>/read", conversations.read_now, name="conversation_read"),
    path("conversations/<int:pk>/again", conversations.read_again, name="conversation_again"),
    path("conversations/<int:pk>/delete", conversations.delete, name="conversation_delete"),
    path("conversations/imports/<int:pk>/read", conversations.read_imported, name="import_read"),
    path("", include("conversations.urls")),
    path("activity", activity.activity, name="activity"),
    path("usage", usage.usage, name="usage"),
    path("chat", chat.chat, name="chat"),
    path("chat/<int:pk>", chat.chat_with, name="chat_with"),
    path("chat/<int:pk>/again", chat.again, name="chat_again"),
    path("chat/<int:pk>/stop", chat.stop, name="chat_stop"),
    path("chat/<int:pk>/follow", chat.follow, name="chat_follow"),
    path("instances/<slug:slug>/test/<str:what>", connections.test, name="connection_test"),
    path("instances/<slug:slug>/embedding", embedding.embedding_work, name="embedding_work"),
    path("instances/<slug:slug>/embedding/<str:what>", embedding.embedding_do, name="embedding_do"),
    path("", include("instances.urls")),
    path("api/", rest.addresses()),
    # Before what else is below /v1/, where all that is left is nowhere.
    path("", mem0.addresses()),
    path("v1/", include(openai.urlpatterns)),
    *mcp.addresses(),
    path("healthz", probes.healthz, name="healthz"),
    path("readyz", probes.readyz, name="readyz"),
    path("metrics", probes.metrics, name="metrics"),
    path("", include("instances.signin.urls")),
    # Django's own page to sign in at would be a second door.
    path(
        "admin/login/",
        login_not_required(RedirectView.as_view(pattern_name="login", query_string=True)),
        name="admin_login",
    ),
    # The admin's redirect to the page of any object there is would give away private names.
    re_path("^admin/r/", memories.not_found, name="no_shortcut"),
    path("admin/", admin.site.urls),
]

handler404 = "memoryapp.web.memories.not_found"
handler500 = "memoryapp.web.failures.server_error"
