"""The notice matrix: each pair's reason, each observer's, and what it asks for. Source: DRS."""

from dataclasses import replace

import pytest

import rules
from tests.rules.making import fight_of

AMBUSH = ("1 heroes Lia pp10", "1 foes Goblin pp9 stealth14")


def test_each_pair_comes_with_its_reason() -> None:
    fight = fight_of(
        "1 heroes Lia pp14",
        "1 heroes Bran",
        "1 foes Goblin pp9 stealth11",
        "1 foes Wolf pp13 stealth17",
        "1 foes Ogre pp8",
    )
    rows = {watch.observer: watch for watch in rules.watches(fight)}
    assert rows[1].notices == (
        rules.Notice(3, True, "noticed", 14, 11),
        rules.Notice(4, False, "missed", 14, 17),
        rules.Notice(5, True, "not-hiding"),
    )
    assert [notice.reason for notice in rows[2].notices] == ["unknown", "unknown", "not-hiding"]
    assert [notice.enemy for notice in rows[5].notices] == [1, 2]


@pytest.mark.parametrize(
    ("joining", "reason"),
    [
        (("1 heroes Lia pp10",), "no-enemy"),
        (("1 heroes Lia pp10", "1 foes Ogre pp9"), "nobody-hides"),
        (("1 heroes Lia pp10 alert", "1 foes Ogre pp9 stealth20"), "cannot"),
        (("1 heroes Lia", "1 foes Ogre pp9 stealth20"), "unknown"),
        (("1 heroes Lia pp10", "1 foes Ogre pp9 stealth20"), "notices-none"),
        (("1 heroes Lia pp10", "1 foes Ogre pp9 stealth20", "1 foes Orc pp9"), "notices-some"),
        (("1 heroes Lia pp21", "1 foes Ogre pp9 stealth20"), "notices-all"),
    ],
)
def test_each_observer_comes_with_its_reason(joining: tuple[str, ...], reason: str) -> None:
    assert rules.watches(fight_of(*joining))[0].reason == reason


def test_the_strict_reading_says_what_was_missed() -> None:
    fight = fight_of(*AMBUSH, "1 foes Ogre pp8", surprise_reading="misses_any_threat")
    assert rules.watches(fight)[0].reason == "misses-some"


# Without the numbers


def test_the_fight_does_not_begin_while_surprise_cannot_be_found() -> None:
    fight = fight_of("1 heroes Lia dex+0", "1 foes Goblin dex+0 pp9 stealth14")
    with pytest.raises(rules.RuleError) as refusal:
        rules.StartFight({1: 10, 2: 10}).run(fight)
    assert refusal.value.code == "passive-perception-unknown"
    assert [who["name"] for who in refusal.value.details["who"]] == ["Lia"]
    told = rules.OverrideSurprise(1, "not-surprised").run(fight).fight
    assert rules.StartFight({1: 10, 2: 10}).run(told).fight.state == "running"


def test_an_unknown_perception_is_not_asked_for_when_an_enemy_is_in_the_open() -> None:
    joining = ("1 heroes Lia dex+0", "1 foes Goblin dex+0 pp9 stealth14", "1 foes Ogre dex+0 pp8")
    dice = {1: 10, 2: 10, 3: 10}
    assert rules.StartFight(dice).run(fight_of(*joining)).fight.state == "running"
    with pytest.raises(rules.RuleError, match="passive-perception-unknown"):
        rules.StartFight(dice).run(fight_of(*joining, surprise_reading="misses_any_threat"))


def test_one_hiding_without_a_result_does_not_hide() -> None:
    fight = fight_of(*AMBUSH)
    goblin = replace(fight.combatant(2), stealth=None)
    assert rules.notices(fight.combatant(1), goblin, fight.settings).reason == "not-hiding"
