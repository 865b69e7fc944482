"""Rows read and written by statements that are put together once.

To compile a statement with so many columns takes longer than to run it. Only what every press or
every request asks for is here; all else is asked through querysets.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from typing import Any, Generic, TypeVar, cast

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, JSONField, Model, QuerySet

Row = TypeVar("Row", bound=Model)
PLAIN = (int, str, bool, type(None))  # of these no kind of database wants anything else


class Query(Generic[Row]):
    """A query of all columns of a model, made when it is asked for the first time.

    `beside` is a foreign key of the model: what it refers to is read with the row, and set.
    """

    def __init__(self, make: "Callable[[], QuerySet[Row]]", beside: str = "") -> None:
        self._make = make
        self._beside = beside

    def first(self, *values: Any) -> Row | None:
        """The first row that it finds with these values, as the database has them, in it."""
        sql, model, other = self._statement
        with _database().cursor() as cursor:
            cursor.execute(sql, values)
            found = cursor.fetchone()
        if found is None:
            return None
        width = len(_names(model))
        row = _from_columns(model, found[:width])
        if other is not None:
            has_other = getattr(row, f"{self._beside}_id") is not None
            setattr(row, self._beside, _from_columns(other, found[width:]) if has_other else None)
        return row

    @cached_property
    def _statement(self) -> tuple[str, type[Row], type[Model] | None]:
        rows, other = self._make().order_by(), None
        if self._beside:
            rows = rows.select_related(self._beside)
            other = cast("type[Model]", _field(rows.model, self._beside).related_model)
        return rows.query.sql_with_params()[0], rows.model, other


@contextmanager
def sent_together() -> Iterator[None]:
    """Inside, PostgreSQL is sent what is to be written without waiting for each answer.

    What it refuses is raised no later than at the end; of how many rows were meant, nothing is
    known.
    """
    if connection.vendor == "postgresql":
        with connection.wrap_database_errors, connection.connection.pipeline():
            yield
    else:
        yield


def insert(row: Model) -> None:
    """Store a new row, which is not told its id. Raises `IntegrityError`."""
    database = _database()
    values = [_prepared(f, f.pre_save(row, add=True), database) for f in _insertable(type(row))]
    with database.cursor() as cursor:
        cursor.execute(_insertion(type(row)), values)


def update(row: Model, values: Mapping[str, object]) -> None:
    """Write these fields of a stored row, and leave the others; `row` itself stays as it is."""
    model, database = type(row), _database()
    prepared = [_prepared(_field(model, name), values[name], database) for name in values]
    with database.cursor() as cursor:
        cursor.execute(_updating(model, tuple(values), ("id",)), [*prepared, row.pk])


def update_each(
    model: type[Model],
    names: Sequence[str],
    keys: Sequence[str],
    rows: Sequence[Sequence[object]],
) -> None:
    """Write these fields of some rows, each of which is given by its values and then its keys."""
    fields, database = [_field(model, name) for name in (*names, *keys)], _database()

    def prepared(row: Sequence[object]) -> list[Any]:
        return [_prepared(f, value, database) for f, value in zip(fields, row, strict=True)]

    with database.cursor() as cursor:
        cursor.executemany(_updating(model, tuple(names), tuple(keys)), [*map(prepared, rows)])


def _field(model: type[Model], name: str) -> "Field[Any, Any]":
    field: Field[Any, Any] = model._meta.get_field(name)  # type: ignore[assignment]
    return field


@cache
def _names(model: type[Model]) -> tuple[str, ...]:
    return tuple(f.attname for f in model._meta.concrete_fields)


def _database() -> BaseDatabaseWrapper:
    """This thread's connection itself: what stands for it looks for it at each access."""
    return connections[DEFAULT_DB_ALIAS]


def _prepared(field: "Field[Any, Any]", value: object, database: BaseDatabaseWrapper) -> Any:
    """The value as the database takes it, which for most is as it is."""
    if type(value) in PLAIN and not isinstance(field, JSONField):
        return value
    return field.get_db_prep_save(value, database)


def _from_columns(model: type[Row], found: Sequence[Any]) -> Row:
    row, database = list(found), _database()
    for place, converters, column in _conversions(model):
        for convert in converters:
            row[place] = convert(row[place], column, database)
    return model.from_db(DEFAULT_DB_ALIAS, _names(model), row)


@cache
def _conversions(model: type[Model]) -> list[tuple[int, Sequence[Any], Any]]:
    """The places of the columns that this kind of database gives otherwise than as values."""
    columns = [f.get_col(model._meta.db_table) for f in model._meta.concrete_fields]
    query = model._default_manager.all().query
    converters = query.get_compiler(connection=connection).get_converters(columns)
    return [(place, *found) for place, found in converters.items()]


@cache
def _insertable(model: type[Model]) -> "tuple[Field[Any, Any], ...]":
    return tuple(f for f in model._meta.concrete_fields if not f.primary_key)


@cache
def _insertion(model: type[Model]) -> str:
    columns = [_quoted(f.column) for f in _insertable(model)]
    table = _quoted(model._meta.db_table)
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(['%s'] * len(columns))})"


@cache
def _updating(model: type[Model], names: tuple[str, ...], keys: tuple[str, ...]) -> str:
    columns, found = (
        [f"{_quoted(_field(model, name).column)} = %s" for name in some] for some in (names, keys)
    )
    table = _quoted(model._meta.db_table)
    return f"UPDATE {table} SET {', '.join(columns)} WHERE {' AND '.join(found)}"


def _quoted(name: str | None) -> str:
    return connection.ops.quote_name(name or "")
