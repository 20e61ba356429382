"""Instances, people, and the programs that have access."""

from collections.abc import Iterable
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conversations.models import Conversation, Message
from instances.access import signed_in
from instances.models import (
    AccessToken,
    Agent,
    AllowedAddress,
    ApiKey,
    EndUserAlias,
    Group,
    GroupMember,
    Instance,
    Membership,
    MembershipInvitation,
    OAuthClient,
    OutgoingConnections,
    PasswordLink,
    RefreshToken,
    Secret,
    User,
)
from memoryapp.admin import actions
from memoryapp.admin.base import SERVER, TableAdmin, Tool
from memoryapp.admin.columns import list_of, number_link, yes_or_no
from memoryapp.models import Activity, CountKind, KeyRequest, Memory, MemoryCount, Run, Usage


def _number(rows: QuerySet[Any], total: Any) -> Subquery:
    """The number of *rows* of the instance of an outer query, as one value of its row."""
    mine = rows.filter(instance=OuterRef("pk")).order_by().values("instance")
    return Subquery(mine.annotate(number=total).values("number"), output_field=IntegerField())


class InstanceAdmin(TableAdmin[Instance]):
    model = Instance
    name, plural = gettext_lazy("Instance"), gettext_lazy("Instances")
    instance_path = ""
    columns = ("name", "slug", "memory_enabled", "provider", "created_at")
    counted = ("memories", "conversations", "failed_runs")
    details = (
        *("private_to", "extract_when", "builtin_reader", "palace_enabled", "recall_enabled"),
        *("fast_model", "chat_model", "embedding_provider", "embedding_model", "pii_policy"),
        *("time_zone", "language", "monthly_cap"),
    )
    filters = ("memory_enabled", "provider", "pii_policy", "created_at")
    title_field = "name"
    exact = ("slug",)
    parts = ("name", "slug")
    is_small = True

    def annotated(self, rows: QuerySet[Instance]) -> QuerySet[Instance]:
        """Add the numbers of what is in them: of memories, the kept one."""
        kept = MemoryCount.objects.filter(kind=CountKind.ALL)
        failed = Run.objects.filter(state=Run.State.FAILED)
        return rows.annotate(
            memories_=_number(kept, Sum("number")),
            conversations_=_number(Conversation.objects.all(), Count("*")),
            failed_runs_=_number(failed, Count("*")),
        )

    def memories(self, row: Any) -> Any:
        """How many memories it has."""
        return number_link(row.memories_, list_of(Memory, instance=row.slug))

    def conversations(self, row: Any) -> Any:
        """How many conversations it has."""
        return number_link(row.conversations_, list_of(Conversation, instance=row.slug))

    def failed_runs(self, row: Any) -> Any:
        """How many of its runs have failed."""
        address = list_of(Run, instance=row.slug, state__exact=Run.State.FAILED.value)
        return number_link(row.failed_runs_, address)

    def tools(self, row: Instance) -> Iterable[Tool]:
        """To its memories and settings, its deletion, and what it has in other tables."""
        yield _("Open in Keepsake"), f"{reverse('memories')}?instance={row.slug}"
        yield _("Settings"), reverse("instance_settings", args=[row.slug])
        for text, model in (
            (_("Messages"), Message),
            (_("Keys"), ApiKey),
            (_("Members"), Membership),
            (_("Usage"), Usage),
            (_("Activity"), Activity),
        ):
            yield text, list_of(model, instance=row.slug)
        yield _("Delete"), reverse("instance_delete", args=[row.slug])


class AgentAdmin(TableAdmin[Agent]):
    model = Agent
    name, plural = gettext_lazy("Agent"), gettext_lazy("Agents")
    columns = ("name", "slug", "instance", "recall_enabled")
    details = ("instructions",)
    filters = ("recall_enabled",)
    title_field = "name"
    parts = ("name", "slug")
    is_small = True

    def tools(self, row: Agent) -> Iterable[Tool]:
        """To its settings."""
        yield _("Open in Keepsake"), reverse("agent_edit", args=[row.instance.slug, row.pk])


class SecretAdmin(TableAdmin[Secret]):
    """Names of the keys of providers that are set; never the keys."""

    model = Secret
    name, plural = gettext_lazy("Provider key"), gettext_lazy("Keys of providers")
    columns = ("name", "instance", "server", "ending", "updated_at")
    filters = ("name", "updated_at")


class MembershipAdmin(TableAdmin[Membership]):
    model = Membership
    name, plural = gettext_lazy("Membership"), gettext_lazy("Memberships")
    columns = ("id", "user", "instance", "role")
    filters = ("role",)
    links = ("user",)
    exact = ("user__username",)


