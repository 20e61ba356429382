"""Fields that several requests and responses share."""

import re
from datetime import date, datetime
from typing import Annotated, Any, Literal

from django.utils import timezone
from ninja import Schema
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, StrictBool

_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def _check_iso_format(value: Any) -> Any:
    # Pydantic reads any number as seconds since 1970, which would turn mistakes into dates.
    if value is not None and not (isinstance(value, str) and _ISO_DATE.match(value)):
        raise ValueError("write it as 2031-05-31, a point in time as 2031-05-31T18:00:00Z")
    return value


def _check_number(value: Any) -> Any:
    # Pydantic reads true as 1, and "7" as 7.
    if isinstance(value, bool | str):
        raise ValueError("must be a number")
    return value


def _check_year(moment: datetime) -> datetime:
    # PostgreSQL stores dates that Python cannot represent.
    if not 1900 <= moment.year <= 2200:
        raise ValueError("must lie between the years 1900 and 2200")
    return moment if timezone.is_aware(moment) else timezone.make_aware(moment)


#: An integer in a body. (In a query string, everything is text.)
Whole = Annotated[int, BeforeValidator(_check_number)]

Day = Annotated[date, BeforeValidator(_check_iso_format)]

#: A point in time; without an offset, in the time zone of the server.
Moment = Annotated[datetime, AfterValidator(_check_year), BeforeValidator(_check_iso_format)]

#: The published name of this parameter, instanceId, is not in snake case like the others.
InstanceId = Annotated[
    str | None,
    Field(
        description="Slug or id of the instance. Needless with an API key, which opens only one.",
        examples=["support-desk"],
    ),
]

UserId = Annotated[
    str,
    Field(max_length=200, description="Whom it is about: your own id for them.", examples=["ana"]),
]

Importance = Annotated[
    Whole, Field(ge=1, le=10, description="1: trivial. 10: of critical weight in a life.")
]

#: The number of results of a search.
ResultLimit = Annotated[Whole, Field(description="How many; brought between 1 and 100.")]

#: Whether the results of a search are reranked, and why they were not.
Rerank = Annotated[
    StrictBool,
    Field(
        description="Let the instance’s reranking model put the best 5 of the first 20 in front."
    ),
]
RerankProblem = Annotated[
    str | None,
    Field(
        description="Why the order is as it was found although `rerank` was asked for; else null."
    ),
]

#: Why a search used only words.
Degraded = Annotated[
    Literal["embedding_unavailable"] | None,
    Field(description="Why the search ran on words alone; null when it did not."),
]

#: For a deletion.
NeverAgain = Annotated[
    bool,
    Field(
        description="Also keep what it says from being learned again, from anywhere, until "
        "somebody lifts that on the screen."
    ),
]


class In(Schema):
    """A request body. Unknown fields are refused, since they would be ignored silently."""

    model_config = ConfigDict(extra="forbid")
