"""What several bodies and answers have in common."""

from datetime import datetime
from typing import Annotated

from django.utils import timezone
from ninja import Schema
from pydantic import AfterValidator, ConfigDict, Field


def _of_our_times(moment: datetime) -> datetime:
    # PostgreSQL takes dates that Python cannot read back, and nobody talked to assistants then.
    if not 1900 <= moment.year <= 2200:
        raise ValueError("must lie between the years 1900 and 2200")
    return moment if timezone.is_aware(moment) else timezone.make_aware(moment)


#: A point in time; without an offset, in the time zone of the server.
Moment = Annotated[datetime, AfterValidator(_of_our_times)]

#: The published name of this parameter is in a style of its own.
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
    int, Field(ge=1, le=10, description="1: trivial. 10: of critical weight in a life.")
]


class In(Schema):
    """A body. What it has and should not is refused, since it would be lost without a word."""

    model_config = ConfigDict(extra="forbid")
