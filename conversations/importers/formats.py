"""Recognises the format of a file by its content, never by its name, and reads it."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import IO
from zoneinfo import ZoneInfo

from conversations.importers import (
    chatgpt,
    claude,
    claude_code,
    claude_projects,
    codex,
    deepseek,
    gemini,
    grok,
    jsonl,
    librechat,
    lm_studio,
    locomo,
    message_arrays,
    open_webui,
)
from conversations.importers.json_stream import Signature, find_signature
from conversations.importers.reader import (
    ACCEPTED_FORMATS,
    BrokenFile,
    ParseContext,
    ParsedMessage,
    Reader,
    Stream,
    UnknownFormat,
)
from conversations.importers.report import Report
from conversations.importers.seen_counter import SeenCounter
from conversations.importers.zip_archives import (
    OTHER_KIND,
    Archive,
    Member,
    is_of_other_kind,
    opened,
)
from instances.translatable import sentences, translatable, translatable_kind

_JSON = {
    module.LABEL: module
    for module in (
        chatgpt,
        deepseek,
        claude,
        claude_projects,
        open_webui,
        librechat,
        lm_studio,
        grok,
        gemini,
        locomo,
        message_arrays,
    )
}
#: Those with one record on each line, the most particular first.
_LINES: dict[str, ModuleType] = {module.LABEL: module for module in (claude_code, codex)}
#: What is typical of each: of one object, and of the objects of a list.
_SIGNS = {label: module.is_sign for label, module in _JSON.items()}
_SIGNS_IN_LIST = _SIGNS | {message_arrays.LABEL: message_arrays.is_sign_in_list}

#: Why other files of an export are skipped, and what is typical of them.
_ASIDE: dict[str, Signature] = {
    translatable("memories, which are imported apart"): lambda path, event: (
        path == ("conversations_memory",)
    ),
    translatable("it holds the account of the person"): lambda path, event: (
        path in (("email_address",), ("email",), ("verified_phone_number",))
    ),
}


def holds_conversations(source: Stream | Archive) -> bool:
    """True if *source* holds a message in a format that is known, or is damaged before its first
    one. Raises `UnknownFormat` for an archive that must not be unpacked.
    """
    if not isinstance(source, Archive):
        return _holds_message(source)
    for member in source.members:
        with contextlib.suppress(BrokenFile), source.open(member) as file:
            if looks_like_json(file):
                source.check([member])
                if _holds_message(file):
                    return True
    return False


def _holds_message(stream: Stream | IO[bytes]) -> bool:
    label = recognise(stream)
    if not label:
        return False
    with SeenCounter() as seen:
        context = ParseContext("", ZoneInfo("UTC"), Report(), seen)
        try:
            return any(True for _ in _read(label, stream, context, lambda bytes_read: None))
        except BrokenFile:
            return True


def looks_like_json(file: IO[bytes]) -> bool:
    """True if a member of an archive is JSON, and no picture, page or other file."""
    return Reader(file).read(1024).lstrip().startswith((b"{", b"["))


def recognise(stream: Stream | IO[bytes]) -> str:
    """Return the label of the format of *stream*, empty if it is unknown."""
    start = Reader(stream).read(1024).lstrip()
    if not start.startswith((b"{", b"[")):
        # JSONL may begin with lines that are bad.
        return _of_lines(stream) if start[:1].isascii() else ""
    label = find_signature(Reader(stream), _SIGNS_IN_LIST if start.startswith(b"[") else _SIGNS)
    return label or _of_lines(stream)


def _of_lines(stream: Stream | IO[bytes]) -> str:
    """Return the label of a format with one record on each line; empty if it is none."""
    plain = ""
    for record in jsonl.first_objects(Reader(stream)):
        for label, module in _LINES.items():
            if module.is_record(record):
                return label
        plain = plain or (jsonl.LABEL if "content" in record else "")
    return plain


def read(
    stream: Stream, context: ParseContext, on_read: Callable[[int], None]
) -> Iterator[ParsedMessage]:
    """Yield all messages of *stream*, which may be an archive of files in one format or several.

    Raises `UnknownFormat` before anything is yielded if its format is unknown, it must not be
    unpacked, or there is no message in it; `BrokenFile` after what comes before the damage.
    """
    is_empty = True
    for message in _messages(stream, context, on_read):
        is_empty = False
        yield message
    if is_empty:
        raise UnknownFormat(_nothing_in(context.report))


def _nothing_in(report: Report) -> str:
    """Say that nothing of a file with a known format can be imported, and why most of it cannot."""
    reason = max(report.reasons, key=lambda each: report.reasons[each], default="")
    if not reason:
        return translatable("It looks like “%(format)s”, but is empty.", format=report.format)
    return translatable(
        "It looks like “%(format)s”, but nothing in it can be imported: %(reason)s.",
        format=report.format,
        reason=reason,
    )


def _messages(
    stream: Stream, context: ParseContext, on_read: Callable[[int], None]
) -> Iterator[ParsedMessage]:
    stream.seek(0)
    if not stream.read(1):
        raise UnknownFormat(sentences(translatable("The file is empty."), ACCEPTED_FORMATS))
    source = opened(stream)
    if isinstance(source, Archive):
        yield from _read_archive(source, context, on_read)
        return
    label = recognise(stream)
    if not label and is_of_other_kind(stream):
        raise UnknownFormat(OTHER_KIND)
    if not label:
        raise UnknownFormat(
            sentences(translatable("The format of this file is not known."), ACCEPTED_FORMATS)
        )
    context.report.format = label
    yield from _read(label, stream, context, on_read)


def _read(
    label: str, stream: Stream | IO[bytes], context: ParseContext, on_read: Callable[[int], None]
) -> Iterator[ParsedMessage]:
    module = _JSON.get(label) or _LINES.get(label, jsonl)
    yield from module.read(Reader(stream, on_read), context)


@dataclass
class _SortedMembers:
    """The members of an archive, by what can be read of them."""

    #: With the labels of their formats.
    recognised: list[tuple[Member, str]] = field(default_factory=list)
    #: JSON without conversations, with the reasons.
    aside: list[tuple[Member, str]] = field(default_factory=list)
    #: Reasons by name.
    unopened: dict[str, str] = field(default_factory=dict)
    #: The number of files that hold no JSON.
    others: int = 0
    #: A sentence for each member that cannot be read to its end.
    broken: list[str] = field(default_factory=list)


def _sorted_members(archive: Archive) -> _SortedMembers:
    found = _SortedMembers(unopened=dict(archive.unopened))
    for member in archive.members:
        try:
            with archive.open(member) as file:
                if is_of_other_kind(file):
                    found.unopened[member.name] = OTHER_KIND
                    continue
                if not looks_like_json(file):
                    found.others += 1
                    continue
                archive.check([member])
                if label := recognise(file):
                    found.recognised.append((member, label))
                else:
                    reason = find_signature(Reader(file), _ASIDE)
                    without = translatable("it holds no conversations")
                    found.aside.append((member, reason or without))
        except BrokenFile as error:
            found.broken.append(_in_archive(member.name, str(error)))
    return found


def _without_conversations(archive: Archive, found: _SortedMembers) -> UnknownFormat:
    not_read = [*found.broken, *(_in_archive(*each) for each in found.unopened.items())]
    if not_read:
        return UnknownFormat(sentences(*not_read))
    nothing = translatable(
        "There are no conversations in this archive, which has %(number)s files.",
        number=len(archive.members),
    )
    return UnknownFormat(sentences(nothing, ACCEPTED_FORMATS))


def _read_archive(
    archive: Archive, context: ParseContext, on_read: Callable[[int], None]
) -> Iterator[ParsedMessage]:
    found = _sorted_members(archive)
    if not found.recognised:
        raise _without_conversations(archive, found)
    report, broken = context.report, found.broken
    for name, reason in found.unopened.items():
        report.skip(name, reason)
    for member, reason in found.aside:
        report.skip(member.name, reason)
    if found.others:
        passed_over = translatable_kind(
            "picture, page or other file of the archive",
            "pictures, pages and other files of the archive",
        )
        report.pass_over(passed_over, found.others)
    members = [member for member, _ in found.recognised]
    archive.check(members)
    report.format = ", ".join(dict.fromkeys(label for _, label in found.recognised))
    report.bytes_total = sum(member.size for member in members)
    before = 0
    for member, label in found.recognised:

        def on_member_read(bytes_read: int, before: int = before) -> None:
            on_read(before + bytes_read)

        try:
            with archive.open(member) as file:
                yield from _read(label, file, replace(context, name=member.name), on_member_read)
        except BrokenFile as error:
            # The next files may be whole.
            broken.append(_in_archive(member.name, str(error)))
        before += member.size
    if broken:
        raise BrokenFile(sentences(*broken))


def _in_archive(name: str, problem: str) -> str:
    return translatable("%(file)s: %(problem)s", file=name, problem=problem)
