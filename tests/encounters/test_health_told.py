"""What came of hit points, as the log tells it."""

from collections.abc import Iterable
from typing import Any

import pytest
from django.utils import translation

import rules
from bestiary import glossary
from encounters import log, words_of_health
from tests.factories import creature, hero, running

GOBLIN, ARIA = 1, 2


def plain(events: Iterable[rules.Event]) -> list[dict[str, Any]]:
    """Events as a step holds them."""
    return [{"code": event.code, **event.details} for event in events]


def told(command: rules.Command, **goblin: Any) -> str:
    """What the log says of this command in a fight of a goblin and Aria."""
    fight = running(creature("Goblin", max_hp=30, **goblin), hero("Aria", max_hp=20))
    with translation.override("en"):
        return log.sentence(plain(command.run(fight).events))


SINGED = (rules.Defence("resistance", "fire"),)
TOLD: dict[str, tuple[rules.Command, str]] = {
    "no type": (rules.Damage(GOBLIN, 8), "8 damage to Goblin"),
    "a type": (rules.Damage(GOBLIN, 8, type="cold"), "8 cold damage to Goblin"),
    "resisted": (
        rules.Damage(GOBLIN, 22, (10, 12), "fire"),
        "11 fire damage to Goblin (of 22; dice 10, 12)",
    ),
    "several types": (
        rules.Damage(GOBLIN, 10, type="fire", more=((5, "piercing"),)),
        "10 damage (fire, piercing) to Goblin (of 15)",
    ),
    "one type in two parts": (
        rules.Damage(GOBLIN, 10, type="cold", more=((5, "cold"),)),
        "15 cold damage to Goblin",
    ),
    "whose doing it is, is not said": (rules.Damage(GOBLIN, 8, by=ARIA), "8 damage to Goblin"),
    "too much": (rules.Heal(GOBLIN, 3), "3 hit points regained by Goblin (3 above the maximum)"),
    "defeated": (rules.Damage(GOBLIN, 40), "40 damage to Goblin · Goblin defeated"),
    "spared": (
        rules.Damage(GOBLIN, 40, knock_out=True), "40 damage to Goblin · Goblin knocked out"),
    "dying": (rules.Damage(ARIA, 20), "20 damage to Aria · Aria down, at 0 hit points"),
    "dead at once": (rules.Damage(ARIA, 40), "40 damage to Aria · Aria dead"),
    "set": (rules.SetHitPoints(ARIA, 12), "Aria: 12 hit points now"),
    "another maximum": (rules.ChangeMaximum(ARIA, -5), "Aria: maximum now 15 hit points"),
}  # fmt: skip


@pytest.mark.parametrize(("command", "sentence"), TOLD.values(), ids=TOLD)
def test_the_log_says_what_a_hit_did(command: rules.Command, sentence: str) -> None:
    assert told(command, defences=SINGED) == sentence


def test_a_way_to_death_and_back_is_told_step_by_step() -> None:
    fight = running(creature("Goblin"), hero("Aria", max_hp=20))
    lines: list[str] = []
    for command in (
        rules.Damage(ARIA, 20), rules.DeathSave(ARIA, 14), rules.DeathSave(ARIA, 3),
        rules.Stabilise(ARIA), rules.Damage(ARIA, 2, critical=True), rules.Heal(ARIA, 4),
        rules.Damage(ARIA, 40), rules.Revive(ARIA),
    ):  # fmt: skip
        outcome = command.run(fight)
        fight = outcome.fight
        with translation.override("en"):
            lines.append(log.sentence(plain(outcome.events)))
    assert lines[1:] == [
        "Death save of Aria: 14 · Aria: 1 of 3 death saves made",
        "Death save of Aria: 3 · Aria: 1 of 3 death saves failed",
        "Aria stable",
        "2 damage to Aria · Aria: 2 of 3 death saves failed",
        "4 hit points regained by Aria · Aria conscious again",
        "40 damage to Aria · Aria dead",
        "Aria back from the dead",
    ]


def test_every_type_of_damage_and_every_condition_of_a_defence_has_words() -> None:
    assert set(words_of_health._DAMAGE) == {"", *rules.DAMAGE_TYPES}
    assert glossary.codes("damage_types") == set(rules.DAMAGE_TYPES)
    assert set(words_of_health.DAMAGE_CONDITIONS) == glossary.codes("damage_conditions")
    assert set(words_of_health.GMS_WORD) == set(rules.DEFENCES)
