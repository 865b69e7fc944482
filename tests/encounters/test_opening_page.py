"""Before the fight: who hides, one by one; how initiative is rolled, and why; who joins later."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.test import Client

import rules
from encounters import chance
from encounters.models import Encounter
from encounters.screens.opening import Check, Opening, opening
from tests.encounters.playing import fight_in, press, press_plainly, take, text_of
from tests.factories import CreatureFactory, EncounterFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db


class Told(Random):
    """Dice that fall as told."""

    def __init__(self, *values: int) -> None:
        super().__init__()
        self.values = list(values)

    def randint(self, a: int, b: int) -> int:
        return self.values.pop(0)


@pytest.fixture
def dice() -> Iterator[Told]:
    told = Told()
    before = chance.use(told)
    yield told
    chance.use(before)


def opened(*fighters: rules.Combatant, **settings: Any) -> Encounter:
    """A fight at the question of who hides; the settings are its own."""
    encounter: Encounter = EncounterFactory.create(fight=fight_of(*fighters))
    if settings:
        take(encounter, rules.ChangeSettings(settings))
    take(encounter, rules.OpenFight())
    return encounter


def goblins(count: int, **facts: Any) -> list[rules.Combatant]:
    """Identical ones, of whom nobody is told apart by their numbers."""
    return [creature("Goblin", creature="srd-5.1/goblin", **facts) for _ in range(count)]


def shown(encounter: Encounter) -> Opening:
    return opening(fight_in(encounter))


def check_of(encounter: Encounter, name: str) -> Check:
    return next(check for check in shown(encounter).checks if check.name == name)


def page_of(client: Client, encounter: Encounter) -> str:
    return text_of(client.get(f"/e/{encounter.uuid}/"))


def buttons(client: Client, encounter: Encounter) -> list[str]:
    """What the buttons above the totals say."""
    page = client.get(f"/e/{encounter.uuid}/").content.decode()
    place = re.search(r'<div class="rolls">(.*?)</div>', page, re.DOTALL)
    assert place
    return re.findall(r">([^<>]+)</button>", place[1])


def totals(encounter: Encounter) -> dict[str, int | None]:
    fight = fight_in(encounter)
    return {fight.members(s.number)[0].name: s.total for s in fight.slots}


# Who hides


def test_stealth_is_rolled_again_for_one_alone(gm_client: Client, dice: Told) -> None:
    encounter = opened(hero("Aria"), *goblins(2))
    dice.values = [10, 11, 3]
    press(gm_client, encounter, "hide-side", side="foes")
    press(gm_client, encounter, "hide-side", side="foes", only=3)
    assert [c.stealth for c in fight_in(encounter).combatants] == [None, 16, 9]


def test_one_who_has_left_rolls_no_stealth(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), *goblins(2))
    answer = press(gm_client, encounter, "hide-side", side="foes", only=9)
    assert answer.status_code == 422
    assert "This combatant has left the fight." in text_of(answer)


def test_stealth_with_disadvantage_takes_the_lower_die(gm_client: Client, dice: Told) -> None:
    encounter = opened(hero("Aria"), *goblins(1))
    sent = {"target": 2, "what": "stealth_roll", "roll": "disadvantage"}
    assert press(gm_client, encounter, "set-roll", **sent).status_code == 200
    dice.values = [15, 4]
    press(gm_client, encounter, "hide-side", side="foes", only=2)
    assert fight_in(encounter).combatant(2).stealth == 10
    assert shown(encounter).parties[1].fighters[0].stealth_roll == "disadvantage"


def test_passive_perception_is_shown_with_what_advantage_makes_of_it(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Stalker"))
    sent = {"target": 1, "what": "perception_roll", "roll": "advantage"}
    press(gm_client, encounter, "set-roll", **sent)
    press(gm_client, encounter, "hide", stealth_2=16)
    assert shown(encounter).parties[0].fighters[0].passive == 17
    [aria] = shown(encounter).observers
    assert (aria.passive, aria.roll) == (17, "advantage")
    assert "Aria 17 advantage" in page_of(gm_client, encounter)
    assert "noticed 17 > 16" in page_of(gm_client, encounter)


def test_a_result_below_15_hides_nobody_in_2024_and_says_so(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Stalker"), creature("Ogre"), edition="2024")
    press(gm_client, encounter, "hide", stealth_2=14, stealth_3=15)
    said = page_of(gm_client, encounter)
    assert "noticed 14 < 15" in said
    assert "missed 12 < 15" in said
    assert "disadvantage, and nothing more" in said


def test_what_2024_makes_of_surprise_is_not_said_in_2014(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Stalker"))
    press(gm_client, encounter, "hide", stealth_2=14)
    said = page_of(gm_client, encounter)
    assert "missed 12 < 14" in said
    assert "nothing more" not in said


def test_the_unconscious_miss_everybody_and_it_says_why(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Stalker"))
    take(encounter, rules.AddEffect(1, "unconscious"))
    press(gm_client, encounter, "hide", stealth_2=5)
    assert "missed unconscious" in page_of(gm_client, encounter)


def test_a_lair_neither_hides_nor_watches() -> None:
    lair = creature("Lair", is_lair=True, initiative_bonus=None)
    encounter = opened(hero("Aria"), creature("Ogre"), lair)
    assert [[c.name.en for c in p.fighters] for p in shown(encounter).parties] == [
        ["Aria"],
        ["Ogre"],
    ]


def test_a_changed_campaign_is_seen_in_who_is_surprised_at_once() -> None:
    encounter = opened(hero("Aria"), creature("Stalker", hiding=True, stealth=18), creature("Ogre"))
    assert shown(encounter).surprised == ()
    encounter.campaign.surprise_reading = "misses_any_threat"
    encounter.campaign.save()
    assert [name.en for name in shown(encounter).surprised] == ["Aria"]


# Initiative


def test_where_heroes_totals_are_typed_creatures_have_a_button_of_their_own(
    gm_client: Client,
) -> None:
    encounter = opened(hero("Aria"), hero("Bran"), creature("Ogre"))
    assert buttons(gm_client, encounter) == ["Roll for creatures", "Roll all"]
    press(gm_client, encounter, "roll-initiative", who="creatures", total_1=18, total_2="")
    assert totals(encounter)["Bran"] is None
    assert totals(encounter)["Aria"] == 18
    assert totals(encounter)["Ogre"]
    assert buttons(gm_client, encounter) == ["Apply totals", "Roll the rest"]
    press(gm_client, encounter, "roll-initiative", who="all")
    assert totals(encounter)["Bran"]
    assert buttons(gm_client, encounter) == ["Apply totals"]


def test_where_heroes_totals_are_rolled_one_button_rolls_the_rest(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Ogre"), hero_rolls="rolled")
    assert buttons(gm_client, encounter) == ["Roll the rest"]
    assert not check_of(encounter, "Aria").asked
    press(gm_client, encounter, "roll-initiative", who="all", total_1=18)
    assert totals(encounter)["Aria"] == 18
    assert buttons(gm_client, encounter) == ["Apply totals"]


def test_a_total_is_asked_of_heroes_and_of_those_whose_bonus_is_unknown() -> None:
    encounter = opened(hero("Aria"), creature("Ogre"), creature("Thing", initiative_bonus=None))
    assert [check.asked for check in shown(encounter).checks] == [True, False, True]


def test_mounts_and_lairs_are_not_asked_for(gm_client: Client) -> None:
    lair = creature("Lair", is_lair=True, initiative_bonus=None)
    encounter = opened(hero("Aria"), creature("Horse", side="heroes"), lair)
    press(gm_client, encounter, "mount", target=2, rider=1)
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
    take(encounter, rules.AddEffect(2, effect))
    assert check_of(encounter, "Ogre").ways == ((how,) if how else ())
    assert check_of(encounter, "Aria").ways == ()


def test_advantage_and_disadvantage_cancel_and_both_are_named() -> None:
    encounter = opened(hero("Aria"), creature("Ogre"), edition="2024")
    for effect in ("invisible", "poisoned"):
        take(encounter, rules.AddEffect(2, effect))
    cancel = "advantage (invisible) and disadvantage (poisoned) cancel"
    assert check_of(encounter, "Ogre").ways == (cancel,)


def test_the_gms_word_on_a_check_is_told_as_such(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Ogre"))
    take(encounter, rules.AddEffect(2, "poisoned"))
    for roll, how in {
        "advantage": "advantage (your decision)",
        "disadvantage": "disadvantage (your decision)",
        "plain": "neither advantage nor disadvantage (your decision)",
        "auto": "disadvantage (poisoned)",
    }.items():
        press(gm_client, encounter, "set-roll", target=2, what="initiative_roll", roll=roll)
        assert check_of(encounter, "Ogre").ways == (how,)
        assert check_of(encounter, "Ogre").roll == roll


def test_the_gms_word_holds_for_a_whole_group_in_one_step(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), *goblins(3))
    check = check_of(encounter, "Goblin ×3")
    assert (check.all, check.roll) == ("2,3,4", "auto")
    sent = {"target": check.all, "what": "initiative_roll", "roll": "advantage"}
    press(gm_client, encounter, "set-roll", **sent)
    check = check_of(encounter, "Goblin ×3")
    assert (check.roll, check.ways) == ("advantage", ("advantage (your decision)",))
    press(gm_client, encounter, "undo")
    assert check_of(encounter, "Goblin ×3").roll == "auto"
    press(gm_client, encounter, "set-roll", **{**sent, "target": 2})
    check = check_of(encounter, "Goblin ×3")
    assert (check.roll, check.ways) == ("", ("Goblin 1: advantage (your decision)",))


def test_a_partly_surprised_group_says_who_rolls_how(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), *goblins(3), edition="2024")
    press(gm_client, encounter, "override-surprise", target="2,4", surprise="surprised")
    how = "Goblin 1 and Goblin 3: disadvantage (surprised)"
    assert check_of(encounter, "Goblin ×3").ways == (how,)


def test_both_dice_of_disadvantage_are_shown_and_which_one_counts(
    gm_client: Client, dice: Told
) -> None:
    encounter = opened(hero("Aria"), creature("Ogre"))
    take(encounter, rules.AddEffect(2, "poisoned"))
    dice.values = [15, 6]
    press(gm_client, encounter, "roll-initiative", who="creatures")
    check = check_of(encounter, "Ogre")
    assert (check.die, check.dropped, check.total) == (6, 15, 8)
    assert "d20 6 not counted: 15 disadvantage (poisoned)" in page_of(gm_client, encounter)


def test_a_check_that_would_roll_otherwise_now_says_so(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Ogre"))
    press(gm_client, encounter, "roll-initiative", who="creatures", total_1=18)
    assert "Rolled before that" not in page_of(gm_client, encounter)
    for number in (1, 2):
        take(encounter, rules.AddEffect(number, "poisoned"))
    assert check_of(encounter, "Ogre").outdated
    assert not check_of(encounter, "Aria").outdated  # her player has rolled
    assert "Rolled before that" in page_of(gm_client, encounter)
    press(gm_client, encounter, "roll-initiative", who="creatures", total_2="")
    press(gm_client, encounter, "roll-initiative", who="creatures")
    assert not check_of(encounter, "Ogre").outdated


def test_creatures_take_their_score_in_2024_where_the_table_plays_so(gm_client: Client) -> None:
    choices = {"edition": "2024", "monster_initiative": "score"}
    encounter = opened(hero("Aria"), creature("Ogre"), **choices)
    assert (check_of(encounter, "Ogre").scored, check_of(encounter, "Aria").scored) == (True, False)
    press(gm_client, encounter, "roll-initiative", who="creatures")
    assert totals(encounter)["Ogre"] == 12
    assert "Ogre +2 · score" in page_of(gm_client, encounter)
    assert not check_of(encounter, "Ogre").outdated
    take(encounter, rules.AddEffect(2, "poisoned"))
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
    press(gm_client, encounter, "roll-initiative")
    assert "Heroes d20 12 → 4" in page_of(gm_client, encounter)
    assert "Foes d20 12 → 17" in page_of(gm_client, encounter)
    assert buttons(gm_client, encounter) == ["Roll again for the sides"]


def test_the_tie_rule_is_named_and_what_it_leaves_open_shows_its_kind(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Ogre"), creature("Wolf"), tie_rule="heroes_first")
    assert "heroes before creatures" not in page_of(gm_client, encounter)
    press(gm_client, encounter, "roll-initiative", total_1=15, total_2=15, total_3=15)
    said = page_of(gm_client, encounter)
    assert "Ties: heroes before creatures, else ask" in said
    assert "Tie at 15 creatures only: you decide" in said


def test_a_table_that_is_asked_needs_no_name_of_its_rule(gm_client: Client) -> None:
    encounter = opened(hero("Aria"), creature("Ogre"))
    press(gm_client, encounter, "roll-initiative", total_1=15, total_2=15)
    said = page_of(gm_client, encounter)
    assert "Tie at 15 heroes and creatures: you decide, or a roll-off" in said
    assert "Ties: ask" not in said


# Who is added


@pytest.mark.parametrize("begin", [lambda e: None, lambda e: take(e, rules.OpenFight())])
def test_somebody_is_added_who_arrives_later(begin: Any, gm_client: Client) -> None:
    CreatureFactory.create()
    encounter = EncounterFactory.create(fight=fight_of(hero("Aria")))
    begin(encounter)
    page = gm_client.get(f"/e/{encounter.uuid}/").content.decode()
    assert re.search(r'<input[^>]*name="arrives"[^>]*form="add"', page)
    press(gm_client, encounter, "join", text="goblin", arrives="3")
    assert (fight_in(encounter).combatant(2).arrives, fight_in(encounter).combatant(2).awaited) == (
        3, True,
    )  # fmt: skip


def test_a_round_that_is_none_is_refused_and_all_stays_typed(gm_client: Client) -> None:
    encounter = EncounterFactory.create(fight=fight_of(hero("Aria")))
    sent = {"text": "goblin", "side": "allies", "arrives": "soon", "at": "add"}
    answer = press_plainly(gm_client, encounter, "join", **sent)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert re.search(r'name="arrives"[^>]*value="soon"', page)
    assert '<option value="allies" selected>Allies' in page


def test_a_lair_is_added_by_its_own_button_and_enter_adds_by_name(gm_client: Client) -> None:
    encounter = EncounterFactory.create(fight=fight_of(hero("Aria")))
    page = gm_client.get(f"/e/{encounter.uuid}/").content.decode()
    form = re.search(r'<form id="add".*?</form>', page, re.DOTALL)
    assert form
    assert form[0].count("<button") == 1
    assert f'action="/e/{encounter.uuid}/add-lair/"' in page
    press(gm_client, encounter, "add-lair")
    assert fight_in(encounter).combatant(2).is_lair
