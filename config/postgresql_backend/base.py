"""A connection that is kept is looked at before it is used again, and asked only if in doubt."""

from selectors import EVENT_READ, DefaultSelector

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, whose every request would begin by a query that asks for nothing."""

    def is_usable(self) -> bool:
        """Whether the connection stands."""
        return self._is_silent() or super().is_usable()

    def _is_silent(self) -> bool:
        """Whether nothing has come in since the last answer: the end of a connection would have."""
        if self.connection is None or self.connection.closed:
            return False
        with DefaultSelector() as selector:
            selector.register(self.connection.fileno(), EVENT_READ)
            return not selector.select(0)
