"""The boards that were published last, by the hash of what they show: none is computed twice.

A hash says all of a board, so that what is found here is right whatever the rows hold by now.
"""

import hashlib

from encounters.screens.player import PlayerBoard

MOST = 500  # boards kept: one for each campaign that is played, by far

_boards: dict[str, PlayerBoard] = {}  # the oldest first


def digest_of(board: PlayerBoard) -> str:
    """The hash of all that a board shows."""
    return hashlib.sha256(repr(board).encode()).hexdigest()


def remember(digest: str, board: PlayerBoard) -> None:
    """Keep a board under the hash of what it shows; any thread may call this."""
    _boards[digest] = board
    for old in list(_boards)[:-MOST]:
        _boards.pop(old, None)


def remembered(digest: str) -> PlayerBoard | None:
    """The board with this hash, if it is still kept."""
    return _boards.get(digest)
