"""Copies of a SQLite database while the table plays, and putting one back."""

import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from pytest_django import DjangoDbBlocker
from pytest_django.fixtures import Settings

from config import backup
from config.backup import BackupFailed, RestoreFailed, back_up_now, restore
from encounters.access import new_entry_path
from encounters.models import PlayerLink
from encounters.sessions import SessionStore
from tests.factories import PlayerLinkFactory
from tests.sizes import FULL

pytestmark = pytest.mark.skipif(
    "sqlite" not in settings.DATABASES["default"]["ENGINE"], reason="this is about SQLite's file"
)
COPIES = 30 if FULL else 5


def tell(database: Path, text: str) -> None:
    with closing(sqlite3.connect(database)) as table:
        table.execute("INSERT INTO tale (text) VALUES (?)", [text])
        table.commit()


def tales(database: Path) -> list[str]:
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as table:
        assert table.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return [text for (text,) in table.execute("SELECT text FROM tale ORDER BY number")]


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith("-shm")
    }


def is_private(path: Path) -> bool:
    return not stat.S_IMODE(path.stat().st_mode) & 0o077


@contextmanager
def somebody_plays(database: Path) -> Iterator[list[int]]:
    """Rows are committed one after the other; the list holds how many were acknowledged."""
    acknowledged, over = [1], threading.Event()

    def play() -> None:
        with closing(sqlite3.connect(database, timeout=30)) as table:
            while not over.is_set():
                table.execute("INSERT INTO tale (text) VALUES (?)", ["and then " * 200])
                table.commit()
                acknowledged[0] += 1

    player = threading.Thread(target=play)
    player.start()
    try:
        yield acknowledged
    finally:
        over.set()
        player.join()


# Copies


def test_copies_made_while_the_table_plays_are_whole_and_miss_nothing_acknowledged(
    database: Path,
) -> None:
    with somebody_plays(database) as acknowledged:
        for _ in range(COPIES):
            before = acknowledged[0]
            while acknowledged[0] == before:
                pass
            before = acknowledged[0]
            assert len(tales(back_up_now())) >= before
    assert acknowledged[0] > COPIES


def test_a_copy_is_one_private_file_where_it_was_asked_for(database: Path, tmp_path: Path) -> None:
    copy = back_up_now(tmp_path / "copy.sqlite3")
    assert tales(copy) == ["Before"]
    assert is_private(copy)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["copy.sqlite3"]


@pytest.mark.parametrize("name", ["mine.txt", "data/quivive.sqlite3"])
def test_a_copy_never_takes_another_files_place(database: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "mine.txt").write_text("a letter")
    before = files(tmp_path)
    with pytest.raises(BackupFailed):
        back_up_now(tmp_path / name)
    assert files(tmp_path) == before


