"""What each state of a fight allows: preparing, rolling, running, ended."""

from collections.abc import Callable

import pytest

import rules
from tests.rules.drawing import History
from tests.rules.making import ORDER, fight_of

ANYTIME = {"preparing", "rolling", "running"}
BEFORE = {"preparing", "rolling"}
IN_ORDER = {"rolling", "running"}
DUE = rules.Due("save", 12, "wis", "frightened")
ALLOWED: dict[str, tuple[Callable[[], rules.Command], set[str]]] = {
    "Join": (lambda: rules.Join((rules.Combatant(0, "Rat", "foes"),)), ANYTIME),
    "Leave": (lambda: rules.Leave((2,)), ANYTIME),
    "Edit": (lambda: rules.Edit(1, {"ac": 12}), ANYTIME),
    "SetOut": (lambda: rules.SetOut(1, True), ANYTIME),
    "SetHidden": (lambda: rules.SetHidden((2,), True), {*ANYTIME, "ended"}),
    "SetLabel": (lambda: rules.SetLabel((2,), "Shadow"), ANYTIME),
    "Damage": (lambda: rules.Damage(1, 3), ANYTIME),
    "Heal": (lambda: rules.Heal(1, 3), ANYTIME),
    "Revive": (lambda: rules.Revive(5), ANYTIME),
    "GiveTemporary": (lambda: rules.GiveTemporary(1, 3), ANYTIME),
    "SetHitPoints": (lambda: rules.SetHitPoints(1, 3), ANYTIME),
    "ChangeMaximum": (lambda: rules.ChangeMaximum(1, 5), ANYTIME),
    "DeathSave": (lambda: rules.DeathSave(6, 12), {"running"}),
    "Stabilise": (lambda: rules.Stabilise(6), ANYTIME),
    "Attack": (
        lambda: rules.Attack(1, "Sword", 4, (12,), "plain", ((5, "slashing"),), target=2),
        {"running"},
    ),
    "RollDice": (lambda: rules.RollDice("1d6", (4,), 4), ANYTIME),
    "Settle": (lambda: rules.Settle(3, DUE, True), {"running"}),
    "Dismiss": (lambda: rules.Dismiss(3, DUE), {"running"}),
    "SpendUse": (lambda: rules.SpendUse(3, "Rage"), {"running"}),
    "SetUse": (lambda: rules.SetUse(3, "Rage", 1), ANYTIME),
    "AddUse": (lambda: rules.AddUse(1, "Luck", 3), ANYTIME),
    "RemoveUse": (lambda: rules.RemoveUse(3, "Rage"), ANYTIME),
    "Hide": (lambda: rules.Hide({2: 12}), BEFORE),
    "StopHiding": (lambda: rules.StopHiding((2,)), BEFORE),
    "OverrideSurprise": (lambda: rules.OverrideSurprise(1, "surprised"), ANYTIME),
    "OpenFight": (rules.OpenFight, {"preparing"}),
    "RollInitiative": (lambda: rules.RollInitiative({1: 12}), IN_ORDER),
    "ActFirst": (lambda: rules.ActFirst(3), IN_ORDER),
    "BreakTie": (lambda: rules.BreakTie((2, 3)), IN_ORDER),
    "RollOff": (lambda: rules.RollOff(7, {2: (3,), 3: (8,)}), IN_ORDER),
    "Reorder": (lambda: rules.Reorder(1, None), IN_ORDER),
    "StartFight": (lambda: rules.StartFight({1: 12, 2: 3}, accept_empty=True), BEFORE),
    "NextTurn": (rules.NextTurn, {"running"}),
    "PreviousTurn": (lambda: rules.PreviousTurn(({},)), {"running"}),
    "GiveTurn": (lambda: rules.GiveTurn(2), {"running"}),
    "Ally": (lambda: rules.Ally("foes", "heroes", True), ANYTIME),
    "ChangeSide": (lambda: rules.ChangeSide((2,), "heroes"), ANYTIME),
    "ChangeSettings": (lambda: rules.ChangeSettings({"edition": "2024"}), ANYTIME),
    "Mount": (lambda: rules.Mount(2, None), ANYTIME),
    "AddEffect": (lambda: rules.AddEffect(1, rules.Effect("prone")), ANYTIME),
    "RemoveEffect": (lambda: rules.RemoveEffect(3, "prone"), ANYTIME),
    "Split": (lambda: rules.Split((4,)), IN_ORDER),
    "Merge": (lambda: rules.Merge((1, 3)), IN_ORDER),
    "GiveExtraTurn": (lambda: rules.GiveExtraTurn(1), IN_ORDER),
    "RemoveExtraTurn": (lambda: rules.RemoveExtraTurn(2), IN_ORDER),
    "Wait": (lambda: rules.Wait(1), {"running"}),
    "ComeBack": (lambda: rules.ComeBack(2), {"running"}),
    "TakeAction": (lambda: rules.TakeAction(1, "dodge"), {"running"}),
    "SetSpent": (lambda: rules.SetSpent(1, "bonus", True), {"running"}),
    "Move": (lambda: rules.Move(1, 10), {"running"}),
    "StandUp": (lambda: rules.StandUp(3), {"running"}),
    "ChooseSpeed": (lambda: rules.ChooseSpeed(1, "walk"), {"running"}),
    "ReleaseReadied": (lambda: rules.ReleaseReadied(3), {"running"}),
    "SetReaction": (lambda: rules.SetReaction(1, False), {"running"}),
    "EndFight": (rules.EndFight, {"running"}),
    "ReopenFight": (rules.ReopenFight, {"ended"}),
}


def in_state(state: str) -> rules.Fight:
    dying = "1 heroes E dex+0 hp9"
    history = History(fight_of(*ORDER, "2 foes D group=d dex+0 hp7", dying))
    on_it = (
        rules.Effect("prone"),
        rules.Effect("readied", ends="start"),
        rules.Effect("frightened", save="wis", dc=12),
    )
    uses = (rules.Use("Rage", 2, 2),)
    history.fight = history.fight.with_each(
        {3: {"effects": on_it, "dues": (DUE,), "uses": uses}, 5: {"hp": 0}, 6: {"hp": 0}}
    )
    if state != "preparing":
        history.take(rules.OpenFight())
        history.take(rules.RollInitiative(totals={1: 9, 2: 7, 3: 7, 4: 5, 6: 1}))
        history.take(rules.GiveExtraTurn(2))
    if state in ("running", "ended"):
        history.take(rules.StartFight())
        history.take(rules.Wait(2))
    if state == "ended":
        history.take(rules.EndFight())
    assert history.fight.state == state
    return history.fight


@pytest.mark.parametrize("state", ["preparing", "rolling", "running", "ended"])
@pytest.mark.parametrize("name", ALLOWED)
def test_each_command_has_its_states(name: str, state: str) -> None:
    make, states = ALLOWED[name]
    fight = in_state(state)
    if state in states:
        make().run(fight)
    else:
        with pytest.raises(rules.RuleError, match=f"^fight-is-{state}$"):
            make().run(fight)


def test_every_public_command_has_its_states() -> None:
    public = {name for name in rules.__all__ if hasattr(getattr(rules, name), "run")}
    assert public - {"Command", "Together"} == set(ALLOWED)
