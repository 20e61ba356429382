"""An archive (zip) that is made while it is sent, so that it may be larger than memory."""

import zipfile
from collections.abc import Generator, Iterable
from typing import IO, cast

from django.utils import timezone

#: Bytes that are gathered before they are sent.
SENT_AT_ONCE = 64 * 1024

Pieces = Iterable[str | bytes]
#: A name, and the content in pieces. A file may be made of what those before it have told.
File = tuple[str, Pieces]


def parts_of(files: Iterable[File]) -> Generator[bytes]:
    """Return the parts of the archive of *files*, which are made one after the other."""
    sink = _Sink()
    with zipfile.ZipFile(cast(IO[bytes], sink), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, pieces in files:
            entry = zipfile.ZipInfo(name, timezone.localtime().timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            with archive.open(entry, "w", force_zip64=True) as out:
                for piece in pieces:
                    out.write(encoded(piece))
                    if sink.waiting >= SENT_AT_ONCE:
                        yield sink.take()
    yield sink.take()


def encoded(piece: str | bytes) -> bytes:
    """Return a *piece* of a file in UTF-8, unless it is bytes already."""
    return piece if isinstance(piece, bytes) else piece.encode("utf-8", "replace")


class _Sink:
    """Gathers what the archive writes until it is sent."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.waiting = 0

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        self.waiting += len(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: `take` is the end of each part."""

    def take(self) -> bytes:
        data = b"".join(self._parts)
        self._parts.clear()
        self.waiting = 0
        return data
