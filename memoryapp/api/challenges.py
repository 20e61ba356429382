"""The header that tells a client without access how to get it (RFC 6750, RFC 9728)."""

from collections.abc import Collection

from django.http import HttpRequest
from django.urls import reverse

from instances.models import Permission
from instances.oauth.views import BASIC_SCOPES, RESOURCES


def challenge(request: HttpRequest, error: str = "", scopes: Collection[str] = ()) -> str:
    """Return the value of `WWW-Authenticate`: the *error*, the *scopes* that are needed (by
    default, those that a client begins with), and where the server's metadata is.
    """
    part = request.path.strip("/").partition("/")[0]
    if part in RESOURCES:
        path = reverse("oauth2_provider:oauth-resource-metadata-path", args=[part])
    else:
        path = reverse("oauth2_provider:oauth-resource-metadata")
    wanted = scopes or BASIC_SCOPES
    parameters = {
        "realm": "Keepsake",
        "error": error,
        "scope": " ".join(scope for scope in Permission.values if scope in wanted),
        "resource_metadata": request.build_absolute_uri(path),
    }
    return "Bearer " + ", ".join(f'{name}="{value}"' for name, value in parameters.items() if value)
