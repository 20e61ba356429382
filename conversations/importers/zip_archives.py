"""Zip files: limits on what they unpack to, and streaming access to their members, also to those of
archives within.
"""

import contextlib
import io
import re
import shutil
import struct
import weakref
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO

from conversations.importers.reader import BrokenFile, Stream, UnknownFormat
from instances.translatable import translatable

#: How a zip file begins: with a member, or with none, or with a mark that it may have parts.
_MAGIC = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
#: How archives of other kinds begin: gzip, bzip2, xz, Zstandard, 7-Zip, RAR; and where tar says it.
_OTHER_MAGIC = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf", b"Rar!\x1a")
_TAR_MAGIC, _TAR_PLACE = b"ustar", 257
#: Why they are not opened.
OTHER_KIND = translatable(
    "It is an archive of a kind that is not opened here. Unpack it, and import its files, or a zip "
    "file of them."
)
#: Bytes of the list of members, which is in memory as a whole.
_MAX_DIRECTORY_BYTES = 32 * 1024 * 1024
#: Bytes that all members may unpack to.
_MAX_UNPACKED_BYTES = 20 * 1024**3
#: How many times its packed size a large member may have. Text packs to a tenth.
MAX_COMPRESSION_RATIO = 200
#: Unpacked bytes from which a member counts as large.
LARGE_BYTES = 10 * 1024 * 1024
#: How many times its own size the archives within an archive may have: packed once, hardly
#: anything becomes smaller.
_MAX_INNER_RATIO = 2
#: What the first member of a zip file is, or lies in, if the file is a document or a program.
_DOCUMENTS = frozenset(
    "[Content_Types].xml _rels docProps word xl ppt mimetype META-INF AndroidManifest.xml".split()
)
#: The header of a member, up to the lengths of its name and of what follows.
_MEMBER = struct.Struct("<4s22xHH")
#: Bytes that hold the header of the first member, and the beginning of its name.
_START_BYTES = _MEMBER.size + 100
#: What zlib and zipfile raise for damaged data.
DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, struct.error)

_END = struct.Struct("<4s4H2LH")
_END_64_PLACE = struct.Struct("<4sLQL")
_END_64 = struct.Struct("<4sQ2H2L4Q")


_DAMAGED = translatable(
    "This archive is damaged, or was not uploaded as a whole. Download it again, and import it "
    "again."
)
_PROTECTED = translatable(
    "This archive is protected with a password. Unpack it, and import the file that holds the "
    "conversations."
)


@dataclass(frozen=True)
class Member:
    """A file in an archive, or in an archive within it."""

    #: With the name of the archive within, if it lies in one.
    name: str
    info: zipfile.ZipInfo
    archive: zipfile.ZipFile

    @property
    def size(self) -> int:
        """Bytes that it unpacks to."""
        return self.info.file_size