def test_a_copy_that_cannot_be_written_has_no_name(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(_database: Path, target: Path) -> None:
        target.write_bytes(b"SQLite format 3\0")
        raise OSError("no space left on device")

    monkeypatch.setattr(backup, "_copy", half)
    before = files(tmp_path)
    with pytest.raises(BackupFailed, match="no space"):
        back_up_now(tmp_path / "copy.sqlite3")
    assert files(tmp_path) == before


# Putting one back


def test_what_was_copied_comes_back_and_what_was_there_is_kept(
    database: Path, tmp_path: Path
) -> None:
    copy = back_up_now(tmp_path / "copy.sqlite3")
    tell(database, "After")
    kept = restore(copy)
    assert tales(database) == ["Before"]
    assert kept is not None
    assert tales(kept) == ["Before", "After"]
    assert is_private(database)
    assert is_private(kept)
    assert sorted(path.name for path in database.parent.iterdir()) == ["backups", database.name]
    assert restore(kept)
    assert tales(database) == ["Before", "After"]


def test_what_was_left_in_the_log_of_the_old_database_is_not_taken_for_the_new_ones(
    database: Path, tmp_path: Path
) -> None:
    copy = back_up_now(tmp_path / "copy.sqlite3")
    log = database.with_name("quivive.sqlite3-wal")
    with closing(sqlite3.connect(database)) as table:
        table.execute("PRAGMA wal_autocheckpoint=0")
        table.execute("INSERT INTO tale (text) VALUES ('After')")
        table.commit()
        killed = log.read_bytes()  # as a server that was killed leaves it
    log.write_bytes(killed)
    restore(copy)
    assert tales(database) == ["Before"]


def test_a_copy_comes_back_where_there_is_no_database(database: Path, tmp_path: Path) -> None:
    copy = back_up_now(tmp_path / "copy.sqlite3")
    database.unlink()
    assert restore(copy) is None
    assert tales(database) == ["Before"]


def test_a_damaged_database_is_kept_as_it_is_with_its_log(database: Path, tmp_path: Path) -> None:
    copy = back_up_now(tmp_path / "copy.sqlite3")
    with closing(sqlite3.connect(database)) as table:
        table.execute("PRAGMA wal_autocheckpoint=0")
        table.execute("INSERT INTO tale (text) VALUES ('After')")
        table.commit()
        log = database.with_name("quivive.sqlite3-wal").read_bytes()
    damaged = b"SQLite format 3\0" + b"\xff" * 9_000
    database.write_bytes(damaged)
    database.with_name("quivive.sqlite3-wal").write_bytes(log)
    kept = restore(copy)
    assert tales(database) == ["Before"]
    assert kept is not None
    assert kept.read_bytes() == damaged
    assert kept.with_name(f"{kept.name}-wal").read_bytes() == log


def of_another_program(copy: Path) -> None:
    copy.unlink()
    with closing(sqlite3.connect(copy)) as made:
        made.execute("CREATE TABLE song (title TEXT)")


def of_a_newer_version(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as made:
        made.execute(
            "INSERT INTO django_migrations (app, name, applied)"
            " VALUES ('encounters', '9999_dragons', '2030-01-01')"
        )
        made.commit()


def torn(copy: Path) -> None:
    contents = copy.read_bytes()
    copy.write_bytes(contents[: len(contents) * 2 // 3])


def damaged(copy: Path) -> None:
    contents = bytearray(copy.read_bytes())
    middle = len(contents) // 2
    contents[middle : middle + 30_000] = b"\xff" * 30_000
    copy.write_bytes(contents)


@pytest.mark.parametrize(
    "spoil",
    [
        Path.unlink,
        lambda copy: copy.write_text("Dear Lia, the fight went like this."),
        lambda copy: copy.write_bytes(b""),
        of_another_program,
        of_a_newer_version,
        torn,
        damaged,
    ],
    ids=["missing", "letter", "empty", "other program", "newer", "torn", "damaged"],
)
def test_a_wrong_file_is_refused_and_changes_nothing(
    database: Path, tmp_path: Path, spoil: Callable[[Path], object]
) -> None:
    copy = back_up_now(tmp_path / "copy.sqlite3")
    spoil(copy)
    before = files(database.parent)
    with pytest.raises(RestoreFailed, match=r".+"):
        restore(copy)
    assert files(database.parent) == before


def test_nothing_is_put_back_under_somebody_who_has_the_database_open(
    database: Path, tmp_path: Path
) -> None:
    copy = back_up_now(tmp_path / "copy.sqlite3")
    with closing(sqlite3.connect(database)) as open_elsewhere:
        open_elsewhere.execute("SELECT * FROM tale").fetchall()
        with pytest.raises(RestoreFailed, match="in use"):
            restore(copy)
    assert tales(database) == ["Before"]


def test_a_copy_brought_to_another_computer_opens_by_the_links_that_are_shown_there(
    database: Path, tmp_path: Path, settings: Settings, django_db_blocker: DjangoDbBlocker
) -> None:
    with django_db_blocker.unblock():
        link = PlayerLinkFactory.create()
        given_out, copy = link.token, back_up_now(tmp_path / "copy.sqlite3")
        settings.SECRET_KEY = "another" * 10
        said = StringIO()
        call_command("restore", str(copy), stdout=said)
        (shown,) = PlayerLink.objects.all()
        assert "give out the new ones" in said.getvalue()
        assert PlayerLink.of_token(shown.token) == shown
        assert PlayerLink.of_token(given_out) is None
        connection.close()


def test_a_copy_lets_nobody_in(
    database: Path, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    with django_db_blocker.unblock():
        browser = SessionStore()
        browser["gm"] = True
        browser.save()
        new_entry_path()
        copy = back_up_now(tmp_path / "copy.sqlite3")
        signed_in = browser.session_key or ""
        assert browser.exists(signed_in)
        connection.close()
    assert signed_in.encode() not in copy.read_bytes()
    with closing(sqlite3.connect(copy)) as table:
        for ways_in in ("django_session", "encounters_entrylink"):
            assert table.execute(f"SELECT count(*) FROM {ways_in}").fetchone() == (0,)