class InvitationAdmin(TableAdmin[MembershipInvitation]):
    model = MembershipInvitation
    name, plural = gettext_lazy("Invitation"), gettext_lazy("Invitations")
    columns = ("username", "instance", "role", "invited_by", "created_at", "declined_at")
    filters = ("role", "created_at", "declined_at")
    exact = ("username",)


class AliasAdmin(TableAdmin[EndUserAlias]):
    model = EndUserAlias
    name, plural = gettext_lazy("Joined id"), gettext_lazy("Joined ids of people")
    columns = ("alias", "end_user", "instance", "by", "created_at")
    filters = ("created_at",)
    exact = ("alias", "end_user")


class GroupAdmin(TableAdmin[Group]):
    model = Group
    name, plural = gettext_lazy("Group"), gettext_lazy("Groups")
    columns = ("name", "shared_id", "everyone", "instance", "created_at")
    filters = ("everyone", "created_at")
    exact = ("name", "shared_id")


class GroupMemberAdmin(TableAdmin[GroupMember]):
    model = GroupMember
    name, plural = gettext_lazy("Member of a group"), gettext_lazy("Members of groups")
    columns = ("end_user", "group", "instance")
    links = ("group",)
    exact = ("end_user",)


class PersonAdmin(TableAdmin[User]):
    """Accounts; the private instances of others are not counted."""

    model = User
    name, plural = gettext_lazy("Person"), gettext_lazy("People")
    instance_path = SERVER
    columns = ("username", "first_name", "last_name", "is_superuser", "is_active", "last_login")
    counted = ("second_factor", "memberships")
    details = ("language", "date_joined")
    filters = ("is_superuser", "is_active", "last_login", "date_joined")
    title_field = "username"
    parts = ("username", "first_name", "last_name")
    is_small = True
    actions = (actions.deactivate_people, actions.reactivate_people)

    def annotated(self, rows: QuerySet[User]) -> QuerySet[User]:
        """Add whether they have a second factor, and their memberships in shared instances."""
        factors = Authenticator.objects.filter(user=OuterRef("pk"))
        shared = Q(membership__instance__private_to=None)
        return rows.annotate(
            second_factor_=Exists(factors.exclude(type=Authenticator.Type.RECOVERY_CODES)),
            memberships_=Count("membership", filter=shared),
        )

    def second_factor(self, row: Any) -> Any:
        """Second factor besides recovery codes: set up or not."""
        return yes_or_no(row.second_factor_)

    def memberships(self, row: Any) -> Any:
        """In how many shared instances they are."""
        return number_link(row.memberships_, list_of(Membership, user=row.pk))

    def tools(self, row: User) -> Iterable[Tool]:
        """To their page, where everything about an account is done."""
        yield _("Open in Keepsake"), reverse("person", args=[row.pk])
        yield _("Memberships"), list_of(Membership, user=row.pk)
        yield _("Delete"), reverse("person_delete", args=[row.pk])


class PasswordLinkAdmin(TableAdmin[PasswordLink]):
    """Open links; the link itself is shown once, to who has made it."""

    model = PasswordLink
    name, plural = gettext_lazy("Password link"), gettext_lazy("Password links")
    instance_path = SERVER
    columns = ("id", "user", "made_by", "made_at", "expires_at")
    filters = ("made_at", "expires_at")


class FactorAdmin(TableAdmin[Authenticator]):
    """Second factors; never their secrets."""

    model = Authenticator
    name, plural = gettext_lazy("Second factor"), gettext_lazy("Second factors")
    instance_path = SERVER
    columns = ("id", "user", "type", "created_at", "last_used_at")
    filters = ("type", "created_at", "last_used_at")


class IdentityAdmin(TableAdmin[SocialAccount]):
    model = SocialAccount
    name, plural = gettext_lazy("Identity"), gettext_lazy("Identities at OpenID Connect")
    instance_path = SERVER
    columns = ("id", "user", "provider", "last_login", "date_joined")
    filters = ("last_login", "date_joined")


class KeyAdmin(TableAdmin[ApiKey]):
    """Keys and connections; never what opens them."""

    model = ApiKey
    name, plural = gettext_lazy("Key"), gettext_lazy("API keys and connected apps")
    columns = ("name", "prefix", "instance", "scopes", "created_by", "last_used_at", "revoked_at")
    details = ("trust", "end_user", "reach", "client", "created_at")
    filters = ("trust", "revoked_at", "last_used_at", "created_at")
    links = ("client",)
    title_field = "name"
    exact = ("prefix",)
    parts = ("name",)
    is_small = True
    actions = (actions.revoke_keys,)

    def tools(self, row: ApiKey) -> Iterable[Tool]:
        """To the keys of its instance, and what became of its requests."""
        yield _("Open in Keepsake"), reverse("instance_card", args=[row.instance.slug, "keys"])
        yield _("Requests"), list_of(KeyRequest, key=row.pk)


