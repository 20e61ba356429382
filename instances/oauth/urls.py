"""Addresses of OAuth. Their names are those under which django-oauth-toolkit looks for them."""

from django.urls import path
from oauth2_provider.views.base import RevokeTokenView
from oauth2_provider.views.metadata import OAuthServerMetadataView

from instances.oauth import endpoints, views

app_name = "oauth2_provider"
urlpatterns = [
    path(
        ".well-known/oauth-authorization-server",
        OAuthServerMetadataView.as_view(),
        name="oauth-server-metadata",
    ),
    path(
        ".well-known/oauth-protected-resource",
        views.ResourceMetadataView.as_view(),
        name="oauth-resource-metadata",
    ),
    path(
        ".well-known/oauth-protected-resource/<path:resource_path>",
        views.ResourceMetadataView.as_view(),
        name="oauth-resource-metadata-path",
    ),
    path(".well-known/<path:path>", views.unknown, name="well-known"),
    path("oauth/authorize", views.ConsentView.as_view(), name="authorize"),
    path("oauth/token", endpoints.TokenView.as_view(), name="token"),
    path("oauth/revoke", RevokeTokenView.as_view(), name="revoke-token"),
    path("oauth/register", endpoints.RegistrationView.as_view(), name="dcr-register"),
    path(
        "oauth/register/<path:client_id>",
        endpoints.RegisteredClientView.as_view(),
        name="dcr-register-management",
    ),
    path("oauth/connections/<int:pk>/limit", views.limit_connection, name="limit"),
    path("oauth/connections/<int:pk>/end", views.end, name="end"),
]
