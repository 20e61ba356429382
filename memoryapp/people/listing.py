"""The end users of an instance, with what is kept about each."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import overload

from django.db import connection
from django.utils.translation import gettext as _

from instances.models import Instance
from memoryapp.models.memory_counts import PEOPLE_WITH_MEMORIES

#: Everybody with memories, conversations or notes, whose id holds a text.
_PEOPLE = f"""
WITH held AS (
    SELECT end_user, memories, 0 AS conversations, latest FROM ({PEOPLE_WITH_MEMORIES}) AS of_them
    UNION ALL
    SELECT end_user, 0, count(*), max(last_activity_at)
    FROM conversations_conversation WHERE instance_id = %(instance)s GROUP BY end_user
    UNION ALL
    SELECT end_user, 0, 0, max(created_at)
    FROM memoryapp_wing WHERE instance_id = %(instance)s GROUP BY end_user
), people AS (
    SELECT end_user, sum(memories)::bigint AS memories, sum(conversations)::bigint AS conversations,
        max(latest) AS latest
    FROM held WHERE strpos(lower(end_user), lower(%(q)s)) > 0 OR %(q)s = '' GROUP BY end_user
)
"""  # noqa: S608 - Constant.
_COUNT = f"{_PEOPLE} SELECT count(*) FROM people"  # noqa: S608 - Constant.
_PAGE = (
    f"{_PEOPLE} SELECT * FROM people ORDER BY latest DESC, end_user LIMIT %(most)s OFFSET %(first)s"  # noqa: S608
)

_WITH_MEMORIES = f"""
SELECT end_user, memories, latest FROM ({PEOPLE_WITH_MEMORIES}) AS people
WHERE strpos(lower(end_user), lower(%(q)s)) > 0 OR %(q)s = ''
ORDER BY memories DESC, end_user LIMIT %(most)s
"""  # noqa: S608 - Constant.


def with_memories(instance: Instance, q: str, *, most: int) -> list[tuple[str, int, datetime]]:
    """Return up to *most* end users of *instance* whose id holds *q*, with the number of their
    memories and the time of the last change of one; those with most memories first.
    """
    with connection.cursor() as cursor:
        cursor.execute(_WITH_MEMORIES, {"instance": instance.pk, "q": q, "most": most})
        return list(cursor.fetchall())


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
        self._params: dict[str, int | str | None] = {"instance": instance.pk, "q": q}

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
            cursor.execute(_PAGE, self._params | {"most": most, "first": first})
            return [EndUser(*row) for row in cursor.fetchall()]
