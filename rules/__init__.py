"""The combat rules of 5e: surprise, initiative, turns, hit points. Pure, and the only door.

State in, command in; outcome out: `command.run(fight) -> Outcome`, or `RuleError`.
Source: French reference document (DRS), chapter "Combattre"; System Reference Document 5.1.
"""

from rules.damage import AMOUNT_LIMIT, Damage, GiveTemporary, Heal
from rules.dice import Chance, Roll, roll
from rules.fight import (
    COMBATANT_LIMIT,
    Combatant,
    Command,
    Event,
    Fight,
    Outcome,
    RuleError,
    Settings,
    Slot,
    names,
)
from rules.initiative import Reorder, RollInitiative, initiative_bonus, unrolled
from rules.labelling import shown_name
from rules.plain import Changes, difference, restored, slots_from_plain, slots_to_plain
from rules.roster import EDITABLE, Edit, Join, Leave, SetHidden, SetOut
from rules.surprise import (
    Hide,
    Notice,
    OverrideSurprise,
    StopHiding,
    Watch,
    notices,
    watches,
)
from rules.ties import BreakTie, RollOff, Tie, asked, contenders, roll_off, ties
from rules.turns import (
    EndFight,
    GiveTurn,
    NextTurn,
    OpenFight,
    PreviousTurn,
    ReopenFight,
    SetReaction,
    StartFight,
    next_slot,
)

__all__ = [
    "AMOUNT_LIMIT",
    "COMBATANT_LIMIT",
    "EDITABLE",
    "BreakTie",
    "Chance",
    "Changes",
    "Combatant",
    "Command",
    "Damage",
    "Edit",
    "EndFight",
    "Event",
    "Fight",
    "GiveTemporary",
    "GiveTurn",
    "Heal",
    "Hide",
    "Join",
    "Leave",
    "NextTurn",
    "Notice",
    "OpenFight",
    "Outcome",
    "OverrideSurprise",
    "PreviousTurn",
    "Reorder",
    "ReopenFight",
    "Roll",
    "RollInitiative",
    "RollOff",
    "RuleError",
    "SetHidden",
    "SetOut",
    "SetReaction",
    "Settings",
    "Slot",
    "StartFight",
    "StopHiding",
    "Tie",
    "Watch",
    "asked",
    "contenders",
    "difference",
    "initiative_bonus",
    "names",
    "next_slot",
    "notices",
    "restored",
    "roll",
    "roll_off",
    "shown_name",
    "slots_from_plain",
    "slots_to_plain",
    "ties",
    "unrolled",
    "watches",
]
