"""What players see: a pure function of what is public.

Hidden combatants leave no trace in it: neither a gap nor a count nor a turn.
"""

from dataclasses import dataclass

import rules
from encounters.labels import Name, letters
from encounters.models import Campaign


@dataclass(frozen=True, slots=True)
class PlayerCreature:
    name: Name
    health: str  # healthy | hurt | bloodied | down | "" when nobody knows
    surprised: bool


@dataclass(frozen=True, slots=True)
class PlayerSlot:
    """Those who act together, as far as players see them."""

    side: str
    members: tuple[PlayerCreature, ...]
    gone: bool  # all of them are out of the fight
    waiting: bool = False  # out of the order until the game master puts it back
    second: bool = False  # a second turn in round 1

    @property
    def several(self) -> bool:
        return len(self.members) > 1

    @property
    def title(self) -> str:
        """Who acts: "Bran", "Goblin B", "Goblin ×3"."""
        if not self.several:
            return str(self.members[0].name)
        return f"{self.members[0].name.alone} ×{len(self.members)}"


@dataclass(frozen=True, slots=True)
class PlayerBoard:
    campaign: str
    state: str  # waiting | running | over
    round: int = 0
    now: PlayerSlot | None = None  # whose turn it is
    coming: tuple[PlayerSlot, ...] = ()  # those still to act in this round
    later: tuple[PlayerSlot, ...] = ()  # those who act in the next one
    waiting: tuple[PlayerSlot, ...] = ()
    gone: tuple[PlayerSlot, ...] = ()

    @property
    def next_round(self) -> int:
        return self.round + 1


def player_board(campaign: Campaign, fight: rules.Fight | None) -> PlayerBoard:
    """What the players of this campaign see of the fight they follow, if there is one.

    They wait for its first turn that they see: whoever acts before that is hidden from them.
    """
    if fight is not None and fight.state == "ended":
        return PlayerBoard(campaign.name, "over")
    if fight is None or fight.state != "running" or fight.seen_slot is None:
        return PlayerBoard(campaign.name, "waiting")
    seen = _visible_slots(fight)
    now = seen.get(fight.seen_slot)
    acted = {s.number for s in fight.slots if s.acted_round >= max(fight.seen_round, 1)}
    rest = [(n, slot) for n, slot in seen.items() if slot is not now]
    here = [(n, slot) for n, slot in rest if not (slot.gone or slot.waiting)]
    return PlayerBoard(
        campaign.name,
        "running",
        round=max(fight.seen_round, 1),
        now=now,
        coming=tuple(slot for n, slot in here if n not in acted),
        later=tuple(slot for n, slot in here if n in acted and not slot.second),
        waiting=tuple(slot for _, slot in rest if slot.waiting and not slot.gone),
        gone=tuple(slot for _, slot in rest if slot.gone and not slot.second),
    )


def _visible_slots(fight: rules.Fight) -> dict[int, PlayerSlot]:
    """The slots of which players see anybody, in order."""
    lettered = {name for name, given in fight.letters_given.items() if given > 1}
    by_slot = fight.by_slot()
    slots: dict[int, PlayerSlot] = {}
    for slot in fight.slots:
        members = [c for c in by_slot[slot.number] if not c.unseen]
        if members:
            creatures = tuple(
                PlayerCreature(_public_name(c, lettered), c.health, _seen_surprised(c, fight))
                for c in members
            )
            gone = all(c.passed_over for c in members)
            waiting, second = slot.waiting is not None, slot.extra_of is not None
            side = members[0].side
            slots[slot.number] = PlayerSlot(side, creatures, gone, waiting, second)
    return slots


def _seen_surprised(combatant: rules.Combatant, fight: rules.Fight) -> bool:
    """Surprise ends with the turn, but for players the turn lasts until they see the next one."""
    if combatant.slot == fight.home(fight.seen_slot):
        return combatant.lost_turn
    return combatant.surprised


def _public_name(combatant: rules.Combatant, lettered: set[str]) -> Name:
    shown = rules.shown_name(combatant)
    french = combatant.label or combatant.name_fr or combatant.name
    mark = letters(combatant.letter) if shown in lettered else ""
    return Name(shown, french, mark)