class Archive:
    """A zip file whose directory is checked before it is used. Archives within it are opened, too;
    their limits are those of the whole.
    """

    def __init__(self, stream: Stream) -> None:
        """Read the list of members. Raises `UnknownFormat` if it is damaged, or not a zip file."""
        self._directory_bytes = 0
        outer = self._opened(stream)
        self._inner_bytes = 0
        self._most_inner_bytes = max(LARGE_BYTES, _MAX_INNER_RATIO * stream.seek(0, io.SEEK_END))
        self._files = contextlib.ExitStack()
        weakref.finalize(self, self._files.close)
        #: The archives within that are not opened, and why.
        self.unopened: dict[str, str] = {}
        found: list[Member] = []
        for member in _files_of(outer):
            if self._is_archive(member):
                try:
                    found += self._members_within(member)
                except (UnknownFormat, BrokenFile) as error:
                    self.unopened[member.name] = str(error)
            else:
                found.append(member)
        #: Sorted by name, with 2 before 10.
        self.members = sorted(found, key=lambda member: _natural(member.name))

    def _opened(self, stream: Stream) -> zipfile.ZipFile:
        self._directory_bytes += _directory_size(stream)
        if self._directory_bytes > _MAX_DIRECTORY_BYTES:
            raise UnknownFormat(translatable("This archive holds too many files to be an export."))
        try:
            return zipfile.ZipFile(stream)
        except (*DAMAGE, NotImplementedError, ValueError) as error:
            raise UnknownFormat(_DAMAGED) from error

    def _is_archive(self, member: Member) -> bool:
        """True for an archive, and not for a document, which is one as well."""
        with contextlib.suppress(UnknownFormat, BrokenFile), self.open(member) as file:
            start = file.read(_START_BYTES)
            if start.startswith(_MAGIC):
                length = _MEMBER.unpack_from(start)[1] if start.startswith(_MAGIC[0]) else 0
                name = start[_MEMBER.size :][:length].decode(errors="replace")
                return name.partition("/")[0] not in _DOCUMENTS
        return False

    def _members_within(self, outer: Member) -> list[Member]:
        """Return the members of an archive within. Raises `UnknownFormat`, `BrokenFile`."""
        self._inner_bytes += outer.size
        if self._inner_bytes > self._most_inner_bytes:
            raise _no_export(outer.name, outer.size, outer.info.compress_size)
        # Seeking in a packed member would unpack it from its beginning each time.
        with self.open(outer) as file, contextlib.ExitStack() as files:
            copy = files.enter_context(SpooledTemporaryFile(LARGE_BYTES))
            shutil.copyfileobj(file, copy)
            self._files.push(files.pop_all())
        found = _files_of(self._opened(copy), f"{outer.name}/")
        unpacked = sum(member.size for member in found)
        if unpacked > max(LARGE_BYTES, MAX_COMPRESSION_RATIO * outer.info.compress_size):
            raise _no_export(outer.name, unpacked, outer.info.compress_size)
        if any(member.info.flag_bits & 1 for member in found):
            raise UnknownFormat(_PROTECTED)
        archives = {member.name for member in found if self._is_archive(member)}
        for name in archives:
            self.unopened[name] = translatable(
                "It is an archive in an archive within this one. Unpack that, and import it."
            )
        return [member for member in found if member.name not in archives]

    def check(self, members: list[Member]) -> None:
        """Raise `UnknownFormat` if *members* unpack to more than an export may have."""
        for member in members:
            packed = member.info.compress_size
            if member.size > max(LARGE_BYTES, MAX_COMPRESSION_RATIO * max(1, packed)):
                raise _no_export(member.name, member.size, packed)
        if sum(member.size for member in members) > _MAX_UNPACKED_BYTES:
            raise UnknownFormat(
                translatable(
                    "This archive would unpack to more than %(most)s GB. Unpack it and import its "
                    "files one by one.",
                    most=_MAX_UNPACKED_BYTES >> 30,
                )
            )

    @contextlib.contextmanager
    def open(self, member: Member) -> Iterator[IO[bytes]]:
        """Open *member* for reading. Raises `UnknownFormat` if it is protected with a password, or
        packed in an unknown way, `BrokenFile` if it is damaged, which may be found only at its end.
        """
        try:
            file = member.archive.open(member.info)
        except NotImplementedError as error:
            raise UnknownFormat(
                translatable(
                    "“%(file)s” is packed in a way that is not known here (%(reason)s). Unpack it, "
                    "and import the file itself.",
                    file=member.name,
                    reason=str(error),
                )
            ) from error
        except RuntimeError as error:  # Raised by zipfile for encrypted members.
            raise UnknownFormat(_PROTECTED) from error
        except DAMAGE as error:
            raise BrokenFile(
                translatable("“%(file)s” in the archive is damaged.", file=member.name)
            ) from error
        with file:
            try:
                yield file
            except DAMAGE as error:
                raise BrokenFile(
                    translatable("It is damaged: the archive holds other data than it says.")
                ) from error


def opened(stream: Stream) -> Stream | Archive:
    """Return *stream* as an archive, if it is one. Raises `UnknownFormat` if that is damaged."""
    stream.seek(0)
    return Archive(stream) if stream.read(4).startswith(_MAGIC) else stream


def is_of_other_kind(stream: Stream | IO[bytes]) -> bool:
    """True if *stream* is an archive, and not a zip file."""
    stream.seek(0)
    start = stream.read(_TAR_PLACE + len(_TAR_MAGIC))
    return start.startswith(_OTHER_MAGIC) or start.startswith(_TAR_MAGIC, _TAR_PLACE)


def _files_of(archive: zipfile.ZipFile, folder: str = "") -> list[Member]:
    files = (info for info in archive.infolist() if not info.is_dir())
    return [Member(f"{folder}{info.filename}", info, archive) for info in files]


def _no_export(name: str, unpacked: int, packed: int) -> UnknownFormat:
    return UnknownFormat(
        translatable(
            "“%(file)s” would unpack to %(unpacked)s MB from %(packed)s MB, as no export does. If "
            "it is yours, unpack it and import the file itself.",
            file=name,
            unpacked=unpacked >> 20,
            packed=max(1, packed >> 20),
        )
    )


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
