"""Authentication by session or API key, and the rows that a caller may see."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

from django.db.models import Model, Q, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from ninja.errors import HttpError
from ninja.security import HttpBearer, SessionAuth

from conversations.messages import MessageDoor
from conversations.models import Conversation, Message
from conversations.sanitizer import sanitize
from instances.access import ROLE_NEEDED, signed_in
from instances.actor import Actor
from instances.ids import parse_pk
from instances.models import (
    ApiKey,
    Instance,
    InstanceQuerySet,
    InstanceRole,
    Permission,
    Reach,
    User,
)
from instances.models.groups import seen_by, told_to
from instances.oauth import tokens
from instances.tiers import Tier
from memoryapp.api.errors import ApiError, BadKey, ScopeMissing
from memoryapp.api.not_found import missing, named
from memoryapp.api.throttling import count_request
from memoryapp.models import Drawer, Memory, Run

#: The header in which clients of Anthropic and of mem0's server send a key alone.
KEY_HEADER = "X-Api-Key"


@dataclass(frozen=True)
class Caller:
    """Sender of a request: a person or a key, never both."""

    user: User | None = None
    key: ApiKey | None = None
    #: What the operation requires of a person's role; the scopes of a key have been checked.
    scope: Permission | None = None

    @property
    def name(self) -> str:
        """A unique name, for idempotency keys."""
        return f"key {self.key.pk}" if self.key else f"user {self.user.pk if self.user else ''}"

    @property
    def person(self) -> str:
        """The stored id of the only end user whom the caller's key is for; empty for all."""
        key = self.key
        return key.instance.canonical_end_user(key.end_user) if key and key.end_user else ""

    @property
    def reach(self) -> Reach:
        """The part of what the person may see that the caller's key is told."""
        return self.key.limit if self.key else Reach.ALL

    @property
    def actor(self) -> Actor:
        """Actor for the activity log."""
        return Actor(self.user, f"api {self.key.prefix}" if self.key else "api")

    @property
    def tier(self) -> Tier:
        """How far what this caller says is believed at most."""
        return Tier(self.key.trust) if self.key else Tier.PERSON

    @property
    def door(self) -> MessageDoor:
        """The door of messages that this caller sends."""
        return MessageDoor(Tier(self.key.trust) if self.key else Tier.USER, self.key)

    @property
    def scopes(self) -> list[str]:
        """The scopes of a key; all of them for a person, whose role is checked instead."""
        return list(self.key.scopes) if self.key else list(Permission.values)

    def instances(self) -> InstanceQuerySet:
        """Return the instances that the caller may see: a key only its own."""
        if self.key is not None:
            return Instance.objects.filter(pk=self.key.instance_id)
        assert self.user is not None  # noqa: S101 - One of the two is set.
        return Instance.objects.visible_to(self.user)

    def check_role(self, instance: int, *, manages: bool = False) -> None:
        """Raise `ApiError` if a person who may only read the instance would change it, or if the
        operation is for those who *manage* it and they do not.
        """
        manages = manages or (self.scope is not None and self.scope.is_for_managers)
        if self.user is None or (self.scope in (None, Permission.READ) and not manages):
            return
        if manages:
            if not Instance.objects.managed_by(self.user).filter(pk=instance).exists():
                raise role_needed(InstanceRole.MANAGER)
            return
        if not Instance.objects.edited_by(self.user).filter(pk=instance).exists():
            raise role_needed(InstanceRole.MEMBER)


def role_needed(role: InstanceRole) -> ApiError:
    """The error for a person who has a lower *role* than is needed."""
    return ApiError(403, "role_required", str(ROLE_NEEDED[role]))


class Key(HttpBearer):
    """An API key, or the access token of a client connected by OAuth: `Authorization: Bearer …`."""

    openapi_description = (
        "API key of an instance, created in its settings, or the access token of a client that a "
        "person has connected by OAuth."
    )

    def __init__(
        self,
        *scopes: Permission,
        schemes: Collection[str] = ("bearer",),
        keeps_to_person: bool = False,
    ) -> None:
        """Require these *scopes*; *schemes* are the authentication schemes, in lower case. A key
        of one end user is refused unless the operation *keeps to that person*.
        """
        super().__init__()
        self.scopes = scopes
        self.schemes = schemes
        self.keeps_to_person = keeps_to_person

    def __call__(self, request: HttpRequest) -> Caller | None:
        """Return the caller, None without a key. A bad key is refused even with a session."""
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        known = scheme.lower() in self.schemes
        return self.authenticate(request, secret.strip()) if known else None

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        """Count the request, and return the owner of the key, which must have the scopes of this
        operation.
        """
        key = _key_opened_by(request, token)
        if key is None:
            raise BadKey(is_token=token.startswith(tokens.BEGINNING))
        key.note_use()
        count_request(request, key)
        missing = [scope.in_english for scope in self.scopes if scope not in key.scopes]
        if missing:
            needed = " and ".join(missing)
            raise ScopeMissing(
                f"This request needs a key with permission to {needed}.",
                {*key.scopes, *self.scopes},
            )
        if key.end_user and not self.keeps_to_person:
            raise ApiError(
                403,
                "key_of_a_person",
                "This key is for one person, and this request is not about a single one. Use a key "
                "without a person.",
            )
        return Caller(key=key)


