"""The fields of exports that are lists of conversations.

Fields may be missing or have any type: then they count as empty.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any

from conversations.importers.branches import current_branch
from conversations.importers.json_stream import MAX_LEVELS, TooLarge, read_objects
from conversations.importers.reader import ParseContext, Reader, plausible_date
from conversations.importers.report import Report
from instances.translatable import translatable, translatable_kind

#: Unix times above this are in milliseconds: in seconds, it is the year 5138.
_MAX_SECONDS = 100_000_000_000

#: The beginning of the id that stands for the parent of the first message.
NO_PARENT = "00000000-0000-"

#: Why a message without words, files or calls is skipped.
EMPTY = translatable_kind("empty message", "empty messages")
#: Why messages on other branches are skipped.
OTHER_BRANCHES = translatable_kind(
    "message on another branch: a regenerated answer, or an edited question",
    "messages on other branches: regenerated answers, edited questions",
)


def read_conversations(
    reader: Reader,
    context: ParseContext,
    kind: type,
    key: str,
    *other_keys: str,
    most_levels: int = MAX_LEVELS,
) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Yield each conversation that has a *kind* under one of the keys, with its place in the
    file.
    """
    for number, record in enumerate(read_objects(reader, most_levels=most_levels), start=1):
        place = translatable("conversation %(number)s", number=str(number))
        if isinstance(record, TooLarge):
            context.report.skip(place, record.reason)
        elif not isinstance(record, Mapping) or not any(
            isinstance(record.get(each), kind) for each in (key, *other_keys)
        ):
            context.report.skip(place, translatable("it has no “%(name)s”", name=key))
        else:
            yield record, place


def messages_of_branch(
    messages: Sequence[Mapping[str, Any]],
    keys: tuple[str, str, str],
    leaf: str | None,
    place: str,
    report: Report,
    *,
    is_usable: Callable[[Mapping[str, Any]], bool],
) -> Sequence[Mapping[str, Any]]:
    """Return *messages*; of a tree, those of the branch that ends with the id *leaf*, or with the
    newest message that is usable. *keys* are those of a message's id, its parent's and its date.
    """
    own, parent, date = keys
    by_id = {text_in(message, own): message for message in messages}
    # Without ids or parents, or with only some of them, the order of the file has to do.
    if "" in by_id or len(by_id) != len(messages):
        return messages
    above = {key: text_in(message, parent) for key, message in by_id.items()}
    if sum(not each for each in above.values()) > 1 or by_id.keys().isdisjoint(above.values()):
        return messages
    has_root = any(not each or each.startswith(NO_PARENT) for each in above.values())
    moments = {key: moment_in(message, date) for key, message in by_id.items()}
    branch = current_branch(
        {
            key: "" if each.startswith(NO_PARENT) or (each not in by_id and not has_root) else each
            for key, each in above.items()
        },
        leaf,
        usable={key for key, message in by_id.items() if is_usable(message)},
        dates={key: moment.timestamp() for key, moment in moments.items() if moment},
    )
    if branch.problem:
        report.skip(place, branch.problem)
    if aside := len(messages) - len(branch.ids):
        report.pass_over(OTHER_BRANCHES, aside)
    return [by_id[key] for key in branch.ids]


def nodes_in(record: Mapping[str, Any], key: str, report: Report) -> dict[str, Mapping[str, Any]]:
    """Return the nodes of the tree under *key*, by their ids. The report counts those that hold no
    message, but for the root, which never does.
    """
    nodes = objects_in(record, key, report)
    for node in nodes.values():
        message = node.get("message")
        is_root = message is None and not node.get("parent")
        if not (is_root or isinstance(message, Mapping)):
            report.pass_over(EMPTY)
    return nodes


def objects_in(record: Mapping[str, Any], key: str, report: Report) -> dict[str, Mapping[str, Any]]:
    """Return the objects under *key*, by their ids; the report counts what else is there."""
    given = mapping_in(record, key)
    objects = {name: value for name, value in given.items() if isinstance(value, Mapping)}
    _count_strange(report, len(given) - len(objects))
    return objects


def records_in(record: Mapping[str, Any], key: str, report: Report) -> list[Mapping[str, Any]]:
    """Return the objects of the list under *key*; the report counts what else is in it."""
    records = mappings_in(record, key)
    _count_strange(report, len(list_in(record, key)) - len(records))
    return records


def _count_strange(report: Report, times: int) -> None:
    if times:
        report.pass_over(
            translatable_kind("record that is no object", "records that are no objects"), times
        )


def titled(place: str, title: str) -> str:
    """Return *place* with the beginning of the conversation's *title*, if it has one."""
    if not title:
        return place
    return translatable("%(place)s (“%(title)s”)", place=place, title=title[:60])


def text_in(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def list_in(record: Mapping[str, Any], key: str) -> list[Any]:
    value = record.get(key)
    return value if isinstance(value, list) else []


def parts_in(record: Mapping[str, Any], key: str) -> list[Any]:
    """Return the parts of the content under *key*, which may be a text in place of a list."""
    value = record.get(key)
    return value if isinstance(value, list) else [] if value is None else [value]


def mapping_in(record: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = record.get(key)
    return value if isinstance(value, Mapping) else {}


def mappings_in(record: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    return [item for item in list_in(record, key) if isinstance(item, Mapping)]


def moment_in(record: Mapping[str, Any], key: str, zone: tzinfo = UTC) -> datetime | None:
    """Return the date under *key*; None if it is none, or is not plausible.

    It may be a Unix time in seconds or milliseconds, ISO 8601, by default in *zone*, or what
    MongoDB writes: one of these under ``$date`` or ``$numberLong``.
    """
    value = record.get(key)
    for _ in range(2):
        if isinstance(value, Mapping):
            value = value.get("$date", value.get("$numberLong"))
    try:
        if isinstance(value, str) and not value.isdecimal():
            date = datetime.fromisoformat(value)
            date = (date if date.tzinfo else date.replace(tzinfo=zone)).astimezone(UTC)
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            seconds = float(value)
            date = datetime.fromtimestamp(seconds / (1000 if seconds > _MAX_SECONDS else 1), UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return plausible_date(date)
