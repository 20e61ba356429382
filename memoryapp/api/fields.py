"""Fields that several requests and responses share."""

import re
from datetime import date, datetime
from typing import Annotated, Any, Literal

from django.urls import register_converter
from django.urls.converters import IntConverter
from django.utils import timezone
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, StrictBool

from instances.tiers import Tier
from memoryapp.api.bodies import JSONBody

_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def _check_iso_format(value: Any) -> Any:
    # Pydantic reads any number as seconds since 1970, which would turn mistakes into dates.
    if value is not None and not (isinstance(value, str) and _ISO_DATE.match(value)):
        raise ValueError("must be a date such as 2031-05-31 or a time such as 2031-05-31T18:00:00Z")
    return value


def _check_number(value: Any) -> Any:
    # Pydantic reads true as 1, and "7" as 7.
    if isinstance(value, bool | str):
        raise ValueError("must be a number")
    return value


def _check_year(moment: datetime) -> datetime:
    # PostgreSQL stores dates that Python cannot represent.
    if not 1900 <= moment.year <= 2200:
        raise ValueError("must be between the years 1900 and 2200")
    return moment if timezone.is_aware(moment) else timezone.make_aware(moment)


#: An integer in a body. (In a query string, everything is text.)
Whole = Annotated[int, BeforeValidator(_check_number)]


def _without_letter(value: Any) -> Any:
    return int(value[1:]) if isinstance(value, str) and MEMORY_REF.fullmatch(value) else value


#: The id of a memory as models and their tools are shown it: ``m24`` is memory 24.
MEMORY_REF = re.compile(r"m[0-9]{1,19}")

#: The id of a memory in a body, in either form.
MemoryId = Annotated[Whole, BeforeValidator(_without_letter)]


class MemoryIdConverter(IntConverter):
    """The id of a memory in an address, in either form."""

    regex = "m?[0-9]+"

    def to_python(self, value: str) -> int:
        return super().to_python(value.removeprefix("m"))


register_converter(MemoryIdConverter, "memory")

Day = Annotated[date, BeforeValidator(_check_iso_format)]

#: A point in time; without an offset, in the time zone of the server.
Moment = Annotated[datetime, AfterValidator(_check_year), BeforeValidator(_check_iso_format)]

#: The end of a memory: a day, or a moment on it.
End = Day | Moment
END = (
    "Last day on which the memory is valid, or the moment at which it ends, such as "
    "2031-05-31T18:00:00Z; null if it does not expire."
)

InstanceId = Annotated[
    str | None,
    Field(
        description="Slug or ID of the instance. Optional with an API key, which belongs to one "
        "instance.",
        examples=["support-desk"],
    ),
]

UserId = Annotated[
    str,
    Field(
        max_length=200, description="Your own ID of the person that it is about.", examples=["ana"]
    ),
]

Importance = Annotated[
    Whole, Field(ge=1, le=10, description="Importance from 1 (trivial) to 10 (essential).")
]

#: The number of results of a search.
ResultLimit = Annotated[
    Whole,
    Field(
        description="Maximum number of results, from 1 to 100. Values outside the range are "
        "clamped."
    ),
]

#: Whether the results of a search are reranked, and why they were not.
Rerank = Annotated[
    StrictBool,
    Field(
        description="Whether the instance’s reranking model moves the best 5 of the first 20 "
        "results to the front."
    ),
]
RerankProblem = Annotated[
    str | None,
    Field(
        description="Why the results were not reranked although `rerank` was requested, or null."
    ),
]

#: Why a search used only words.
Degraded = Annotated[
    Literal["embedding_unavailable"] | None,
    Field(description="Why the search matched words only, or null."),
]

#: For a deletion.
NeverAgain = Annotated[
    bool,
    Field(
        description="Whether the deleted facts are also blocked from being stored again, from "
        "any source. The block can be removed in the web interface."
    ),
]


class In(JSONBody):
    """A request body. Unknown fields are rejected, since ignoring them would hide mistakes."""

    model_config = ConfigDict(extra="forbid")


def _tier_name(value: object) -> object:
    return Tier(value).api_name if isinstance(value, int) else value


#: How far a memory is believed, by where it comes from; see docs/api.md.
TierName = Annotated[
    Literal["document", "tool", "assistant", "user", "person"],
    BeforeValidator(_tier_name),
    Field(
        description="Where it comes from, the least trusted first: `document`, `tool`, "
        "`assistant`, `user`, `person`. Decided by the key and by the role of the message."
    ),
]