class Session(SessionAuth):
    """The session of the screens, with its CSRF token for changes."""

    openapi_description = (
        "Session of the web interface. Requests that change data also require X-CSRFToken."
    )

    def __init__(self, scope: Permission | None) -> None:
        super().__init__()
        self.scope = scope

    def __call__(self, request: HttpRequest) -> Caller | None:
        """Return the person; None without a session, for which CSRF is not checked."""
        if not request.user.is_authenticated:
            return None
        try:
            super().__call__(request)
        except HttpError as error:
            raise ApiError(
                403, "csrf_failed", "Send the CSRF token of your session in X-CSRFToken."
            ) from error
        return Caller(user=signed_in(request).user, scope=self.scope)


def needs(
    scope: Permission | None, *, keeps_to_person: bool = False, of_members: bool = False
) -> list[Any]:
    """Allow people who are signed in, and keys with *scope*; with None, any key. Keys of one end
    user are allowed if the operation *keeps to that person*.

    For people, `Caller.check_role` checks their role in the instance; what is *of members* is not
    for viewers, even if it only reads.
    """
    key = Key(*[scope] if scope else [], keeps_to_person=keeps_to_person)
    return [key, Session(Permission.WRITE if of_members else scope)]


def key_in(request: HttpRequest) -> ApiKey | None:
    """Return the key that *request* comes with, in any of the ways of the APIs; None without one,
    and for one that opens nothing.
    """
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() not in ("bearer", "token"):
        secret = request.headers.get(KEY_HEADER, "")
    return _key_opened_by(request, secret.strip()) if secret.strip() else None


def _key_opened_by(request: HttpRequest, secret: str) -> ApiKey | None:
    """Return the key that *secret* opens at the address of *request*; looked up once."""
    known: dict[str, ApiKey | None] = request.__dict__.setdefault("_keys", {})
    if secret not in known:
        known[secret] = (
            tokens.key_of(secret, request.build_absolute_uri(request.path))
            if secret.startswith(tokens.BEGINNING)
            else ApiKey.objects.opened_by(secret)
        )
    # For the audit log, as the instance is.
    request.__dict__["key"] = known[secret]
    return known[secret]


def caller_of(request: HttpRequest) -> Caller:
    """Return the caller, whom `needs` has authenticated."""
    return cast(Caller, request.auth)  # type: ignore[attr-defined]  # Ninja sets it.


class AboutPerson(Protocol):
    """A request that may be about one end user."""

    user_id: Any


def instance_named(
    request: HttpRequest,
    name: str | None,
    asked: AboutPerson | None = None,
    *,
    manages: bool = False,
) -> Instance:
    """Return the instance with that slug or id, if the caller may see it and carry out the
    operation there. Without a name, it is the one in the query string, which every operation takes,
    or that of the key. What is *asked* with the key of an end user is about that one. *manages*: as
    in `Caller.check_role`.
    """
    asked_for = request.GET.get("instance_id") or request.GET.get("instanceId")
    instance = _instance_named(request, name or asked_for, manages=manages)
    if asked is not None:
        keep_to_person(request, instance, asked)
    return instance


def keep_to_person(request: HttpRequest, instance: Instance, asked: AboutPerson) -> None:
    """Make what is *asked* with the key of an end user be about that one; raise `ApiError` if it is
    about another.
    """
    if person := caller_of(request).person:
        if (
            asked.user_id
            and instance.canonical_end_user(sanitize(str(asked.user_id)).strip()) != person
        ):
            raise ApiError(403, "key_of_a_person", "This key is for another person.")
        asked.user_id = person


def _instance_named(request: HttpRequest, name: str | None, *, manages: bool) -> Instance:
    caller = caller_of(request)
    visible = caller.instances().prefetch_related("secrets")
    if not name:
        if caller.key is None:
            raise ApiError(400, "instance_required", "instance_id is required")
        return visible.get()
    pk = parse_pk(name)
    instance = visible.filter(pk=pk).first() if pk else None
    instance = instance or visible.filter(slug=sanitize(name)).first()
    if instance is None:
        what = missing(named("instance", name), "See GET /api/instances.")
        raise ApiError(404, "not_found", what)
    caller.check_role(instance.pk, manages=manages)
    request.__dict__["instance_pk"] = instance.pk
    return instance


Row = TypeVar("Row", bound=Model)

#: The column that says whom a row is about, of what a key of one end user may ask for.
_PERSON: dict[type[Model], str] = {
    Conversation: "end_user",
    Drawer: "end_user",
    Memory: "end_user",
    Message: "conversation__end_user",
    Run: "conversation__end_user",
}


#: The paths to what can be shared as it is.
_SHARED: dict[type[Model], str] = {Conversation: "", Drawer: "", Message: "conversation__"}


def visible_row(
    request: HttpRequest, rows: QuerySet[Row], pk: int, *, manages: bool = False
) -> Row:
    """Return the row with that id, if the caller may see it and carry out the operation there; else
    raise `Http404` or `ApiError`. *manages*: as in `Caller.check_role`.
    """
    if parse_pk(pk) is None:
        raise Http404
    caller = caller_of(request)
    visible = rows.filter(instance__in=caller.instances().values("pk"))
    if caller.key is not None and caller.person:
        # What is shared with a person is not for their key to change.
        reads = request.method == "GET"
        reach = caller.reach if reads else Reach.OWN
        people = seen_by(caller.key.instance, caller.person, reach=reach)
        mine = Q(**{f"{_PERSON[rows.model]}__in": people})
        if reads and rows.model in _SHARED:
            mine |= told_to(people, _SHARED[rows.model])
        visible = visible.filter(mine)
    row: Any = get_object_or_404(visible, pk=pk)
    caller.check_role(row.instance_id, manages=manages)
    request.__dict__["instance_pk"] = row.instance_id
    return cast(Row, row)
