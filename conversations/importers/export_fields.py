"""The fields of exports that are lists of conversations.

Fields may be missing or have any type: then they count as empty.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any

from conversations.importers.branches import follow_branch
from conversations.importers.json_stream import TooLarge, read_objects
from conversations.importers.reader import ParseContext, Reader, plausible_date
from conversations.importers.report import Report
from instances.translatable import translatable

#: Unix times above this are in milliseconds: in seconds, it is the year 5138.
_MAX_SECONDS = 100_000_000_000

#: The beginning of the id that stands for the parent of the first message.
NO_PARENT = "00000000-0000-"

#: Why messages on other branches are skipped.
OTHER_BRANCHES = translatable("messages on other branches: regenerated answers, edited questions")


def read_conversations(
    reader: Reader, context: ParseContext, key: str, kind: type
) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Yield each conversation that has a *kind* under *key*, with its place in the file."""
    for number, record in enumerate(read_objects(reader), start=1):
        place = translatable("conversation %(number)s", number=str(number))
        if isinstance(record, TooLarge):
            context.report.skip(place, record.reason)
        elif not isinstance(record, Mapping) or not isinstance(record.get(key), kind):
            context.report.skip(place, translatable("it has no “%(name)s”", name=key))
        else:
            yield record, place


def current_branch(
    messages: Sequence[Mapping[str, Any]],
    keys: tuple[str, str],
    leaf: str,
    place: str,
    report: Report,
) -> Sequence[Mapping[str, Any]]:
    """Return *messages*; of a tree, those of the branch that ends with the id *leaf*, or with the
    last message. *keys* are those of a message's id and of its parent's.
    """
    own, parent = keys
    by_id = {text_in(message, own): message for message in messages}
    placed = [
        message
        for message in messages
        if (above := text_in(message, parent)) in by_id or above.startswith(NO_PARENT)
    ]
    # Without parents, or with only some of them, the order of the file has to do.
    if not messages or "" in by_id or len(by_id) != len(messages):
        return messages
    if len(placed) < len(messages) - 1:
        return messages
    parents = {
        key: above if (above := text_in(message, parent)) in by_id else ""
        for key, message in by_id.items()
    }
    branch = follow_branch(parents, leaf if leaf in by_id else text_in(messages[-1], own))
    if branch.problem:
        report.skip(place, branch.problem)
        return messages
    if aside := len(messages) - len(branch.ids):
        report.pass_over(OTHER_BRANCHES, aside)
    return [by_id[key] for key in branch.ids]


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
