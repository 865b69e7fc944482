"""What comes of a hit: each type of it is reduced, resisted and absorbed by itself.

Source: DRS, "Combattre" / "Dégâts et soins"; SRD 5.1 and 5.2, "Damage Resistance", "Absorption".
"""

from collections.abc import Iterable
from dataclasses import dataclass

from rules.combatant import Combatant
from rules.conditions import RESISTS_ALL

DEFENCES = ("auto", "plain", "resistance", "vulnerability", "immunity", "absorption")
# the GM's word on a hit
Part = tuple[int, str]  # hit points and their type, "" for none in particular


@dataclass(frozen=True, slots=True)
class Blow:
    """What a hit does to one target, in hit points."""

    taken: int
    regained: int = 0  # by absorption
    types: frozenset[str] = frozenset()  # of what is taken
    nothing: str = ""  # why nothing is taken or regained: immunity | reduction | none


def dealt(
    target: Combatant,
    parts: Iterable[Part],
    reduction: Part,
    *,
    defence: str,
    also: tuple[str, ...],
) -> Blow:
    """A hit after its reduction, of one type or ("") once for whatever comes, and the defences."""
    less, of_type = reduction
    taken = regained = 0
    types, why = set(), "none"
    for amount, kind in parts:
        kept = min(amount, less) if of_type in ("", kind) else 0
        less -= kept
        kinds = defences(target, kind, also) if defence == "auto" else {defence}
        left = _defended(amount - kept, kinds)
        if "absorption" in kinds:
            regained += amount - kept
        taken += left
        types |= {kind} if left else set()
        why = "immunity" if amount > kept and kinds & {"immunity"} else why
        why = "reduction" if amount and why == "none" else why
    return Blow(taken, regained, frozenset(types), "" if taken or regained else why)


def _defended(amount: int, kinds: set[str]) -> int:
    if kinds & {"immunity", "absorption"}:
        return 0
    amount = amount // 2 if "resistance" in kinds else amount
    return amount * 2 if "vulnerability" in kinds else amount


def defences(target: Combatant, kind: str, also: tuple[str, ...] = ()) -> set[str]:
    """What its defences do to damage of this type; stone resists all of it."""
    own = {d.kind for d in target.defences if kind and d.type == kind and d.when in ("", *also)}
    return own | {"resistance"} if target.has(*RESISTS_ALL) else own
