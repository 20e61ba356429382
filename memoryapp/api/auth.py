"""Who asks: somebody who has signed in, or a program with a key; and what they may see."""

from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar, cast

from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from ninja.errors import HttpError
from ninja.security import HttpBearer, SessionAuth

from conversations.sanitizer import sanitize
from instances.access import READ_ONLY, signed_in
from instances.actor import Actor
from instances.models import ApiKey, Instance, InstanceQuerySet, Permission, User
from memoryapp.api.errors import BadKey, Refusal


@dataclass(frozen=True)
class Caller:
    """A person or a key, never both."""

    user: User | None = None
    key: ApiKey | None = None
    #: What the operation requires: keys have it by their scopes, people by their role.
    scope: Permission | None = None

    @property
    def name(self) -> str:
        """What tells this caller from any other, for the books of the API itself."""
        return f"key {self.key.pk}" if self.key else f"user {self.user.pk if self.user else ''}"

    @property
    def holder(self) -> str:
        """Whose share of what one process does at once this caller uses: see `Instance.holder`."""
        return self.key.instance.holder if self.key else f"person {self.user and self.user.pk}"

    @property
    def actor(self) -> Actor:
        """Who acts, for the activity log."""
        return Actor(self.user, f"api {self.key.prefix}" if self.key else "api")

    @property
    def scopes(self) -> list[str]:
        """The scopes of a key; all of them for a person, whose role decides."""
        return list(self.key.scopes) if self.key else list(Permission.values)

    def instances(self) -> InstanceQuerySet:
        """What the caller may see: a key its own instance, a person theirs."""
        if self.key is not None:
            return Instance.objects.filter(pk=self.key.instance_id)
        assert self.user is not None  # noqa: S101 - One of the two is set.
        return Instance.objects.visible_to(self.user)

    def check_role(self, instance: int) -> None:
        """Raise `Refusal` if the operation changes the instance and the person may only read it."""
        if self.user is None or self.scope in (None, Permission.READ):
            return
        if not Instance.objects.edited_by(self.user).filter(pk=instance).exists():
            raise Refusal(403, "role_required", READ_ONLY)


class Key(HttpBearer):
    """An API key: `Authorization: Bearer ks_…`."""

    openapi_description = "An API key of one instance, made in its settings."

    #: The words that may stand before the key.
    schemes: ClassVar[tuple[str, ...]] = ("bearer",)

    def __init__(self, scope: Permission | None) -> None:
        super().__init__()
        self.scope = scope

    def __call__(self, request: HttpRequest) -> Caller | None:
        """The key, if one was sent. A bad one is refused, whoever has signed in beside it."""
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        known = scheme.lower() in self.schemes
        return self.authenticate(request, secret.strip()) if known else None

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        """Look the key up; it must have the scope that this operation asks for."""
        key = ApiKey.objects.opened_by(token)
        if key is None:
            raise BadKey
        key.note_use()
        if self.scope is not None and self.scope not in key.scopes:
            raise Refusal(
                403, "scope_required", f"This needs a key that may {self.scope.label.lower()}."
            )
        return Caller(key=key, scope=self.scope)


class Session(SessionAuth):
    """The session that the screens use, with its CSRF token for whatever changes something."""

    openapi_description = "The session of the screens. Changes need X-CSRFToken as well."

    def __init__(self, scope: Permission | None) -> None:
        super().__init__()
        self.scope = scope

    def __call__(self, request: HttpRequest) -> Caller | None:
        """Who it is; None for nobody, whose trouble is not a missing CSRF token."""
        if not request.user.is_authenticated:
            return None
        try:
            super().__call__(request)
        except HttpError as error:
            raise Refusal(
                403, "csrf_failed", "Send the CSRF token of your session in X-CSRFToken."
            ) from error
        return Caller(user=signed_in(request).user, scope=self.scope)


def needs(scope: Permission | None) -> list[Any]:
    """Admit people who are signed in, and keys with *scope*; with None, any key.

    What people may do depends on their role in the instance: see `Caller.check_role`.
    """
    return [Key(scope), Session(scope)]


READ, WRITE, DELETE = needs(Permission.READ), needs(Permission.WRITE), needs(Permission.DELETE)


def caller_of(request: HttpRequest) -> Caller:
    """Who asks; `needs` has seen to it that there is somebody."""
    return cast(Caller, request.auth)  # type: ignore[attr-defined]  # Ninja sets it.


def instance_named(request: HttpRequest, name: str | None) -> Instance:
    """The instance with that slug or id, if the caller may see it and carry out the operation
    there. A key need not name its own.
    """
    caller = caller_of(request)
    visible = caller.instances().prefetch_related("secrets")
    if not name:
        if caller.key is None:
            raise Refusal(400, "instance_required", "instanceId is required")
        return visible.get()
    found = None
    if name.isascii() and name.isdigit() and len(name) < 19:
        found = visible.filter(pk=int(name)).first()
    found = found or get_object_or_404(visible, slug=sanitize(name))
    caller.check_role(found.pk)
    return found


Row = TypeVar("Row", bound=Model)


def one(request: HttpRequest, rows: QuerySet[Row], number: int) -> Row:
    """The row with that id, if the caller may see it and carry out the operation there; else raise
    `Http404` or `Refusal`.
    """
    if not 0 < number < 2**63:
        raise Http404  # A number that no row can have does not exist like any other.
    caller = caller_of(request)
    visible = rows.filter(instance__in=caller.instances().values("pk"))
    found: Any = get_object_or_404(visible, pk=number)
    caller.check_role(found.instance_id)
    return cast(Row, found)
