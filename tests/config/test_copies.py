"""Copies made by themselves, the list of all, and the way back from a damaged or full disk."""

import getpass
import io
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from pytest_django import DjangoDbBlocker

from config import backup, copies
from config.backup import BackupFailed, back_up_now
from config.installation import make_data_directory
from encounters.management.commands import start

pytestmark = pytest.mark.skipif(
    "sqlite" not in settings.DATABASES["default"]["ENGINE"], reason="this is about SQLite's file"
)


@pytest.fixture
def table(database: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[Path]:
    """The file of a table that is stopped."""
    connection.close()
    with django_db_blocker.unblock():
        yield database
        connection.close()


def spoil(database: Path) -> None:
    connection.close()
    contents = bytearray(database.read_bytes())
    middle = len(contents) // 2
    contents[middle : middle + 30_000] = b"\xff" * 30_000
    database.write_bytes(contents)


def names() -> list[str]:
    return [copy.path.name for copy in copies.newest_first()]


def test_a_start_makes_a_private_copy(table: Path) -> None:
    assert copies.make_at_start() == ""
    (copy,) = copies.newest_first()
    assert copy.is_good()
    assert stat.S_IMODE(copy.path.stat().st_mode) == 0o600


def test_after_a_day_of_use_there_is_another(table: Path) -> None:
    copies.make_when_due()
    copies.make_when_due()
    (first,) = copies.newest_first()
    yesterday = first.when.timestamp() - copies.EVERY
    os.utime(first.path, (yesterday, yesterday))
    copies.make_when_due()
    assert len(names()) == 2


def test_a_week_and_the_last_of_each_month_are_kept(table: Path) -> None:
    folder = copies.folder()
    folder.mkdir()
    today = datetime.now(UTC)
    for days in range(1, 800):
        for hour in ("08", "20"):
            name = f"auto-{today - timedelta(days):%Y%m%d}-{hour}0000-000000.sqlite3"
            (folder / name).touch()
    back_up_now(by_itself=True)
    kept = sorted(names())
    week = [f"auto-{today - timedelta(days):%Y%m%d}-20" for days in range(1, 7)]
    assert all(any(name.startswith(day) for name in kept) for day in week)
    assert len({name[5:11] for name in kept}) == backup.MONTHS
    assert len(kept) <= backup.NEWEST + backup.DAYS + backup.MONTHS


def test_copies_by_hand_and_by_themselves_do_not_push_each_other_out(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "KEPT", 2)
    monkeypatch.setattr(backup, "NEWEST", 2)
    for _ in range(4):
        call_command("backup", stdout=io.StringIO())
        call_command("backup", "--nightly", stdout=io.StringIO())
    assert sorted(name.split("-")[0] for name in names()) == ["auto"] * 2 + ["quivive"] * 2


def test_restore_without_a_file_lists_the_copies_newest_first(table: Path) -> None:
    old = back_up_now()
    os.utime(old, (0, 0))
    new = back_up_now(by_itself=True)
    spoil(old)
    os.utime(old, (0, 0))
    said = io.StringIO()
    call_command("restore", stdout=said)
    first, second = said.getvalue().splitlines()
    assert "good" in first
    assert first.endswith(str(new))
    assert "damaged" in second
    assert second.endswith(str(old))


@pytest.mark.parametrize("command", ["start", "serve"])
def test_a_damaged_database_is_said_at_the_start_with_the_newest_good_copy(
    table: Path, command: str
) -> None:
    good, worse = back_up_now(), back_up_now()
    spoil(worse)
    spoil(table)
    with pytest.raises(CommandError) as said:
        call_command(command)
    assert f"manage.py restore {good}" in str(said.value)


def test_what_is_no_database_at_all_is_said_too(table: Path) -> None:
    connection.close()
    table.write_bytes(b"A letter to Lia. " * 500)
    with pytest.raises(CommandError, match="no good copy"):
        call_command("start")


@pytest.mark.parametrize(
    ("code", "way_on"),
    [
        (sqlite3.SQLITE_FULL, "Make room"),
        (sqlite3.SQLITE_IOERR, "Make room"),
        (sqlite3.SQLITE_READONLY, "possible to write"),
    ],
)
def test_a_full_or_read_only_disk_is_said_at_the_start(
    table: Path, monkeypatch: pytest.MonkeyPatch, code: int, way_on: str
) -> None:
    def fail() -> None:
        cause = sqlite3.OperationalError("the disk")
        cause.sqlite_errorcode = code
        raise OperationalError("the disk") from cause

    monkeypatch.setattr(start, "bring_up_to_date", fail)
    monkeypatch.setattr(copies, "NO_ROOM", 2**80)
    with pytest.raises(CommandError, match=way_on):
        call_command("start")


def test_a_start_without_room_for_a_copy_says_so_and_goes_on(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_paths: Path) -> Callable[[], None]:
        raise OSError("no space left on device")

    monkeypatch.setattr(backup, "_copy", full)
    assert "no space" in copies.make_at_start()


def test_the_folder_that_a_copy_is_to_go_to_is_made(table: Path, tmp_path: Path) -> None:
    back_up_now(tmp_path / "elsewhere" / "copy.sqlite3")
    assert stat.S_IMODE((tmp_path / "elsewhere").stat().st_mode) == 0o700


def test_a_folder_that_may_not_be_written_in_is_named_with_who_would_write(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object, **_options: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(BackupFailed, match=f"{tmp_path}.*user {getpass.getuser()}"):
        back_up_now(tmp_path / "copy.sqlite3")


def test_a_data_folder_on_a_read_only_disk_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(PermissionError, match=str(tmp_path)):
        make_data_directory(tmp_path)
