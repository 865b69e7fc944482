"""Before the fight: how initiative is rolled, and why."""

import re
from random import Random

import pytest
from django.test import Client

import rules
from encounters import chance
from encounters.models import Encounter
from tests.encounters.opening import (
    Told,
    buttons,
    check_of,
    goblins,
    opened,
    page_of,
    shown,
    totals,
)
from tests.encounters.playing import fight_in, pressed, take
from tests.factories import EncounterFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db


def test_where_heroes_totals_are_typed_creatures_have_a_button_of_their_own(
    gm_client: Client,
) -> None:
    encounter = opened(hero("Aria"), hero("Bran"), creature("Ogre"))
    assert buttons(gm_client, encounter) == ["Roll for creatures", "Roll all"]
    pressed(gm_client, encounter, "roll-initiative", who="creatures", total_1=18, total_2="")
    assert totals(encounter)["Bran"] is None
    assert totals(encounter)["Aria"] == 18
    assert totals(encounter)["Ogre"]
    assert buttons(gm_client, encounter) == ["Apply totals", "Roll the rest"]
    pressed(gm_client, encounter, "roll-initiative", who="all")
    assert totals(encounter)["Bran"]
    assert buttons(gm_client, encounter) == ["Apply totals"]


def test_where_heroes_totals_are_rolled_one_button_rolls_the_rest(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Ogre"), hero_rolls="rolled")
    assert buttons(gm_client, encounter) == ["Roll the rest"]
    assert not check_of(encounter, "Aria").asked
    pressed(gm_client, encounter, "roll-initiative", who="all", total_1=18)
    assert totals(encounter)["Aria"] == 18
    assert buttons(gm_client, encounter) == ["Apply totals"]


def test_a_total_is_asked_of_heroes_and_of_those_whose_bonus_is_unknown() -> None:
    encounter = opened(hero("Aria"), creature("Ogre"), creature("Thing", initiative_bonus=None))
    assert [check.asked for check in shown(encounter).checks] == [True, False, True]


def test_mounts_and_lairs_are_not_asked_for(gm_client: Client) -> None:
    lair = creature("Lair", is_lair=True, initiative_bonus=None)
    encounter = opened(hero("Aria"), creature("Horse", side="heroes"), lair)
    pressed(gm_client, encounter, "mount", target=2, rider=1)
    assert [check.name for check in shown(encounter).checks] == ["Aria"]


@pytest.mark.parametrize(
    ("effect", "edition", "how"),
    [
        ("poisoned", "2014", "disadvantage (poisoned)"),
        ("invisible", "2024", "advantage (invisible)"),
        ("invisible", "2014", ""),
        ("stunned", "2024", "disadvantage (incapacitated)"),
    ],
)
def test_a_check_says_how_it_will_roll_and_why(
    effect: str, edition: str, how: str, gm_client: Client
) -> None:
    encounter = opened(hero("Aria"), creature("Ogre"), edition=edition)
    take(encounter, rules.AddEffect(2, rules.Effect(effect)))
    assert check_of(encounter, "Ogre").ways == ((how,) if how else ())
    assert check_of(encounter, "Aria").ways == ()


def test_advantage_and_disadvantage_cancel_and_both_are_named() -> None:
    encounter = opened(hero("Aria"), creature("Ogre"), edition="2024")
    for effect in ("invisible", "poisoned"):
        take(encounter, rules.AddEffect(2, rules.Effect(effect)))
    cancel = "advantage (invisible) and disadvantage (poisoned) cancel"
    assert check_of(encounter, "Ogre").ways == (cancel,)


def test_the_gms_word_on_a_check_is_told_as_such(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Ogre"))
    take(encounter, rules.AddEffect(2, rules.Effect("poisoned")))
    for roll, how in {
        "advantage": "advantage (set by you) and disadvantage (poisoned) cancel",
        "disadvantage": "disadvantage (poisoned, set by you)",
        "plain": "neither advantage nor disadvantage (set by you)",
        "auto": "disadvantage (poisoned)",
    }.items():
        pressed(gm_client, encounter, "set-roll", target=2, what="initiative_roll", roll=roll)
        assert check_of(encounter, "Ogre").ways == (how,)
        assert check_of(encounter, "Ogre").roll == roll


def test_the_gms_word_holds_for_a_whole_group_in_one_step(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), *goblins(3))
    check = check_of(encounter, "Goblin ×3")
    assert (check.all, check.roll) == ("2,3,4", "auto")
    sent = {"target": check.all, "what": "initiative_roll", "roll": "advantage"}
    pressed(gm_client, encounter, "set-roll", **sent)
    check = check_of(encounter, "Goblin ×3")
    assert (check.roll, check.ways) == ("advantage", ("advantage (set by you)",))
    pressed(gm_client, encounter, "undo")
    assert check_of(encounter, "Goblin ×3").roll == "auto"
    pressed(gm_client, encounter, "set-roll", **{**sent, "target": 2})
    check = check_of(encounter, "Goblin ×3")
    assert (check.roll, check.ways) == ("", ("Goblin 1: advantage (set by you)",))


def test_a_partly_surprised_group_says_who_rolls_how(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), *goblins(3), edition="2024")
    pressed(gm_client, encounter, "override-surprise", target="2,4", surprise="surprised")
    how = "Goblin 1 and Goblin 3: disadvantage (surprised)"
    assert check_of(encounter, "Goblin ×3").ways == (how,)


