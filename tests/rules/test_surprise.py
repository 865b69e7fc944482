"""Who is surprised: every row of the table of surprise, and what surrounds it.

Source: DRS, "Combattre" / "Surprise"; SRD 5.1, "Surprise".
"""

import pytest

import rules
from tests.rules.making import fight_of

READINGS = ("notices_no_threat", "misses_any_threat")


def surprised(fight: rules.Fight) -> set[str]:
    """The names of those surprised once the fight is opened."""
    opened = rules.OpenFight().run(fight).fight
    return {c.name for c in opened.combatants if c.surprised}


# The fight, who is surprised when noticing no threat, and who when missing any threat.
TABLE = {
    "nobody hides": (
        ("1 heroes Lia pp8", "3 foes Orc pp10"),
        set(),
        set(),
    ),
    "one goblin hides well, alone": (
        ("1 heroes Lia pp12", "1 foes Goblin pp9 stealth17"),
        {"Lia"},
        {"Lia"},
    ),
    "tie": (
        ("1 heroes Lia pp14", "1 foes Goblin pp9 stealth14"),
        {"Lia"},
        {"Lia"},
    ),
    "clumsy second goblin": (
        ("1 heroes Lia pp12", "1 foes Goblin pp9 stealth17", "1 foes Gob pp9 stealth9"),
        set(),
        {"Lia"},
    ),
    "an ogre walks beside the goblin": (
        ("1 heroes Lia pp12", "1 foes Goblin pp9 stealth17", "1 foes Ogre pp8"),
        set(),
        {"Lia"},
    ),
    "perceptive cleric beside a fighter": (
        ("1 heroes Cleo pp15", "1 heroes Bran pp11", "1 foes Goblin pp9 stealth13"),
        {"Bran"},
        {"Bran"},
    ),
    "both sides hide": (
        ("2 heroes Hero pp13 stealth12", "2 foes Goblin pp9 stealth15"),
        {"Hero", "Goblin"},
        {"Hero", "Goblin"},
    ),
    "an ally who does not hide": (
        ("1 guards Guard pp12", "1 guards Watchman pp20", "1 bandits Bandit pp10 stealth16"),
        {"Guard"},
        {"Guard"},
    ),
    "three sides, all hostile": (
        ("1 guards Guard pp12", "1 bandits Bandit pp10 stealth16", "1 beasts Ogre pp17"),
        set(),
        {"Guard"},
    ),
    # RW-S06: each creature against every hider, not against the best one.
    "three goblins hide, one of them badly": (
        (
            "1 heroes Aria pp16",
            "1 heroes Borin pp13",
            "1 heroes Cleo pp7",
            "1 foes Goblin pp9 stealth8",
            "1 foes Goblin pp9 stealth14",
            "1 foes Goblin pp9 stealth19",
        ),
        {"Cleo"},
        {"Aria", "Borin", "Cleo"},
    ),
}
ROWS = [
    pytest.param(row[0], reading, row[1 + index], id=f"{case}-{reading}")
    for case, row in TABLE.items()
    for index, reading in enumerate(READINGS)
]


@pytest.mark.parametrize(("joining", "reading", "expected"), ROWS)
def test_who_is_surprised(joining: tuple[str, ...], reading: str, expected: set[str]) -> None:
    assert surprised(fight_of(*joining, surprise_reading=reading)) == expected


@pytest.mark.parametrize(
    ("stealth_tie", "passive", "expected"),
    [
        ("hider", 13, {"Lia"}),
        ("hider", 14, {"Lia"}),
        ("hider", 15, set()),
        ("observer", 13, {"Lia"}),
        ("observer", 14, set()),
        ("observer", 15, set()),
    ],
)
def test_who_wins_equal_numbers_is_a_setting(
    stealth_tie: str, passive: int, expected: set[str]
) -> None:
    fight = fight_of(
        f"1 heroes Lia pp{passive}", "1 foes Goblin pp9 stealth14", stealth_tie=stealth_tie
    )
    assert surprised(fight) == expected


AMBUSH = ("1 heroes Lia pp10", "1 foes Goblin pp9 stealth14")


def test_one_that_cannot_be_surprised_is_not() -> None:
    assert surprised(fight_of("1 heroes Lia pp10 alert", AMBUSH[1])) == set()


