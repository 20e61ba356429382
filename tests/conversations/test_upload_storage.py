"""Uploaded files in the database behave as files on a disk do."""

import io
import zipfile
from tempfile import TemporaryFile

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conversations.models import UploadPart
from instances.models import Instance

SIZE = UploadPart.SIZE


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(UploadPart, "SIZE", 7)
    return 7


@pytest.mark.parametrize("size", [1, SIZE - 1, SIZE, SIZE + 1, 3 * SIZE + 5])
def test_file_comes_back_as_it_was(instance: Instance, size: int) -> None:
    content = bytes(range(256)) * (size // 256 + 1)
    name = default_storage.save(f"{instance.pk}/a", ContentFile(content[:size]))
    assert default_storage.size(name) == size
    with default_storage.open(name) as file:
        assert file.read() == content[:size]
    assert UploadPart.objects.filter(name=name).count() == -(-size // SIZE)
    default_storage.delete(name)
    assert not default_storage.exists(name)
    with pytest.raises(FileNotFoundError):
        default_storage.open(name)


def test_archive_is_read_where_it_lies(instance: Instance) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("talks.json", "[" + "1," * 200_000 + "1]")
    name = default_storage.save(f"{instance.pk}/b", ContentFile(archive.getvalue()))
    with default_storage.open(name) as stored, zipfile.ZipFile(stored) as file:
        assert len(file.read("talks.json")) == 400_003


Steps = list[tuple[int, bytes | None]]
#: Where to go, and what to write there, or None to cut the file off.
STEPS = st.lists(st.tuples(st.integers(0, 40), st.none() | st.binary(max_size=20)), max_size=6)


@pytest.mark.usefixtures("small_parts")
@given(steps=STEPS)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_writing_anywhere_is_as_on_a_disk(instance: Instance, steps: Steps) -> None:
    name = f"{instance.pk}/c"
    with TemporaryFile() as expected, default_storage.open(name, "w+b") as file:
        for place, data in steps:
            for each in (file, expected):
                each.seek(place)
                if data is None:
                    each.truncate()
                else:
                    each.write(data)
        expected.seek(0)
        file.seek(0)
        assert file.read() == expected.read()
        file.close()
        expected.seek(0)
        with default_storage.open(name, "r+b" if default_storage.exists(name) else "w+b") as again:
            assert again.read() == expected.read()


def test_file_of_an_instance_goes_with_it(instance: Instance) -> None:
    default_storage.save(f"{instance.pk}/d", ContentFile(b"x"))
    instance.delete()
    assert not UploadPart.objects.exists()
