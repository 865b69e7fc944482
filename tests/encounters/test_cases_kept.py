"""What must not be lost: a whole state behind undo, a paused fight beside another, half metres."""

from dataclasses import replace

import pytest
from django.test import Client
from django.utils import translation

import rules
from encounters import labels
from encounters.forms.base import Distance
from encounters.models import Campaign, Encounter
from tests.encounters.playing import fight_in, pressed, redo, take, undo
from tests.encounters.test_every_verb import state_of
from tests.factories import EncounterFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db

ARIA, GOBLIN, OGRE = 1, 3, 5  # Goblins 2, 3 and 4


@pytest.fixture
def late() -> Encounter:
    """Round 2, last turn; Bless ends at the round change, and Goblin 2 is hurt and poisoned."""
    encounter: Encounter = EncounterFactory.create(
        fight=fight_of(hero(), *[creature(creature="srd-5.1/goblin")] * 3, creature("Ogre"))
    )
    take(encounter, rules.OpenFight())
    take(encounter, rules.StartFight(totals={ARIA: 18, 2: 12, OGRE: 12}))
    for _ in range(5):
        take(encounter, rules.NextTurn())
    bless = rules.Effect("own", text="Bless", ends="start", turns=1)
    poison = rules.Effect("poisoned", ends="end", turns=2, whose=GOBLIN)
    take(encounter, rules.AddEffect(ARIA, bless))
    take(encounter, rules.AddEffect(GOBLIN, poison))
    take(encounter, rules.Damage(GOBLIN, 4))
    fight = fight_in(encounter)
    assert (fight.round, fight.current) == (2, OGRE)
    return encounter


# RW-S31: the state after undo is the state before the action, field by field
def test_undo_after_a_turn_and_a_removal_leads_back_to_all_there_was(late: Encounter) -> None:
    before = state_of(late)
    take(late, rules.NextTurn())
    begun = state_of(late)
    assert not fight_in(late).combatant(ARIA).has("own")
    take(late, rules.Leave((GOBLIN,)))
    undo(late)
    assert state_of(late) == begun
    goblin = fight_in(late).combatant(GOBLIN)
    assert (goblin.hp, goblin.ordinal, goblin.slot, goblin.has("poisoned")) == (3, 2, 2, True)
    undo(late)
    assert state_of(late) == before
    redo(late)
    assert state_of(late) == begun
    undo(late)
    take(late, rules.NextTurn())
    assert state_of(late) == replace_turn_step(begun, late)
    with pytest.raises(rules.RuleError, match="nothing-to-redo"):
        redo(late)


def replace_turn_step(fight: rules.Fight, encounter: Encounter) -> rules.Fight:
    """The same fight, its turn begun by a later step."""
    return replace(fight, turn_step=fight_in(encounter).turn_step)


# RW-S31: deleting a fight can be undone
def test_a_deleted_fight_comes_back_out_of_the_bin(late: Encounter, gm_client: Client) -> None:
    before = state_of(late)
    gm_client.post(f"/bin/encounter/{late.pk}/throw-away/")
    assert gm_client.get(f"/e/{late.uuid}/").status_code == 404
    late.refresh_from_db()
    assert late.deleted is not None
    gm_client.post(f"/bin/encounter/{late.pk}/restore/")
    assert gm_client.get(f"/e/{late.uuid}/").status_code == 200
    assert state_of(late) == before


# RW-S43: as many stored fights as were created
def test_another_fight_leaves_a_paused_one_as_it_was(late: Encounter, gm_client: Client) -> None:
    campaign: Campaign = late.campaign
    before, log = state_of(late), late.steps.count()
    other: Encounter = EncounterFactory.create(
        campaign=campaign, fight=fight_of(hero("Cleo"), creature("Wolf"))
    )
    pressed(gm_client, other, "open-fight")
    pressed(gm_client, other, "start-fight", total_1="9", total_2="8")
    assert state_of(late) == before
    assert late.steps.count() == log
    assert fight_in(other).state == "running"
    assert Campaign.objects.get(pk=campaign.pk).shown_id == other.pk
    pressed(gm_client, late, "next-turn")
    assert fight_in(late).round == 3
    assert Campaign.objects.get(pk=campaign.pk).shown_id == other.pk


# RW-S45: 5 ft are 1.5 m, exactly, both ways
@pytest.mark.parametrize(
    ("feet", "french"), [(5, "1,5 m"), (15, "4,5 m"), (25, "7,5 m"), (30, "9 m"), (0, "0 m")]
)
def test_feet_and_metres_go_back_and_forth_without_drift(feet: int, french: str) -> None:
    now = feet
    for _ in range(10):
        with translation.override("fr"):
            assert labels.length(now).replace("\N{NO-BREAK SPACE}", " ") == french
            now = Distance().clean(Distance().prepare_value(now)) or 0
        with translation.override("en"):
            assert labels.length(now).replace("\N{NO-BREAK SPACE}", " ") == f"{feet} ft"
            now = Distance().clean(str(now)) or 0
    assert now == feet


@pytest.mark.parametrize("typed", ["4,5", "4.5"])
def test_half_metres_are_taken_in_french(typed: str) -> None:  # RW-S45
    with translation.override("fr"):
        assert Distance().clean(typed) == 15