@pytest.mark.parametrize(
    ("joining", "word", "expected"),
    [
        (AMBUSH, "not-surprised", set()),
        (AMBUSH, "auto", {"Lia"}),
        (("1 heroes Lia pp10 alert", "1 foes Goblin pp9"), "surprised", {"Lia"}),
        (("1 heroes Lia pp10",), "surprised", {"Lia"}),
    ],
)
def test_the_gms_word_beats_everything(
    joining: tuple[str, ...], word: str, expected: set[str]
) -> None:
    fight = rules.OverrideSurprise(1, word).run(fight_of(*joining)).fight
    assert surprised(fight) == expected


def test_one_without_an_enemy_is_never_surprised() -> None:
    assert surprised(fight_of("1 foes Orc pp1", "1 foes Goblin pp1 stealth30")) == set()


@pytest.mark.parametrize("absent", ["defeated", "out"])
def test_only_enemies_who_can_fight_count(absent: str) -> None:
    fight = fight_of(*AMBUSH, "1 foes Ogre pp8 hp9")
    assert surprised(fight) == set()
    command = rules.Damage(3, 9) if absent == "defeated" else rules.SetOut(3, True)
    assert surprised(command.run(fight).fight) == {"Lia"}


def test_an_unconscious_hero_notices_nobody() -> None:
    fight = fight_of("1 heroes Lia pp30 hp5", "1 foes Goblin pp9 stealth14", "1 foes Ogre pp8")
    assert surprised(fight) == set()
    assert surprised(rules.Damage(1, 5).run(fight).fight) == {"Lia"}


def test_when_nobody_hides_not_even_the_unconscious_are_surprised() -> None:
    fight = fight_of("1 heroes Lia pp30 hp5", "1 foes Ogre pp8")
    assert surprised(rules.Damage(1, 5).run(fight).fight) == set()


def test_an_ally_who_hides_does_not_surprise_the_unconscious() -> None:
    fight = fight_of("1 heroes Lia pp30 hp5", "1 heroes Bran pp9 stealth20", "1 foes Ogre pp21")
    assert surprised(rules.Damage(1, 5).run(fight).fight) == set()


# Who is no threat that can be noticed


AMBUSH_OF_HEROES = ("1 heroes Aria pp12 stealth18", "1 heroes Bran pp11 hp7", "1 foes Goblin pp9")


@pytest.mark.parametrize("reading", READINGS)
def test_a_dying_hero_in_the_open_does_not_give_the_ambush_away(reading: str) -> None:
    fight = rules.OpenFight().run(fight_of(*AMBUSH_OF_HEROES, surprise_reading=reading)).fight
    assert fight.combatant(3).surprised == (reading == "misses_any_threat")
    dying = rules.Damage(2, 7).run(fight).fight
    assert dying.combatant(3).surprised
    assert rules.watches(dying)[2].notices == (
        rules.Notice(1, False, "missed", 9, 18),
        rules.Notice(2, False, "no-threat", 9, None),
    )
    assert not rules.Heal(2, 1).run(dying).fight.combatant(3).surprised or reading == READINGS[1]


@pytest.mark.parametrize("code", ["unconscious", "petrified"])
def test_the_unconscious_are_no_threat_that_can_be_noticed(code: str) -> None:
    fight = fight_of("1 heroes Aria pp12 stealth18", f"1 heroes Bran {code}", "1 foes Goblin pp9")
    assert surprised(fight) == {"Goblin"}
    assert rules.watches(fight)[2].reason == "notices-none"


@pytest.mark.parametrize("reading", READINGS)
def test_nobody_is_surprised_by_one_who_hides_unconscious(reading: str) -> None:
    joining = ("1 heroes Aria pp12 stealth18 unconscious", "1 foes Goblin pp9")
    fight = fight_of(*joining, surprise_reading=reading)
    assert surprised(fight) == set()
    assert rules.watches(fight)[1].reason == "no-enemy"


def test_one_who_stops_hiding_gives_the_ambush_away() -> None:
    opened = rules.OpenFight().run(fight_of(*AMBUSH)).fight
    shown = rules.StopHiding((2,)).run(opened).fight
    assert not shown.combatant(1).surprised
    assert rules.Hide({2: 10}).run(shown).fight.combatant(1).surprised


def test_some_may_stop_hiding_while_others_hide_on() -> None:
    fight = fight_of(*AMBUSH, "1 foes Wolf pp13 stealth11")
    changed = rules.Hide({2: 9}, stop=(3,)).run(rules.OpenFight().run(fight).fight).fight
    assert [(c.hiding, c.stealth) for c in changed.combatants] == [
        (False, None),
        (True, 9),
        (False, None),
    ]


