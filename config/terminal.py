"""Words on the terminal, also before Django is there: the same catalogue, by the same environment.

Standard library only; must parse on old Pythons, like `config.bootstrap`.
"""

from __future__ import annotations

import gettext as _gettext
import io
import os
import sys
from pathlib import Path

_catalogue = _gettext.translation(
    "django", str(Path(__file__).resolve().parent.parent / "locale"), fallback=True
)
gettext = _catalogue.gettext


def write_what_it_can() -> None:
    """A terminal or file without some of our characters shows "?" for them, and no error."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def language() -> str:
    """The language of whoever sits at the terminal: "fr" or "en"."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):  # in gettext's own order
        chosen = os.environ.get(name, "")
        if chosen:
            return "fr" if chosen.startswith("fr") else "en"
    return "en"


def command(name: str) -> str:
    """How one of our commands is typed here: a service has its own way, QUI_VIVE_COMMAND."""
    return "{} {}".format(os.environ.get("QUI_VIVE_COMMAND") or "python3 manage.py", name)
