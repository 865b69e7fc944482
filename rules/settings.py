"""How a table plays: the choices that the rules leave to it, and those of one fight.

Source: RULES of the table; each choice is named where it takes effect.
"""

from dataclasses import dataclass

HIDDEN_FROM = 15  # edition 2024: a Stealth result below this does not hide (SRD 5.2, "Hide")


@dataclass(frozen=True, slots=True)
class Settings:
    """How this table plays; RULES.md names each choice."""

    edition: str = "2014"  # 2014 | 2024
    stealth_tie: str = "edition"
    # edition | hider | observer: who wins equal Stealth and passive Perception
    surprise_reading: str = "notices_no_threat"  # or misses_any_threat
    group_stealth: str = "each"  # each | one_die: what identical creatures roll
    group_initiative: bool = True  # identical creatures roll one die and act together
    tie_rule: str = "ask"  # ask | dexterity | heroes_first | roll_off
    monster_initiative: str = "rolled"  # rolled | score: 10 + modifier, in edition 2024
    hero_rolls: str = "typed"  # typed | rolled
    reroll_each_round: bool = False
    side_initiative: bool = False  # one plain die for each side
    reveal_on_turn: bool = True  # players see a hidden creature from its first turn on

    @property
    def equal_is_noticed(self) -> bool:
        """Whether a passive Perception equal to a Stealth result notices the hider."""
        by_edition = "observer" if self.edition == "2024" else "hider"
        return (by_edition if self.stealth_tie == "edition" else self.stealth_tie) == "observer"

    @property
    def scores(self) -> bool:
        """Whether creatures take their initiative score instead of a die."""
        return self.edition == "2024" and self.monster_initiative == "score"


CHOICES: dict[str, tuple[str | bool, ...]] = {
    "edition": ("2014", "2024"),
    "stealth_tie": ("edition", "hider", "observer"),
    "surprise_reading": ("notices_no_threat", "misses_any_threat"),
    "group_stealth": ("each", "one_die"),
    "group_initiative": (True, False),
    "tie_rule": ("ask", "dexterity", "heroes_first", "roll_off"),
    "monster_initiative": ("rolled", "score"),
    "hero_rolls": ("typed", "rolled"),
    "reroll_each_round": (False, True),
    "side_initiative": (False, True),
    "reveal_on_turn": (True, False),
}
