"""Steps at the table about wounds, effects with their ends, what is due and what is counted."""

from random import Random

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

import rules
from tests.rules.drawn import numbers
from tests.rules.gathering import Gathering
from tests.rules.table import running

TYPES = ("", "fire", "cold", "slashing")
CODES = (
    "stunned", "frightened", "grappled", "unconscious", "poisoned", "exhaustion", "turned", "own",
    "own", "concentration", "concentration",
)  # fmt: skip
WORDS = {"own": ["marked", "burning"], "concentration": ["bless", "web"]}
USES = ("Breath", "Legend", "Rage")


def chances() -> st.SearchStrategy[int]:
    """For what has many sides of little weight."""
    return st.integers(0, 9_999)


def any_effect(chance: Random, people: list[int]) -> rules.Effect:
    """One with any end, from anybody, that may hurt or heal each turn."""
    code = chance.choice(CODES)
    source = chance.choice([None, *people])
    saves = chance.random() < 0.3
    each = chance.choice(["", "", "1", "2", "1d4"])
    return rules.Effect(
        code,
        level=chance.choice([1, 2, 4, 5, 6]) if code == "exhaustion" else 0,
        text=chance.choice(WORDS.get(code, [""])),
        ends=chance.choice(["", "start", "end"]),
        turns=chance.choice([0, 1, 2]),
        whose=chance.choice([None, *people]),
        source=source,
        hangs=source is not None and code != "concentration" and chance.random() < 0.5,
        save="wis" if saves else "",
        dc=12 if saves else 0,
        save_at=chance.choice(["start", "end"]),
        each=each,
        each_type=chance.choice(TYPES) if each else "",
        each_at=chance.choice(["start", "end"]),
        heals=chance.random() < 0.3,
        offered=chance.random() < 0.3,
    )


def any_damage(chance: Random, target: int, people: list[int]) -> rules.Damage:
    return rules.Damage(
        target,
        chance.randint(0, 14),
        type=chance.choice(TYPES),
        more=((chance.randint(0, 4), chance.choice(TYPES)),) if chance.random() < 0.2 else (),
        half=chance.random() < 0.2,
        reduction=chance.choice([0, 0, 0, 3]),
        critical=chance.random() < 0.2,
        knock_out=chance.random() < 0.2,
        also=chance.choice([(), ("nonmagical",)]),
        defence=chance.choice(["auto", "auto", "plain", "resistance", "immunity", "?"]),
        by=chance.choice([None, *people]),
    )


