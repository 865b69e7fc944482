"""Attacks: the dice to hit and of the damage, rolled in one go and applied to a target."""

from dataclasses import replace

from django import forms

import rules
from encounters import chance
from encounters.book_attacks import Part, Strike, strike_of
from encounters.forms.base import OneOf, TargetsForm, Whole
from encounters.words_of_health import DAMAGE_CONDITIONS


class AttackForm(TargetsForm):
    """One of the attacks that the book gives a creature, made by each of the targets that is one.

    Of several those attack who can; nobody of them, and the rules say why.
    The dice of its damage are doubled where the d20 makes it a critical hit.
    """

    verb = "attack"

    strike = forms.CharField(max_length=150)  # which attack, of which creature
    mode = OneOf(rules.MODES, required=False)
    victim = Whole(required=False)  # nobody: the roll is only told
    way = OneOf(rules.ATTACK_WAYS, required=False)
    also = forms.MultipleChoiceField(choices=list(DAMAGE_CONDITIONS.items()), required=False)
    # conditions of the victim's defences that hold

    def command(self, fight: rules.Fight) -> rules.Command:
        found = strike_of(self.cleaned_data["strike"])
        attackers = [fight.combatant(number) for number in self.targets]
        able = [c for c in attackers if found and c.creature == found[0]]
        if found is None or not able:
            raise rules.RuleError("no-such-choice")
        free = [c for c in able if not rules.kept_from_attacking(c, fight, self.made_as)]
        if not free:
            code = rules.kept_from_attacking(able[0], fight, self.made_as)
            raise rules.RuleError(code, who=rules.names(able))
        commands = tuple(self._attack(fight, one, found[1]) for one in free)
        return commands[0] if len(commands) == 1 else rules.Together(commands)

    @property
    def made_as(self) -> str:
        """What it takes: the action where nothing else is said."""
        way: str = self.cleaned_data["way"]
        return way or "action"

    def _attack(
        self, fight: rules.Fight, attacker: rules.Combatant, strike: Strike
    ) -> rules.Attack:
        number = self.cleaned_data["victim"]
        victim = None if number is None else fight.combatant(number)
        mode = self._mode(fight, attacker, victim, strike)
        attack = rules.Attack(
            attacker.number,
            strike.name.en,
            strike.to_hit - rules.exhaustion_penalty(attacker, fight.settings),
            tuple(chance.d20() for _ in range(1 if mode == "plain" else 2)),
            mode,
            parts=(),
            name_fr=strike.name.fr,
            target=number,
            way=self.made_as,
            also=tuple(self.cleaned_data["also"]),
            helpless=victim is not None and rules.certain_critical(victim, melee=strike.melee),
        )
        parts, dice = _damage(attack, victim, strike)
        return replace(attack, parts=parts, dice=dice)

    def _mode(
        self,
        fight: rules.Fight,
        attacker: rules.Combatant,
        victim: rules.Combatant | None,
        strike: Strike,
    ) -> str:
        mode: str = self.cleaned_data["mode"] or "auto"
        if mode != "auto":
            return mode
        return rules.attack_mode(attacker, victim, fight.settings, melee=strike.melee)


Rolled = tuple[tuple[tuple[int, str], ...], tuple[int, ...]]  # parts, and the dice behind them


def _damage(attack: rules.Attack, victim: rules.Combatant | None, strike: Strike) -> Rolled:
    """What a hit of this kind deals; nothing is rolled for a miss."""
    result = attack.result(victim.ac if victim else None)
    if result == "miss":
        return (), ()
    critical = result == "critical" or (result == "rolled" and attack.die == 20)
    rolls = [(_rolled(part, critical), part.type) for part in strike.sure]
    dice = tuple(die for roll, _ in rolls for die in roll.dice)
    return tuple((max(0, roll.total), kind) for roll, kind in rolls), dice


def _rolled(part: Part, critical: bool) -> rules.Roll:
    return rules.roll(rules.doubled(part.expression) if critical else part.expression, chance.die)
