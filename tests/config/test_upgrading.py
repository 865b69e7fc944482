"""Copies of the database, and that an update makes one first."""

import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from config import backup, upgrading
from config.backup import BackupFailed, back_up
from config.upgrading import UpgradeFailed, bring_up_to_date
from tests.factories import CampaignFactory


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "table.sqlite3"
    with closing(sqlite3.connect(path)) as table:
        table.execute("PRAGMA journal_mode=WAL")
        table.execute("CREATE TABLE hero (name TEXT)")
        table.commit()
    return path


def heroes(copy: Path) -> list[str]:
    with closing(sqlite3.connect(copy)) as table:
        return [name for (name,) in table.execute("SELECT name FROM hero")]


def test_a_copy_holds_what_is_still_in_the_log_of_an_open_database(
    database: Path, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(database)) as table:
        table.execute("PRAGMA wal_autocheckpoint=0")
        table.execute("INSERT INTO hero VALUES ('Lia')")
        table.commit()
        table.execute("INSERT INTO hero VALUES ('not yet')")
        copy = back_up(database, tmp_path / "backups")
        assert heroes(copy) == ["Lia"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert [path.name for path in copy.parent.iterdir()] == [copy.name]


def test_the_last_copies_are_kept_and_older_ones_go(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "KEPT", 3)
    copies = [back_up(database, tmp_path / "backups") for _ in range(5)]
    assert sorted((tmp_path / "backups").iterdir()) == copies[2:]


@pytest.mark.parametrize("damaged", [range(5000, 9000), range(8300, 12000)])
def test_a_damaged_database_gives_no_copy(database: Path, tmp_path: Path, damaged: range) -> None:
    """The first damage breaks reading; the second only a check finds."""
    with closing(sqlite3.connect(database)) as table:
        table.executemany("INSERT INTO hero VALUES (?)", [("Bran" * 500,)] * 50)
        table.commit()
    contents = bytearray(database.read_bytes())
    contents[damaged.start : damaged.stop] = b"\xff" * len(damaged)
    database.write_bytes(contents)
    with pytest.raises(BackupFailed):
        back_up(database, tmp_path / "backups")
    assert list((tmp_path / "backups").iterdir()) == []


# Updates


@pytest.fixture
def update_due(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A migration that is due; what was run is in the list."""
    run: list[str] = []
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_: ["0002"])
    monkeypatch.setattr(upgrading, "call_command", lambda name, **_: run.append(name))
    return run


@pytest.mark.django_db(transaction=True)
def test_an_update_copies_the_database_first(update_due: list[str]) -> None:
    CampaignFactory.create(name="The mill")
    copy = bring_up_to_date()
    assert update_due == ["migrate"]
    assert copy is not None
    assert copy.parent == settings.DATA_DIR / "backups"
    with closing(sqlite3.connect(copy)) as table:
        assert table.execute("SELECT name FROM encounters_campaign").fetchall() == [("The mill",)]


@pytest.mark.django_db(transaction=True)
def test_a_failed_update_says_where_the_copy_is(
    update_due: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: Any, **_options: Any) -> None:
        raise DatabaseError("no such column")

    monkeypatch.setattr(upgrading, "call_command", fail)
    with pytest.raises(UpgradeFailed, match="no such column") as failed:
        bring_up_to_date()
    assert failed.value.copy is not None
    assert failed.value.copy.exists()


@pytest.mark.django_db(transaction=True)
def test_an_update_waits_for_room_on_the_disk(
    update_due: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upgrading, "SPACE_FACTOR", 10**12)
    with pytest.raises(UpgradeFailed):
        bring_up_to_date()
    assert update_due == []


@pytest.mark.django_db
def test_nothing_is_copied_when_no_update_is_due() -> None:
    assert bring_up_to_date() is None


# What the database promises


@pytest.mark.django_db
def test_the_database_works_as_the_settings_say() -> None:
    assert run_checks(databases=["default"]) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("pragma", ["synchronous=NORMAL", "foreign_keys=OFF", "busy_timeout=0"])
def test_a_weaker_database_is_noticed_at_the_start(pragma: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {pragma}")
    try:
        problems = run_checks(databases=["default"])
        assert [problem.id for problem in problems] == ["config.E001"]
        assert pragma.split("=")[0] in str(problems[0])
    finally:
        connection.close()


@pytest.mark.django_db
def test_an_older_program_does_not_touch_a_newer_database() -> None:
    MigrationRecorder(connection).record_applied("encounters", "9999_dragons")
    with pytest.raises(UpgradeFailed, match=r"newer.*9999_dragons"):
        bring_up_to_date()
    with pytest.raises(CommandError, match=r"newer.*9999_dragons"):
        call_command("serve")
