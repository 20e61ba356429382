"""The addresses at which clients register and get tokens: what the toolkit answers, once
the request is bounded and the rows that it is about are locked.
"""

from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from oauth2_provider.views import base
from oauth2_provider.views import dynamic_client_registration as registration
from oauthlib.common import Request

from instances.models import OAuthClient
from instances.models.oauth import return_address
from instances.oauth.client_documents import json_object
from instances.oauth.connections import delete_unused_clients
from instances.oauth.validator import GRANT_TYPES, Validator
from instances.signin.address import client_address, network_of

#: The error of a registration, as RFC 7591 names it.
_INVALID = "invalid_client_metadata"


def refused(error: str, description: str, status: int = 400) -> JsonResponse:
    """Return a refusal as OAuth writes it."""
    return JsonResponse({"error": error, "error_description": description}, status=status)


class TokenView(base.TokenView):
    """Exchanges codes and refresh tokens for tokens."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        grant_type = request.POST.get("grant_type", "authorization_code")
        if grant_type not in GRANT_TYPES:
            known = " and ".join(GRANT_TYPES)
            return refused("unsupported_grant_type", f"The grant types are {known}.")
        client_id = request.POST.get("client_id", "")
        if client_id.startswith("https://"):
            # Now, if its document must be fetched: not while rows are locked.
            Validator()._load_application(client_id, Request(request.path))
        # The validator locks the code or token, so that of several requests one is the first.
        with transaction.atomic():
            response: HttpResponse = super().post(request, *args, **kwargs)
        return response


class RegistrationView(registration.DynamicClientRegistrationView):
    """Registers clients, and deletes the oldest that were never connected."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        network = OAuthClient.network_digest(network_of(client_address(request)))
        recent = OAuthClient.objects.recent()
        if (
            recent.filter(registered_from=network).count() >= OAuthClient.MAX_OF_NETWORK
            or recent.unused().count() >= OAuthClient.MAX_RECENT
        ):
            busy = refused("temporarily_unavailable", "Too many apps have just registered.", 429)
            busy["Retry-After"] = str(int(OAuthClient.TIME_TO_CONNECT.total_seconds()))
            return busy
        if (problem := _problem_of(request)) is not None:
            return refused(_INVALID, problem)
        with transaction.atomic():
            response: HttpResponse = super().post(request, *args, **kwargs)
            if response.status_code == 201:
                client_id = json_object(response.content)["client_id"]
                registered = OAuthClient.objects.filter(client_id=client_id)
                registered.update(registered_from=network)
        delete_unused_clients()
        return response


class RegisteredClientView(registration.DynamicClientRegistrationManagementView):
    """View in which a client reads, changes and deletes its registration."""

    def put(self, request: HttpRequest, client_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        if (problem := _problem_of(request)) is not None:
            return refused(_INVALID, problem)
        response: HttpResponse = super().put(request, client_id, *args, **kwargs)
        return response


def _problem_of(request: HttpRequest) -> str | None:
    """Return why the description of a client in *request* is refused; None if it is not."""
    try:
        described = json_object(request.body)
    except ValueError as error:
        return str(error)
    name = described.get("client_name", "")
    if not isinstance(name, str) or not name.isprintable():
        # Neither NUL nor half of a surrogate pair, which cannot be stored, is printable.
        return "client_name must be a text on one line."
    grants = described.get("grant_types", ["authorization_code"])
    if not isinstance(grants, list) or "authorization_code" not in grants:
        return "grant_types must contain authorization_code."
    if not all(grant in GRANT_TYPES for grant in grants):
        return f"The only grant types are {' and '.join(GRANT_TYPES)}."
    addresses = described.get("redirect_uris", [])
    if not isinstance(addresses, list) or not all(
        isinstance(each, str) and return_address(each) for each in addresses
    ):
        return (
            "Each of redirect_uris must be an https address, an http address of this computer, or "
            "have the app’s own scheme, which contains a dot."
        )
    return None