class Wounding(Gathering):
    @property
    def people(self) -> list[int]:
        return [c.number for c in self.fight.combatants]

    def dying(self, index: int) -> int:
        """Somebody who is dying, if there is one."""
        down = [c.number for c in self.fight.combatants if c.dying]
        return down[index % len(down)] if down else self.one(index)

    # Effects

    @rule(who=numbers(), seed=chances(), rounds=st.sampled_from([0, 0, 0, 1, 2, 10]))
    def put_an_effect_on(self, who: int, seed: int, rounds: int) -> None:
        effect = any_effect(Random(seed), self.people)
        self.take(rules.AddEffect(self.one(who), effect, rounds, anyway=seed % 2 == 0))

    @precondition(lambda self: len(self.fight.combatants) > 1)
    @rule(seed=chances())
    def cast_a_spell_on_several(self, seed: int) -> None:
        """They hang on the caster's concentration, whoever begins or ends it."""
        chance = Random(seed)
        caster, *targets = chance.sample(self.people, min(4, len(self.people)))
        spell = rules.Effect(
            "concentration", text="bless", turns=3, ends=chance.choice(["", "end"])
        )
        marks = rules.Effect("own", text="blessed", source=caster, hangs=True)
        hung = tuple(rules.AddEffect(target, marks, chance.choice([0, 2])) for target in targets)
        self.take(rules.Together((rules.AddEffect(caster, spell), *hung)))

    @rule(who=numbers(), which=numbers(), source=numbers())
    def remove_an_effect_of_one_source(self, who: int, which: int, source: int) -> None:
        there = [c for c in self.fight.combatants if c.number == self.one(who)]
        effects = [effect for c in there for effect in c.effects]
        effect = effects[which % len(effects)] if effects else rules.Effect("prone")
        own = effect.source if source % 3 else self.one(source)
        self.take(rules.RemoveEffect(self.one(who), effect.code, effect.text, own))

    # Wounds

    @rule(who=numbers(), seed=chances())
    def wound(self, who: int, seed: int) -> None:
        chance = Random(seed)
        target = self.dying(who) if seed % 4 == 0 else self.one(who)
        self.take(any_damage(chance, target, self.people))

    @rule(who=numbers(), amount=st.integers(-1, 9))
    def revive(self, who: int, amount: int) -> None:
        dead = [c.number for c in self.fight.combatants if c.defeated]
        self.take(rules.Revive(dead[who % len(dead)] if dead else self.one(who), amount))

    @rule(who=numbers(), hp=st.integers(-1, 9))
    def set_hit_points(self, who: int, hp: int) -> None:
        self.take(rules.SetHitPoints(self.one(who), hp))

    @rule(who=numbers(), by=st.sampled_from([-9, -3, 2, 100_000]))
    def change_maximum(self, who: int, by: int) -> None:
        self.take(rules.ChangeMaximum(self.one(who), by))

    @rule(who=numbers(), dice=st.lists(st.sampled_from([1, 5, 9, 10, 15, 20, 21]), max_size=3))
    def roll_death_saves(self, who: int, dice: list[int]) -> None:
        for die in dice:
            self.take(rules.DeathSave(self.dying(who), die))

    @rule(who=numbers())
    def stabilise(self, who: int) -> None:
        self.take(rules.Stabilise(self.dying(who)))

    @precondition(running)
    @rule(attacker=numbers(), aim=numbers() | st.none(), seed=chances())
    def attack(self, attacker: int, aim: int | None, seed: int) -> None:
        chance = Random(seed)
        mode = chance.choice(["plain", "plain", "advantage", "disadvantage", "?"])
        d20s = tuple(chance.randint(1, 20) for _ in range(1 if mode == "plain" else 2))
        parts = ((chance.randint(0, 6), chance.choice(TYPES)), (1, "cold"))
        target = None if aim is None else self.one(aim)
        self.take(
            rules.Attack(
                self.one(attacker), "Claw", 4, d20s, mode, parts[: chance.randint(0, 2)],
                target=target, helpless=seed % 2 == 0,
            )
        )  # fmt: skip

    # What is due

    @precondition(lambda self: any(c.dues for c in self.fight.combatants))
    @rule(who=numbers(), which=numbers(), made=st.booleans(), total=st.integers(-1, 3))
    def settle(self, who: int, which: int, made: bool, total: int) -> None:
        asked = [c for c in self.fight.combatants if c.dues]
        one = asked[who % len(asked)]
        due = one.dues[which % len(one.dues)]
        if self.take(rules.Settle(one.number, due, made, total=None if total < 0 else total)):
            assert self.fight.combatant(one.number).dues.count(due) < one.dues.count(due)
        elif running(self):
            assert due.kind == "death"

    @precondition(lambda self: any(c.dues for c in self.fight.combatants))
    @rule(who=numbers(), which=numbers())
    def dismiss(self, who: int, which: int) -> None:
        asked = [c for c in self.fight.combatants if c.dues]
        one = asked[who % len(asked)]
        self.take(rules.Dismiss(one.number, one.dues[which % len(one.dues)]))

    @rule(who=numbers())
    def settle_what_is_not_due(self, who: int) -> None:
        due = rules.Due("each", effect="own", text="nothing")
        assert not self.take(rules.Settle(self.one(who), due, True))
        assert not self.take(rules.Dismiss(self.one(who), due))

    # What is counted, and dice

    @rule(who=numbers(), name=st.sampled_from(USES), number=st.integers(-1, 3))
    def count(self, who: int, name: str, number: int) -> None:
        counting = [c.number for c in self.fight.combatants if any(u.name == name for u in c.uses)]
        target = counting[who % len(counting)] if counting else self.one(who)
        kinds = {"Breath": "recharge", "Legend": "legendary"}
        self.take(rules.AddUse(self.one(who), name, number, kinds.get(name, "day"), 5))
        self.take(rules.SpendUse(target, name, number))
        self.take(rules.SetUse(target, name, 3 - number))

    @rule(who=numbers(), name=st.sampled_from(USES))
    def remove_use(self, who: int, name: str) -> None:
        self.take(rules.RemoveUse(self.one(who), name))

    @rule(who=numbers() | st.none(), dice=st.lists(st.integers(1, 6), max_size=2))
    def roll_dice(self, who: int | None, dice: list[int]) -> None:
        roller = None if who is None else self.one(who)
        self.take(rules.RollDice("2d6", tuple(dice), sum(dice), roller))
