"""The list of people."""

from dataclasses import dataclass

from allauth.mfa.models import Authenticator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from instances.models import User
from instances.people.accounts import INVITED
from instances.url_state import FilterChip, URLState, one_of, parsed

PER_PAGE = 20

STATES = {
    "superadmin": (_("Superadmins"), Q(is_superuser=True)),
    "invited": (_("Invited"), INVITED),
    "inactive": (_("Deactivated"), Q(is_active=False)),
}


@dataclass(frozen=True)
class PeopleList(URLState):
    """The state of the list, from its URL."""

    url_name = "people"

    q: str = parsed(lambda text: text.replace("\x00", "").strip()[:150])
    state: str = one_of(STATES)
    page: str = parsed(str)

    @property
    def chips(self) -> list[FilterChip]:
        labels = {name: label for name, (label, _condition) in STATES.items()}
        return self.chips_for("state", {"": _("Everyone")} | labels)

    def people(self) -> QuerySet[User]:
        """The people that match, with what each row shows."""
        people = listed()
        if self.q:
            name = Q(first_name__icontains=self.q) | Q(last_name__icontains=self.q)
            people = people.filter(Q(username__icontains=self.q) | name)
        if self.state:
            people = people.filter(STATES[self.state][1])
        return people


def listed() -> QuerySet[User]:
    """All people, with what each row of the list shows."""
    return (
        User.objects.annotate(
            memberships=Count("membership", distinct=True),
            second_factor=_second_factor(),
        )
        .select_related("password_link")
        .order_by("username")
    )


def _second_factor() -> Exists:
    """True if a person has a second factor besides recovery codes."""
    factors = Authenticator.objects.filter(user=OuterRef("pk"))
    return Exists(factors.exclude(type=Authenticator.Type.RECOVERY_CODES))
