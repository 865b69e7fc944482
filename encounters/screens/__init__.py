"""What each screen may show, built from allow-lists of small values; templates get nothing else."""

from encounters.screens.gm import GmBoard, gm_board
from encounters.screens.player import PlayerBoard, player_board, timed

__all__ = ["GmBoard", "PlayerBoard", "gm_board", "player_board", "timed"]
