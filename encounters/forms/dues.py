"""What is due: settled by a tap, as told by the players or rolled here, or left aside."""

from django import forms

import rules
from encounters import chance, due_fields
from encounters.forms.base import OneOf, TargetsForm, Whole

RESULTS: dict[str, tuple[str, ...]] = {
    "death": ("made", "failed", "1", "20", "roll"),
    "concentration": ("made", "failed", "roll", "resisted"),
    "save": ("made", "failed", "roll", "resisted"),
    "recharge": ("made", "failed", "roll"),
    "each": ("applied", "roll"),
}  # what may come of each kind; resisted: failed, but for a legendary resistance
DEATH_SAVES = {"made": 10, "failed": 9, "1": 1, "20": 20}  # the d20 that they stand for


class DueForm(TargetsForm):
    """About something that is due of one combatant, or alike of several."""

    due = forms.CharField(max_length=400, strip=False)

    def due_of(self, fight: rules.Fight) -> list[tuple[rules.Combatant, rules.Due]]:
        """Those of the targets of whom it is still due. Raises `RuleError("nothing-due")`."""
        every = [fight.combatant(number) for number in self.targets]
        text = self.cleaned_data["due"]
        found = [(who, due) for who in every if (due := due_fields.meant(who, text))]
        if not found:
            raise rules.RuleError("nothing-due")
        return found


class SettleForm(DueForm):
    """How it came out; of several who roll, each rolls for itself."""

    verb = "settle"

    result = OneOf(result for own in RESULTS.values() for result in own)
    amount = Whole(required=False, min_value=0)  # hit points, in place of those of the effect

    def command(self, fight: rules.Fight) -> rules.Command:
        found = self.due_of(fight)
        commands = tuple(self._settled(fight, who, due) for who, due in found)
        return commands[0] if len(commands) == 1 else rules.Together(commands)

    def _settled(self, fight: rules.Fight, who: rules.Combatant, due: rules.Due) -> rules.Command:
        result = self.cleaned_data["result"]
        if result not in RESULTS[due.kind]:
            raise rules.RuleError("no-such-choice")
        if due.kind == "death":
            if result == "roll":
                dice = due_fields.save_dice(who, due, fight.settings)
                die = rules.roll(dice, chance.die).dice[0]  # what exhaustion takes is the rules'
                return rules.DeathSave(who.number, die, rolled=True)
            return rules.DeathSave(who.number, DEATH_SAVES[result])
        if due.kind == "each":
            return self._hit_points(who, due)
        if result == "resisted":
            return _resisted(who, due)
        if result == "roll":
            return _rolled(fight, who, due)
        return rules.Settle(who.number, due, made=result == "made")

    def _hit_points(self, who: rules.Combatant, due: rules.Due) -> rules.Command:
        """Those that were typed, or those of the effect: its dice only where they were asked."""
        text, typed = rules.effect_of(who, due).each, self.cleaned_data["amount"]
        if self.cleaned_data["result"] == "applied":
            if typed is not None:
                return rules.Settle(who.number, due, made=True, total=typed)
            if "d" in text.lower():
                raise rules.RuleError("amount-missing")
        rolled = rules.roll(text, chance.die)
        total = max(0, rolled.total)
        return rules.Settle(who.number, due, made=True, dice=rolled.dice, total=total)


def _rolled(fight: rules.Fight, who: rules.Combatant, due: rules.Due) -> rules.Command:
    if due.kind == "recharge":
        die = chance.die(6)
        return rules.Settle(who.number, due, made=die >= due.dc, dice=(die,))
    dice = due_fields.save_dice(who, due, fight.settings)
    if not dice:
        return rules.Settle(who.number, due, made=False)
    roll = rules.roll(dice, chance.die)
    made = roll.total >= due.dc
    return rules.Settle(who.number, due, made=made, dice=roll.dice, total=roll.total)


def _resisted(who: rules.Combatant, due: rules.Due) -> rules.Command:
    """A failed save turned into a made one. Raises `RuleError("no-use-left")`."""
    use = rules.resistance(who)
    if use is None or not use.left:
        raise rules.RuleError("no-use-left", who=rules.names([who]))
    spent = rules.SpendUse(who.number, use.name)
    return rules.Together((spent, rules.Settle(who.number, due, made=True)))


class DismissForm(DueForm):
    """Leave it aside."""

    verb = "dismiss"

    def command(self, fight: rules.Fight) -> rules.Command:
        commands = tuple(rules.Dismiss(who.number, due) for who, due in self.due_of(fight))
        return commands[0] if len(commands) == 1 else rules.Together(commands)
