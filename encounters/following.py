"""What `start` does while it runs: notices that this computer is on another network, and says so.

Pages, links and QR codes ask for the addresses each time they are shown. Left to do are the
terminal, where somebody reads the new address, and the certificate, which names addresses.
"""

import logging
import threading
from collections.abc import Callable, Sequence

from django.db import DatabaseError, connections
from django.utils import translation
from django.utils.translation import gettext as _

from config.network import lan_addresses
from config.terminal import language
from encounters.greeting import first_link, for_phones

logger = logging.getLogger(__name__)

EVERY = 5.0  # seconds between two looks

Look = Callable[[], list[str]]  # does what is due, and returns lines for the terminal


class Following:
    """Looks at what may change, every few seconds, in a thread of its own; `say` gets the news."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self._looks: Sequence[Look] = ()
        self._complaint = ""  # the last, said once
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="following", daemon=True)

    def begin(self, looks: Sequence[Look]) -> None:
        """Look from now on, as long as there is something to look at."""
        self._looks = looks
        if looks:
            self._thread.start()

    def end(self) -> None:
        """Look no more."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(EVERY)

    def look(self) -> None:
        """Look once."""
        for look in self._looks:
            if lines := look():
                self._say("\n".join(["", *lines]))

    def _run(self) -> None:
        with translation.override(language()):
            while not self._ended.wait(EVERY):
                try:
                    self.look()
                except DatabaseError:  # it is busy: the next look is soon
                    pass
                except OSError as problem:  # no network, no file to spare
                    if str(problem) != self._complaint:
                        logger.exception("The network cannot be looked at; the next look is soon")
                    self._complaint = str(problem)
                finally:
                    connections.close_all()  # of this thread


class NewAddress:
    """The look at the address that links and QR codes carry: where it leads now, said once."""

    def __init__(self, port: int) -> None:
        self._port, self._said = port, _first_address()

    def __call__(self) -> list[str]:
        address = _first_address()
        if address in ("", self._said):  # off the network: back on it may be as before
            return []
        lines = [_("This computer has another address now."), *for_phones(self._port)]
        self._said = address
        return lines


class FirstTable:
    """The look at whether there is a campaign to watch, where there was none at the start."""

    def __init__(self, port: int) -> None:
        self._port, self._said = port, False

    def __call__(self) -> list[str]:
        if self._said or first_link() is None:
            return []
        self._said = True
        return for_phones(self._port)


def _first_address() -> str:
    return next(iter(lan_addresses()), "")
