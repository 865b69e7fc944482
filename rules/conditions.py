"""What each condition does, as a table to be held against the book.

What the table leaves out is for the eye of the GM (who sees, who hears, who is charmed by whom)
and stands in the condition's own sentence. Source: DRS, "Gérer la santé" / "États"; SRD 5.1 and
5.2, "Conditions", "Turn Undead", "Dodge".
"""

from dataclasses import dataclass

EDITIONS = ("2014", "2024")


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition, in one edition or in both."""

    name: str
    edition: str = ""  # "" in both
    incapacitates: bool = False  # no action, bonus action or reaction
    stuck: bool = False  # its speed is 0
    attacks: str = ""  # how it attacks: "" | well | badly
    attacked: str = ""  # how it is attacked, from wherever: "" | well | badly
    helpless: bool = False  # any hit from within 5 feet is critical
    fails: bool = False  # its saves of strength and dexterity
    unaware: bool = False  # notices nobody
    resists: bool = False  # all damage
    immune: tuple[str, ...] = ()  # to these conditions
    brings: tuple[str, ...] = ()  # conditions that come with it and end with it


TABLE = (
    Condition("blinded", attacks="badly", attacked="well"),
    Condition("charmed"),
    Condition("deafened"),
    Condition("exhaustion"),  # by levels: `consequences`, `saves`
    Condition("frightened", attacks="badly"),
    Condition("grappled", stuck=True),  # 2024: attacks others than its grappler badly
    Condition("incapacitated", incapacitates=True),
    Condition("invisible", attacks="well", attacked="badly"),
    Condition(
        "paralyzed", incapacitates=True, stuck=True, attacked="well", helpless=True, fails=True
    ),
    Condition(
        "petrified", incapacitates=True, stuck=True, attacked="well", fails=True, unaware=True,
        resists=True, immune=("poisoned",),
    ),
    Condition("poisoned", attacks="badly"),
    Condition("prone", attacks="badly"),  # attacked well from within 5 feet, badly from afar
    Condition("restrained", stuck=True, attacks="badly", attacked="well"),
    Condition("stunned", "2014", incapacitates=True, stuck=True, attacked="well", fails=True),
    Condition("stunned", "2024", incapacitates=True, attacked="well", fails=True),
    Condition(
        "unconscious", incapacitates=True, stuck=True, attacked="well", helpless=True, fails=True,
        unaware=True,
    ),  # and prone, which stays
    Condition("dodging", attacked="badly"),
    Condition("turned", "2014"),  # no reaction, and few actions: `economy`
    Condition("turned", "2024", brings=("frightened", "incapacitated")),
)  # fmt: skip


def _found(column: str, value: object = True) -> dict[str, frozenset[str]]:
    """Per edition, the conditions with this value in a column."""
    return {
        edition: frozenset(
            c.name for c in TABLE if c.edition in ("", edition) and getattr(c, column) == value
        )
        for edition in EDITIONS
    }


INCAPACITATING = _found("incapacitates")["2014"]  # the same in both editions
UNAWARE = _found("unaware")["2014"]
STUCK = _found("stuck")
ATTACKS_BADLY, ATTACKS_WELL = _found("attacks", "badly"), _found("attacks", "well")
ATTACKED_WELL, ATTACKED_BADLY = _found("attacked", "well"), _found("attacked", "badly")
HELPLESS = _found("helpless")["2014"]
FAILS = _found("fails")
RESISTS_ALL = _found("resists")["2014"]
IMMUNE_TO = {c.name: c.immune for c in TABLE if c.immune}
BRINGS = {(c.name, edition): c.brings for c in TABLE for edition in EDITIONS
          if c.brings and c.edition in ("", edition)}  # fmt: skip
ACTIONS_OF_THE_TURNED = ("dash", "dodge")  # 2014, and escaping what holds it
