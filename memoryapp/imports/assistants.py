"""Memories that ChatGPT and Claude keep about a person, in their exports.

ChatGPT's export has no file for it: its conversations hold copies of the list of memories, calls
that saved one memory each, and copies of the custom instructions. The latest list, what was saved
after it, and the latest instructions count. Claude's has ``memories.json``:
``[{"conversations_memory": "**Work** …", "project_memories": {project's uuid: "…"}}]``, summaries
in Markdown.

Both are statements about the person that a program wrote or a form holds: documents, which change
nothing that people and users have said.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO, Any

from django.utils.translation import gettext_noop

from conversations.importers import chatgpt, claude_projects, formats
from conversations.importers.export_fields import mapping_in, moment_in, text_in
from conversations.importers.json_stream import Signature, TooLarge, find_signature, read_objects
from conversations.importers.reader import BrokenFile, Reader, Stream
from conversations.importers.report import Report
from conversations.importers.zip_archives import Archive, Member, opened
from instances.translatable import sentences, translatable, translatable_kind
from memoryapp.imports.written_memories import Written, items, paragraphs
from memoryapp.models import Category
from memoryapp.policy.labels import label

CHATGPT = gettext_noop("Memories from a ChatGPT export")
CLAUDE = gettext_noop("Memories from a Claude export")
FORMS = (CHATGPT, CLAUDE)

#: What a ChatGPT export contains if there are memories or instructions in it.
_TRACES = (b'"model_editable_context"', b'"user_editable_context"', b'"bio"')
#: Bytes that are searched for them at a time.
_BLOCK_BYTES = 1 << 20
#: Calls that saved one memory each.
MAX_SAVED = 20_000
#: The tool that saves a memory in ChatGPT.
_SAVING_TOOL = "bio"
#: Names of Claude's projects that are kept to tag their memories.
_MAX_PROJECTS = 10_000
#: Characters of a project's name and id.
_MAX_NAME = 200
#: Limit, in characters, of the texts that are held until all files are read; and the overhead that
#: each text counts.
_MAX_CHARACTERS, _PER_TEXT = 32_000_000, 100

Found = Iterator[tuple[str, Mapping[str, Any]]]


def form_of(source: Stream | Archive) -> str:
    """Return the form of the memories that *source* holds, alone or beside conversations; empty if
    there are none.
    """
    if not isinstance(source, Archive):
        return _form_of(source)
    found = {form for _member, form in _members(source)}
    return next((form for form in FORMS if form in found), "")


def read(
    form: str, stream: Stream, report: Report, on_read: Callable[..., None]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (place, fields) of each memory of a file in *form*. What else is in it is counted, and
    so are older copies. Raises `BrokenFile`.
    """
    collected = _Collected(form, report)
    archive = opened(stream)
    if not isinstance(archive, Archive):
        collected.read(form, Reader(archive, on_read))
    else:
        members = list(_members(archive))
        archive.check([member for member, _form in members])
        total = sum(member.size for member, _form in members)
        before = 0
        broken = []
        for member, found in members:

            def on_member_read(size: int, before: int = before) -> None:
                on_read(before + size, total)

            try:
                with archive.open(member) as file:
                    collected.read(found, Reader(file, on_member_read))
            except BrokenFile as error:
                broken.append(
                    translatable("%(file)s: %(problem)s", file=member.name, problem=str(error))
                )
            before += member.size
        for name, reason in archive.unopened.items():
            report.skip(name, reason)
        if others := len(archive.members) - len(members):
            report.pass_over(
                translatable_kind(
                    "file of the archive without memories", "files of the archive without memories"
                ),
                others,
            )
        yield from collected.found()
        if broken:
            raise BrokenFile(sentences(*broken))
        return
    yield from collected.found()


#: Claude's projects give their names to their memories.
_PROJECTS = "projects"


def _members(archive: Archive) -> Iterator[tuple[Member, str]]:
    """Yield the files of *archive* that hold memories, with their form; and Claude's projects."""
    for member in archive.members:
        try:
            with archive.open(member) as file:
                if not formats.looks_like_json(file):
                    continue
                archive.check([member])
                if form := _form_of(file, projects=True):
                    yield member, form
        except (BrokenFile, ValueError):
            continue  # Reading it as conversations reports the damage.


