"""Whether the process lives and whether it can serve, for whoever restarts it or sends it traffic.

No details: anybody may ask.
"""

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

PATIENCE = 3.0  # seconds
FRESH = 1.0  # seconds for which a look is good, so that asking often costs nothing

logger = logging.getLogger(__name__)


class Readiness:
    """Looks whether the database answers and has all migrations, in a thread of its own."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._look: asyncio.Future[bool] | None = None
        self._looked = float("-inf")  # when the last look began, on the monotonic clock

    async def is_ready(self) -> bool:
        """Whether it is; who asks while somebody looks shares the look."""
        now = time.monotonic()
        if self._look is None or (self._look.done() and now - self._looked > FRESH):
            loop = asyncio.get_running_loop()
            self._look, self._looked = loop.run_in_executor(self._executor, _look), now
        try:
            async with asyncio.timeout(PATIENCE):
                return await asyncio.shield(self._look)
        except TimeoutError:
            return False


def _look() -> bool:
    try:
        return _migrations() <= MigrationRecorder(connection).applied_migrations().keys()
    except Error as error:
        logger.warning("The database is not ready: %s", error)
        return False
    finally:
        connection.close()  # a connection kept for this alone would be one too many


@cache
def _migrations() -> set[tuple[str, str]]:
    """The last migration of each app: the others come before it."""
    return set(MigrationLoader(None).graph.leaf_nodes())
