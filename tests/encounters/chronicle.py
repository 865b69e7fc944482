"""A fight in which much happens, with its state after each step, and the way back to one."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import rules
from encounters import steps
from encounters.models import Encounter
from tests.encounters.playing import back, fight_in, fresh, redo, take, undo
from tests.factories import EncounterFactory, creature, hero


def go_back(encounter: Encounter, version: int, **options: Any) -> steps.Taken:
    key, seen = options.get("key") or uuid4(), fresh(encounter).version
    return steps.go_back(encounter.uuid, key, options.get("seen", seen), version)


def state_of(fight: rules.Fight) -> rules.Fight:
    """Everything but the count of steps, which undo does not take back."""
    return replace(fight, version=0)


class Chronicle:
    """A fight in which much happens, and the state after each of its steps."""

    def __init__(self) -> None:
        self.encounter: Encounter = EncounterFactory.create()
        self.states: list[rules.Fight] = [fight_in(self.encounter)]  # by version
        goblins = [creature(creature="srd-5.1/goblin", hidden=True, notes="sly")] * 2
        self.take(rules.Join((hero("Aria"), hero("Bran"), *goblins, creature("Ogre", max_hp=59))))
        self.take(rules.OpenFight())
        self.take(rules.StartFight(totals={1: 20, 2: 15, 3: 15, 5: 10}))
        self.take(rules.Damage(5, 9))
        self.take(rules.NextTurn())
        self.then(undo)
        self.then(redo)
        self.take(rules.BreakTie((3, 2)))
        self.take(rules.Leave((4,)))
        self.take(rules.Damage(1, 50))
        self.then(back)
        self.take(rules.Join((hero("Cleo"),)))
        for _ in range(4):
            self.take(rules.NextTurn())
        self.then(undo)
        self.take(rules.EndFight())

    def take(self, command: rules.Command) -> None:
        take(self.encounter, command)
        self._note()

    def then(self, change: Any) -> None:
        change(self.encounter)
        self._note()

    def _note(self) -> None:
        self.states.append(fight_in(self.encounter))
        assert self.states[-1].version == len(self.states) - 1

    @property
    def last(self) -> int:
        return len(self.states) - 1
