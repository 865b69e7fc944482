"""Why the surprised are so, as it was found when the fight began: kept to be read later.

Source: DRS, "Combattre" / "Surprise"; SRD 5.1 and 5.2, "Surprise".
"""

from typing import Any

from rules.ability_checks import passive
from rules.combatant import Combatant
from rules.fight import Fight, names
from rules.surprise import judged


def verdicts(fight: Fight) -> dict[str, Any]:
    """The numbers behind each surprise, and how they were read; nothing where nobody is surprised.

    As JSON: "surprised" and "hiders" name combatants as events do, those with `side`, `passive`,
    `reason` and `unconscious`, these with `stealth`; "against" has the numbers of the hiders whom
    each side has against it.
    """
    found, settings = judged(fight), fight.settings
    surprised = [c for c in fight.combatants if found.get(c.number, (False, ""))[0]]
    if not surprised:
        return {}
    threats = [c for c in fight.combatants if c.number in found and not c.unconscious]
    hiders = [c for c in threats if c.hides]
    sides = {c.side: c for c in surprised}
    against = {
        side: [h.number for h in hiders if fight.enemies(one, h)] for side, one in sides.items()
    }
    return {
        "edition": settings.edition,
        "reading": settings.surprise_reading,
        "equal": "observer" if settings.equal_is_noticed else "hider",
        "by_edition": settings.stealth_tie == "edition",
        "surprised": [_observer(c, fight, found[c.number][1]) for c in surprised],
        "hiders": [{**names([h])[0], "stealth": h.stealth} for h in hiders],
        "against": against,
    }


def _observer(c: Combatant, fight: Fight, reason: str) -> dict[str, Any]:
    facts = {"side": c.side, "passive": passive(c, fight.settings), "reason": reason}
    return {**names([c])[0], **facts, "unconscious": c.unconscious}
