"""A hero's numbers have one home, the campaign's.

A fight that has not begun shows them, and what is changed there the campaign has. Once it runs, a
fight keeps what it began with; what it leaves of the hit points is carried back at its end.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import rules
from encounters.models import Encounter, Hero
from rules.plain import combatant_to_plain

NOT_BEGUN = ("preparing", "rolling")
SAME = (
    "name", "ac", "initiative_bonus", "dexterity", "passive_perception", "stealth_bonus", "speed",
    "speeds", "hovers", "initiative_roll", "cannot_be_surprised", "saves",
)  # fmt: skip
# the fields that a hero and a combatant have alike
FACTS = (*SAME, "hero_level", "max_hp", "hp", "defences")

Rows = Mapping[int | None, Hero]  # by primary key


def rows_of(encounter: Encounter, fight: rules.Fight) -> Rows:
    """The campaign's heroes, where this fight shows them: one query, and none once it runs."""
    if not _at_home(fight) or all(c.hero is None for c in fight.combatants):
        return {}
    heroes = Hero.objects.filter(campaign=encounter.campaign_id, deleted=None)
    return {hero.pk: hero for hero in heroes}


def facts_of(hero: Hero) -> dict[str, Any]:
    """The hero's numbers by the fields of a combatant."""
    return {
        **{name: getattr(hero, name) for name in SAME},
        "hero_level": hero.level,
        "max_hp": hero.max_hp,
        "hp": hero.hp,
        "defences": rules.list_from_plain("defences", hero.defences),
    }


def shown(fight: rules.Fight, rows: Rows) -> rules.Fight:
    """The fight with the numbers that the campaign has now."""
    there = {c.number: facts_of(rows[c.hero]) for c in fight.combatants if c.hero in rows}
    return rules.with_facts(fight, there)


def told(before: rules.Fight | None, after: rules.Fight, rows: Rows) -> rules.Fight:
    """Keep in the campaign what differs, and return the fight as it shows that.

    Whoever a way back brings, and was not in the fight `before`, has the numbers of the campaign.
    """
    there = {c.number: c for c in shown(after, rows).combatants}
    stay = {c.number for c in (before or after).combatants}
    for c in after.combatants:
        hero = rows.get(c.hero)
        if hero is None or c.number not in stay:
            continue
        was, now = _kept(there[c.number]), _kept(c)
        if changed := {name: value for name, value in now.items() if value != was[name]}:
            Hero.objects.filter(pk=hero.pk).update(**changed)
            for name, value in changed.items():
                setattr(hero, name, value)
    return shown(after, rows)


def restored(
    fight: rules.Fight, changes: Mapping[str, Any], encounter: Encounter
) -> tuple[rules.Fight, set[int]]:
    """As `rules.restored` back before these changes, and the heroes of whom something is kept.

    That is what the campaign does not hold any more as these changes have left it.
    """
    then = rules.restored(fight, changes, after=False)
    if not _at_home(then):
        return then, set()
    if not _at_home(fight):
        return shown(then, rows_of(encounter, then)), set()
    others = dict(_changed_since(fight, changes.get("combatants", {})))
    for number, values in others.items():
        then = then.with_combatant(number, **values)
        one = then.combatant(number)
        if one.hp is not None and one.max_hp is not None and one.hp > one.max_hp:
            then = then.with_combatant(number, hp=one.max_hp)
    return then, {c.hero for c in fight.combatants if c.hero and c.number in others}


def noted(kept: set[int]) -> dict[str, dict[str, list[int]]]:
    """What the step that has gone back keeps of it."""
    return {"kept": {"heroes": sorted(kept)}} if kept else {}


def _changed_since(
    fight: rules.Fight, changes: Mapping[str, Any]
) -> Iterable[tuple[int, dict[str, Any]]]:
    """The facts of heroes that are not as these changes have left them, by combatant."""
    for c in fight.combatants:
        change = changes.get(str(c.number))
        if c.hero is None or not isinstance(change, Mapping):
            continue
        present = combatant_to_plain(c)
        names = [name for name in FACTS if name in change and change[name][1] != present[name]]
        if names:
            yield c.number, {name: getattr(c, name) for name in names}


def _at_home(fight: rules.Fight) -> bool:
    return fight.state in NOT_BEGUN


def _kept(c: rules.Combatant) -> dict[str, Any]:
    """A combatant's numbers by the fields of a hero, who is unhurt at the maximum."""
    return {
        **{name: getattr(c, name) for name in SAME},
        "saves": dict(c.saves),
        "speeds": dict(c.speeds),
        "level": c.hero_level,
        "max_hp": rules.whole_maximum(c) or None,
        "hp": None if c.dead or c.hp == c.max_hp else c.hp,
        "defences": rules.list_to_plain(c.defences),
    }
