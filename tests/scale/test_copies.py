"""A drill: the data is lost, the copy is put back, and the table goes on where it was."""

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from tests.scale.installations import Installation
from tests.sizes import cases


# How a copy of SQLite is put back, the tests of the commands look at in each step.
@pytest.fixture(params=cases("postgresql_installation", full=["installation"]))
def either(request: pytest.FixtureRequest) -> Installation:
    found: Installation = request.getfixturevalue(request.param)
    return found


def hit(installation: Installation) -> None:
    with installation.gm() as gm:
        assert gm.hit()[0] == 200


def told(installation: Installation, *arguments: str) -> str:
    done = installation.manage(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(installation: Installation, *arguments: str) -> str:
    done = installation.manage(*arguments)
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stderr
    return done.stderr


def test_a_copy_made_while_it_is_served_brings_the_table_back(
    either: Installation, tmp_path: Path
) -> None:
    copy = str(tmp_path / "copy")
    with either.serving():
        hit(either)
        assert copy in told(either, "backup", copy)
        steps = either.steps()
        hit(either)
        assert "in use" in refused(either, "restore", copy)
        assert len(either.steps()) == len(steps) + 1
        either.stop()
    assert not stat.S_IMODE(Path(copy).stat().st_mode) & 0o077
    after = either.steps()
    said = told(either, "restore", copy)
    assert either.steps() == steps
    kept = said.strip().rpartition(" ")[2]
    with either.serving():
        hit(either)
        assert either.ask(f"/j/{either.facts['token']}")[0] == 200
        either.stop()
    told(either, "restore", kept)
    assert either.steps() == after


def letter(copy: Path, _table: Installation) -> None:
    copy.write_bytes(b"Dear Lia, the fight went like this.")


def of_the_other_kind(copy: Path, _table: Installation) -> None:
    copy.write_bytes(b"SQLite format 3\0")


def torn(copy: Path, table: Installation) -> None:
    told(table, "backup", str(copy))
    contents = copy.read_bytes()
    copy.write_bytes(contents[: len(contents) // 2])


def of_a_newer_version(copy: Path, table: Installation) -> None:
    with psycopg.connect(table.environment["DATABASE_URL"]) as connection:
        connection.execute(
            "INSERT INTO django_migrations (app, name, applied)"
            " VALUES ('encounters', '9999_dragons', now())"
        )
    told(table, "backup", str(copy))


def that_fails_half_way(copy: Path, table: Installation) -> None:
    with psycopg.connect(table.environment["DATABASE_URL"]) as connection:
        connection.execute("CREATE FUNCTION lia() RETURNS int LANGUAGE sql AS 'SELECT 1'")
    told(table, "backup", str(copy))


@pytest.mark.parametrize(
    ("make", "why"),
    cases(
        (that_fails_half_way, "lia"),  # which is there already when it is made again
        full=[
            (of_a_newer_version, "9999_dragons"),
            (torn, ""),
            (letter, "not a copy"),
            (of_the_other_kind, "not a copy"),
            (lambda _copy, _table: None, "no such file"),
        ],
    ),
)
def test_a_wrong_file_is_refused_and_postgresql_keeps_what_it_has(
    postgresql_installation: Installation,
    tmp_path: Path,
    make: Callable[[Path, Installation], None],
    why: str,
) -> None:
    table = postgresql_installation
    make(tmp_path / "copy", table)
    with psycopg.connect(table.environment["DATABASE_URL"]) as connection:
        connection.execute("UPDATE encounters_campaign SET name = 'After'")
    said = refused(table, "restore", str(tmp_path / "copy"))
    assert "Nothing was restored" in said
    assert why in said
    assert table.rows("SELECT name FROM encounters_campaign") == [("After",)]


def test_where_postgresqls_programs_are_missing_it_says_which(
    postgresql_installation: Installation, tmp_path: Path
) -> None:
    table = postgresql_installation
    table.environment["PATH"] = str(tmp_path)
    said = refused(table, "backup", str(tmp_path / "copy"))
    assert "pg_dump is missing" in said
    assert not (tmp_path / "copy").exists()
    assert os.listdir(tmp_path) == ["data"]  # noqa: PTH208
    assert shutil.which("pg_dump")