def test_both_dice_of_disadvantage_are_shown_and_which_one_counts(
    gm_client: Client, dice: Told
) -> None:
    encounter = opened(hero("Aria"), creature("Ogre"))
    take(encounter, rules.AddEffect(2, rules.Effect("poisoned")))
    dice.values = [15, 6]
    pressed(gm_client, encounter, "roll-initiative", who="creatures")
    check = check_of(encounter, "Ogre")
    assert (check.die, check.dropped, check.total) == (6, 15, 8)
    assert "d20 6 not counted: 15 disadvantage (poisoned)" in page_of(gm_client, encounter)


def test_a_check_that_would_roll_otherwise_now_says_so(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Ogre"))
    pressed(gm_client, encounter, "roll-initiative", who="creatures", total_1=18)
    assert "Rolled under other conditions" not in page_of(gm_client, encounter)
    for number in (1, 2):
        take(encounter, rules.AddEffect(number, rules.Effect("poisoned")))
    assert check_of(encounter, "Ogre").outdated
    assert not check_of(encounter, "Aria").outdated  # her player has rolled
    assert "Rolled under other conditions" in page_of(gm_client, encounter)
    pressed(gm_client, encounter, "roll-initiative", who="creatures", total_2="")
    pressed(gm_client, encounter, "roll-initiative", who="creatures")
    assert not check_of(encounter, "Ogre").outdated


def test_creatures_take_their_score_in_2024_where_the_table_plays_so(gm_client: Client) -> None:
    choices = {"edition": "2024", "monster_initiative": "score"}
    encounter = opened(hero("Aria"), creature("Ogre"), **choices)
    assert (check_of(encounter, "Ogre").scored, check_of(encounter, "Aria").scored) == (True, False)
    pressed(gm_client, encounter, "roll-initiative", who="creatures")
    assert totals(encounter)["Ogre"] == 12
    assert "Ogre +2 · score" in page_of(gm_client, encounter)
    assert not check_of(encounter, "Ogre").outdated
    take(encounter, rules.AddEffect(2, rules.Effect("poisoned")))
    assert check_of(encounter, "Ogre").outdated


def test_where_sides_roll_there_is_a_line_and_a_die_for_each(gm_client: Client, dice: Told) -> None:
    lair = creature("Lair", side="third", is_lair=True, initiative_bonus=None)
    encounter = opened(hero("Aria", initiative_bonus=None), creature("Ogre"), lair,
                       side_initiative=True)  # fmt: skip
    assert [(one.side, one.dice) for one in shown(encounter).side_checks] == [
        ("heroes", ()), ("foes", ()),
    ]  # fmt: skip
    assert buttons(gm_client, encounter) == ["Roll for the sides"]
    assert 'name="total_' not in gm_client.get(f"/e/{encounter.uuid}/").content.decode()
    dice.values = [12, 12, 4, 17]
    pressed(gm_client, encounter, "roll-initiative")
    assert "Heroes d20 12 → 4" in page_of(gm_client, encounter)
    assert "Foes d20 12 → 17" in page_of(gm_client, encounter)
    assert buttons(gm_client, encounter) == ["Reroll for the sides"]


def test_the_tie_rule_is_named_and_what_it_leaves_open_shows_its_kind(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Ogre"), creature("Wolf"), tie_rule="heroes_first")
    assert "heroes before creatures" not in page_of(gm_client, encounter)
    pressed(gm_client, encounter, "roll-initiative", total_1=15, total_2=15, total_3=15)
    said = page_of(gm_client, encounter)
    assert "Ties: heroes before creatures, else ask" in said
    assert "Tie at 15 between creatures: you decide" in said


def test_a_table_that_is_asked_needs_no_name_of_its_rule(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Ogre"))
    pressed(gm_client, encounter, "roll-initiative", total_1=15, total_2=15)
    said = page_of(gm_client, encounter)
    assert "Tie at 15 between heroes and creatures: you decide, or a roll-off" in said
    assert "Ties: ask" not in said


# The order on the page


def rows_of(client: Client, encounter: Encounter) -> list[tuple[str, str]]:
    """Name and total of each place, from top to bottom as the page has them."""
    page = client.get(f"/e/{encounter.uuid}/").content.decode()
    found = re.findall(r'<li id="c\d+".*?(?=<li id="c\d+"|</ol>)', page, re.DOTALL)
    names = [(re.search(r'class="name"[^>]*>([^<]+)<', row), row) for row in found]
    totals = [re.search(r'class="total[^>]*>([^<]*)<', row) for row in found]
    return [
        (name[1], total[1])
        for (name, _), total in zip(names, totals, strict=True)
        if name and total and total[1]
    ]


@pytest.mark.parametrize("seed", range(3))
def test_the_order_on_the_page_is_sorted_with_a_lair_among_it(seed: int, gm_client: Client) -> None:
    chance.use(Random(seed))
    heroes = [hero(name) for name in ("Aria", "Bran", "Cleo", "Dain")]
    encounter = EncounterFactory.create(fight=fight_of(*heroes, *goblins(2)))
    pressed(gm_client, encounter, "add-lair")
    pressed(gm_client, encounter, "open-fight")
    pressed(gm_client, encounter, "roll-initiative", who="creatures", total_1=20, total_3=7)
    pressed(gm_client, encounter, "roll-initiative", who="all")
    placed = [(int(total), name == "Lair") for name, total in rows_of(gm_client, encounter)]
    assert len(placed) == 6
    assert placed == sorted(placed, key=lambda place: (-place[0], place[1]))
    pressed(gm_client, encounter, "start-fight")
    turns = []
    for _ in placed:
        fight = fight_in(encounter)
        turns.append(fight.slot(fight.current or 0).total)
        pressed(gm_client, encounter, "next-turn")
    assert turns == [total for total, _ in placed]


def test_a_place_elsewhere_than_its_total_says_that_it_was_moved(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), hero("Bran"), creature("Ogre"))
    pressed(gm_client, encounter, "roll-initiative", total_1=20, total_2=15, total_3=10)
    pressed(gm_client, encounter, "reorder", target=3, before=1)
    assert " moved by hand " in page_of(gm_client, encounter)
    pressed(gm_client, encounter, "set-total", target=3, total=21)
    assert "moved by hand" not in page_of(gm_client, encounter)


def test_rolling_for_all_uses_dexterity_and_names_those_it_leaves_out(gm_client: Client) -> None:
    unknown = {"initiative_bonus": None, "dexterity": None}
    aria = hero("Aria", initiative_bonus=None, dexterity=16)
    encounter = opened(aria, hero("Bran", **unknown), creature("Ogre"))
    left_out = "Not rolled, initiative bonus unknown: Bran. Type the total."
    page = page_of(gm_client, encounter)
    assert "+3 from Dexterity" in page
    assert left_out in page
    pressed(gm_client, encounter, "roll-initiative", who="all")
    totals = {
        c.name: fight_in(encounter).slot(c.number).total for c in fight_in(encounter).combatants
    }
    assert [name for name, total in totals.items() if total is None] == ["Bran"]
    assert left_out in page_of(gm_client, encounter)
    pressed(gm_client, encounter, "roll-initiative", total_2=12)
    assert "Not rolled" not in page_of(gm_client, encounter)
