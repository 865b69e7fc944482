"""A hero's numbers have one home, the campaign's.

A fight that has not begun shows them, and what is changed there the campaign has. Once it runs, a
fight keeps what it began with; what it leaves of the hit points is carried back at its end.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import rules
from encounters.models import Encounter, Hero
from encounters.outside import Outside
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
    if not rows:
        return fight
    there = {c.number: facts_of(rows[c.hero]) for c in fight.combatants if c.hero in rows}
    return rules.with_facts(fight, there)


def told(
    before: rules.Fight, after: rules.Fight, rows: Rows, *, back: bool
) -> tuple[rules.Fight, Outside]:
    """Keep in the campaign what differs; the fight as it shows that, and what is new of newcomers.

    Whoever a way `back` brings, and was not in the fight before, has the numbers of the campaign.
    """
    if not rows:
        return after, {}
    there = {c.number: c for c in shown(after, rows).combatants}
    stay, new = {c.number for c in before.combatants}, Numbers()
    for c in after.combatants:
        hero = rows.get(c.hero)
        if hero is None or (back and c.number not in stay):
            continue
        was, now = _kept(there[c.number]), _kept(c)
        if changed := {name: value for name, value in now.items() if value != was[name]}:
            numbers = new if c.number not in stay else Numbers()
            numbers.change(hero, changed)
            Hero.objects.filter(pk=hero.pk).update(**changed)
    return shown(after, rows), new.stored()


class Numbers(dict[str, dict[str, list[Any]]]):
    """Columns of heroes that a step changes with what they were and are, by primary key."""

    def change(self, hero: Hero, values: Mapping[str, Any]) -> None:
        """Note that the row has these values now, and give it them."""
        own = self.setdefault(str(hero.pk), {})
        for name, value in values.items():
            own.setdefault(name, [getattr(hero, name), value])[1] = value
            setattr(hero, name, value)

    def stored(self) -> Outside:
        """What the step keeps of it; nothing where nothing was changed."""
        found = {
            key: {name: pair for name, pair in own.items() if pair[0] != pair[1]}
            for key, own in self.items()
        }
        changed = {key: own for key, own in found.items() if own}
        return {"changed": changed} if changed else {}


def taken_back(
    done: Iterable[Outside], left: Mapping[int, rules.Combatant]
) -> tuple[Outside, set[int]]:
    """Give heroes back the numbers that they had before steps which brought them, the last first.

    `left` are those who leave by that, with what they had then. Returned is what that changes
    itself, and the heroes of whom the campaign holds something else by now.
    """
    changes = [one["changed"] for one in done if "changed" in one]
    keys = {int(key) for change in changes for key in change} | set(left)
    rows, new, kept = Hero.objects.in_bulk(keys) if keys else {}, Numbers(), set[int]()
    for number, c in left.items():
        if number in rows:
            new.change(rows[number], _kept(c))
    for change in changes:
        for key, own in change.items():
            if (hero := rows.get(int(key))) is None:
                continue
            holds = {name: pair[0] for name, pair in own.items() if getattr(hero, name) == pair[1]}
            new.change(hero, holds)
            kept |= {hero.pk} if len(holds) < len(own) else set()
    stored = new.stored()
    for key, own in stored.get("changed", {}).items():
        Hero.objects.filter(pk=key).update(**{name: pair[1] for name, pair in own.items()})
    return stored, kept


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


def leaving(fight: rules.Fight, then: rules.Fight) -> dict[int, rules.Combatant]:
    """The heroes whom a way back takes out of a fight that has not begun, by primary key."""
    if not _at_home(fight):
        return {}
    there = {c.number for c in then.combatants}
    return {c.hero: c for c in fight.combatants if c.hero and c.number not in there}


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
