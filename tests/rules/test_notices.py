"""The notice matrix: each pair's reason, each observer's, and what it asks for. Source: DRS."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules import surprise
from tests.rules.drawn import combatants, fight_settings
from tests.rules.making import fight_of, opened, started

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


@settings(deadline=None)
@given(chosen=fight_settings(), party=st.lists(combatants(), min_size=1, max_size=7))
def test_what_is_counted_for_all_at_once_is_what_the_matrix_shows(
    chosen: rules.Settings, party: list[rules.Combatant]
) -> None:
    fight = rules.Join(tuple(party)).run(rules.Fight(table=chosen)).fight
    for watch in rules.watches(fight):
        threats = [n for n in watch.notices if n.reason != "no-threat"]
        known = [n for n in threats if n.reason != "unknown"]
        expected = {
            "no-enemy": not threats,
            "unknown": len(known) < len(threats),
            "notices-none": bool(threats) and not any(n.noticed for n in known),
            "notices-all": all(n.noticed for n in threats),
            "notices-some": any(n.noticed for n in known),
            "misses-some": not all(n.noticed for n in known),
        }
        assert expected.get(watch.reason, True), watch
        if watch.surprised:
            assert watch.reason in ("notices-none", "misses-some")


def test_surprise_that_hangs_on_many_at_once_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    fight = opened("1 heroes Lia pp10 hp9", "9 foes Orc pp9 hp9 stealth14", "1 foes Ogre pp9 hp9")
    assert not fight.combatant(1).surprised
    found: list[int] = []
    find = surprise.find_surprised

    def counted(fight: rules.Fight) -> rules.Fight:
        found.append(1)
        return find(fight)

    monkeypatch.setattr(surprise, "find_surprised", counted)
    out = tuple(rules.SetOut(number, True) for number in (5, 11))
    damage = tuple(rules.Damage(number, 9) for number in (3, 4))
    after = rules.Together((*out, *damage)).run(fight).fight
    assert after.combatant(1).surprised
    assert found == [1]


def test_a_command_that_asks_who_is_surprised_finds_what_those_before_it_have_made() -> None:
    fight = opened("1 heroes Lia pp10 hp9", "1 foes Orc pp9 stealth14", "1 foes Ogre pp9 hp9")
    both = rules.Together((rules.SetOut(3, True), rules.GiveExtraTurn(1)))
    with pytest.raises(rules.RuleError, match="surprised-has-none"):
        both.run(fight)


def test_several_commands_count_as_a_step_only_if_one_of_them_does() -> None:
    fight = started("1 foes Rat hp9").fight
    still = rules.SetReaction(1, True)
    nothing = rules.Damage(1, 0)
    assert not rules.Together((still, still)).run(fight).counts
    assert rules.Together((still, nothing)).run(fight).counts
