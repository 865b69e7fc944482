"""Typed text into commands: one form for each verb of a fight.

A verb's form gives its URL, its step's name and whether it depends on the order; dice are rolled
here, when the fight is known.
"""

from encounters.forms.attacks import AttackForm
from encounters.forms.base import StepForm
from encounters.forms.dues import DismissForm, SettleForm
from encounters.forms.economy import (
    ChooseSpeedForm,
    MoveForm,
    ReleaseReadiedForm,
    SetReactionForm,
    SetSpentForm,
    StandUpForm,
    TakeActionForm,
)
from encounters.forms.effects import AddEffectForm, RemoveEffectForm
from encounters.forms.hit_points import (
    ChangeMaximumForm,
    DamageForm,
    GiveTemporaryForm,
    HealForm,
    ReviveForm,
    StabiliseForm,
    StayUpForm,
)
from encounters.forms.initiative import (
    ACCEPTED_BY,
    BreakTieForm,
    NextTurnForm,
    ReorderForm,
    RollInitiativeForm,
    RollOffForm,
    SetTotalForm,
    StartFightForm,
)
from encounters.forms.overrides import ChangeSettingsForm
from encounters.forms.places import (
    ComeBackForm,
    GiveExtraTurnForm,
    MergeForm,
    MountForm,
    RemoveExtraTurnForm,
    SplitForm,
    WaitForm,
)
from encounters.forms.rolls import RollDiceForm
from encounters.forms.roster import (
    AddLairForm,
    AllyForm,
    ChangeSideForm,
    EditForm,
    JoinForm,
    LeaveForm,
    SetHiddenForm,
    SetLabelForm,
    SetOutForm,
    SetOwnerForm,
    SetSideHiddenForm,
    facts_of,
)
from encounters.forms.surprise import (
    HideForm,
    HideSideForm,
    OverrideSurpriseForm,
    SetPassiveForm,
    SetRollForm,
    StopHidingForm,
)
from encounters.forms.turns import (
    EndFightForm,
    GiveTurnForm,
    GoBackForm,
    OpenFightForm,
    PreviousTurnForm,
    RedoForm,
    ReopenFightForm,
    UndoForm,
)
from encounters.forms.uses import AddUseForm, RemoveUseForm, SetUseForm, SpendUseForm

__all__ = [
    "ACCEPTED_BY",
    "TICKED",
    "VERBS",
    "ChangeSettingsForm",
    "EditForm",
    "StepForm",
    "facts_of",
]

# fields of which several values are sent
TICKED = ("also", "conditional", "immune", "initial-conditional", "initial-immune", "saved")

VERBS: tuple[type[StepForm], ...] = (  # the first ones are pressed most
    NextTurnForm,
    DamageForm,
    HealForm,
    AddEffectForm,
    RemoveEffectForm,
    UndoForm,
    AttackForm,
    AddLairForm,
    AllyForm,
    ChangeSideForm,
    SetOwnerForm,
    SetRollForm,
    ChangeSettingsForm,
    SplitForm,
    MergeForm,
    MountForm,
    GiveExtraTurnForm,
    RemoveExtraTurnForm,
    WaitForm,
    ComeBackForm,
    TakeActionForm,
    SetSpentForm,
    MoveForm,
    ChooseSpeedForm,
    StandUpForm,
    ReleaseReadiedForm,
    JoinForm,
    LeaveForm,
    EditForm,
    SetHiddenForm,
    SetSideHiddenForm,
    SetLabelForm,
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
    PreviousTurnForm,
    GiveTurnForm,
    SetReactionForm,
    GiveTemporaryForm,
    ChangeMaximumForm,
    ReviveForm,
    StabiliseForm,
    StayUpForm,
    SettleForm,
    DismissForm,
    SpendUseForm,
    SetUseForm,
    AddUseForm,
    RemoveUseForm,
    RollDiceForm,
    EndFightForm,
    ReopenFightForm,
    RedoForm,
    GoBackForm,
)
