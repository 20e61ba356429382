"""The list of people."""

from dataclasses import dataclass
from urllib.parse import urlencode

from allauth.mfa.models import Authenticator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.urls import reverse

from instances.models import User
from instances.people.accounts import INVITED

PER_PAGE = 20

STATES = {
    "superadmin": ("Superadmins", Q(is_superuser=True)),
    "invited": ("Invited", INVITED),
    "inactive": ("Deactivated", Q(is_active=False)),
}


@dataclass(frozen=True)
class FilterChip:
    """A filter of the list, as a link."""

    label: str
    query: str
    current: bool


@dataclass(frozen=True)
class PeopleList:
    """The state of the list, from its URL."""

    q: str = ""
    state: str = ""
    page: str = ""

    @property
    def path(self) -> str:
        return reverse("people")

    def query(self, **changes: str) -> str:
        fields = {"q": self.q, "state": self.state, "page": self.page} | changes
        return urlencode({name: value for name, value in fields.items() if value})

    @property
    def chips(self) -> list[FilterChip]:
        labels = {"": "Everyone"} | {name: label for name, (label, _) in STATES.items()}
        return [
            FilterChip(label, self.query(state=name, page=""), name == self.state)
            for name, label in labels.items()
        ]

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
    """All people, with their number of memberships, whether they have a second factor, and their
    password link.
    """
    return (
        User.objects.annotate(
            memberships=Count("membership", distinct=True),
            second_factor=_second_factor(),
        )
        .select_related("password_link")
        .order_by("username")
    )


def _second_factor() -> Exists:
    """Whether a person has a second factor besides recovery codes."""
    factors = Authenticator.objects.filter(user=OuterRef("pk"))
    return Exists(factors.exclude(type=Authenticator.Type.RECOVERY_CODES))
