"""OpenMemory's backup: a zip file with a gzipped file of one memory on each line."""

import gzip
import zlib
from collections.abc import Callable, Iterator

import ijson

from conversations.importers import jsonl
from conversations.importers.json_stream import find_value
from conversations.importers.reader import BrokenFile, Reader, Stream
from conversations.importers.zip_archives import LARGE_BYTES, MAX_COMPRESSION_RATIO, Archive, Member
from instances.translatable import translatable
from memoryapp.imports.converters import id_text

LINES_FILE, USER_FILE = "memories.jsonl.gz", "memories.json"


def member_of(archive: Archive, name: str = LINES_FILE) -> Member | None:
    """Return the file of that name in any folder of the backup."""
    members = (m for m in archive.members if m.name.rsplit("/", 1)[-1] == name)
    return next(members, None)


def user_id_of(archive: Archive) -> str:
    """Return the id of the user of the backup; empty if the backup does not say."""
    member = member_of(archive, USER_FILE)
    if member is None:
        return ""
    archive.check([member])
    try:
        with archive.open(member) as file:
            user_id = find_value(Reader(file), ["user", "user_id"])
    except ijson.JSONError as error:
        raise BrokenFile(
            translatable("“%(file)s” in the archive is not JSON.", file=USER_FILE)
        ) from error
    return id_text(user_id)


def lines(stream: Stream, on_read: Callable[[int, int], None]) -> Iterator[tuple[int, bytes, str]]:
    """Yield (number, line, end user) of the backup; *on_read* gets the packed bytes read so far,
    and their total. Raises `BrokenFile`, and `UnknownFormat` if it must not be unpacked.
    """
    archive = Archive(stream)
    member = member_of(archive)
    if member is None:
        raise BrokenFile(translatable("There is no “%(file)s” in this archive.", file=LINES_FILE))
    archive.check([member])
    end_user = user_id_of(archive)
    with archive.open(member) as packed, gzip.open(packed) as unpacked:

        def on_unpacked(size: int) -> None:
            on_read(packed.tell(), member.size)
            if size > max(LARGE_BYTES, MAX_COMPRESSION_RATIO * member.size):
                raise BrokenFile(
                    translatable("“%(file)s” unpacks to more than memories take.", file=LINES_FILE)
                )

        try:
            for number, line in jsonl.lines(Reader(unpacked, on_unpacked)):
                yield number, line, end_user
        except (gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise BrokenFile(
                translatable("“%(file)s” in the archive is damaged.", file=LINES_FILE)
            ) from error