class KeyRequestAdmin(TableAdmin[KeyRequest]):
    """Outcomes of the latest requests with keys."""

    model = KeyRequest
    name, plural = gettext_lazy("Request"), gettext_lazy("Requests with API keys")
    columns = ("id", "key", "instance", "door", "client", "end_user", "kept", "remark", "at")
    filters = ("door", "remark", "at")
    links = ("key",)
    exact = ("end_user",)

    def tools(self, row: KeyRequest) -> Iterable[Tool]:
        """To the page of its key."""
        yield _("Open in Keepsake"), reverse("api_key", args=[row.instance.slug, row.key_id])


class AppAdmin(TableAdmin[OAuthClient]):
    """Apps; of those that are connected, the ones in an instance that the person may see."""

    model = OAuthClient
    name, plural = gettext_lazy("App"), gettext_lazy("Apps that can be connected")
    instance_path = SERVER
    columns = ("name", "client_id", "client_type", "registration_source", "created")
    filters = ("client_type", "registration_source", "created")
    title_field = "name"
    exact = ("client_id",)
    parts = ("name",)
    is_small = True

    def visible(self, request: HttpRequest) -> QuerySet[OAuthClient]:
        """Clients that are not connected, or to an instance that the person may see."""
        seen = Instance.objects.visible_to(signed_in(request).user)
        keys = ApiKey.objects.filter(client=OuterRef("pk"))
        return (
            super().visible(request).filter(~Exists(keys) | Exists(keys.filter(instance__in=seen)))
        )

    def tools(self, row: OAuthClient) -> Iterable[Tool]:
        """To its connections."""
        yield _("Connections"), list_of(ApiKey, client=row.pk)


class AccessTokenAdmin(TableAdmin[AccessToken]):
    """When tokens expire; never the tokens."""

    model = AccessToken
    name, plural = gettext_lazy("Access token"), gettext_lazy("Access tokens of apps")
    instance_path = "key__instance"
    columns = ("id", "application", "key", "user", "scope", "created", "expires")
    filters = ("created", "expires")


class RefreshTokenAdmin(TableAdmin[RefreshToken]):
    """When tokens were used; never the tokens."""

    model = RefreshToken
    name, plural = gettext_lazy("Refresh token"), gettext_lazy("Refresh tokens of apps")
    instance_path = "key__instance"
    columns = ("id", "application", "key", "user", "created", "revoked")
    filters = ("created", "revoked")


class OutgoingAdmin(TableAdmin[OutgoingConnections]):
    model = OutgoingConnections
    name, plural = gettext_lazy("Rule"), gettext_lazy("Outgoing connections")
    instance_path = SERVER
    columns = ("id", "mode", "changed_by", "changed_at")

    def tools(self, row: OutgoingConnections) -> Iterable[Tool]:
        """To its screen."""
        yield _("Open in Keepsake"), reverse("outgoing_connections")


class AddressAdmin(TableAdmin[AllowedAddress]):
    model = AllowedAddress
    name, plural = gettext_lazy("Address"), gettext_lazy("Allowed addresses")
    instance_path = SERVER
    columns = ("address", "note", "added_by", "created_at")
    filters = ("created_at",)
    title_field = "address"
    parts = ("address", "note")
    is_small = True

    def tools(self, row: AllowedAddress) -> Iterable[Tool]:
        """To its screen."""
        yield _("Open in Keepsake"), reverse("outgoing_connections")


INSTANCES: list[type[TableAdmin[Any]]] = [
    *(InstanceAdmin, AgentAdmin, SecretAdmin, MembershipAdmin, InvitationAdmin, AliasAdmin),
    *(GroupAdmin, GroupMemberAdmin),
]
PEOPLE: list[type[TableAdmin[Any]]] = [
    *(PersonAdmin, PasswordLinkAdmin, FactorAdmin, IdentityAdmin)
]
PROGRAMS: list[type[TableAdmin[Any]]] = [
    *(KeyAdmin, KeyRequestAdmin, AppAdmin, AccessTokenAdmin, RefreshTokenAdmin),
    *(OutgoingAdmin, AddressAdmin),
]
