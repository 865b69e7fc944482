"""What an installation keeps: its key, its lock, and that nobody else reads it."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from config.installation import (
    AlreadyRunning,
    RunningLock,
    Unsafe,
    announce,
    data_directory,
    make_data_directory,
    running_url,
    secret_key,
)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_key_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    data = tmp_path / "new" / "data"
    key = secret_key(data)
    assert len(key) >= 50
    assert secret_key(data) == key
    assert mode(data) == 0o700
    assert mode(data / "secret_key") == 0o600


def test_eight_first_starts_at_once_agree_on_one_key(tmp_path: Path) -> None:
    for attempt in range(5):
        data, gate = tmp_path / str(attempt), Barrier(8)

        def start(data: Path = data, gate: Barrier = gate) -> str:
            gate.wait()
            return secret_key(data)

        with ThreadPoolExecutor(8) as pool:
            keys = {future.result() for future in [pool.submit(start) for _ in range(8)]}
        assert len(keys) == 1
        assert [path.name for path in data.iterdir()] == ["secret_key"]


@pytest.mark.parametrize("exposed", [0o640, 0o604, 0o660])
def test_a_key_that_others_can_read_is_refused(tmp_path: Path, exposed: int) -> None:
    secret_key(tmp_path)
    (tmp_path / "secret_key").chmod(exposed)
    with pytest.raises(Unsafe):
        secret_key(tmp_path)


def test_a_short_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret_key"
    path.touch(0o600)
    path.write_text("x" * 49)
    with pytest.raises(Unsafe):
        secret_key(tmp_path)


def test_a_data_directory_that_others_can_write_in_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o770)
    with pytest.raises(Unsafe):
        make_data_directory(tmp_path)


def test_data_live_in_the_users_folder_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("QUI_VIVE_DATA")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "shared"))
    monkeypatch.setattr("sys.platform", "linux")
    assert data_directory() == tmp_path / "shared" / "qui-vive"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert data_directory() == tmp_path / ".local" / "share" / "qui-vive"
    monkeypatch.setenv("QUI_VIVE_DATA", "~/tables")
    assert data_directory() == tmp_path / "tables"


def test_a_second_server_on_the_same_data_is_refused_and_told_where_the_first_is(
    tmp_path: Path,
) -> None:
    with RunningLock(tmp_path):
        announce(tmp_path, "http://127.0.0.1:8001")
        with pytest.raises(AlreadyRunning), RunningLock(tmp_path):
            pass
        assert running_url(tmp_path) == "http://127.0.0.1:8001"
    assert running_url(tmp_path) == ""
    with RunningLock(tmp_path):
        pass


def test_a_server_that_was_killed_leaves_no_address_to_the_next(tmp_path: Path) -> None:
    (tmp_path / "instance.json").write_text('{"url": "http://127.0.0.1:8009"}')
    with RunningLock(tmp_path):
        assert running_url(tmp_path) == ""


def test_the_tests_keep_out_of_the_users_own_data() -> None:
    assert "qui-vive-tests-" in os.environ["QUI_VIVE_DATA"]
