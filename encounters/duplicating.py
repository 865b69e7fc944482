"""A second encounter with the people of another, as they were before it was opened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from encounters import heroes, history, steps
from encounters.models import Encounter
from encounters.store import load_fight
from encounters.summary import opening

NAME_LIMIT = 80  # characters


@dataclass(frozen=True, slots=True)
class Restage:
    """Put the people of another fight into an empty one, with the numbers they have there.

    So mounts keep their riders, lairs their owners, and players their letters.
    """

    combatants: tuple[rules.Combatant, ...]
    last_number: int
    ordinals_given: Mapping[str, int]
    letters_given: Mapping[str, int]
    allied: Sequence[Sequence[str]]
    overrides: Mapping[str, Any]

    def run(self, fight: rules.Fight) -> rules.Outcome:
        fight.require("preparing")
        staged = replace(
            fight,
            combatants=self.combatants,
            last_number=self.last_number,
            ordinals_given=self.ordinals_given,
            letters_given=self.letters_given,
            allied=self.allied,
            overrides=self.overrides,
        )
        who = rules.names(self.combatants)
        return rules.Outcome(staged, (rules.Event("joined", {"who": who}),) if who else ())


@transaction.atomic
def duplicate(encounter: Encounter) -> Encounter:
    """A new encounter of the same campaign, with these people in preparation."""
    start = at_the_start(encounter)
    start = heroes.shown(start, heroes.rows_of(encounter, start))
    copy = Encounter.objects.create(campaign=encounter.campaign, name=_name_of_copy(encounter.name))
    restage = Restage(
        start.combatants,
        start.last_number,
        start.ordinals_given,
        start.letters_given,
        start.allied,
        start.overrides,
    )
    steps.take_step(copy.uuid, uuid4(), "join", lambda _fight: restage)
    return copy


def at_the_start(encounter: Encounter) -> rules.Fight:
    """The fight as it stood before it was opened; as it stands, when it never was."""
    records = history.records(encounter)
    opened = opening(records, history.standing(records, encounter.undo_step))
    later = history.steps_from(encounter, opened) if opened else []
    return history.taken_back(load_fight(encounter), later)


def _name_of_copy(name: str) -> str:
    """ "The mill (copy)"; a long name is cut, so that it still says that it is one."""
    room = NAME_LIMIT - len(_("%(name)s (copy)") % {"name": ""})
    return _("%(name)s (copy)") % {"name": name[:room].rstrip()}
