"""Addresses of the screens of instances."""

from django.urls import path

from memoryapp.web.settings import (
    agents,
    api_keys,
    connections,
    groups,
    holds,
    instances,
    members,
    own_areas,
    retention,
    sending,
    webhooks,
)
from memoryapp.web.settings import views as settings

urlpatterns = [
    path("instances", instances.instances, name="instances"),
    path("instances/new", instances.new, name="instance_new"),
    path("instances/<slug:slug>/settings", settings.settings, name="instance_settings"),
    path("instances/<slug:slug>/settings/<str:name>", settings.card, name="instance_card"),
    path("instances/<slug:slug>/members/named", members.named, name="member_named"),
    path("instances/<slug:slug>/members/<int:pk>/role", members.change_role, name="member_role"),
    path("instances/<slug:slug>/members/<int:pk>/remove", members.remove, name="member_remove"),
    path(
        "instances/<slug:slug>/invitations/<int:pk>/withdraw",
        members.withdraw_invitation,
        name="invitation_withdraw",
    ),
    path("invitations/<int:pk>/accept", members.accept, name="invitation_accept"),
    path("invitations/<int:pk>/decline", members.decline, name="invitation_decline"),
    path("instances/<slug:slug>/agents/<int:pk>", agents.edit, name="agent_edit"),
    path("instances/<slug:slug>/agents/<int:pk>/remove", agents.remove, name="agent_remove"),
    path("instances/<slug:slug>/groups", groups.new, name="group_new"),
    path("instances/<slug:slug>/groups/<int:pk>", groups.edit, name="group_edit"),
    path("instances/<slug:slug>/groups/<int:pk>/remove", groups.remove, name="group_remove"),
    path("instances/<slug:slug>/holds", holds.set_hold, name="hold_set"),
    path("instances/<slug:slug>/holds/<int:pk>/lift", holds.lift, name="hold_lift"),
    path("instances/<slug:slug>/areas", own_areas.set_area, name="own_area_set"),
    path("instances/<slug:slug>/areas/remove", own_areas.remove_area, name="own_area_remove"),
    path("instances/<slug:slug>/sending", sending.set_rule, name="sending_rule_set"),
    path("instances/<slug:slug>/sending/remove", sending.remove_rule, name="sending_rule_remove"),
    path("instances/<slug:slug>/retention", retention.set_rule, name="retention_set"),
    path(
        "instances/<slug:slug>/retention/<int:pk>/remove",
        retention.remove_rule,
        name="retention_remove",
    ),
    path("instances/<slug:slug>/keys", api_keys.new, name="api_key_new"),
    path("instances/<slug:slug>/keys/<int:pk>/revoke", api_keys.revoke, name="api_key_revoke"),
    path("instances/<slug:slug>/webhooks", webhooks.new, name="webhook_new"),
    path("instances/<slug:slug>/webhooks/<int:pk>", webhooks.edit, name="webhook_edit"),
    path("instances/<slug:slug>/webhooks/<int:pk>/on", webhooks.resume, name="webhook_resume"),
    path("instances/<slug:slug>/webhooks/<int:pk>/secret", webhooks.rotate, name="webhook_rotate"),
    path("instances/<slug:slug>/webhooks/<int:pk>/remove", webhooks.remove, name="webhook_remove"),
    path("instances/<slug:slug>/export", instances.export, name="instance_export"),
    path("instances/<slug:slug>/delete", instances.delete, name="instance_delete"),
    path("server/connections", connections.connections, name="outgoing_connections"),
    path("server/connections/add", connections.add, name="outgoing_add"),
    path("server/connections/<int:pk>/remove", connections.remove, name="outgoing_remove"),
]
