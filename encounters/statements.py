"""Rows read and written by statements that are put together once.

To compile a statement with so many columns takes longer than to run it. Only what every press or
every request asks for is here; all else is asked through querysets.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from typing import Any, Generic, TypeVar, cast

from django.db import connection
from django.db.models import Field, Model, QuerySet

Row = TypeVar("Row", bound=Model)


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
        with connection.cursor() as cursor:
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
    fields = _insertable(type(row))
    values = [f.get_db_prep_save(f.pre_save(row, add=True), connection) for f in fields]
    with connection.cursor() as cursor:
        cursor.execute(_insertion(type(row)), values)


def update(row: Model, values: Mapping[str, object]) -> None:
    """Write these fields of a stored row, and leave the others; `row` itself stays as it is."""
    fields = [_field(type(row), name) for name in values]
    prepared = zip(fields, values.values(), strict=True)
    with connection.cursor() as cursor:
        cursor.execute(
            _updating(type(row), tuple(values), ("id",)),
            [*(f.get_db_prep_save(value, connection) for f, value in prepared), row.pk],
        )


def update_each(
    model: type[Model],
    names: Sequence[str],
    keys: Sequence[str],
    rows: Sequence[Sequence[object]],
) -> None:
    """Write these fields of some rows, each of which is given by its values and then its keys."""
    fields = [_field(model, name) for name in (*names, *keys)]

    def prepared(row: Sequence[object]) -> list[Any]:
        return [f.get_db_prep_save(v, connection) for f, v in zip(fields, row, strict=True)]

    with connection.cursor() as cursor:
        cursor.executemany(_updating(model, tuple(names), tuple(keys)), [*map(prepared, rows)])


def _field(model: type[Model], name: str) -> "Field[Any, Any]":
    field: Field[Any, Any] = model._meta.get_field(name)  # type: ignore[assignment]
    return field


@cache
def _names(model: type[Model]) -> tuple[str, ...]:
    return tuple(f.attname for f in model._meta.concrete_fields)


def _from_columns(model: type[Row], found: Sequence[Any]) -> Row:
    row = list(found)
    for place, converters, column in _conversions(model):
        for convert in converters:
            row[place] = convert(row[place], column, connection)
    return model.from_db(connection.alias, _names(model), row)


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
