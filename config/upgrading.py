"""Brings the database to the code's version, a checked copy first: no update costs a fight."""

import shutil
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _

from config.backup import BackupFailed, back_up

SPACE_FACTOR = 3  # times the database's size: the copy, the rebuilt tables and their log


class UpgradeFailed(Exception):
    """The database stays as it was; `copy` is where it was kept, or None before that point."""

    def __init__(self, reason: str, copy: Path | None = None) -> None:
        super().__init__(reason)
        self.copy = copy


def bring_up_to_date() -> Path | None:
    """Run the migrations that are due; return the copy made before, if there was data to copy.

    Raises UpgradeFailed.
    """
    database = Path(connection.settings_dict["NAME"])
    is_new = not database.exists() or database.stat().st_size == 0
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return None
    copy = None if is_new else _copy(database)
    try:
        call_command("migrate", interactive=False, verbosity=0)
    except DatabaseError as problem:
        raise UpgradeFailed(str(problem), copy) from problem
    return copy


def _copy(database: Path) -> Path:
    free = shutil.disk_usage(database.parent).free
    if free < SPACE_FACTOR * database.stat().st_size:
        raise UpgradeFailed(_("only %(size)s MiB free") % {"size": free // 2**20})
    try:
        return back_up(database, settings.DATA_DIR / "backups")
    except BackupFailed as problem:
        raise UpgradeFailed(str(problem)) from problem
