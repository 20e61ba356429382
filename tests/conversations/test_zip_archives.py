"""Import of zip archives: selection of members, and rejection of others with a reason."""

import bz2
import gzip
import io
import json
import lzma
import struct
import tarfile
import zipfile
from typing import Any, Literal

import pytest

from conversations.importers import (
    BrokenFile,
    Report,
    UnknownFormat,
    import_stream,
    zip_archives,
)
from conversations.models import Message
from instances.models import Instance
from tests.conversations.test_exports import claude, gpt_message, tree

pytestmark = pytest.mark.django_db


def zipped(members: dict[str, Any], method: int = zipfile.ZIP_DEFLATED) -> io.BytesIO:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(
                name, content if isinstance(content, str | bytes) else json.dumps(content)
            )
    return stream


def talk(number: int) -> list[dict[str, Any]]:
    return [tree(gpt_message("user", f"text {number}"), conversation_id=f"c{number}")]


def import_archive(instance: Instance, stream: io.BytesIO) -> Report:
    return import_stream(instance, stream, name="export.zip")


def texts() -> list[str]:
    return list(Message.objects.order_by("pk").values_list("content", flat=True))


def test_members_with_conversations_are_read_in_order(instance: Instance) -> None:
    stream = zipped(
        {
            "export/conversations-10.json": talk(10),
            "export/conversations-9.json": talk(9),
            "export/user.json": {"id": "u", "email": "a@example.org"},
            "export/shared_conversations.json": [{"id": "s", "title": "t"}],
            "export/chat.html": "<html></html>",
            "export/file-1.png": b"\x89PNG\r\n\x1a\n\x00{",
            "__MACOSX/._conversations-9.json": b"\x00\x05\x16\x07",
            "export/empty.json": "",
        }
    )
    report = import_archive(instance, stream)
    assert texts() == ["text 9", "text 10"]
    assert report.format == "ChatGPT export"
    assert report.bytes_read == report.bytes_total > 0
    assert import_archive(instance, stream).messages_known == 2


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)
def test_common_compression_methods_are_supported(method: int, instance: Instance) -> None:
    import_archive(instance, zipped({"conversations.json": talk(1)}, method))
    assert texts() == ["text 1"]


def test_several_formats_in_one_archive_are_read(instance: Instance) -> None:
    stream = zipped({"a.json": talk(1), "b.json": [claude({"sender": "human", "text": "text 2"})]})
    assert import_archive(instance, stream).format == "ChatGPT export, Claude export"
    assert texts() == ["text 1", "text 2"]


def test_unrelated_archive_is_rejected(instance: Instance) -> None:
    with pytest.raises(UnknownFormat, match="which has 2 files"):
        import_archive(instance, zipped({"a.txt": "hello", "b/c.json": {"no": "conversation"}}))
    with pytest.raises(UnknownFormat, match="which has 0 files"):
        import_archive(instance, zipped({}))


