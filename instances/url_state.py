"""The state of a list in its URL: search, filters, sort order and page."""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

#: Marks a field that is not a parameter of the URL.
NOT_IN_URL = {"in_url": False}


#: Characters of an address that leads back.
MAX_WAY_BACK = 8_000


def is_way_back(address: str) -> bool:
    """True if *address*, which came with a request, is a path on this server."""
    return (
        address.startswith("/")
        and len(address) <= MAX_WAY_BACK
        and url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    )


def parsed(parse: Callable[[str], Any]) -> Any:
    """Declare a field that *parse* reads from the parameter of its name. Without the parameter,
    and for values that do not exist, *parse* returns what it returns for an empty text.
    """
    return field(default=parse(""), metadata={"parse": parse})


def one_of(values: Container[str]) -> Any:
    """Declare a field whose parameter is one of *values*, or empty."""
    return parsed(lambda value: value if value in values else "")


@dataclass(frozen=True)
class FilterChip:
    """A value of a filter, as a link."""

    label: "StrOrPromise"
    query: str
    current: bool
    #: How many rows the link leads to, where the list says so.
    count: int | None = None


@dataclass(frozen=True)
class URLState:
    """Base of the states of lists. Every field is a parameter of the URL, in this order; models are
    written as their slugs, and empty values are left out.
    """

    #: The name of the list's URL.
    url_name: ClassVar[str]

    @classmethod
    def parse(cls, query: QueryDict, **known: Any) -> Self:
        """Read *query*, and take what is *known* as it is."""
        values = {
            each.name: each.metadata["parse"](query.get(each.name, ""))
            for each in fields(cls)
            if "parse" in each.metadata
        }
        return cls(**values | known)

    # Each row of a list has several links with them.
    @cached_property
    def parameters(self) -> dict[str, str | None]:
        """The parameters of the URL by name; None: left out."""
        return {
            each.name: _as_text(getattr(self, each.name))
            for each in fields(self)
            if each.metadata.get("in_url", True)
        }

    def query(self, **changes: str) -> str:
        """Return the query string with *changes*."""
        chosen = self.parameters | {name: value or None for name, value in changes.items()}
        return urlencode({name: value for name, value in chosen.items() if value is not None})

    @property
    def beside(self) -> str:
        """The query string of what is open next to the list."""
        return self.query()

    @cached_property
    def path(self) -> str:
        """The path of the list."""
        return reverse(self.url_name)

    def chips_for(
        self,
        name: str,
        labels: "Mapping[str, StrOrPromise]",
        counts: Mapping[str, int] | None = None,
    ) -> list[FilterChip]:
        """Return links that set the parameter *name* to each key of *labels*, on the first page."""
        chosen = getattr(self, name)
        return [
            FilterChip(
                label,
                self.query(page="", **{name: value}),
                current=value == chosen,
                count=None if counts is None else counts.get(value, 0),
            )
            for value, label in labels.items()
        ]


def _as_text(value: Any) -> str | None:
    if isinstance(value, date):
        return value.isoformat()
    return getattr(value, "slug", None) or str(value or "") or None
