import os
from pathlib import Path

import pytest

from memoryapp.embedded import paths


def test_a_private_folder_is_made_and_accepted_again(tmp_path: Path) -> None:
    folder = tmp_path / "sockets"

    paths.make_private(folder)
    paths.make_private(folder)

    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_others_may_enter_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "sockets"
    folder.mkdir()
    folder.chmod(0o755)

    with pytest.raises(paths.ServerError, match="may enter"):
        paths.make_private(folder)


def test_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    folder = tmp_path / "sockets"
    folder.symlink_to(tmp_path / "elsewhere")

    with pytest.raises(paths.ServerError, match="may enter"):
        paths.make_private(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_the_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "sockets"
    folder.mkdir(mode=0o700)
    os.chown(folder, 12345, -1)

    with pytest.raises(paths.ServerError, match="may enter"):
        paths.make_private(folder)


def test_a_socket_that_fits_stays_with_its_server(tmp_path: Path) -> None:
    assert paths.socket_folder(Path("/srv/keepsake"), "a.sock") == Path("/srv/keepsake")


@pytest.mark.parametrize("folder", ["/" + "long/" * 30, "/srv/with, a comma"])
def test_a_socket_that_does_not_fit_goes_elsewhere(folder: str) -> None:
    found = paths.socket_folder(Path(folder), "a.sock")

    assert found != Path(folder)
    assert paths.suits_socket(found / "a.sock")
    assert paths.socket_folder(Path(folder), "a.sock") == found


def test_a_lock_is_free_again_when_its_file_is_closed(tmp_path: Path) -> None:
    with (
        paths.lock(tmp_path / "lock"),
        pytest.raises(paths.AlreadyRunning, match="already running"),
    ):
        paths.lock(tmp_path / "lock")

    paths.lock(tmp_path / "lock").close()


def test_a_large_log_is_set_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "_MAX_LOG_BYTES", 3)
    log = tmp_path / "a.log"
    log.write_text("four")

    with paths.open_log(log) as file:
        file.write(b"new")

    assert log.read_text() == "new"
    assert (tmp_path / "a.log.old").read_text() == "four"
