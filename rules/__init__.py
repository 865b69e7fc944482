"""The combat rules of 5e: surprise, initiative, turns, hit points. Pure, and the only door.

State in, command in; outcome out: `command.run(fight) -> Outcome`, or `RuleError`.
Source: French reference document (DRS), chapter "Combattre"; System Reference Documents 5.1, 5.2.
"""

from rules.beginning import EndFight, OpenFight, ReopenFight, StartFight
from rules.checks import GIVEN, INITIATIVE_ROLLS, SCORE, SCORE_SHIFT, Mode, mode, standing
from rules.combatant import Combatant, Effect, Slot
from rules.damage import AMOUNT_LIMIT, Damage, GiveTemporary, Heal
from rules.dice import Chance, Roll, roll
from rules.difficulty import DIFFICULTIES, LEVELS, Difficulty, difficulty, opponents
from rules.economy import (
    COSTS,
    Means,
    Move,
    ReleaseReadied,
    SetReaction,
    SetSpent,
    StandUp,
    TakeAction,
    actions,
    means,
)
from rules.effects import CONDITIONS, REMINDERS, AddEffect, RemoveEffect, speed_of
from rules.fight import (
    COMBATANT_LIMIT,
    Command,
    Event,
    Fight,
    Outcome,
    RuleError,
    names,
)
from rules.initiative import RollInitiative, initiative_bonus, initiative_dice, unrolled
from rules.labelling import shown_name
from rules.moving import Reorder, one_down, one_up
from rules.overrides import ChangeSettings
from rules.places import (
    ComeBack,
    GiveExtraTurn,
    Merge,
    Mount,
    RemoveExtraTurn,
    Split,
    Wait,
    second_place,
)
from rules.plain import (
    Changes,
    difference,
    effects_from_plain,
    effects_to_plain,
    restored,
    slots_from_plain,
    slots_to_plain,
)
from rules.preview import Preview, preview
from rules.previous import PreviousTurn
from rules.roster import EDITABLE, Edit, Join, Leave, SetHidden, SetOut
from rules.settings import CHOICES, Settings
from rules.sides import Ally, ChangeSide
from rules.surprise import (
    Hide,
    Notice,
    OverrideSurprise,
    StopHiding,
    Watch,
    notices,
    roll_stealth,
    watches,
)
from rules.ties import (
    ActFirst,
    BreakTie,
    RollOff,
    Tie,
    asked,
    contenders,
    roll_off,
    roll_sides,
    ties,
)
from rules.together import Together
from rules.turns import GiveTurn, NextTurn, next_slot, rolls_anew, until_the_dice

__all__ = [
    "AMOUNT_LIMIT",
    "CHOICES",
    "COMBATANT_LIMIT",
    "CONDITIONS",
    "COSTS",
    "DIFFICULTIES",
    "EDITABLE",
    "GIVEN",
    "INITIATIVE_ROLLS",
    "LEVELS",
    "REMINDERS",
    "SCORE",
    "SCORE_SHIFT",
    "ActFirst",
    "AddEffect",
    "Ally",
    "BreakTie",
    "Chance",
    "ChangeSettings",
    "ChangeSide",
    "Changes",
    "Combatant",
    "ComeBack",
    "Command",
    "Damage",
    "Difficulty",
    "Edit",
    "Effect",
    "EndFight",
    "Event",
    "Fight",
    "GiveExtraTurn",
    "GiveTemporary",
    "GiveTurn",
    "Heal",
    "Hide",
    "Join",
    "Leave",
    "Means",
    "Merge",
    "Mode",
    "Mount",
    "Move",
    "NextTurn",
    "Notice",
    "OpenFight",
    "Outcome",
    "OverrideSurprise",
    "Preview",
    "PreviousTurn",
    "ReleaseReadied",
    "RemoveEffect",
    "RemoveExtraTurn",
    "ReopenFight",
    "Reorder",
    "Roll",
    "RollInitiative",
    "RollOff",
    "RuleError",
    "SetHidden",
    "SetOut",
    "SetReaction",
    "SetSpent",
    "Settings",
    "Slot",
    "Split",
    "StandUp",
    "StartFight",
    "StopHiding",
    "TakeAction",
    "Tie",
    "Together",
    "Wait",
    "Watch",
    "actions",
    "asked",
    "contenders",
    "difference",
    "difficulty",
    "effects_from_plain",
    "effects_to_plain",
    "initiative_bonus",
    "initiative_dice",
    "means",
    "mode",
    "names",
    "next_slot",
    "notices",
    "one_down",
    "one_up",
    "opponents",
    "preview",
    "restored",
    "roll",
    "roll_off",
    "roll_sides",
    "roll_stealth",
    "rolls_anew",
    "second_place",
    "shown_name",
    "slots_from_plain",
    "slots_to_plain",
    "speed_of",
    "standing",
    "ties",
    "unrolled",
    "until_the_dice",
    "watches",
]
