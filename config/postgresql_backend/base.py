"""A connection that was in use just now is looked at before it is used again, and not asked."""

from selectors import EVENT_READ, DefaultSelector
from time import monotonic

from django.db.backends.postgresql import base

TRUSTED = 5.0  # seconds for which a connection that answered counts as one that stands


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, whose every request would begin by a query that asks for nothing.

    A server that stops or dies ends its connections, which is seen at once; one that vanishes
    with its network is not. So silence is trusted for a short while only.
    """

    _answered = 0.0  # when it did so last for sure, by the monotonic clock

    def is_usable(self) -> bool:
        """Whether the connection stands."""
        now = monotonic()
        fresh = now - self._answered < TRUSTED and not self.errors_occurred
        if fresh and self._is_silent():
            return True
        usable = super().is_usable()
        if usable:
            self._answered = now
        return usable

    def _is_silent(self) -> bool:
        """Whether nothing has come in since the last answer, as the end of it would."""
        if self.connection is None or self.connection.closed:
            return False
        try:
            with DefaultSelector() as selector:
                selector.register(self.connection.fileno(), EVENT_READ)
                return not selector.select(0)
        except (OSError, self.Database.Error):  # its socket is closed
            return False