def is_sign_of_claude(path: tuple[str, ...], event: str) -> bool:
    """True if this is how Claude's memories look."""
    return (path, event) in (
        (("conversations_memory",), "string"),
        (("project_memories",), "start_map"),
    )


def _form_of(stream: Stream | IO[bytes], *, projects: bool = False) -> str:
    signs: dict[str, Signature] = {CLAUDE: is_sign_of_claude, CHATGPT: chatgpt.is_sign}
    if projects:
        signs[_PROJECTS] = claude_projects.is_sign
    form = find_signature(Reader(stream), signs)
    return "" if form == CHATGPT and not _has_traces(Reader(stream)) else form


def _has_traces(reader: Reader) -> bool:
    before = b""
    while block := reader.read(_BLOCK_BYTES):
        reader.next_piece()
        if any(trace in before + block for trace in _TRACES):
            return True
        before = block[-40:]
    return False


@dataclass
class _Latest:
    """The latest copy of a text, and how many others there were."""

    text: str = ""
    at: datetime | None = None
    copies: int = 0

    def note(self, text: str, at: datetime | None) -> None:
        if text.strip():
            self.copies += 1
            if not self.text or (at and (self.at is None or at >= self.at)):
                self.text, self.at = text, at


@dataclass
class _Collected:
    """Content of an export's files, until all of them are read."""

    form: str
    report: Report
    listed: _Latest = field(default_factory=_Latest)
    about: _Latest = field(default_factory=_Latest)
    wishes: _Latest = field(default_factory=_Latest)
    saved: dict[str, datetime | None] = field(default_factory=dict)
    #: Claude's summaries, with the id of the project, if they are of one.
    summaries: list[tuple[str, str]] = field(default_factory=list)
    projects: dict[str, str] = field(default_factory=dict)
    #: Of all texts that are held.
    characters: int = 0

    def read(self, form: str, reader: Reader) -> None:
        """Read a file."""
        for number, record in enumerate(read_objects(reader), start=1):
            if isinstance(record, TooLarge):
                self.report.skip(
                    translatable("conversation %(number)s", number=str(number)), record.reason
                )
            elif not isinstance(record, Mapping):
                self.report.pass_over(
                    translatable_kind("record that is no object", "records that are no objects")
                )
            elif form == CHATGPT:
                self._note_conversation(record)
            elif form == _PROJECTS:
                if len(self.projects) < _MAX_PROJECTS:
                    project, name = text_in(record, "uuid"), text_in(record, "name")
                    self.projects[project[:_MAX_NAME]] = name[:_MAX_NAME]
                self.report.pass_over(
                    translatable_kind(
                        "project, which is imported apart", "projects, which are imported apart"
                    )
                )
            else:
                self._note_summaries(record)

    def found(self) -> Found:
        """Yield (place, fields) of each memory."""
        memories = self._of_chatgpt() if self.form == CHATGPT else self._of_claude()
        name = "chatgpt" if self.form == CHATGPT else "claude"
        for number, fields in enumerate(memories, start=1):
            yield (
                translatable("memory %(number)s", number=str(number)),
                {**fields, "labels": [label("app", name)]},
            )

    def _note_conversation(self, record: Mapping[str, Any]) -> None:
        self.report.pass_over(
            translatable_kind(
                "conversation, which is imported apart", "conversations, which are imported apart"
            )
        )
        date = moment_in(record, "update_time") or moment_in(record, "create_time")
        for node in mapping_in(record, "mapping").values():
            message = mapping_in(node, "message") if isinstance(node, Mapping) else {}
            content = mapping_in(message, "content")
            at = moment_in(message, "create_time") or date
            match text_in(content, "content_type"):
                case "model_editable_context":
                    self.listed.note(text_in(content, "model_set_context"), at)
                case "user_editable_context":
                    given = mapping_in(mapping_in(message, "metadata"), "user_context_message_data")
                    about = text_in(given, "about_user_message")
                    wishes = text_in(given, "about_model_message")
                    self.about.note(about or _fenced(text_in(content, "user_profile")), at)
                    self.wishes.note(wishes or _fenced(text_in(content, "user_instructions")), at)
                case _ if text_in(message, "recipient") == _SAVING_TOOL:
                    for text in chatgpt.texts_of(content):
                        if len(self.saved) < MAX_SAVED and self._fits(text):
                            self._note_saved(text.strip(), at)
                        else:
                            self.report.pass_over(
                                translatable_kind(
                                    "saved memory more than are read",
                                    "more saved memories than are read",
                                )
                            )

    def _note_saved(self, text: str, at: datetime | None) -> None:
        """Note the last time that a memory was saved."""
        before = self.saved.get(text)
        self.saved[text] = max(filter(None, (before, at)), default=None)

    def _note_summaries(self, record: Mapping[str, Any]) -> None:
        if summary := text_in(record, "conversations_memory"):
            self._note_summary(summary, "")
        for project, summary in mapping_in(record, "project_memories").items():
            if isinstance(summary, str):
                self._note_summary(summary, str(project)[:_MAX_NAME])
            else:
                self.report.pass_over(
                    translatable_kind("summary that is no text", "summaries that are no text")
                )

    def _note_summary(self, summary: str, project: str) -> None:
        if self._fits(summary):
            self.summaries.append((summary, project))
        else:
            self.report.pass_over(
                translatable_kind(
                    "saved memory more than are read", "more saved memories than are read"
                )
            )

    def _fits(self, text: str) -> bool:
        """True if there is room for *text*: all of them are held until the files are read."""
        self.characters += len(text) + _PER_TEXT
        return self.characters <= _MAX_CHARACTERS

    def _of_chatgpt(self) -> Iterator[Mapping[str, Any]]:
        for latest, reason in (
            (
                self.listed,
                translatable_kind(
                    "earlier copy of ChatGPT’s list of memories",
                    "earlier copies of ChatGPT’s list of memories",
                ),
            ),
            (
                self.about,
                translatable_kind(
                    "earlier copy of the custom instructions",
                    "earlier copies of the custom instructions",
                ),
            ),
            (
                self.wishes,
                translatable_kind(
                    "earlier copy of the custom instructions",
                    "earlier copies of the custom instructions",
                ),
            ),
        ):
            if latest.copies > 1:
                self.report.pass_over(reason, latest.copies - 1)
        for written in items(self.listed.text):
            yield _fields(written, day=written.day)
        # The list holds what is left of those before it: some were changed or deleted since.
        later = {text: at for text, at in self.saved.items() if self._is_after_list(at)}
        if replaced := len(self.saved) - len(later):
            self.report.pass_over(
                translatable_kind(
                    "single memory, which the latest list replaces",
                    "single memories, which the latest list replaces",
                ),
                replaced,
            )
        for text, at in later.items():
            yield _fields(Written(text), day=at.isoformat() if at else "")
        # As they stand: what tells the assistant to do something has to be found in review.
        for latest, category in (
            (self.about, Category.GENERAL),
            (self.wishes, Category.PREFERENCE),
        ):
            for written in items(latest.text):
                fields = _fields(written, ["custom instructions"], day=written.day or _day(latest))
                yield {**fields, "category": category.value}

    def _is_after_list(self, at: datetime | None) -> bool:
        """True if the latest list cannot hold what was saved at this moment."""
        listed = self.listed
        return not listed.text or bool(at and listed.at and at > listed.at)

    def _of_claude(self) -> Iterator[Mapping[str, Any]]:
        for summary, project in self.summaries:
            tags = [name] if (name := self.projects.get(project, "")) else []
            for written in paragraphs(summary):
                yield _fields(written, [*tags, *filter(None, [written.heading])])


def _day(latest: _Latest) -> str:
    return latest.at.isoformat() if latest.at else ""


def _fields(written: Written, tags: list[str] | None = None, *, day: str = "") -> dict[str, Any]:
    return {"content": written.text, "tags": tags or [], "created_at": day or None}


def _fenced(text: str) -> str:
    """Return what stands between the first and the last fence of *text*: ChatGPT writes around it
    what the model is to do with it.
    """
    _before, fence, behind = text.partition("```")
    return behind.rpartition("```")[0] or behind if fence else text