def test_truncated_archive_is_rejected(instance: Instance) -> None:
    whole = zipped({"conversations.json": talk(1)}).getvalue()
    with pytest.raises(UnknownFormat, match="damaged, or was not uploaded as a whole"):
        import_archive(instance, io.BytesIO(whole[: len(whole) // 2]))
    with pytest.raises(UnknownFormat, match="damaged"):
        import_archive(instance, io.BytesIO(b"PK\x03\x04"))


def test_damaged_member_does_not_stop_the_others(instance: Instance) -> None:
    stream = zipped({"1.json": talk(1), "2.json": talk(2)}, zipfile.ZIP_STORED)
    damaged = stream.getvalue().replace(b"text 1", b"test 1")
    with pytest.raises(BrokenFile, match=r"1\.json: It is damaged"):
        import_archive(instance, io.BytesIO(damaged))
    assert "text 2" in texts()


def test_password_protection_is_reported(instance: Instance) -> None:
    protected = bytearray(zipped({"conversations.json": talk(1)}).getvalue())
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        protected[protected.index(header) + flags] |= 1
    with pytest.raises(UnknownFormat, match="protected with a password"):
        import_archive(instance, io.BytesIO(bytes(protected)))


def test_unknown_compression_is_reported(instance: Instance) -> None:
    strange = bytearray(zipped({"conversations.json": talk(1)}).getvalue())
    for header, method in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        strange[strange.index(header) + method] = 97
    with pytest.raises(UnknownFormat, match="packed in a way that is not known"):
        import_archive(instance, io.BytesIO(bytes(strange)))


def test_zip_bomb_is_not_unpacked(instance: Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_archives, "LARGE_BYTES", 100_000)
    bomb = zipped({"conversations.json": "[" + " " * 1_000_000 + json.dumps(talk(1)) + "]"})
    with pytest.raises(UnknownFormat, match=r"would unpack to .* as no export does"):
        import_archive(instance, bomb)
    monkeypatch.setattr(zip_archives, "MAX_COMPRESSION_RATIO", 10_000)
    monkeypatch.setattr(zip_archives, "_MAX_UNPACKED_BYTES", 500_000)
    with pytest.raises(UnknownFormat, match="would unpack to more than"):
        import_archive(instance, bomb)
    assert not texts()


def test_member_with_a_forged_size_is_rejected(instance: Instance) -> None:
    content = json.dumps(talk(1))
    lying = bytearray(zipped({"conversations.json": content}).getvalue())
    at = lying.index(b"PK\x01\x02") + 24
    lying[at : at + 4] = struct.pack("<L", len(content) - 20)
    with pytest.raises((BrokenFile, UnknownFormat), match="It is damaged"):
        import_archive(instance, io.BytesIO(bytes(lying)))


def test_archive_with_too_many_members_is_rejected(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zip_archives, "_MAX_DIRECTORY_BYTES", 1000)
    with pytest.raises(UnknownFormat, match="too many files"):
        import_archive(instance, zipped({f"{n}.json": "[]" for n in range(100)}))


# Archives in archives


def test_archives_within_are_opened(instance: Instance) -> None:
    inner = zipped({"conversations-2.json": talk(2), "user.json": {"email": "a@example.org"}})
    stream = zipped(
        {
            "Activity/talks.zip": inner.getvalue(),
            # Known by what it is, as every file.
            "Activity/more": zipped(
                {"b/c.json": [claude({"sender": "human", "text": "text 3"})]}
            ).getvalue(),
            "conversations.json": talk(1),
            "profile.json": {"no": "conversation"},
        }
    )
    report = import_archive(instance, stream)
    assert sorted(texts()) == ["text 1", "text 2", "text 3"]
    assert report.bytes_read == report.bytes_total > 0
    places = {place.partition(":")[0] for place in report.skipped}
    assert places == {"Activity/talks.zip/user.json", "profile.json"}
    assert import_archive(instance, stream).messages_added == 0


@pytest.mark.parametrize(
    "first", ["[Content_Types].xml", "word/document.xml", "mimetype", "META-INF/a"]
)
def test_documents_are_no_archives(first: str, instance: Instance) -> None:
    document = zipped({first: "x", "conversations.json": talk(2)}, zipfile.ZIP_STORED).getvalue()
    report = import_archive(instance, zipped({"a.json": talk(1), "letter.docx": document}))
    assert texts() == ["text 1"]
    assert list(report.reasons.values()) == [1]
    with pytest.raises(UnknownFormat, match="which has 1 files"):
        import_archive(instance, zipped({"letter.docx": document}))


def protected(archive: bytes) -> bytes:
    """The archive with the mark that its only member has a password."""
    marked = bytearray(archive)
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        marked[marked.index(header) + flags] |= 1
    return bytes(marked)


@pytest.mark.parametrize(
    ("inner", "reason"),
    [
        (zipped({"a.json": talk(1)}).getvalue()[:-30], "damaged"),
        (protected(zipped({"a.json": talk(1)}).getvalue()), "password"),
        (zipped({"deep.zip": zipped({"a.json": talk(1)}).getvalue()}).getvalue(), "Unpack that"),
    ],
)
def test_archive_within_that_cannot_be_opened_is_named(
    inner: bytes, reason: str, instance: Instance
) -> None:
    with pytest.raises(UnknownFormat, match=rf"^year/old\.zip.*{reason}"):
        import_archive(instance, zipped({"year/old.zip": inner, "readme.txt": "x"}))
    report = import_archive(instance, zipped({"year/old.zip": inner, "a.json": talk(2)}))
    assert texts() == ["text 2"]
    (place,) = report.skipped
    assert place.startswith("year/old.zip") and reason in place


def tarred(name: str, mode: Literal["w", "w:gz"]) -> bytes:
    content = json.dumps(talk(1)).encode()
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode) as file:
        info = tarfile.TarInfo(name)
        info.size = len(content)
        file.addfile(info, io.BytesIO(content))
    return stream.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        tarred("conversations.json", "w"),
        tarred("conversations.json", "w:gz"),
        gzip.compress(b"[]"),
        bz2.compress(b"[]"),
        lzma.compress(b"[]"),
        b"7z\xbc\xaf\x27\x1c\x00\x04",
        b"Rar!\x1a\x07\x01\x00",
        b"\x28\xb5\x2f\xfd\x00",
    ],
    ids=["tar", "tar.gz", "gz", "bz2", "xz", "7z", "rar", "zst"],
)
def test_archive_of_another_kind_is_named(data: bytes, instance: Instance) -> None:
    with pytest.raises(UnknownFormat, match=r"^It is an archive of a kind that is not opened"):
        import_archive(instance, io.BytesIO(data))
    with pytest.raises(UnknownFormat, match=r"^export/chats: It is an archive of a kind"):
        import_archive(instance, zipped({"export/chats": data, "a.png": b"\x89PNG"}))
    report = import_archive(instance, zipped({"1.json": talk(1), "rest": data}))
    assert texts() == ["text 1"]
    assert report.skipped[0].startswith("rest: It is an archive of a kind")


def test_limits_of_archives_within_are_those_of_the_whole(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zip_archives, "LARGE_BYTES", 50_000)
    large = json.dumps([*talk(1), {"pad": " " * 1_000_000}])
    # Packed twice, a page of the same letter is almost nothing.
    bomb = zipped({"a.json": large}).getvalue()
    beside = zipped({"many.zip": zipped({f"{n}.json": large for n in range(20)}).getvalue()})
    stored = zipped({"x.zip": zipped({"a.json": large}, zipfile.ZIP_STORED).getvalue()})
    for stream in (zipped({"x.zip": bomb}), beside, stored):
        with pytest.raises(UnknownFormat, match=r"\.zip.* would unpack to .* as no export does"):
            import_archive(instance, stream)
    # Each of them is small, and all together are not.
    padded = zipped({"a.json": talk(1), "pad": " " * 20_000}, zipfile.ZIP_STORED).getvalue()
    report = import_archive(instance, zipped({f"{n}.zip": padded for n in range(9)}))
    assert report.skipped_count >= 6
    assert texts() == ["text 1"]
    few = zipped({f"{n}.json": "[]" for n in range(9)}).getvalue()
    monkeypatch.setattr(zip_archives, "_MAX_DIRECTORY_BYTES", 1500)
    with pytest.raises(UnknownFormat, match=r"^\d\.zip: This archive holds too many files"):
        import_archive(instance, zipped({f"{n}.zip": few for n in range(9)}))
