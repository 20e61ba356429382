"""Import of zip archives: selection of members, and rejection of others with a reason."""

import io
import json
import struct
import zipfile
from typing import Any

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
