"""All that the database holds, whichever it is."""

from django.db import connection


def everything_stored() -> list[str]:
    """Each row of each table as text, in an order that stays while they do."""
    found: list[str] = []
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            found += sorted(f"{table}: {row!r}" for row in cursor.fetchall())
    return found
