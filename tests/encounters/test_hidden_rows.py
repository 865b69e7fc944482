"""What somebody hidden does to the order and to the timer moves nothing that players see."""

from collections.abc import Callable

import pytest

import rules
from encounters import steps
from encounters.models import Encounter
from tests.encounters.chronicle import go_back
from tests.encounters.playing import back, fight_in, fresh, take, undo
from tests.factories import CampaignFactory, EncounterFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db

Way = Callable[[Encounter], steps.Taken]


def table(*people: rules.Combatant, totals: tuple[int, ...], **settings: object) -> Encounter:
    """A running fight in which the people have these totals, and a timer runs."""
    campaign = CampaignFactory.create(reveal_on_turn=False, turn_seconds=60, **settings)
    fight = fight_of(*people, reveal_on_turn=False)
    encounter: Encounter = EncounterFactory.create(campaign=campaign, fight=fight)
    opened = take(encounter, rules.OpenFight()).fight
    slots = sorted(slot.number for slot in opened.slots)
    given = {n: total for n, total in zip(slots, totals, strict=True) if total}
    take(encounter, rules.RollInitiative(totals=given))
    return encounter


def published(encounter: Encounter) -> tuple[int, object, object]:
    row = fresh(encounter)
    return row.campaign.public_rev, row.campaign.public_board, row.seen_began


def in_sight(encounter: Encounter) -> list[tuple[str, int | None]]:
    fight = fight_in(encounter)
    shown = [(fight.members(slot.number)[0], slot.total) for slot in fight.slots]
    return [(who.name, total) for who, total in shown if not who.hidden]


@pytest.mark.parametrize("rule", ["ask", "dexterity", "heroes_first"])
def test_a_hidden_total_joins_a_settled_tie_and_moves_nobody_in_sight(rule: str) -> None:
    party = hero("Zed"), hero("Aria", dexterity=18), creature("Goblin", dexterity=14), hero("Bran")
    wolf = creature("Wolf", hidden=True, dexterity=12)
    encounter = table(*party, wolf, totals=(30, 23, 19, 10, 0), tie_rule=rule)
    take(encounter, rules.Reorder(2, before=4))  # Aria is dragged behind the goblin
    order = in_sight(encounter)
    assert [name for name, _ in order] == ["Zed", "Goblin", "Aria", "Bran"]
    for total in (19, 23, 20, 10):
        take(encounter, rules.RollInitiative(totals={5: total}))
        assert in_sight(encounter) == order


def test_a_hidden_one_dragged_to_the_end_moves_no_corrected_total() -> None:
    people = (hero("Zed"), hero("Aria"), hero("Bran"), creature("Ogre", hidden=True))
    orders = []
    for dragged in (False, True):
        encounter = table(*people, totals=(30, 25, 21, 23))
        if dragged:
            take(encounter, rules.Reorder(4, before=None))
        take(encounter, rules.RollInitiative(totals={2: 22}))
        orders.append(in_sight(encounter))
    assert orders[0] == orders[1] == [("Zed", 30), ("Aria", 22), ("Bran", 21)]


def before_it(encounter: Encounter) -> steps.Taken:
    return go_back(encounter, fresh(encounter).version - 1)


@pytest.mark.parametrize("way", [undo, back, before_it])
def test_no_way_back_over_a_hidden_turn_that_began_a_round_starts_the_timer_anew(way: Way) -> None:
    people = (creature("Wolf", hidden=True), hero("Aria"), hero("Bran"))
    encounter = table(*people, totals=(30, 20, 10))
    take(encounter, rules.StartFight())
    for _ in range(2):
        take(encounter, rules.NextTurn())
    seen = published(encounter)
    take(encounter, rules.NextTurn())
    assert (fight_in(encounter).round, fight_in(encounter).current) == (2, 1)
    assert published(encounter) == seen
    way(encounter)
    assert (fight_in(encounter).round, fight_in(encounter).current) == (1, 3)
    assert published(encounter) == seen
