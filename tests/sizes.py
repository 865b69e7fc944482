"""How much is tried: the usual cases, or with `manage.py test --full` the others, too."""

import os
from collections.abc import Iterable
from typing import TypeVar

Case = TypeVar("Case")

FULL = os.environ.get("QUI_VIVE_TEST_SIZE") == "full"


def cases(*usual: Case, full: Iterable[Case]) -> list[Case]:
    """The cases to try. Those only for the full size are between or like the usual ones."""
    return [*usual, *full] if FULL else list(usual)
