"""What players see, as text that is kept with the campaign: lines of JSON, one for each place.

The step that changes it writes it, and all that players are shown is made of it: no page and no
stream of theirs reads the fight, in which there is more than they may know.
"""

import json
from dataclasses import astuple, fields
from functools import lru_cache
from itertools import islice
from typing import Any
from zlib import crc32

from encounters.labels import Name
from encounters.screens.player import PlayerBoard, PlayerCreature, PlayerSlot
from encounters.screens.player_effects import PlayerEffect

VERSION = 1  # to be raised when what is in a field, or what players may see in it, changes
_PARTS = PlayerBoard, PlayerSlot, PlayerCreature, PlayerEffect, Name
_FIELDS = repr([[field.name for field in fields(part)] for part in _PARTS])
# Begins each text: what another version wrote is not taken for this one's.
_SHAPE = f"{VERSION}-{crc32(_FIELDS.encode()):08x}"


def dumped(board: PlayerBoard) -> str:
    """A board as text: the same for the same board, another for any other."""
    now = (board.now,) if board.now else ()
    places = now, board.coming, board.later, board.waiting, board.gone
    told = board.campaign, board.state, board.round, board.meant, board.edition, board.until
    head = _text([_SHAPE, [len(some) for some in places], *told])
    return "\n".join([head, *[_line(slot) for some in places for slot in some]])


def loaded(text: str) -> PlayerBoard | None:
    """The board that was dumped; None where there is none, or only another version's."""
    if not text.startswith(f'["{_SHAPE}"'):
        return None
    head, *lines = text.split("\n")
    _, counts, campaign, state, in_round, meant, edition, until = json.loads(head)
    slots = map(_slot, lines)
    now, coming, later, waiting, gone = (tuple(islice(slots, count)) for count in counts)
    return PlayerBoard(
        campaign,
        state,
        in_round,
        now[0] if now else None,
        coming,
        later,
        waiting,
        gone,
        tuple(meant),
        edition,
        until,
    )


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=4_000)  # most places are as they were before the last step
def _line(slot: PlayerSlot) -> str:
    return _text(astuple(slot))


@lru_cache(maxsize=4_000)
def _slot(line: str) -> PlayerSlot:
    side, members, *rest = json.loads(line)
    return PlayerSlot(side, tuple(map(_creature, members)), *rest)


def _creature(told: list[Any]) -> PlayerCreature:
    name, health, surprised, effects, *rest = told
    seen = tuple(PlayerEffect(*effect) for effect in effects)
    return PlayerCreature(Name(*name), health, surprised, seen, *rest)
