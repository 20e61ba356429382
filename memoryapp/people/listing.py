"""The end users of an instance, with what is kept about each."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import overload

from django.db import connection
from django.utils.translation import gettext as _

from instances.models import Instance

#: Everybody with memories, conversations or notes, whose id holds a text.
_PEOPLE = """
WITH held AS (
    SELECT end_user, count(*) AS memories, 0 AS conversations, max(updated_at) AS latest
    FROM memoryapp_memory WHERE instance_id = %s GROUP BY end_user
    UNION ALL
    SELECT end_user, 0, count(*), max(last_activity_at)
    FROM conversations_conversation WHERE instance_id = %s GROUP BY end_user
    UNION ALL
    SELECT end_user, 0, 0, max(created_at)
    FROM memoryapp_wing WHERE instance_id = %s GROUP BY end_user
), people AS (
    SELECT end_user, sum(memories)::bigint AS memories, sum(conversations)::bigint AS conversations,
        max(latest) AS latest
    FROM held WHERE strpos(lower(end_user), lower(%s)) > 0 OR %s = '' GROUP BY end_user
)
"""
_COUNT = f"{_PEOPLE} SELECT count(*) FROM people"  # noqa: S608 - Constant.
_PAGE = f"{_PEOPLE} SELECT * FROM people ORDER BY latest DESC, end_user LIMIT %s OFFSET %s"  # noqa: S608


@dataclass(frozen=True)
class EndUser:
    """An end user, with the numbers of their memories and conversations."""

    end_user: str
    memories: int
    conversations: int
    latest: datetime

    @property
    def name(self) -> str:
        return self.end_user or _("The user")


class EndUsers(Sequence[EndUser]):
    """The end users of an instance whose id holds *q*, latest first; loaded slice by slice."""

    def __init__(self, instance: Instance, q: str = "") -> None:
        self._params: list[int | str | None] = [instance.pk, instance.pk, instance.pk, q, q]

    def __len__(self) -> int:
        with connection.cursor() as cursor:
            cursor.execute(_COUNT, self._params)
            return int(cursor.fetchone()[0])

    @overload
    def __getitem__(self, index: int) -> EndUser: ...
    @overload
    def __getitem__(self, index: slice) -> list[EndUser]: ...
    def __getitem__(self, index: int | slice) -> EndUser | list[EndUser]:
        if isinstance(index, int):
            return self[index : index + 1][0]
        first = index.start or 0
        most = None if index.stop is None else index.stop - first
        with connection.cursor() as cursor:
            cursor.execute(_PAGE, [*self._params, most, first])
            return [EndUser(*row) for row in cursor.fetchall()]
