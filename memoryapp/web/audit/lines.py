"""Lines of the audit log: records of one actor and one act in a row, in the words of Activity."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.models import Conversation
from instances.models import ApiKey, Instance
from instances.server_activity import ServerAction
from memoryapp.models import Activity, AuditRecord, Kept, Memory
from memoryapp.web.activity.sentences import SENTENCES, filled, part_in_words

Action = Activity.Action

#: The actions in words, by their values.
LABELS: dict[str, Any] = dict([*Activity.Action.choices, *ServerAction.choices])

#: The sentences of what is done on the server, as those of `SENTENCES`.
SERVER_SENTENCES: dict[ServerAction, Callable[[int], str]] = {
    ServerAction.SIGNED_IN: lambda n: ngettext(
        "%(actor)s signed in", "%(actor)s signed in %(n)s times", n
    ),
    ServerAction.SIGNED_OUT: lambda n: ngettext(
        "%(actor)s signed out", "%(actor)s signed out %(n)s times", n
    ),
    ServerAction.ACCOUNT_LINK: lambda n: _("%(actor)s created a password link for %(about)s"),
    ServerAction.DEACTIVATED: lambda n: _("%(actor)s deactivated the account of %(about)s"),
    ServerAction.REACTIVATED: lambda n: _("%(actor)s reactivated the account of %(about)s"),
    ServerAction.APPOINTED: lambda n: _("%(actor)s made %(about)s a superadmin"),
    ServerAction.ACCOUNT_DELETED: lambda n: _("%(actor)s deleted the account of %(about)s"),
    ServerAction.ADDRESS_ALLOWED: lambda n: _("%(actor)s allowed the outgoing address %(about)s"),
    ServerAction.ADDRESS_REMOVED: lambda n: _("%(actor)s removed the outgoing address %(about)s"),
    ServerAction.LOOKED: lambda n: ngettext(
        "%(actor)s looked at what is remembered",
        "%(actor)s looked at what is remembered %(n)s times",
        n,
    ),
    ServerAction.INSTANCE_CREATED: lambda n: _("%(actor)s created the instance %(about)s"),
    ServerAction.INSTANCE_DELETED: lambda n: _("%(actor)s deleted the instance %(about)s"),
}

#: Where each record names an address of its own, which a line does not.
_ABOUT_EACH = {ServerAction.LOOKED.value}


@dataclass(frozen=True)
class AuditEntry:
    """A record, with the row that it names if that still exists and the reader may see it."""

    record: AuditRecord
    object: Memory | Conversation | None

    @property
    def named(self) -> str:
        """The one row that it was about."""
        number = {"number": self.record.object_id}
        match self.record.kind:
            case "memory":
                return _("Memory %(number)s") % number
            case "conversation":
                return _("Conversation %(number)s") % number
        return ""


@dataclass(frozen=True)
class AuditLine:
    """Records of one actor and one act, the newest first."""

    entries: Sequence[AuditEntry]
    #: API keys by their prefixes.
    keys: Mapping[str, ApiKey]

    @property
    def first(self) -> AuditEntry:
        return self.entries[0]

    @cached_property
    def count(self) -> int:
        return sum(entry.record.count for entry in self.entries)

    @property
    def numbers(self) -> str:
        """The numbers of the records; empty while they are not chained."""
        newest, oldest = (self.entries[place].record.number for place in (0, -1))
        if not newest or not oldest:
            return ""
        return f"#{newest}" if newest == oldest else f"#{oldest} – #{newest}"

    @property
    def sentence(self) -> SafeString:
        """The act in words."""
        record = self.first.record
        actor = record.actor or part_in_words(record.via, self.keys)
        about = "" if record.action in _ABOUT_EACH else record.detail
        text = _text(record, self.count)
        if "%(about)s" in text and not about:
            text = f"%(actor)s: {LABELS[record.action]}"
        elif "%(about)s" not in text and about:
            text = f"{text} · %(about)s"
        if record.action == Action.EXPIRED:
            about = str(dict(Kept.choices).get(about, about))
        return filled(text, actor, self.count, about)


def _text(record: AuditRecord, count: int) -> str:
    action = record.action
    if action == Action.JOINED and record.actor == record.detail:
        return _("%(actor)s became a member")
    if action == Action.SETTINGS and not record.detail:
        return _("%(actor)s changed the settings")
    if action == Action.ROLLED_BACK:
        # The log does not name the source, which may be a file or a conversation of a person.
        return ngettext(
            "%(actor)s rolled back a source: %(n)s memory",
            "%(actor)s rolled back a source: %(n)s memories",
            count,
        )
    if action in Action:
        return SENTENCES[Action(action)](count)
    if action in SERVER_SENTENCES:
        return SERVER_SENTENCES[ServerAction(action)](count)
    # The log outlives an action.
    return f"%(actor)s: {LABELS.get(action, action)}"


def lines_of(
    records: Iterable[AuditRecord], instances: "QuerySet[Instance]", keys: Mapping[str, ApiKey]
) -> list[AuditLine]:
    """Return *records* as lines; rows are linked that are in one of the reader's *instances*."""
    records = list(records)
    there = {
        "memory": _existing(Memory.objects.all(), records, "memory", instances),
        "conversation": _existing(Conversation.objects.all(), records, "conversation", instances),
    }
    entries = [
        AuditEntry(record, there.get(record.kind, {}).get(record.object_id)) for record in records
    ]
    return [AuditLine(list(run), keys) for _act, run in groupby(entries, key=_act_of)]


def _act_of(entry: AuditEntry) -> tuple[Any, ...]:
    """The values that the records of one line have in common."""
    record = entry.record
    return (
        timezone.localdate(record.at),
        record.actor_id,
        record.actor,
        record.via,
        record.address,
        record.action,
        record.instance_id,
        "" if record.action in _ABOUT_EACH else record.detail,
    )


def _existing(
    rows: "QuerySet[Any]",
    records: Iterable[AuditRecord],
    kind: str,
    instances: "QuerySet[Instance]",
) -> dict[int | None, Any]:
    ids = [each.object_id for each in records if each.kind == kind]
    if not ids:
        return {}
    return {row.pk: row for row in rows.filter(instance__in=instances, pk__in=ids).only("pk")}
