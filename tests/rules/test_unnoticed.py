"""Who has not noticed whom in a running fight, and what that is worth.

Source: DRS, "Se cacher", "Attaquants et cibles invisibles"; SRD 5.1 and 5.2, "Hide".
"""

from dataclasses import replace

import pytest

import rules
from tests.rules.making import falling, opened, started

LIA, BRAN, GOBLIN, OGRE = 1, 2, 3, 4
HEROES = ("1 heroes Lia pp12 ac15 hp20", "1 heroes Bran pp18 ac15 hp20")
FOES = ("1 foes Goblin pp9 ac13 hp7 stealth17 sneak+6", "1 foes Ogre pp8 hp59 ac11 sneak-1")


def ambush(**settings: str | bool) -> rules.Fight:
    """Lia misses the goblin, Bran notices it; the ogre stands in the open."""
    return started(*HEROES, *FOES, **settings).fight


def attack(by: int, at: int, die: int = 15) -> rules.Attack:
    return rules.Attack(by, "Scimitar", 4, (die,), "plain", ((1, "slashing"),), target=at)


def mode(fight: rules.Fight, by: int, at: int) -> str:
    attacker, target = fight.combatant(by), fight.combatant(at)
    return rules.attack_mode(attacker, target, fight.settings, melee=True)


def hide(fight: rules.Fight, who: int, result: int) -> rules.Outcome:
    return rules.TakeAction(who, "hide", check=result).run(fight)


def test_who_was_not_noticed_when_the_fight_began_stays_so_for_those_who_missed_it() -> None:
    fight = ambush()
    assert fight.combatant(GOBLIN).unnoticed_by == (LIA,)
    assert not any(fight.combatant(number).unnoticed_by for number in (LIA, BRAN, OGRE))


def test_one_attacks_with_advantage_whoever_has_not_noticed_it_and_nobody_else() -> None:
    fight = ambush()
    assert mode(fight, GOBLIN, LIA) == "advantage"
    assert mode(fight, GOBLIN, BRAN) == "plain"
    assert mode(fight, LIA, GOBLIN) == "disadvantage"
    assert mode(fight, BRAN, GOBLIN) == "plain"


@pytest.mark.parametrize("die", [15, 2])
def test_an_attack_reveals_the_attacker_hit_or_miss(die: int) -> None:
    outcome = attack(GOBLIN, LIA, die).run(ambush_of_the_alert())
    assert outcome.fight.combatant(GOBLIN).unnoticed_by == ()
    assert ("effect-ended", "unnoticed") in [
        (e.code, e.details.get("effect")) for e in outcome.events
    ]
    assert mode(outcome.fight, GOBLIN, LIA) == "plain"


def ambush_of_the_alert() -> rules.Fight:
    return ambush().with_combatant(GOBLIN, surprised=False)


def test_who_hides_in_a_running_fight_is_unnoticed_by_those_whom_its_result_beats() -> None:
    outcome = hide(ambush(), LIA, 9)
    assert outcome.fight.combatant(LIA).unnoticed_by == (GOBLIN, OGRE)
    assert [e.code for e in outcome.events] == ["action-taken", "tried-to-hide"]
    assert hide(ambush(), LIA, 8).fight.combatant(LIA).unnoticed_by == (OGRE,)
    assert hide(ambush(), LIA, 7).fight.combatant(LIA).unnoticed_by == ()


def test_to_hide_again_counts_instead_of_the_first_time() -> None:
    hidden = hide(ambush(), LIA, 20).fight
    again = rules.TakeAction(LIA, "hide", "none", check=5).run(hidden).fight
    assert again.combatant(LIA).unnoticed_by == ()


@pytest.mark.parametrize(("result", "missing"), [(14, ()), (15, (GOBLIN, OGRE))])
def test_in_2024_a_result_below_15_hides_nobody(result: int, missing: tuple[int, ...]) -> None:
    fight = ambush(edition="2024")
    assert hide(fight, LIA, result).fight.combatant(LIA).unnoticed_by == missing


def test_a_better_perception_finds_the_hider_for_the_one_who_searches() -> None:
    fight = hide(ambush(), LIA, 14).fight
    search = rules.TakeAction(OGRE, "search", check=14)
    assert search.run(fight).fight.combatant(LIA).unnoticed_by == (GOBLIN, OGRE)
    found = rules.TakeAction(OGRE, "search", check=15).run(fight)
    assert found.fight.combatant(LIA).unnoticed_by == (GOBLIN,)
    assert [who["number"] for who in found.events[-1].details["found"]] == [LIA]


def test_in_2024_an_equal_perception_finds() -> None:
    fight = hide(ambush(edition="2024"), LIA, 15).fight
    found = rules.TakeAction(OGRE, "search", check=15).run(fight).fight
    assert found.combatant(LIA).unnoticed_by == (GOBLIN,)


def test_the_gm_says_who_has_noticed_whom() -> None:
    fight = hide(ambush(), LIA, 14).fight
    one = rules.RemoveEffect(LIA, "unnoticed", source=OGRE).run(fight).fight
    assert one.combatant(LIA).unnoticed_by == (GOBLIN,)
    assert not rules.RemoveEffect(LIA, "unnoticed").run(fight).fight.combatant(LIA).effects
    with pytest.raises(rules.RuleError, match="effect-is-gone"):
        rules.RemoveEffect(LIA, "unnoticed", source=BRAN).run(fight)


