"""Rows and rules are one fight: no field is lost between them, and no row written in vain."""

from dataclasses import fields, replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

import rules
from encounters.models import Campaign, Combatant, Encounter
from encounters.store import load_fight, save_fight
from rules.plain import FIGHT_FIELDS
from tests.encounters.drawn import any_fight
from tests.encounters.playing import examples, fight_in, fresh, rolled_back
from tests.factories import (
    CampaignFactory,
    CombatantFactory,
    EncounterFactory,
    creature,
    fight_of,
    hero,
    running,
)

pytestmark = pytest.mark.django_db


def columns(model: type[Combatant] | type[Encounter]) -> set[str]:
    return {field.name for field in model._meta.concrete_fields}


def test_every_column_of_a_combatant_is_a_field_of_the_rules_and_back() -> None:
    own = columns(Combatant) - {"id", "encounter"}
    assert own == {field.name for field in fields(rules.Combatant)}


def test_a_combatant_without_facts_is_the_same_in_rows_and_rules() -> None:
    row = CombatantFactory.create(number=1, name="Goblin")
    assert fight_in(row.encounter).combatants == (rules.Combatant(1, "Goblin", "foes"),)


def test_every_fact_of_a_fight_is_a_column_of_the_encounter_or_comes_from_elsewhere() -> None:
    elsewhere = {"combatants", "table"}
    stored = {*FIGHT_FIELDS, "slots", "version"}
    assert {field.name for field in fields(rules.Fight)} - elsewhere == stored
    assert stored <= columns(Encounter)
    about_the_row = {"id", "uuid", "campaign", "name", "created", "used", "deleted"}
    instants = {"turn_began", "seen_began"}  # of which the rules know nothing
    others = about_the_row | instants | {"undo_step", "redo_step"}
    assert columns(Encounter) - others == stored


def test_every_choice_of_a_campaign_that_the_rules_know_reaches_them() -> None:
    assert {f.name for f in fields(rules.Settings)} <= {
        f.name for f in Campaign._meta.concrete_fields
    }
    last: dict[str, Any] = {name: choices[-1] for name, choices in rules.CHOICES.items()}
    last |= {"group_initiative": False, "reveal_on_turn": False}
    other = rules.Settings(**last)
    campaign = CampaignFactory.create(**last)
    assert load_fight(EncounterFactory.create(campaign=campaign)).settings == other
    assert load_fight(EncounterFactory.create()).settings == rules.Settings()


def test_a_fight_that_was_stored_is_loaded_as_it_was() -> None:
    drawn: dict[str, set[str]] = {"combatant": set(), "slot": set(), "fight": set()}

    @examples(40)
    @given(fight=any_fight())
    def stored(fight: rules.Fight) -> None:
        with rolled_back():
            assert fight_in(EncounterFactory.create(fight=fight)) == fight
        drawn["fight"] |= otherwise(fight, rules.Fight())
        for one in fight.combatants:
            drawn["combatant"] |= otherwise(one, rules.Combatant(0, "", ""))
        for slot in fight.slots:
            drawn["slot"] |= otherwise(slot, rules.Slot(0))

    stored()
    # Else it would not have been seen that a field is lost.
    assert drawn["combatant"] == {f.name for f in fields(rules.Combatant)}
    assert drawn["slot"] == {f.name for f in fields(rules.Slot)}
    assert drawn["fight"] == {f.name for f in fields(rules.Fight)} - {"table", "version"}


def otherwise(one: Any, other: Any) -> set[str]:
    """The fields in which they differ."""
    return {f.name for f in fields(one) if getattr(one, f.name) != getattr(other, f.name)}


@examples(10)
@given(before=any_fight(3), after=any_fight(3), kept=st.data())
def test_any_fight_can_become_any_other(
    before: rules.Fight, after: rules.Fight, kept: st.DataObject
) -> None:
    unchanged = {c.number: c for c in before.combatants if kept.draw(st.booleans())}
    after = replace(after, combatants=tuple(unchanged.get(c.number, c) for c in after.combatants))
    with rolled_back():
        encounter = EncounterFactory.create(fight=before)
        save_fight(encounter, before, after)
        encounter.save()
        assert fight_in(encounter) == after


def test_another_encounters_combatants_stay_where_they_are() -> None:
    fight = fight_of(hero("Aria"), creature())
    encounter, other = EncounterFactory.create(fight=fight), EncounterFactory.create(fight=fight)
    save_fight(encounter, fight, rules.Damage(1, 5).run(fight).fight)
    save_fight(encounter, rules.Damage(1, 5).run(fight).fight, fight_of())
    assert not load_fight(encounter).combatants
    assert fight_in(other) == fight


def written(encounter: Encounter, before: rules.Fight, command: rules.Command) -> list[str]:
    """The statements that write what a command changes."""
    after = command.run(before).fight
    with CaptureQueriesContext(
        connection,
    ) as asked:
        save_fight(encounter, before, after)
    return [query["sql"] for query in asked.captured_queries]


def test_only_what_differs_is_written() -> None:
    fight = running(hero("Aria"), hero("Bran"), *[creature(creature="gob") for _ in range(20)])
    encounter = fresh(EncounterFactory.create(fight=fight))
    [damage] = written(encounter, fight, rules.Damage(5, 3))
    assert damage.startswith("1 times: UPDATE")  # of one row
    assert ' SET "hp" = %s WHERE ' in damage
    assert damage.endswith('"number" = %s')
    [leaving] = written(encounter, fight, rules.Leave((7,)))
    assert leaving.startswith("DELETE")
    assert written(encounter, fight, rules.Join((creature("Ogre"),)))[0].startswith("INSERT")
    [revealing] = written(encounter, fight, rules.SetHidden((4, 5, 6), True))
    assert revealing.startswith("3 times: UPDATE")
    assert written(encounter, fight, rules.Heal(1, 3)) == []


def test_a_fight_is_loaded_by_one_query_however_large() -> None:
    fight = fight_of(*[creature() for _ in range(200)])
    encounter = fresh(EncounterFactory.create(fight=fight))
    with CaptureQueriesContext(connection) as asked:
        assert load_fight(encounter) == fight
    assert len(asked) == 1
