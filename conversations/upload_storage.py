"""The storage of uploaded files: in the database, which every host reaches."""

import errno
import io
import os
from collections.abc import Iterator
from itertools import islice
from typing import IO, Any, Self, cast

from django.core.files.base import File
from django.core.files.storage import Storage
from django.db import OperationalError, transaction
from django.db.models import QuerySet, Sum
from django.db.models.functions import Length
from django.utils.deconstruct import deconstructible
from psycopg.errors import DiskFull

from conversations.models import UploadPart

#: Parts that are written with one statement.
PARTS_AT_ONCE = 16


@deconstructible
class UploadStorage(Storage):
    """Files whose names are the id of an instance, a slash, and something of their own."""

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        return StoredFile(name, mode)

    def _save(self, name: str, content: File[bytes]) -> str:
        parts = (_part(name, number, piece) for number, piece in enumerate(_pieces(content)))
        try:
            with transaction.atomic():
                while some := list(islice(parts, PARTS_AT_ONCE)):
                    UploadPart.objects.bulk_create(some)
        except OperationalError as error:
            if isinstance(error.__cause__, DiskFull):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
            raise
        return name

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""
        _parts(name).delete()

    def exists(self, name: str) -> bool:
        """True if there is such a file. An empty one is none."""
        return _parts(name).exists()

    def size(self, name: str) -> int:
        """Return the bytes of a file; 0 if there is none."""
        return _size(name)


class StoredFile(File[bytes]):
    """A stored file, opened."""

    def __init__(self, name: str, mode: str) -> None:
        super().__init__(_opened(name, mode), name)
        self.mode = mode

    def open(self, mode: str | None = None, *args: Any, **kwargs: Any) -> Self:
        """Open it again, at its beginning."""
        self.close()
        self.mode = mode or self.mode
        self.file = _opened(str(self.name), self.mode)
        return self


def _opened(name: str, mode: str) -> IO[bytes]:
    if "w" in mode:
        _parts(name).delete()
    elif not _parts(name).exists():
        raise FileNotFoundError(name)
    parts = PartsFile(name)
    only_read = mode == "rb"
    return cast(IO[bytes], io.BufferedReader(parts) if only_read else io.BufferedRandom(parts))


class PartsFile(io.RawIOBase):
    """The bytes of a file in its parts, one of which is held. Written parts are stored when another
    one is wanted, and at the end.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._position = 0
        self._size = _size(name)
        self._number = -1
        self._part = bytearray()
        self._is_changed = False

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def truncate(self, size: int | None = None) -> int:
        position = self._position
        size = position if size is None else size
        if size > self._size:
            self._fill(size)
            self._position = position
            return size
        last, rest = divmod(size, UploadPart.SIZE)
        self._hold(last)
        del self._part[rest:]
        self._is_changed = bool(rest)
        _parts(self._name).filter(number__gte=last + bool(rest)).delete()
        self._size = size
        return size

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        begin = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        self._position = max(0, begin + offset)
        return self._position

    def readinto(self, buffer: Any) -> int:
        number, at = divmod(self._position, UploadPart.SIZE)
        if self._position >= self._size:
            return 0
        self._hold(number)
        found = self._part[at : at + len(buffer)]
        buffer[: len(found)] = found
        self._position += len(found)
        return len(found)

    def write(self, data: Any) -> int:
        if self._position > self._size:
            self._fill(self._position)
        return self._put(data)

    def _fill(self, end: int) -> None:
        """Write zeros from the end of the file to *end*, as a disk shows them there."""
        self._position = self._size
        while self._position < end:
            self._put(bytes(min(end - self._position, UploadPart.SIZE)))

    def _put(self, data: Any) -> int:
        """Write as much of *data* as the part at the position takes; return how much."""
        number, at = divmod(self._position, UploadPart.SIZE)
        self._hold(number)
        written = bytes(data[: UploadPart.SIZE - at])
        self._part[at : at + len(written)] = written
        self._is_changed = True
        self._position += len(written)
        self._size = max(self._size, self._position)
        return len(written)

    def flush(self) -> None:
        super().flush()
        self._keep()

    def _hold(self, number: int) -> None:
        if number == self._number:
            return
        self._keep()
        content = _parts(self._name).filter(number=number).values_list("content", flat=True).first()
        self._number, self._part = number, bytearray(content or b"")

    def _keep(self) -> None:
        if not self._is_changed:
            return
        UploadPart.objects.bulk_create(
            [_part(self._name, self._number, bytes(self._part))],
            update_conflicts=True,
            unique_fields=["instance", "name", "number"],
            update_fields=["content"],
        )
        self._is_changed = False


def _instance_of(name: str) -> int:
    return int(name.partition("/")[0])


def _part(name: str, number: int, content: bytes) -> UploadPart:
    return UploadPart(instance_id=_instance_of(name), name=name, number=number, content=content)


def _parts(name: str) -> QuerySet[UploadPart]:
    return UploadPart.objects.filter(instance=_instance_of(name), name=name)


def _size(name: str) -> int:
    found: int | None = _parts(name).aggregate(size=Sum(Length("content")))["size"]
    return found or 0


def _pieces(content: File[bytes]) -> Iterator[bytes]:
    """The bytes of *content* in pieces of the size of a part."""
    waiting = bytearray()
    for chunk in content.chunks(UploadPart.SIZE):
        waiting += chunk
        while len(waiting) >= UploadPart.SIZE:
            yield bytes(waiting[: UploadPart.SIZE])
            del waiting[: UploadPart.SIZE]
    if waiting:
        yield bytes(waiting)
