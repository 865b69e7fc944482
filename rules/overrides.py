"""What one fight plays otherwise than its campaign.

Source: RULES of the table. A change in the middle of a fight holds from the next roll on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rules.consequences import with_consequences
from rules.fight import Fight, Outcome, RuleError, told
from rules.settings import CHOICES
from rules.surprise import BearsOnSurprise
from rules.ties import ranked_again


@dataclass(frozen=True, slots=True)
class ChangeSettings(BearsOnSurprise):
    """Settings for this fight alone; None: as the campaign plays.

    Raises `RuleError("no-such-choice")`.
    """

    changes: Mapping[str, str | bool | None]

    def change(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        for name, value in self.changes.items():
            if name not in CHOICES or value not in (None, *CHOICES[name]):
                raise RuleError("no-such-choice")
        overrides = {**fight.overrides, **self.changes}
        kept = {name: value for name, value in overrides.items() if value is not None}
        changed = {
            name: value
            for name, value in self.changes.items()
            if value != fight.overrides.get(name)
        }
        if not changed:
            return Outcome(fight)
        fight = replace(fight, overrides=kept)
        touched = [c.number for c in fight.combatants if c.has("dodging", "exhaustion")]
        fight = with_consequences(fight, touched).fight  # a speed, a maximum: not in both editions
        fight = ranked_again(fight, (slot.number for slot in fight.slots))
        return told(fight, "settings-changed", changes=changed)
