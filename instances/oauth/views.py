"""The addresses of OAuth, and the screen on which a person connects a client."""

from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from oauth2_provider.exceptions import OAuthToolkitError
from oauth2_provider.forms import AllowForm
from oauth2_provider.settings import oauth2_settings
from oauth2_provider.views.base import AuthorizationView
from oauth2_provider.views.metadata import OAuthProtectedResourceMetadataView
from oauthlib.oauth2.rfc6749.errors import CustomOAuth2Error

from instances.access import Request, signed_in
from instances.models import ApiKey, OAuthClient
from instances.models.oauth import return_address
from instances.oauth.connections import connection_of, disconnect, limit
from instances.oauth.forms import ConsentForm, LimitForm, person_or_group

#: The parts of this server that a client can ask to open, as their addresses begin.
RESOURCES = ("mcp", "api", "v1")
#: What a client needs to be of use. It asks for more when it needs more.
BASIC_SCOPES = ["read", "write"]
_WEB = ("http", "https")


class ConsentView(AuthorizationView):
    """The screen: which client asks, which instance it may use, and what it may do there."""

    template_name = "oauth/consent.html"
    form_class: type[AllowForm] = ConsentForm
    #: What the person has decided, once they have.
    decision: dict[str, Any] | None = None

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        # With this, the toolkit would let the client skip the question.
        query: Any = request.GET.copy()
        query.pop("approval_prompt", None)
        request.GET = query
        response: HttpResponse = super().get(request, *args, **kwargs)
        return response

    def handle_no_permission(self) -> HttpResponse:  # type: ignore[override]  # Also a page.
        """Have a stranger sign in. A request that forbids to ask them is not sent back to the
        client: anyone can register one, and would lead strangers to any address by ours (RFC 9700,
        section 4.11.2).
        """
        if "none" not in self.request.GET.get("prompt", "").split():
            response: HttpResponse = super().handle_no_permission()
            return response
        error = {"error": "login_required", "description": "Nobody is signed in."}
        answer: HttpResponse = self.render_to_response({"error": error}, status=400)
        return answer

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "user": self.request.user}

    def validate_authorization_request(self, request: HttpRequest) -> Any:
        """Refuse a request for tokens that would open another server."""
        scopes, credentials = super().validate_authorization_request(request)
        if not all(_is_ours(request, each) for each in request.GET.getlist("resource")):
            error = CustomOAuth2Error(
                error="invalid_target",
                description="This resource is not part of this server.",
                state=credentials.get("state"),
            )
            raise OAuthToolkitError(error=error, redirect_uri=credentials["redirect_uri"])
        return scopes, credentials

    def form_valid(self, form: ConsentForm) -> HttpResponse:
        # Hidden fields come back through the browser.
        if not all(_is_ours(self.request, each) for each in form.cleaned_data["resource"].split()):
            raise Http404
        self.decision = form.cleaned_data
        response: HttpResponse = super().form_valid(form)
        return response

    def create_authorization_response(
        self, request: HttpRequest, scopes: str, credentials: dict[str, Any], allow: bool
    ) -> Any:
        """Answer the client with what the person has decided, not with what it asked for."""
        assert self.decision is not None  # noqa: S101 - There is no other way here.
        for name in ("instance", "end_user", "reach"):
            credentials[name] = self.decision[name]
        allowed = " ".join(self.decision["permissions"])
        return super().create_authorization_response(request, allowed, credentials, allow)

    def redirect(self, redirect_to: str, application: Any) -> HttpResponse:
        """Lead back to the client. The toolkit names the issuer only beside a code; RFC 9207 wants
        it beside an error as well.
        """
        address = urlsplit(redirect_to)
        query = [pair for pair in parse_qsl(address.query, True) if pair[0] != "iss"]
        query.append(("iss", oauth2_settings.oauth2_authorization_server_issuer(self.request)))
        named = urlunsplit(address._replace(query=urlencode(query)))
        response: HttpResponse = super().redirect(named, application)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        form = context.get("form")
        if form is None:  # The request is invalid; the page says why.
            return context
        client = get_object_or_404(OAuthClient, client_id=form["client_id"].value())
        return context | {"client": client, "destination": _destination(form)}

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().render_to_response(context, **kwargs)
        if "form" in context:
            # The answer to the form leads back to the client.
            response._csp_update = {"form-action": [_origin(context["form"])]}  # type: ignore[attr-defined]  # As django-csp's decorators set it.
        return response


class ResourceMetadataView(OAuthProtectedResourceMetadataView):
    """Where a client gets tokens for a part of this server, or for all of it."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if kwargs.get("resource_path", "").strip("/") not in ("", *RESOURCES):
            return unknown(request)
        response: HttpResponse = super().get(request, *args, **kwargs)
        return response

    def get_scopes_supported(self) -> list[str]:
        return BASIC_SCOPES


@csrf_exempt
@login_not_required
def unknown(request: HttpRequest, path: str = "") -> HttpResponse:
    """Answer programs that look for documents which do not exist."""
    body = {"detail": "There is no such document on this server.", "code": "not_found"}
    return JsonResponse(body, status=404)


def _connection(request: Request, pk: int) -> ApiKey:
    key = connection_of(request.user, pk)
    if key is None:
        raise Http404
    return key


@require_POST
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """Disconnect a client that the person has connected."""
    request = signed_in(request)
    key = _connection(request, pk)
    disconnect(key, by=request.user)
    messages.success(request, _("Disconnected %(name)s.") % {"name": key.name})
    return redirect("account")


@require_POST
def limit_connection(request: HttpRequest, pk: int) -> HttpResponse:
    """Change whose memories an app of the person is told."""
    request = signed_in(request)
    key = _connection(request, pk)
    form = LimitForm(request.POST)
    if form.is_valid():
        key.end_user = person_or_group(key.instance, form.cleaned_data["end_user"])
        key.reach = form.cleaned_data["reach"]
        limit(key, by=request.user)
        messages.success(request, _("Saved %(name)s.") % {"name": key.name})
    else:
        messages.error(request, _("Not saved: check what you have entered."))
    return redirect("account")


def _is_ours(request: HttpRequest, resource: str) -> bool:
    """True if *resource* is this server or a part of it."""
    root = request.build_absolute_uri("/")
    path = resource.removeprefix(root) if resource.startswith(root) else None
    return resource == root.rstrip("/") or (
        path is not None and path.partition("/")[0] in ("", *RESOURCES)
    )


def _destination(form: ConsentForm) -> str:
    """Where the person gets to after the screen: a host, or the program that a scheme opens."""
    address = urlsplit(str(form["redirect_uri"].value() or ""))
    return (address.hostname or "") if address.scheme in _WEB else f"{address.scheme}:"


def _origin(form: ConsentForm) -> str:
    """The same for the browser's policy; nothing of what is no plain address."""
    address = return_address(str(form["redirect_uri"].value() or ""))
    if address is None:
        return "'none'"
    if address.scheme in _WEB:
        return f"{address.scheme}://{address.netloc}"
    return f"{address.scheme}:"
