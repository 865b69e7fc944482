"""Sessions in the database; the query that every request makes is compiled once."""

from functools import cache

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone

from encounters import statements


class SessionStore(db.SessionStore):
    """Django's own, but for how it makes its query: that took longer than to read the row."""

    def _get_session_from_db(self) -> Session | None:
        if not (self.session_key or "").isalnum():  # PostgreSQL cannot even be asked for some
            self._session_key = None
            return None
        expires = Session._meta.get_field("expire_date")
        now = expires.get_db_prep_value(timezone.now(), connection)
        session = statements.fetch(Session, _query(), [now, self.session_key])
        if session is None:
            self._session_key = None
        return session


@cache
def _query() -> str:
    valid = Session.objects.filter(expire_date__gt=timezone.now(), session_key="")
    sql: str = valid.order_by().query.sql_with_params()[0]
    return sql
