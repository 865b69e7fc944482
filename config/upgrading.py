"""Brings the database to the code's version, a checked copy first: no update costs a fight."""

import shutil
from pathlib import Path

from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _

from config.backup import BackupFailed, back_up_now

SPACE_FACTOR = 3  # times the database's size: the copy, the rebuilt tables and their log


class UpgradeFailed(Exception):
    """The database stays as it was; `copy` is where it was kept, or None before that point."""

    def __init__(self, reason: str, copy: Path | None = None) -> None:
        super().__init__(reason)
        self.copy = copy


def is_up_to_date() -> bool:
    """Whether the database has all migrations; raises `django.db.Error` when it does not answer."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def refuse_newer() -> None:
    """Raise UpgradeFailed where a newer program has used this database: this one would harm it."""
    loader = MigrationExecutor(connection).loader
    if newer := set(loader.applied_migrations) - set(loader.disk_migrations):
        names = ", ".join(sorted(name for _app, name in newer))
        raise UpgradeFailed(
            _("a newer Qui-Vive made this database (%(names)s). Start that one.") % {"names": names}
        )


def bring_up_to_date() -> Path | None:
    """Run the migrations that are due; return the copy made before, if there was data to copy.

    Raises UpgradeFailed.
    """
    is_new = not connection.introspection.table_names()
    refuse_newer()
    if is_up_to_date():
        return None
    copy = None if is_new else _copy()
    try:
        call_command("migrate", interactive=False, verbosity=0)
    except DatabaseError as problem:
        raise UpgradeFailed(str(problem), copy) from problem
    return copy


def _copy() -> Path:
    if connection.vendor == "sqlite":
        _require_space(Path(connection.settings_dict["NAME"]))
    try:
        return back_up_now()
    except BackupFailed as problem:
        raise UpgradeFailed(str(problem)) from problem


def _require_space(database: Path) -> None:
    free = shutil.disk_usage(database.parent).free
    if free < SPACE_FACTOR * database.stat().st_size:
        raise UpgradeFailed(_("only %(size)s MiB free") % {"size": free // 2**20})
