"""Checks of django-oauth-toolkit before it issues a code or token, and what it stores with them."""

import hashlib
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauthlib.common import Request

from instances.models import AccessToken, ApiKey, AuthorizationCode, RefreshToken
from instances.oauth.connections import connect, disconnect
from instances.oauth.tokens import OFFERED

#: What tokens are issued for.
GRANT_TYPES = ("authorization_code", "refresh_token")
#: After its first use, a refresh token may come again for so long without ending anything.
GRACE = timedelta(seconds=10)


class Validator(OAuth2Validator):
    """The toolkit's checks, with a connection for each code and token."""

    def validate_scopes(
        self,
        client_id: str,
        scopes: Collection[str],
        client: Any,
        request: Request,
        *args: Any,
        **kwargs: Any,
    ) -> bool:
        """Leave out unknown scopes, as RFC 6749 allows: clients ask for more than there is."""
        known = [scope for scope in scopes if scope in OFFERED]
        request.scopes = known or self.get_default_scopes(client_id, request)
        return True

    def validate_grant_type(
        self, client_id: str, grant_type: str, client: Any, request: Request, *args: Any, **kw: Any
    ) -> bool:
        """Allow only the grants that there are."""
        return grant_type in GRANT_TYPES and bool(
            super().validate_grant_type(client_id, grant_type, client, request, *args, **kw)
        )

    def validate_code(
        self, client_id: str, code: str, client: Any, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        """Refuse a code that was exchanged before, and end the tokens that it was exchanged for: of
        the two who had it, one has stolen it (RFC 6749, section 4.1.2). Of several exchanges at
        once, the lock lets one be the first.
        """
        codes = AuthorizationCode.objects.select_for_update(of=("self",))
        row = codes.filter(code=code, application=client).first()
        if row is not None and row.redeemed_at is not None:
            RefreshToken.revoke_family(row.token_family)
            return False
        return bool(super().validate_code(client_id, code, client, request, *args, **kwargs))

    def invalidate_authorization_code(
        self, client_id: str, code: str, request: Any, *args: Any, **kwargs: Any
    ) -> None:
        """Mark a code as exchanged."""
        codes = AuthorizationCode.objects.filter(code=code, application=request.client)
        codes.update(redeemed_at=timezone.now())

    def validate_refresh_token(
        self, refresh_token: str, client: Any, request: Request, *args: Any, **kwargs: Any
    ) -> bool:
        """Refuse the tokens of a person who may not sign in, or has left the instance, and those
        that were used before. Their second use ends all tokens of the connection, unless it follows
        at once: then an app has refreshed in two threads, and goes on with the newer tokens.
        """
        digest = hashlib.sha256(refresh_token.encode()).hexdigest()
        # Of several uses at once, the lock lets one be the first.
        rows = RefreshToken.objects.select_for_update(of=("self",)).filter(token_checksum=digest)
        row = rows.order_by(F("revoked").desc(nulls_first=True)).first()
        if row is not None and row.revoked is not None and timezone.now() - row.revoked < GRACE:
            return False
        if not super().validate_refresh_token(refresh_token, client, request, *args, **kwargs):
            return False
        token: Any = request.refresh_token_instance
        key, user = token.key, token.user
        return bool(
            key is not None
            and key.revoked_at is None
            and user.is_active
            and key.instance.role_of(user) is not None
        )

    def revoke_token(
        self, token: str, token_type_hint: str, request: Request, *args: Any, **kwargs: Any
    ) -> None:
        """Revoke a token; the connection ends when none is left."""
        with transaction.atomic():
            live = self._live_keys(request.client)
            super().revoke_token(token, token_type_hint, request, *args, **kwargs)
            for key in live - self._live_keys(request.client):
                disconnect(key, by=None)

    def _live_keys(self, client: Any) -> set[ApiKey]:
        live = RefreshToken.objects.filter(application=client, revoked=None, key__revoked_at=None)
        return {row.key for row in live.select_related("key__instance") if row.key is not None}

    def _create_authorization_code(
        self, request: Any, code: dict[str, str], expires: datetime | None = None
    ) -> AuthorizationCode:
        with transaction.atomic():
            grant: AuthorizationCode = super()._create_authorization_code(request, code, expires)
            grant.key = connect(
                request.client,
                request.user,
                request.instance,
                request.scopes,
                end_user=request.end_user,
                reach=request.reach,
            )
            grant.save(update_fields=["key"])
        return grant

    def _create_access_token(
        self,
        expires: datetime,
        request: Request,
        token: dict[str, Any],
        source_refresh_token: RefreshToken | None = None,
    ) -> AccessToken:
        created: AccessToken = super()._create_access_token(
            expires, request, token, source_refresh_token
        )
        if source_refresh_token is not None:
            created.key = source_refresh_token.key
        else:
            codes = AuthorizationCode.objects.filter(application=request.client)
            created.key = codes.get(code=request.code).key
        created.save(update_fields=["key"])
        return created

    def _create_refresh_token(
        self,
        request: Request,
        refresh_token_code: str,
        access_token: AccessToken,
        previous_refresh_token: RefreshToken | None,
    ) -> RefreshToken:
        created: RefreshToken = super()._create_refresh_token(
            request, refresh_token_code, access_token, previous_refresh_token
        )
        created.key = access_token.key
        created.save(update_fields=["key"])
        if previous_refresh_token is None:
            codes = AuthorizationCode.objects.filter(application=request.client, code=request.code)
            codes.update(token_family=created.token_family)
        return created
