import os
from pathlib import Path

import pytest

from memoryapp.embedded import paths


def test_private_folder_is_created_and_reused(tmp_path: Path) -> None:
    folder = tmp_path / "sockets"

    paths.make_private(folder)
    paths.make_private(folder)

    assert folder.stat().st_mode & 0o777 == 0o700


def test_folder_accessible_to_others_is_rejected(tmp_path: Path) -> None:
    folder = tmp_path / "sockets"
    folder.mkdir()
    folder.chmod(0o755)

    with pytest.raises(paths.ServerError, match="may enter"):
        paths.make_private(folder)


def test_symlink_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    folder = tmp_path / "sockets"
    folder.symlink_to(tmp_path / "elsewhere")

    with pytest.raises(paths.ServerError, match="may enter"):
        paths.make_private(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_folder_of_another_user_is_rejected(tmp_path: Path) -> None:
    folder = tmp_path / "sockets"
    folder.mkdir(mode=0o700)
    os.chown(folder, 12345, -1)

    with pytest.raises(paths.ServerError, match="may enter"):
        paths.make_private(folder)


def test_short_socket_path_stays_beside_the_server(tmp_path: Path) -> None:
    assert paths.socket_folder(Path("/srv/keepsake"), "a.sock") == Path("/srv/keepsake")


@pytest.mark.parametrize("folder", ["/" + "long/" * 30, "/srv/with, a comma"])
def test_long_socket_path_is_moved(folder: str) -> None:
    moved = paths.socket_folder(Path(folder), "a.sock")

    assert moved != Path(folder)
    assert paths.suits_socket(moved / "a.sock")
    assert paths.socket_folder(Path(folder), "a.sock") == moved


def test_lock_is_released_when_its_file_is_closed(tmp_path: Path) -> None:
    with (
        paths.lock(tmp_path / "lock"),
        pytest.raises(paths.AlreadyRunning, match="already running"),
    ):
        paths.lock(tmp_path / "lock")

    paths.lock(tmp_path / "lock").close()


def test_large_log_is_rotated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "_MAX_LOG_BYTES", 3)
    log = tmp_path / "a.log"
    log.write_text("four")

    with paths.open_log(log) as file:
        file.write(b"new")

    assert log.read_text() == "new"
    assert (tmp_path / "a.log.old").read_text() == "four"
