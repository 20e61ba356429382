from django.urls import path

from instances import connection_views, key_views, members, views

urlpatterns = [
    path("instances", views.instances, name="instances"),
    path("instances/new", views.new, name="instance_new"),
    path("instances/<slug:slug>/settings", views.settings, name="instance_settings"),
    path("instances/<slug:slug>/settings/<str:card>", views.save, name="instance_save"),
    path("instances/<slug:slug>/members/<int:pk>/role", members.change_role, name="member_role"),
    path("instances/<slug:slug>/members/<int:pk>/remove", members.remove, name="member_remove"),
    path(
        "instances/<slug:slug>/invitations/<int:pk>/withdraw",
        members.withdraw_invitation,
        name="invitation_withdraw",
    ),
    path("invitations/<int:pk>/accept", members.accept, name="invitation_accept"),
    path("invitations/<int:pk>/decline", members.decline, name="invitation_decline"),
    path("instances/<slug:slug>/agents/<int:pk>", views.edit_agent, name="agent_edit"),
    path("instances/<slug:slug>/agents/<int:pk>/remove", views.remove_agent, name="agent_remove"),
    path("instances/<slug:slug>/keys", key_views.new, name="api_key_new"),
    path("instances/<slug:slug>/keys/<int:pk>/revoke", key_views.revoke, name="api_key_revoke"),
    path("instances/<slug:slug>/delete", views.delete, name="instance_delete"),
    path("server/connections", connection_views.connections, name="outgoing_connections"),
    path("server/connections/add", connection_views.add, name="outgoing_add"),
    path("server/connections/<int:pk>/remove", connection_views.remove, name="outgoing_remove"),
]
