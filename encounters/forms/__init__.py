"""Typed text into commands: one form for each verb of a fight.

A verb's form gives its URL, its step's name and whether it depends on the order; dice are rolled
here, when the fight is known.
"""

from encounters.forms.base import StepForm
from encounters.forms.hit_points import DamageForm, GiveTemporaryForm, HealForm
from encounters.forms.initiative import (
    BreakTieForm,
    ReorderForm,
    RollInitiativeForm,
    RollOffForm,
    SetTotalForm,
    StartFightForm,
)
from encounters.forms.roster import EditForm, JoinForm, LeaveForm, SetHiddenForm, SetOutForm
from encounters.forms.surprise import (
    HideForm,
    HideSideForm,
    OverrideSurpriseForm,
    SetPassiveForm,
    StopHidingForm,
)
from encounters.forms.turns import (
    EndFightForm,
    GiveTurnForm,
    GoBackForm,
    NextTurnForm,
    OpenFightForm,
    PreviousTurnForm,
    RedoForm,
    ReopenFightForm,
    SetReactionForm,
    UndoForm,
)

__all__ = ["VERBS", "EditForm", "StepForm"]

VERBS: tuple[type[StepForm], ...] = (
    JoinForm,
    LeaveForm,
    EditForm,
    SetHiddenForm,
    SetOutForm,
    OpenFightForm,
    HideForm,
    HideSideForm,
    StopHidingForm,
    OverrideSurpriseForm,
    SetPassiveForm,
    RollInitiativeForm,
    SetTotalForm,
    StartFightForm,
    BreakTieForm,
    RollOffForm,
    ReorderForm,
    NextTurnForm,
    PreviousTurnForm,
    GiveTurnForm,
    SetReactionForm,
    DamageForm,
    HealForm,
    GiveTemporaryForm,
    EndFightForm,
    ReopenFightForm,
    UndoForm,
    RedoForm,
    GoBackForm,
)