def test_to_be_unnoticed_takes_no_room_from_other_effects() -> None:
    fight = hide(ambush(), LIA, 14).fight
    for number in range(30):
        fight = rules.AddEffect(LIA, rules.Effect("own", text=f"{number}")).run(fight).fight
    assert len(fight.combatant(LIA).effects) == 31


def test_the_checks_of_hiding_and_searching_follow_what_hinders_ability_checks() -> None:
    fight = rules.AddEffect(GOBLIN, rules.Effect("poisoned")).run(ambush()).fight
    goblin = fight.combatant(GOBLIN)
    assert rules.stealth_check(goblin, fight, falling(15, 3)) == (9, (15, 3))
    assert rules.perception_check(goblin, fight, falling(15, 3)) == (2, (15, 3))
    ogre = fight.combatant(OGRE)
    assert rules.perception_check(ogre, fight, falling(15)) == (13, (15,))
    fight = replace(fight, table=replace(fight.table, edition="2024"))
    tired = replace(ogre, effects=(rules.Effect("exhaustion", level=2),))
    assert rules.perception_check(tired, fight, falling(15)) == (9, (15,))


def newcomer(passive: int | None, arrives: int = 0) -> rules.Join:
    scout = rules.Combatant(
        0, "Scout", "foes", passive_perception=passive, hp=9, max_hp=9, arrives=arrives
    )
    return rules.Join((scout,), (10,))


@pytest.mark.parametrize("passive", [14, 9])
def test_who_joins_has_not_noticed_a_hider_whose_stealth_it_does_not_beat(passive: int) -> None:
    fight = hide(ambush(), LIA, 14).fight
    joined = newcomer(passive).run(fight).fight
    assert joined.combatant(LIA).unnoticed_by == (GOBLIN, OGRE, 5)
    assert mode(joined, LIA, 5) == "advantage"


@pytest.mark.parametrize("passive", [15, None])
def test_who_joins_with_a_better_perception_notices_the_hider(passive: int | None) -> None:
    fight = newcomer(passive).run(hide(ambush(), LIA, 14).fight).fight
    assert fight.combatant(LIA).unnoticed_by == (GOBLIN, OGRE)
    assert fight.combatant(GOBLIN).unnoticed_by == (LIA,), "its own side has noticed it"


def test_who_joins_finds_one_who_has_attacked_in_the_open() -> None:
    attacked = attack(GOBLIN, LIA).run(ambush_of_the_alert()).fight
    one = rules.Combatant(0, "Dain", "heroes", passive_perception=5)
    assert not rules.Join((one,), (10,)).run(attacked).fight.combatant(GOBLIN).unnoticed_by


def test_reinforcements_notice_when_they_arrive_and_not_before() -> None:
    history = started(*HEROES, *FOES)
    history.take(rules.TakeAction(LIA, "hide", check=14))
    history.take(newcomer(9, arrives=2))
    assert 5 not in history.fight.combatant(LIA).unnoticed_by
    while history.fight.round == 1:
        history.take(rules.NextTurn())
    assert history.fight.combatant(LIA).unnoticed_by == (GOBLIN, OGRE, 5)
    history.take(history.previous())
    assert history.fight.combatant(LIA).unnoticed_by == (GOBLIN, OGRE)
    told = rules.Edit(5, {"arrives": 1}).run(history.fight).fight
    assert 5 in told.combatant(LIA).unnoticed_by, "called in at once by the GM"


@pytest.mark.parametrize(
    "command",
    [
        rules.Damage(GOBLIN, 9),
        rules.AddEffect(GOBLIN, rules.Effect("paralyzed")),
        rules.SetHitPoints(GOBLIN, 0),
    ],
)
def test_who_lies_helpless_hides_no_more(command: rules.Command) -> None:
    fight = ambush()
    outcome = command.run(fight)
    assert not outcome.fight.combatant(GOBLIN).unnoticed_by
    ended = [e.details for e in outcome.events if e.code == "effect-ended"]
    assert [one["effect"] for one in ended] == ["unnoticed"]
    back = rules.restored(outcome.fight, rules.difference(fight, outcome.fight), after=False)
    assert back.combatant(GOBLIN).unnoticed_by == (LIA,)


def test_who_is_helpless_as_the_fight_begins_hides_from_nobody() -> None:
    fight = rules.AddEffect(GOBLIN, rules.Effect("stunned")).run(opened(*HEROES, *FOES)).fight
    begun = rules.StartFight(totals={LIA: 20, BRAN: 15, GOBLIN: 10, OGRE: 5}).run(fight).fight
    assert not begun.combatant(GOBLIN).unnoticed_by


def test_the_next_turn_and_the_way_back_leave_the_hidden_hidden() -> None:
    history = started(*HEROES, *FOES)
    history.take(rules.NextTurn())
    history.take(rules.NextTurn())
    assert history.fight.combatant(GOBLIN).unnoticed_by == (LIA,)
    again = rules.list_from_plain(
        "effects", rules.list_to_plain(history.fight.combatant(GOBLIN).effects)
    )
    assert again == history.fight.combatant(GOBLIN).effects
