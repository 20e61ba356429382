"""Clients that people connect by OAuth, with their codes and tokens.

The tables of django-oauth-toolkit, which replaces all of its own or none: `IDToken` and
`DeviceGrant` are here for that reason alone. Each code and token leads to the `ApiKey` of its
connection, which says what the client may do in which instance. Tokens are stored as digests,
codes as they are: they are good for a minute, and once.
"""

import re
from datetime import timedelta
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac
from oauth2_provider import models as toolkit

from instances.models.keys import ApiKey

#: A scheme of an app of its own is the name of a domain in reverse, so that it belongs to one app
#: alone (RFC 8252, section 7.1). Any other opens something that is on the computer anyway.
_SCHEME = re.compile(r"[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+")
#: Those of widely used assistants that have no dot.
_KNOWN_SCHEMES = frozenset({"cursor", "vscode", "vscode-insiders"})
#: What an address is written with (RFC 3986).
_ADDRESS = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+")
_HOST = re.compile(r"(?!-)[a-z0-9-]{1,63}(\.(?!-)[a-z0-9-]{1,63})*\.?")
#: Characters of the addresses of one client.
MAX_CHARACTERS = 4_000
_LOOPBACK = {"127.0.0.1", "::1", "localhost"}


def return_address(uri: str) -> SplitResult | None:
    """Return the parts of *uri* if a person's browser may be led there; None for what is no plain
    address: its parts stand in headers, and browsers read odd ones in their own ways.
    """
    if not _ADDRESS.fullmatch(uri) or "#" in uri:
        return None
    try:
        address = urlsplit(uri)
        _ = address.port
    except ValueError:
        return None
    if address.scheme in ("https", "http"):
        host = address.hostname or ""
        is_plain = _is_host(host) and "@" not in address.netloc
        return address if is_plain and (address.scheme == "https" or host in _LOOPBACK) else None
    is_own = address.scheme in _KNOWN_SCHEMES or _SCHEME.fullmatch(address.scheme)
    has_place = bool(address.netloc or address.path)
    is_plain = not address.netloc or _HOST.fullmatch(address.netloc.lower()) is not None
    return address if is_own and has_place and is_plain else None


def _is_host(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return _HOST.fullmatch(host) is not None
    return True


class OAuthClientQuerySet(models.QuerySet["OAuthClient"]):
    def recent(self) -> "OAuthClientQuerySet":
        """Clients that may just be being connected."""
        return self.filter(created__gt=timezone.now() - OAuthClient.TIME_TO_CONNECT)

    def unused(self) -> "OAuthClientQuerySet":
        """Clients that registered by themselves, and were never connected."""
        return self.filter(api_keys=None)


class OAuthClient(toolkit.AbstractApplication):
    """A program that can be connected. It has registered by itself, or its id is the address of a
    document that describes it.
    """

    #: Of the clients that were never connected, only the newest are kept, and those that a person
    #: may just be connecting.
    MAX_UNUSED = 1_000
    TIME_TO_CONNECT = timedelta(hours=1)
    #: So many register from one address within that time.
    MAX_OF_NETWORK = 30
    #: No more register while so many have just registered and are not connected.
    MAX_RECENT = 10_000

    #: Digest of the address that it registered from.
    registered_from = models.CharField(max_length=64, blank=True, default="", editable=False)

    objects = toolkit.ApplicationManager.from_queryset(OAuthClientQuerySet)()

    @classmethod
    def network_digest(cls, network: str) -> str:
        """Return the digest of a client's *network*; it changes with SECRET_KEY."""
        return salted_hmac(cls.__name__, network, algorithm="sha256").hexdigest()

    def get_allowed_schemes(self) -> list[str]:
        """The schemes of its addresses. Programs on a computer or phone have one of their own."""
        addresses = [return_address(uri) for uri in self.redirect_uris.split()]
        return sorted({"https", "http"} | {address.scheme for address in addresses if address})

    def clean(self) -> None:
        """Raise `ValidationError` for a client that cannot be connected safely."""
        if len(self.redirect_uris) > MAX_CHARACTERS:
            raise ValidationError({"redirect_uris": "These are too many."})
        # Before the toolkit's own checks, which take only what is an address.
        if not all(return_address(uri) for uri in self.redirect_uris.split()):
            raise ValidationError(
                {
                    "redirect_uris": "Each must be an https address, an http address of this "
                    "computer, or have the app’s own scheme, which contains a dot."
                }
            )
        super().clean()
        if self.authorization_grant_type != self.GRANT_AUTHORIZATION_CODE:
            raise ValidationError(
                {"authorization_grant_type": "Only authorization_code is supported."}
            )

    @property
    def title(self) -> str:
        """Title of the client: the name that it gives itself, on one line and of bounded length."""
        name = " ".join(self.name.split())[:80]
        return name or self.host or "A client without a name"

    @property
    def host(self) -> str:
        """The host of its document, which proves whose client it is; empty without a document."""
        documented = self.registration_source == self.RegistrationSource.CIMD
        return (urlsplit(self.client_id).hostname or "") if documented else ""


class AuthorizationCode(toolkit.AbstractGrant):
    """A code that a client exchanges for tokens, within a minute and once. It is kept for a while,
    to recognise a second exchange.
    """

    redeemed_at = models.DateTimeField(null=True)
    #: The family of the refresh tokens that it was exchanged for.
    token_family = models.UUIDField(null=True)
    key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, null=True, related_name="+")


class AccessTokenQuerySet(models.QuerySet["AccessToken"]):
    def valid(self) -> "AccessTokenQuerySet":
        """Tokens that open something now. That of a person who may not sign in does not."""
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
