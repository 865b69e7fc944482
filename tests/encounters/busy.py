"""What a GM may do in a fight, by chance: about the hidden alone, or about anybody."""

from collections.abc import Callable
from random import Random

import rules
from encounters import adding
from tests.factories import creature

EFFECTS = (
    rules.Effect("stunned"),
    rules.Effect("prone", source=1),
    rules.Effect("unconscious", ends="end", turns=2),
    rules.Effect("own", text="burning", each="3", each_at="end"),
    rules.Effect("frightened", ends="start", whose=3, save="wis", dc=12),
    rules.Effect("concentration", text="Bless"),
)
HIDDEN = range(3, 9)  # those of `ambush`, and who joins them
ANYBODY = range(1, 9)

Made = Callable[[int, Random], rules.Command]

ABOUT: list[Made] = [
    lambda n, chance: rules.Damage(n, chance.randrange(10)),
    lambda n, chance: rules.Heal(n, chance.randrange(10)),
    lambda n, chance: rules.GiveTemporary(n, chance.randrange(10)),
    lambda n, chance: rules.SetOut(n, chance.random() < 0.5),
    lambda n, chance: rules.Edit(n, chance.choice([{"label": "Bran"}, {"name": "Wolf"}])),
    lambda n, chance: rules.Edit(n, chance.choice([{"arrives": 35}, {"ac": 19}, {"max_hp": 60}])),
    lambda n, chance: rules.RollInitiative(totals={n: chance.randrange(25)}),
    lambda n, chance: rules.Reorder(n, chance.choice([None, *range(1, 10)])),
    lambda n, _: rules.GiveTurn(n),
    lambda n, chance: rules.AddEffect(n, chance.choice(EFFECTS)),
    lambda n, chance: rules.TakeAction(n, chance.choice(["dash", "dodge", "ready"])),
    lambda n, chance: rules.OverrideSurprise(n, chance.choice(["surprised", "not-surprised"])),
    lambda n, _: rules.GiveExtraTurn(n),
    lambda n, _: rules.RemoveExtraTurn(n),
    lambda n, _: rules.Wait(n),
    lambda n, _: rules.ComeBack(n),
    lambda n, chance: rules.Mount(n, chance.choice([None, chance.choice(HIDDEN)])),
]
SEVERAL: list[Callable[[tuple[int, ...], Random], rules.Command]] = [
    lambda some, _: rules.Split(some),
    lambda some, _: rules.Merge(some),
    lambda some, chance: rules.ChangeSide(some, chance.choice(["third", "foes", "heroes"])),
]
NEWCOMERS = [creature(hidden=True), creature(arrives=30), adding.lair()]


def about(who: range, chance: Random) -> rules.Command:
    """A command about these, or that begins the next turn."""
    kind = chance.randrange(12)
    if kind == 0:
        return rules.Join((chance.choice(NEWCOMERS),), (chance.randint(1, 20),))
    if kind <= 2:
        return rules.NextTurn()
    if kind == 3:
        some = tuple(chance.sample(who, chance.randint(1, 3)))
        return chance.choice(SEVERAL)(some, chance)
    return chance.choice(ABOUT)(chance.choice(who), chance)


def in_the_dark(fight: rules.Fight, command: rules.Command) -> bool:
    """Whether no turn begins that players see, and none that they see comes by the order."""
    after = command.run(fight).fight
    same_turn = (after.current, after.turn_step) == (fight.current, fight.turn_step)
    return same_turn or all(c.unseen for c in after.members(after.current))
