"""The check of a chain of records: of the audit log, or of an archive of it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from memoryapp.models import AuditRecord
from memoryapp.models.audit_records import BEGINNING, digest_of
from memoryapp.models.erasures import hash_of

#: The most breaks that are noted.
MAX_BREAKS = 100
CHUNK_SIZE = 2_000


class BreakKind(StrEnum):
    """Way in which a record breaks the chain."""

    #: It does not match its digest, or does not follow the record before it.
    CHANGED = "changed"
    #: One record or several before it are gone.
    MISSING = "missing"
    #: The id of its end user is not the one that was recorded.
    OTHER_PERSON = "other_person"


@dataclass(frozen=True)
class Break:
    """One break in a chain."""

    kind: BreakKind
    #: The record at which it shows.
    number: int
    #: The first number that is missing before it.
    since: int = 0

    def __str__(self) -> str:
        match self.kind:
            case BreakKind.MISSING if self.since == self.number - 1:
                return f"Record {self.since} is missing."
            case BreakKind.MISSING:
                return f"Records {self.since} to {self.number - 1} are missing."
            case BreakKind.OTHER_PERSON:
                return f"Record {self.number} names another person than it did."
        return f"Record {self.number} was changed."


@dataclass(frozen=True)
class Link:
    """A record as the check sees it."""

    number: int
    digest: str
    #: What the digest covers; None if it is withheld, so that only its place is checked.
    content: Mapping[str, Any] | None
    #: False if the id of the end user is not the one whose hash it has.
    is_of_person: bool = True


@dataclass
class Verification:
    """Result of a check."""

    records: int = 0
    #: Number and digest of the last record: noted elsewhere, they show later whether the end was
    #: cut off.
    last: int = 0
    digest: str = BEGINNING
    #: Records of the log that wait for their number.
    waiting: int = 0
    breaks: list[Break] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """True if no break was found."""
        return not self.breaks


def verify_log() -> Verification:
    """Check the whole audit log of this installation."""
    result = check(_links_of_log())
    result.waiting = AuditRecord.objects.unchained().count()
    return result


def check(links: Iterable[Link], *, after: int = 0, before: str = BEGINNING) -> Verification:
    """Check *links*, in the order of their numbers, which follow the record numbered *after* with
    the digest *before*. Each break is found for itself, also behind another one.
    """
    result = Verification(last=after, digest=before)
    for link in links:
        if link.number != result.last + 1:
            _note(result, Break(BreakKind.MISSING, link.number, result.last + 1))
        elif link.content is not None and digest_of(link.content, result.digest) != link.digest:
            _note(result, Break(BreakKind.CHANGED, link.number))
        if not link.is_of_person:
            _note(result, Break(BreakKind.OTHER_PERSON, link.number))
        result.records += 1
        result.last, result.digest = link.number, link.digest
    return result


def still_holds(number: int, digest: str) -> bool:
    """True if the log has the record with this *number* and *digest*, which were noted before:
    nothing up to it was cut off or made anew.
    """
    return number == 0 or AuditRecord.objects.filter(number=number, digest=digest).exists()


def _note(result: Verification, found: Break) -> None:
    if len(result.breaks) < MAX_BREAKS:
        result.breaks.append(found)


def _links_of_log() -> Iterator[Link]:
    for record in AuditRecord.objects.chained().iterator(chunk_size=CHUNK_SIZE):
        named = record.end_user is not None and record.instance_id is not None
        hashed = hash_of(record.instance_id or 0, record.end_user or "") if named else ""
        is_of_person = not named or hashed == record.person
        yield Link(record.number or 0, record.digest, record.content, is_of_person)
