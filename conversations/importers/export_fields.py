"""The fields that the exports of ChatGPT and Claude share: conversations in a list.

Fields may be missing or have any type: then they count as empty.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from conversations.importers.json_stream import TooLarge, read_objects
from conversations.importers.reader import ParseContext, Reader
from instances.translatable import translatable

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
