"""Version tokens: the rows that a person confirmed, with the times of their last changes."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from instances.ids import parse_pk
from memoryapp.models import Memory

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
#: In the fifty-second century; Python cannot represent moments much later.
_MAX_MICROSECONDS = 10**17


@dataclass(frozen=True)
class Stale(Exception):
    """The confirmed rows have changed since they were shown."""

    #: How many of the chosen rows.
    changed: int
    chosen: int

    def __str__(self) -> str:
        if not self.chosen:
            return _("Nothing was selected, so nothing was done.")
        text = ngettext(
            "Nothing was done: %(changed)s of the %(chosen)s you chose has changed since you "
            "looked. This is the current state.",
            "Nothing was done: %(changed)s of the %(chosen)s you chose have changed since you "
            "looked. This is the current state.",
            self.changed,
        )
        values = {"changed": self.changed, "chosen": self.chosen}
        return text % {
            name: number_format(value, force_grouping=True) for name, value in values.items()
        }


def version_token(memory: Memory) -> str:
    """Return the version token of *memory*, which its checkbox posts."""
    return memory.version_token


def parse_token(value: str) -> tuple[int, datetime] | None:
    """Return the id and the time of the last change in a version token; None if it is invalid."""
    pk_text, _, moment_text = value.partition("@")
    pk, moment = parse_pk(pk_text), parse_pk(moment_text)
    if pk is None or moment is None or moment > _MAX_MICROSECONDS:
        return None
    return pk, _EPOCH + moment * _MICROSECOND