@pytest.mark.parametrize(
    "command", [rules.Hide({9: 12}), rules.Hide({}, stop=(9,)), rules.StopHiding((9,))]
)
def test_nobody_cannot_hide_or_stop_hiding(command: rules.Command) -> None:
    with pytest.raises(rules.RuleError, match="no-combatant"):
        command.run(fight_of(*AMBUSH))


def test_hiding_and_hidden_from_players_are_two_things() -> None:
    fight = fight_of("1 heroes Lia pp10", "1 foes Goblin pp9 hidden")
    assert surprised(fight) == set()
    hiding = rules.Hide({2: 14}).run(fight_of("1 heroes Lia pp10", "1 foes Goblin pp9")).fight
    assert not hiding.combatant(2).hidden


def test_each_member_of_a_group_is_surprised_alone() -> None:
    fight = fight_of("2 foes Orc pp10 group=orc", "1 heroes Lia pp11 stealth15")
    fight = rules.Edit(2, {"passive_perception": 16}).run(fight).fight
    opened = rules.OpenFight().run(fight).fight
    assert [s.number for s in opened.slots] == [1, 3]
    assert [c.surprised for c in opened.combatants] == [True, False, False]


# Its effect, edition 2014


def test_a_surprised_creature_reacts_only_once_its_first_turn_has_ended() -> None:
    # X 20 surprised, B 10: X's turn starts and ends empty; X may react during B's turn.
    fight = fight_of("1 heroes X dex+0 pp10", "1 foes B dex+0 pp9 stealth14")
    fight = rules.StartFight({1: 20, 2: 10}).run(fight).fight
    assert fight.current == 1
    assert fight.combatant(1).surprised
    assert not fight.combatant(1).can_react
    fight = rules.NextTurn().run(fight).fight
    assert (fight.current, fight.round) == (2, 1)
    assert not fight.combatant(1).surprised
    assert fight.combatant(1).can_react


def test_one_that_joins_a_running_fight_is_not_surprised_unless_the_gm_says_so() -> None:
    fight = fight_of("1 heroes X dex+0 pp10", "1 foes B dex+0 pp9 stealth14")
    fight = rules.StartFight({1: 20, 2: 10}).run(fight).fight
    newcomer = rules.Combatant(number=0, name="Y", side="heroes", initiative_bonus=0)
    fight = rules.Join((newcomer,), (5,)).run(fight).fight
    assert not fight.combatant(3).surprised
    fight = rules.OverrideSurprise(3, "surprised").run(fight).fight
    assert fight.combatant(3).surprised


@pytest.mark.parametrize("word", ["not-surprised", "auto"])
def test_surprise_may_be_lifted_in_a_fight_that_goes_on_by_the_rules_of_2024(word: str) -> None:
    fight = fight_of("1 heroes X dex+0 pp10", "1 foes B dex+0 pp9 stealth14")
    fight = rules.StartFight({1: 20, 2: 10}).run(fight).fight
    fight = rules.ChangeSettings({"edition": "2024"}).run(fight).fight
    assert fight.combatant(1).surprised
    lifted = rules.OverrideSurprise(1, word).run(fight).fight.combatant(1)
    assert (lifted.surprised, lifted.lost_turn) == (False, False)
    with pytest.raises(rules.RuleError, match="surprise-is-over"):
        rules.OverrideSurprise(1, "surprised").run(fight)


@pytest.mark.parametrize("stealth", [-99, 0, 999])
def test_a_stealth_result_may_be_any_number_within_reason(stealth: int) -> None:
    fight = rules.Hide({2: stealth}).run(fight_of(*AMBUSH)).fight
    assert fight.combatant(2).stealth == stealth


@pytest.mark.parametrize("stealth", [-100, 1000])
def test_a_stealth_result_out_of_reason_is_refused(stealth: int) -> None:
    with pytest.raises(rules.RuleError, match="stealth-out-of-range"):
        rules.Hide({2: stealth}).run(fight_of(*AMBUSH))


def test_an_unknown_word_about_surprise_is_refused() -> None:
    with pytest.raises(rules.RuleError, match="no-such-choice"):
        rules.OverrideSurprise(1, "perhaps").run(fight_of(*AMBUSH))
