"""Downloads the data of a benchmark: ``python -m benchmarks.download longmemeval FOLDER``.

Through the gate for outgoing calls, without the database: to the internet, and to the server that
``--from`` names. The file appears under its name only when it is complete.
"""

import argparse
import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx2

from benchmarks import command
from instances.outgoing.limits import Limits, OutgoingError
from instances.outgoing.policy import Address, AllowEntry, OutgoingPolicy, RefusedAddress
from instances.outgoing.transport import CallRefused, Redirected, Transport

#: Where the files of LongMemEval are published.
LONGMEMEVAL = "https://huggingface.co/datasets/xiaowu0162/longmemeval-cleaned/resolve/main/"
#: The names of its files: about 270 MB, 15 MB and 2.7 GB.
FILES = {
    "s": "longmemeval_s_cleaned.json",
    "oracle": "longmemeval_oracle.json",
    "m": "longmemeval_m_cleaned.json",
}
MAX_MEGABYTES = 4_000
MAX_REDIRECTS = 5
#: Seconds without data, for connecting, and for the whole file.
SILENCE_SECONDS, CONNECT_SECONDS, TOTAL_SECONDS = 60.0, 10.0, 6 * 3600.0
CHUNK_BYTES = 1 << 20
#: Progress is shown after this many bytes.
STEP_BYTES = 50_000_000


class NotDownloaded(Exception):
    """The file could not be downloaded; the text says why, and what to do."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.download", description=__doc__)
    parser.add_argument("data", choices=["longmemeval"], help="the data set")
    parser.add_argument("folder", type=Path, help="where to put the file; created if missing")
    parser.add_argument(
        "--file", choices=FILES, default="s", help="which of its files; the default is s"
    )
    parser.add_argument("--from", dest="base", default=LONGMEMEVAL, help="another address of them")
    parser.add_argument("--max-megabytes", type=int, default=MAX_MEGABYTES)
    parser.add_argument("--again", action="store_true", help="replace a file that is there already")
    options = parser.parse_args(argv)
    with command.running(parser):
        return _downloaded(options)


def _downloaded(options: argparse.Namespace) -> int:
    target: Path = options.folder / FILES[options.file]
    if target.exists() and not options.again:
        print(f"{target} is there already. --again downloads it again.")
        return _tell(target, _checksum(target))
    url = f"{options.base.rstrip('/')}/{target.name}"
    try:
        checksum = download(url, target, max_bytes=options.max_megabytes * 1_000_000)
    except NotDownloaded as error:
        print(error, file=sys.stderr)
        return 1
    return _tell(target, checksum)


def download(url: str, target: Path, *, max_bytes: int) -> str:
    """Download *url* to *target*; return its SHA-256 checksum. Raises `NotDownloaded`, and leaves
    what is at *target*.
    """
    part = target.with_name(f"{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            checksum = _stored(url, part, max_bytes)
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise NotDownloaded(f"{target} cannot be written: {error.strerror or error}.") from error
    return checksum


def _stored(url: str, part: Path, max_bytes: int) -> str:
    """Write what is at *url* to *part*, and return its checksum."""
    digest, size, shown = hashlib.sha256(), 0, 0
    with part.open("wb") as file:
        for chunk in _chunks(url, max_bytes):
            if not size and chunk.lstrip()[:1] not in (b"[", b"{"):
                raise NotDownloaded(f"{_place(url)} answered with something that is not JSON.")
            file.write(chunk)
            digest.update(chunk)
            size += len(chunk)
            if size - shown >= STEP_BYTES:
                shown = size
                print(f"{size // 1_000_000:,} MB so far", file=sys.stderr)
        file.flush()
        os.fsync(file.fileno())
    if not size:
        raise NotDownloaded(f"{_place(url)} answered with nothing at all.")
    return digest.hexdigest()


def _chunks(url: str, max_bytes: int) -> Iterator[bytes]:
    """Yield what is at *url*, to which several redirects may lead."""
    limits = Limits(
        silence_seconds=SILENCE_SECONDS,
        total_seconds=TOTAL_SECONDS,
        max_bytes=max_bytes,
        connect_seconds=CONNECT_SECONDS,
    )
    allowed, scheme = _allowed_with(url), urlsplit(url).scheme
    transport = Transport(allowed)
    with httpx2.Client(transport=transport, trust_env=False, follow_redirects=False) as client:
        for _ in range(MAX_REDIRECTS):
            try:
                with client.stream("GET", url, extensions={"limits": limits}) as answer:
                    if answer.status_code != 200:
                        raise NotDownloaded(_status(url, answer.status_code))
                    yield from answer.iter_bytes(CHUNK_BYTES)
                return
            except Redirected as elsewhere:
                url = _joined(url, elsewhere.location)
                if urlsplit(url).scheme not in ("https", scheme):
                    raise NotDownloaded(f"{elsewhere} It is not encrypted.") from None
            except CallRefused as error:
                kind = error.refusal.kind.value.replace("_", " ")
                raise NotDownloaded(
                    f"{_place(url)} is not called: the address is {kind}."
                ) from error
            except OutgoingError as error:
                place = error.at(_place(url), scrub=lambda text: text)
                raise NotDownloaded(f"{place} --max-megabytes allows a larger file.") from error
            except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                raise NotDownloaded(
                    f"{_place(url)} did not answer, or broke off ({type(error).__name__}). Is "
                    "there a network? On a machine without one, download the file elsewhere and "
                    "copy it."
                ) from error
    raise NotDownloaded(f"{_place(url)} redirects too often.")


def _allowed_with(
    url: str,
) -> Callable[[str, int, Sequence[Address]], list[Address] | RefusedAddress]:
    """Allow the internet, and the server of *url*, which the operator has named."""
    try:
        entry = AllowEntry.of_url(url)
    except ValueError as error:
        raise NotDownloaded(f"{url} is not an address.") from error
    policy = OutgoingPolicy(entries=(entry,))

    def allowed(
        host: str, port: int, addresses: Sequence[Address]
    ) -> list[Address] | RefusedAddress:
        refusals = [policy.refusal(host, port, address) for address in addresses]
        fit = [each for each, refusal in zip(addresses, refusals, strict=True) if refusal is None]
        return fit or next(filter(None, refusals))

    return allowed


def _joined(url: str, location: str) -> str:
    try:
        return urljoin(url, location)
    except ValueError as error:
        raise NotDownloaded(f"{_place(url)} redirects to an address that is not valid.") from error


def _status(url: str, status: int) -> str:
    if status in (401, 403, 404):
        return f"{_place(url)} does not have the file ({status}). --from names another address."
    return f"{_place(url)} failed ({status}). Try again later."


def _place(url: str) -> str:
    """The server of *url*: addresses that are redirected to may contain keys."""
    return urlsplit(url).netloc.rpartition("@")[2]


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _tell(path: Path, checksum: str) -> int:
    print(f"{path}: {path.stat().st_size:,} bytes, SHA-256 {checksum}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
