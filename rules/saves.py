"""Saving throws: what is added to the d20, and how it is rolled, as conditions leave it.

Source: DRS, "États", "Combattre" / "Actions en combat"; SRD 5.1 and 5.2, "Conditions", "Dodge".
"""

from rules.combatant import Combatant
from rules.conditions import FAILS
from rules.consequences import EXHAUSTED_AT, exhaustion_penalty
from rules.settings import Settings


def save_roll(who: Combatant, ability: str, settings: Settings) -> tuple[int | None, str]:
    """What it adds to a save of this ability, and plain | advantage | disadvantage | fails.

    The ability "death" stands for a death save, which has no bonus and heeds exhaustion alone.
    The bonus is None where nobody knows it. A save that "fails" does so without a die.
    """
    bonus = 0 if ability == "death" else who.saves.get(ability)
    total = None if bonus is None else bonus - exhaustion_penalty(who, settings)
    if ability in ("str", "dex") and (who.down or who.has(*FAILS[settings.edition])):
        return total, "fails"
    dodges = ability == "dex" and who.has("dodging")
    hindered = ability == "dex" and who.has("restrained")
    exhausted = settings.edition == "2014" and who.level("exhaustion") >= EXHAUSTED_AT
    if dodges == (hindered or exhausted):
        return total, "plain"
    return total, "advantage" if dodges else "disadvantage"
