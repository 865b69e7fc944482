"""When players' links were last used: kept in memory, and written down now and then.

Whoever looks writes nothing. `note` is called by every page and stream of a player's, `flush` by
the server from time to time and when it stops.
"""

import logging
from datetime import datetime
from threading import Lock

from django.db import Error, transaction
from django.db.models import Q
from django.utils import timezone

from encounters.models import PlayerLink

_log = logging.getLogger(__name__)
_lock = Lock()
_uses: dict[int, datetime] = {}  # the last use of each link that is not written down yet


def note(link: int) -> None:
    """Remember that the link with this primary key is in use now; any thread may call this."""
    now = timezone.now()
    with _lock:
        _uses[link] = max(now, _uses.get(link, now))


def flush() -> None:
    """Write down what was noted, in one transaction; what cannot be written is kept for later.

    Raises nothing: it is called where nobody would hear of it.
    """
    with _lock:
        uses = dict(_uses)
        _uses.clear()
    if not uses:
        return
    try:
        _write(uses)
    except Error as error:
        _log.warning("The last use of players' links is not written yet: %s", error)
        with _lock:
            _uses.update({link: max(when, _uses.get(link, when)) for link, when in uses.items()})


@transaction.atomic
def _write(uses: dict[int, datetime]) -> None:
    """Never back in time: another process may have written later, or the address may be new."""
    for link, when in uses.items():
        earlier = Q(last_used=None) | Q(last_used__lt=when)
        PlayerLink.objects.filter(earlier, pk=link, created__lt=when).update(last_used=when)
