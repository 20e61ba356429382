"""Clients that people connect by OAuth, with their codes and tokens.

The tables of django-oauth-toolkit, which replaces all of its own or none: `IDToken` and
`DeviceGrant` are here for that reason alone. Each code and token leads to the `ApiKey` of its
connection, which says what the client may do in which instance. Codes and tokens are stored as
digests, or for a minute.
"""

import re
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from oauth2_provider import models as toolkit

from instances.models.keys import ApiKey

#: Schemes that a browser runs or fetches by itself: never a place to return to.
_UNSAFE_SCHEMES = {"about", "blob", "data", "file", "filesystem", "ftp", "javascript", "vbscript"}
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")
#: Characters of the addresses of one client.
MAX_CHARACTERS = 4_000
_LOOPBACK = {"127.0.0.1", "::1", "localhost"}


class OAuthClientQuerySet(models.QuerySet["OAuthClient"]):
    def unused(self) -> "OAuthClientQuerySet":
        """Those that registered by themselves, and were never connected."""
        return self.filter(api_keys=None)


class OAuthClient(toolkit.AbstractApplication):
    """A program that can be connected. It has registered by itself, or its id is the address of a
    document that describes it.
    """

    #: Of the clients that were never connected, only the newest are kept.
    MAX_UNUSED = 1_000

    objects = toolkit.ApplicationManager.from_queryset(OAuthClientQuerySet)()

    def get_allowed_schemes(self) -> list[str]:
        """The schemes of its addresses. Programs on a computer or phone have one of their own."""
        schemes = {urlsplit(uri).scheme.lower() for uri in self.redirect_uris.split()}
        return sorted(
            scheme
            for scheme in schemes | {"https", "http"}
            if _SCHEME.fullmatch(scheme) and scheme not in _UNSAFE_SCHEMES
        )

    def clean(self) -> None:
        """Raise `ValidationError` for a client that cannot be connected safely."""
        super().clean()
        for uri in self.redirect_uris.split():
            address = urlsplit(uri)
            if address.scheme == "http" and address.hostname not in _LOOPBACK:
                raise ValidationError(
                    {"redirect_uris": "http is only for this computer: use https."}
                )
        if len(self.redirect_uris) > MAX_CHARACTERS:
            raise ValidationError({"redirect_uris": "These are too many."})

    @property
    def title(self) -> str:
        """What it is called: the name that it gives itself, on one line and of bounded length."""
        name = " ".join(self.name.split())[:80]
        return name or self.host or "A client without a name"

    @property
    def host(self) -> str:
        """The host of its document, which proves whose client it is; empty without a document."""
        documented = self.registration_source == self.RegistrationSource.CIMD
        return (urlsplit(self.client_id).hostname or "") if documented else ""


class AuthorizationCode(toolkit.AbstractGrant):
    """A code that a client exchanges for tokens, within a minute and once."""

    key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, null=True, related_name="+")


class AccessTokenQuerySet(models.QuerySet["AccessToken"]):
    def valid(self) -> "AccessTokenQuerySet":
        """Those that open something now. That of a person who may not sign in does not."""
        return self.filter(
            expires__gt=timezone.now(), key__revoked_at=None, user__is_active=True
        ).exclude(key__instance__private_to__is_active=False)


class AccessToken(toolkit.AbstractAccessToken):
    """A token that opens what its connection may open, for an hour."""

    #: None for the token with which a client manages its own registration.
    key = models.ForeignKey(
        ApiKey, on_delete=models.CASCADE, null=True, related_name="access_tokens"
    )

    objects = AccessTokenQuerySet.as_manager()


class RefreshToken(toolkit.AbstractRefreshToken):
    """A token that is exchanged for a new pair of tokens, once."""

    key = models.ForeignKey(
        ApiKey, on_delete=models.CASCADE, null=True, related_name="refresh_tokens"
    )


class IDToken(toolkit.AbstractIDToken):
    """Unused: Keepsake is no identity provider."""


class DeviceGrant(toolkit.AbstractDeviceGrant):
    """Unused: there is no flow for devices without a browser."""
