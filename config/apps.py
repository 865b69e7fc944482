from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import pre_migrate


class InstallationConfig(AppConfig):
    """The installation itself: no rows, only what is checked at the start."""

    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401  (registers them)

        pre_migrate.connect(_take_time, dispatch_uid="migrations take their time")


def _take_time(using: str, **_kwargs: Any) -> None:
    """What a person waits for is cut short by PostgreSQL; what rewrites a table must not be."""
    connection = connections[using]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0")
