"""Copies of a PostgreSQL database by PostgreSQL's own tools, and putting one in its place."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.db import connection
from django.utils.translation import gettext as _

# What Django's connection has that is not for the tools.
NOT_FOR_TOOLS = {"password", "client_encoding", "cursor_factory", "context", "prepare_threshold"}
LONGEST = 3600  # seconds for a tool


class Failed(Exception):
    """A tool is missing or has failed; the message says why."""


def dump(target: Path, without: Iterable[str]) -> None:
    """Write the database, as it is at one moment, into a file that `restore` reads.

    Of the tables in `without` there is the form alone. Raises Failed.
    """
    left = [f"--exclude-table-data={table}" for table in without]
    private = ["--no-owner", "--no-privileges", f"--file={target}"]
    _run("pg_dump", "--format=custom", *private, *left)
    _run("pg_restore", f"--file={os.devnull}", str(target))  # all of it can be read


def migrations_in(source: Path, table: str) -> set[tuple[str, str]]:
    """App and name of the migrations that a copy has; Failed unless it is one, with this table."""
    if not source.is_file():
        raise Failed(_("There is no such file: %(path)s") % {"path": source})
    with source.open("rb") as file:
        if file.read(5) != b"PGDMP":
            raise Failed(_("This is not a copy of a database: %(path)s") % {"path": source})
    if f" {table} " not in _run("pg_restore", "--list", str(source)):
        raise Failed(_("This is a database of another program: %(path)s") % {"path": source})
    rows = _run("pg_restore", "--data-only", "--table=django_migrations", "--file=-", str(source))
    found = (line.split("\t") for line in rows.splitlines())
    return {(row[1], row[2]) for row in found if len(row) == 4}


def restore(source: Path) -> None:
    """Put what `dump` wrote in the place of all tables, in one transaction.

    Raises Failed, and then nothing has changed.
    """
    _refuse_others()
    tables = _tables()
    with tempfile.TemporaryDirectory() as folder:
        # Not straight from one tool to the other: half of it would look like all of it.
        statements = Path(folder) / "statements.sql"
        _run("pg_restore", "--no-owner", "--no-privileges", f"--file={statements}", str(source))
        drop = ["--command", f"DROP TABLE {', '.join(tables)} CASCADE"] if tables else []
        connection.close()  # its locks, and what it remembers of the tables
        _run(
            *("psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction"),
            *(*drop, f"--file={statements}"),
        )


def _tables() -> list[str]:
    return [connection.ops.quote_name(name) for name in connection.introspection.table_names()]


def _refuse_others() -> None:
    """Raise Failed while a server, or anybody else, is connected to the database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        if cursor.fetchone()[0]:
            raise Failed(in_use())


def in_use() -> str:
    """Why a copy is not put back."""
    return _("The database is in use: stop every server first.")


def _run(name: str, *arguments: str) -> str:
    """What the tool says. Those that need the database are told which."""
    program = shutil.which(name)
    if program is None:
        raise Failed(
            _("%(name)s is missing. It comes with PostgreSQL’s client programs.") % {"name": name}
        )
    where = [] if name == "pg_restore" else [f"--dbname={_conninfo()}"]
    password = str(connection.settings_dict["PASSWORD"])
    environment = {**os.environ, **({"PGPASSWORD": password} if password else {})}
    done = subprocess.run(
        [program, *where, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=LONGEST,
    )
    if done.returncode:
        raise Failed(done.stderr.strip() or f"{name}: {done.returncode}")
    return done.stdout


def _conninfo() -> str:
    from psycopg.conninfo import make_conninfo

    known: dict[str, Any] = connection.get_connection_params()
    plain: dict[str, Any] = {
        name: value
        for name, value in known.items()
        if name not in NOT_FOR_TOOLS and isinstance(value, str | int)
    }
    return make_conninfo(**plain)
