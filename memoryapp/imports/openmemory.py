"""OpenMemory's backup: a zip in which the memories stand line by line, packed once more."""

import gzip
import zipfile
import zlib
from collections.abc import Callable, Iterator

import ijson

from conversations.importers import jsonl
from conversations.importers.reader import BrokenFile, Reader, Stream
from conversations.importers.zip_archives import Archive

LINES, ABOUT = "memories.jsonl.gz", "memories.json"

#: How much larger than packed the memories may be, once they are large. Text packs to a tenth.
_MAX_COMPRESSION_RATIO = 200
_LARGE = 10 * 1024 * 1024


def member_of(archive: Archive, name: str = LINES) -> zipfile.ZipInfo | None:
    """The file of that name, in whichever folder of the backup."""
    named = (one for one in archive.members if one.filename.rsplit("/", 1)[-1] == name)
    return next(named, None)


def whose(archive: Archive) -> str:
    """The id of the user whose memories these are; empty when the backup does not say."""
    about = member_of(archive, ABOUT)
    if about is None:
        return ""
    archive.check([about])
    try:
        with archive.open(about) as file:
            found = next(ijson.items(file, "user.user_id"), "")
    except ijson.JSONError as error:
        raise BrokenFile(f"“{ABOUT}” in the archive is no JSON.") from error
    return found if isinstance(found, str) else ""


def lines(stream: Stream, on_read: Callable[[int, int], None]) -> Iterator[tuple[int, bytes, str]]:
    """Yield (number, line, end user) of the backup; *on_read* is told the packed bytes read so
    far, and how many there are.

    Raises:
        BrokenFile: it is damaged.
        UnknownFormat: it must not be unpacked.

    """
    archive = Archive(stream)
    member = member_of(archive)
    if member is None:
        raise BrokenFile(f"There is no “{LINES}” in this archive.")
    archive.check([member])
    end_user = whose(archive)
    with archive.open(member) as packed, gzip.open(packed) as unpacked:

        def on_unpacked(size: int) -> None:
            on_read(packed.tell(), member.file_size)
            if size > max(_LARGE, _MAX_COMPRESSION_RATIO * member.file_size):
                raise BrokenFile(f"“{LINES}” unpacks to more than memories take.")

        try:
            for number, line in jsonl.lines(Reader(unpacked, on_unpacked)):
                yield number, line, end_user
        except (gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise BrokenFile(f"“{LINES}” in the archive is damaged.") from error
