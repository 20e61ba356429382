import multiprocessing
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from memoryapp.embedded.keys import load_or_create

PROCESSES = 6


def test_key_is_created_once_and_valid_for_fernet(tmp_path: Path) -> None:
    path = tmp_path / "home" / "key"

    key = load_or_create(path)

    assert load_or_create(path) == key
    assert Fernet(key).decrypt(Fernet(key).encrypt(b"secret")) == b"secret"


def test_each_file_has_its_own_key(tmp_path: Path) -> None:
    assert load_or_create(tmp_path / "one") != load_or_create(tmp_path / "two")


def test_file_and_folder_are_private_to_the_owner(tmp_path: Path) -> None:
    path = tmp_path / "home" / "key"

    load_or_create(path)

    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o066 == 0
    assert [file.name for file in path.parent.iterdir()] == ["key"]


def test_existing_folder_keeps_its_permissions(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)

    load_or_create(tmp_path / "key")

    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_empty_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.touch()

    with pytest.raises(ValueError, match="is empty"):
        load_or_create(path)

    assert path.read_text() == ""


def _at_once(path: Path, barrier: Barrier, keys: "multiprocessing.Queue[str]") -> None:
    barrier.wait()
    keys.put(load_or_create(path))


def test_concurrent_processes_get_the_same_key(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    barrier, keys = context.Barrier(PROCESSES), context.Queue()
    path = tmp_path / "home" / "key"
    processes = [
        context.Process(target=_at_once, args=(path, barrier, keys)) for _ in range(PROCESSES)
    ]
    for process in processes:
        process.start()
    results = {keys.get(timeout=30) for _ in processes}
    for process in processes:
        process.join()

    assert results == {path.read_text()}
