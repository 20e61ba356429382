"""From an access token to what it may do at this moment."""

import hashlib
from secrets import token_urlsafe

from oauthlib.common import Request

from instances.models import AccessToken, ApiKey, Instance, InstanceRole, Permission, User

#: The first characters of each access token, by which it differs from an API key.
BEGINNING = "ko_"

#: What a connection may be allowed to do, in the order of the screen.
OFFERED = (Permission.READ, Permission.WRITE, Permission.DELETE)


def new_access_token(request: Request) -> str:
    """Return a new access token."""
    return BEGINNING + token_urlsafe(32)


def new_refresh_token(request: Request) -> str:
    """Return a new refresh token."""
    return "kr_" + token_urlsafe(32)


def key_of(token: str, address: str) -> ApiKey | None:
    """Return the key of the connection that *token* belongs to; None if it is unknown, expired or
    revoked, or if it was issued for another address than this *address*.

    The scopes of the key are those that count now: what the token has, the connection still has,
    and the person may do. Do not save it.
    """
    digest = hashlib.sha256(token.encode(errors="replace")).hexdigest()
    found = AccessToken.objects.valid().filter(token_checksum=digest)
    row = found.select_related("key__instance", "user").first()
    if row is None or row.key is None or row.user is None or not row.allows_audience(address):
        return None
    own = allowed_to(row.user, row.key.instance)
    granted = row.scope.split()
    row.key.scopes = [scope for scope in row.key.scopes if scope in granted and scope in own]
    row.key.grantable = own
    return row.key if row.key.scopes else None


def allowed_to(user: User, instance: Instance) -> list[Permission]:
    """Return what *user* may let a client do in *instance*: at most what they may do themselves."""
    role = instance.role_of(user)
    if role is None:
        return []
    return [Permission.READ] if role == InstanceRole.VIEWER else list(OFFERED)
