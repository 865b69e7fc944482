"""What the GM's board and the players' board make of a fight; and the words they use."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

import rules
from encounters import labels
from encounters.models import Encounter
from encounters.screens import PlayerBoard, gm_board, player_board
from encounters.screens.gm import GmBoard
from tests.encounters.playing import fight_in, fresh, take
from tests.factories import (
    CampaignFactory,
    CreatureFactory,
    EncounterFactory,
    blow,
    creature,
    fight_of,
    hero,
    running,
)

pytestmark = pytest.mark.django_db


def gms(encounter: Encounter) -> GmBoard:
    return gm_board(fresh(encounter), fight_in(encounter))


def players(fight: rules.Fight) -> PlayerBoard:
    return player_board(CampaignFactory.build(name="The mill"), fight)


def titles(fight: rules.Fight) -> list[str]:
    """Those whom players see, the one who acts first."""
    board = players(fight)
    shown = [*([board.now] if board.now else []), *board.coming, *board.later, *board.gone]
    return [slot.title for slot in shown]


def three_goblins(*, hidden: tuple[int, ...] = ()) -> rules.Fight:
    """Goblins in a slot each, numbered by the GM 1 to 3."""
    goblins = [creature(hidden=number in hidden) for number in (1, 2, 3)]
    return running(*goblins, hero("Aria"), reveal_on_turn=False)


def revealed(fight: rules.Fight, number: int) -> rules.Fight:
    return rules.SetHidden((number,), False).run(fight).fight


# What players see


def test_players_see_letters_in_the_order_in_which_creatures_appear() -> None:
    fight = three_goblins(hidden=(1, 2))
    assert titles(fight) == []  # nobody whom they see has acted
    fight = rules.NextTurn().run(rules.NextTurn().run(fight).fight).fight
    assert titles(fight) == ["Goblin", "Aria"]
    fight = revealed(fight, 2)
    assert sorted(titles(fight)) == ["Aria", "Goblin A", "Goblin B"]
    lettered = {c.number: c.letter for c in fight.combatants}
    assert (lettered[3], lettered[2], lettered[1]) == (1, 2, 0)
    assert {c.number: c.ordinal for c in fight.combatants} == {1: 1, 2: 2, 3: 3, 4: 0}


def test_a_letter_once_seen_stays_when_others_come_and_go() -> None:
    fight = three_goblins(hidden=(2,))
    assert titles(fight)[0] == "Goblin A"
    fight = revealed(rules.SetHidden((1,), True).run(fight).fight, 2)
    assert sorted(titles(fight)) == ["Aria", "Goblin B", "Goblin C"]
    assert titles(revealed(fight, 1))[0] == "Goblin A"


def test_who_arrives_is_seen_with_the_first_turn_in_sight_of_that_round() -> None:
    """Else it would tell that somebody hidden begins the round."""
    people = [creature("Wolf", hidden=True), hero("Aria"), creature("Bear", arrives=2)]
    fight = running(*people, totals=(20, 15, 10), reveal_on_turn=False)
    fight = rules.NextTurn().run(fight).fight
    assert titles(fight) == ["Aria"]
    fight = rules.NextTurn().run(fight).fight  # the wolf begins round 2
    assert (fight.round, titles(fight)) == (2, ["Aria"])
    fight = rules.NextTurn().run(fight).fight
    assert titles(fight) == ["Aria", "Bear"]


def test_in_round_1_a_lair_in_sight_comes_until_the_turn_that_is_seen_stands_behind_it() -> None:
    lair = creature("Lair", is_lair=True, hidden=False, owner=3)
    people = [hero("Aria"), lair, creature("Dragon", hidden=True, surprised=True), hero("Bran")]
    fight = running(*people, totals=(25, 20, 18, 10), reveal_on_turn=False)
    assert [slot.title for slot in players(fight).coming] == ["Lair", "Bran"]
    while fight.current != 4:
        fight = rules.NextTurn().run(fight).fight
    assert [slot.title for slot in players(fight).later] == ["Aria", "Lair"]


def test_a_label_hides_the_name_in_both_languages() -> None:
    fight = running(creature("Lich", name_fr="Liche", label="Hooded figure"), hero("Aria"))
    for language in ("en", "fr"):
        with translation.override(language):
            assert titles(fight) == ["Hooded figure", "Aria"]


def test_players_see_who_is_left_in_this_round_then_who_comes_in_the_next() -> None:
    fight = running(hero("Aria"), hero("Bran"), creature("Ogre"), creature("Wolf", hp=0))
    fight = rules.NextTurn().run(fight).fight
    board = players(fight)
    assert board.now
    assert board.now.title == "Bran"
    assert [slot.title for slot in board.coming] == ["Ogre"]
    assert [slot.title for slot in board.later] == ["Aria"]
    assert [slot.title for slot in board.gone] == ["Wolf"]
    assert (board.round, board.next_round) == (1, 2)


@pytest.mark.parametrize(
    ("hp", "word"),
    [(20, "healthy"), (19, "hurt"), (11, "hurt"), (10, "bloodied"), (1, "bloodied"), (0, "dying")],
)
def test_players_see_a_word_for_hit_points(hp: int, word: str) -> None:
    board = players(running(hero("Aria", hp=hp)))
    assert board.now
    assert [one.health for one in board.now.members] == [word]


def test_players_see_surprise_until_the_next_turn_that_they_see() -> None:
    hiders = [creature(hiding=True, stealth=20, hidden=True)]
    fight = running(hero("Aria"), *hiders, hero("Bran", cannot_be_surprised=True))
    board = players(fight)
    assert board.now
    assert [one.surprised for one in board.now.members] == [True]
    fight = rules.NextTurn().run(rules.SetHidden((2,), True).run(fight).fight).fight
    fight = rules.SetHidden((2,), True).run(fight).fight
    fight = rules.NextTurn().run(fight).fight
    assert not any(one.surprised for slot in players(fight).later for one in slot.members)


# What the GM sees


def test_the_gm_sees_the_order_with_totals_groups_and_ties() -> None:
    goblins = [creature(creature="srd-5.1/goblin", hidden=True)] * 2
    fight = running(hero("Aria"), *goblins, creature("Ogre"), totals=(20, 12, 12))
    CreatureFactory.create()
    board = gms(EncounterFactory.create(fight=fight))
    assert [(str(row.name), row.total) for row in board.rows] == [
        ("Aria", "20"),
        ("Goblin 1", "12"),
        ("Goblin 2", ""),
        ("Ogre", "12"),
    ]
    assert [row.tied for row in board.rows] == [False, True, True, True]
    assert [row.group for row in board.rows] == [1, 2, 2, 1]
    assert [row.acting for row in board.rows] == [True, False, False, False]
    assert board.foreseen
    assert board.foreseen.who == "Goblin ×2"
    [tie] = board.ties
    assert (tie.total, tie.kind, tie.slots) == (12, "gm", ((2, "Goblin ×2"), (4, "Ogre")))


def test_the_turn_panel_has_the_attacks_of_the_book() -> None:
    attack = blow(name_fr="Cimeterre")
    wolf = CreatureFactory.create(english="Wolf", french="Loup", facts={"attacks": [attack]})
    fight = running(creature("Wolf", creature=wolf.code, speed=40, notes="hungry"))
    panel = gms(EncounterFactory.create(fight=fight)).panel
    assert panel
    assert (panel.who, panel.doers[0].left.speed, panel.ac) == ("Wolf", 40, 15)
    assert panel.notes == "hungry"
    [(known, _who)] = panel.strikes
    assert (str(known), known.to_hit, known.damage) == ("Scimitar", 4, "1d6+2 slashing")
    with translation.override("fr"):
        assert (str(known), known.damage) == ("Cimeterre", "1d6+2 tranchant")


def test_the_opening_shows_who_notices_whom() -> None:
    fight = fight_of(
        hero("Aria", passive_perception=14),
        hero("Bran", passive_perception=None),
        creature("Stalker", hiding=True, stealth=17),
        creature("Ogre"),
    )
    encounter = EncounterFactory.create(fight=fight)
    take(encounter, rules.OpenFight())
    opening = gms(encounter).opening
    assert opening
    assert [column.name for column in opening.columns] == ["Stalker", ""]
    aria, bran = opening.observers
    assert [cell.reason for cell in aria.cells] == ["missed", "not-hiding"]
    assert [cell.reason for cell in bran.cells] == ["unknown", "not-hiding"]
    assert [party.hiding for party in opening.parties] == [False, True]
    assert opening.rollable


# Words


def codes_raised() -> set[str]:
    """Every code with which the rules or the table refuse something."""
    found: set[str] = set()
    for folder in ("rules", "encounters"):
        for source in Path(settings.BASE_DIR, folder).rglob("*.py"):
            found |= set(re.findall(r'RuleError\(\s*"([a-z-]+)"', source.read_text()))
    return found


# Only a program that misuses the rules meets these.
NOBODY_MEETS = {"not-editable", "history-differs", "roll-off-without-end"}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_refusal_has_a_sentence_of_its_own(language: str) -> None:
    details = {"who": [{"name": "Aria", "name_fr": "", "ordinal": 2}], "limit": 9, "name": "zzz",
               "what": "bonus", "effect": "prone", "maximum": 7, "total": 45}  # fmt: skip
    codes = codes_raised() | {f"fight-is-{state}" for state in labels.STATES}
    assert len(codes) > 25
    with translation.override(language):
        otherwise = labels.refusal(rules.RuleError("no code of ours"))
        for code in codes - NOBODY_MEETS:
            sentence = labels.refusal(rules.RuleError(code, **details))
            assert sentence != otherwise, code
            assert "%" not in sentence
            assert sentence[-1] in ".!", code


def test_a_name_is_said_in_the_readers_language_with_its_mark() -> None:
    name = labels.Name("Goblin", "Gobelin", "3")
    assert str(name) == "Goblin 3"
    with translation.override("fr"):
        assert (str(name), name.alone) == ("Gobelin 3", "Gobelin")
    with translation.override("fr-ca"):
        assert str(name) == "Gobelin 3"
