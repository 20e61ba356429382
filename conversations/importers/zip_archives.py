"""Zip files: limits on what they unpack to, and streaming access to their members."""

import contextlib
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

from conversations.importers.reader import BrokenFile, Stream, UnknownFormat
from instances.translatable import translatable

MAGIC = b"PK"
#: Bytes of the list of members, which is in memory as a whole.
_MAX_DIRECTORY_BYTES = 32 * 1024 * 1024
#: Bytes that all members may unpack to.
_MAX_UNPACKED_BYTES = 20 * 1024**3
#: How many times its packed size a large member may have. Text packs to a tenth.
MAX_COMPRESSION_RATIO = 200
#: Unpacked bytes from which a member counts as large.
LARGE_BYTES = 10 * 1024 * 1024
#: What zlib and zipfile raise for damaged data.
DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, struct.error)

_END = struct.Struct("<4s4H2LH")
_END_64_PLACE = struct.Struct("<4sLQL")
_END_64 = struct.Struct("<4sQ2H2L4Q")


class Archive:
    """A zip file whose directory is checked before it is used."""

    def __init__(self, stream: Stream) -> None:
        """Read the list of members. Raises `UnknownFormat` if it is damaged, or not a zip file."""
        if _directory_size(stream) > _MAX_DIRECTORY_BYTES:
            raise UnknownFormat(translatable("This archive holds too many files to be an export."))
        try:
            self._zip = zipfile.ZipFile(stream)
        except (*DAMAGE, NotImplementedError, ValueError) as error:
            raise UnknownFormat(
                translatable(
                    "This archive is damaged, or was not uploaded as a whole. Download it again, "
                    "and import it again."
                )
            ) from error
        files = [member for member in self._zip.infolist() if not member.is_dir()]
        #: Sorted by name, with 2 before 10.
        self.members = sorted(files, key=lambda member: _natural(member.filename))

    def check(self, members: list[zipfile.ZipInfo]) -> None:
        """Raise `UnknownFormat` if *members* unpack to more than an export may have."""
        for member in members:
            if member.file_size > LARGE_BYTES and member.file_size > MAX_COMPRESSION_RATIO * max(
                1, member.compress_size
            ):
                raise UnknownFormat(
                    translatable(
                        "“%(file)s” would unpack to %(unpacked)s MB from %(packed)s MB, as no "
                        "export does. If it is yours, unpack it and import the file itself.",
                        file=member.filename,
                        unpacked=member.file_size >> 20,
                        packed=max(1, member.compress_size >> 20),
                    )
                )
        if sum(member.file_size for member in members) > _MAX_UNPACKED_BYTES:
            raise UnknownFormat(
                translatable(
                    "This archive would unpack to more than %(most)s GB. Unpack it and import its "
                    "files one by one.",
                    most=_MAX_UNPACKED_BYTES >> 30,
                )
            )

    @contextlib.contextmanager
    def open(self, member: zipfile.ZipInfo) -> Iterator[IO[bytes]]:
        """Open *member* for reading. Raises `UnknownFormat` if it is protected with a password, or
        packed in an unknown way, `BrokenFile` if it is damaged, which may be found only at its end.
        """
        try:
            file = self._zip.open(member)
        except NotImplementedError as error:
            raise UnknownFormat(
                translatable(
                    "“%(file)s” is packed in a way that is not known here (%(reason)s). Unpack it, "
                    "and import the file itself.",
                    file=member.filename,
                    reason=str(error),
                )
            ) from error
        except RuntimeError as error:  # Raised by zipfile for encrypted members.
            raise UnknownFormat(
                translatable(
                    "This archive is protected with a password. Unpack it, and import the file "
                    "that holds the conversations."
                )
            ) from error
        except DAMAGE as error:
            raise BrokenFile(
                translatable("“%(file)s” in the archive is damaged.", file=member.filename)
            ) from error
        with file:
            try:
                yield file
            except DAMAGE as error:
                raise BrokenFile(
                    translatable("It is damaged: the archive holds other data than it says.")
                ) from error


def _natural(name: str) -> list[tuple[int, int, str]]:
    parts = re.split(r"(\d+)", name.casefold())
    return [(0, int(p), "") if p.isdecimal() and len(p) < 20 else (1, 0, p) for p in parts if p]


def _directory_size(stream: Stream) -> int:
    """Return the size of the list of members, as the end of the file declares it; 0 if it declares
    none, which zipfile then refuses.
    """
    size = stream.seek(0, io.SEEK_END)
    start = max(0, size - (1 << 16) - _END.size - _END_64_PLACE.size)
    stream.seek(start)
    tail = stream.read(size - start)
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) < at + _END.size:
        return 0
    declared = int(_END.unpack_from(tail, at)[5])
    place = at - _END_64_PLACE.size
    if place >= 0 and tail[place : place + 4] == b"PK\x06\x07":
        stream.seek(min(size, _END_64_PLACE.unpack_from(tail, place)[2]))
        end = stream.read(_END_64.size)
        if len(end) == _END_64.size and end[:4] == b"PK\x06\x06":
            declared = max(declared if declared < 0xFFFFFFFF else 0, _END_64.unpack(end)[8])
    return declared
