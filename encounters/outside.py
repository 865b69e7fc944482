"""What a step makes outside its fight: heroes of the campaign, creatures of the GM's own.

A way back takes them back, and a redo brings them back.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db.models import Model
from django.utils import timezone

from bestiary.models import Creature
from encounters.models import Combatant, Encounter, Hero

Outside = dict[str, dict[str, Any]]
# "made" and "taken": rows by kind; "changed" and "kept": numbers of heroes, by `heroes`


@dataclass(slots=True)
class Made:
    """Rows that a step makes, by their primary keys."""

    heroes: list[int] = field(default_factory=list)
    creatures: list[int] = field(default_factory=list)

    def stored(self) -> Outside:
        """What the step keeps of it; nothing where nothing was made."""
        rows = {kind: keys for kind, keys in asdict(self).items() if keys}
        return {"made": rows} if rows else {}


KINDS: dict[str, type[Model]] = {"heroes": Hero, "creatures": Creature}


def taken_back(done: Iterable[Outside], encounter: Encounter) -> Outside:
    """Undo what these steps have done outside, the last first, and return what that does itself.

    What the GM has thrown away or brought back since stays so, and so does a hero who has joined
    another fight.
    """
    there: dict[tuple[str, int], bool] = {}
    for one in done:
        for word, is_there in (("made", False), ("taken", True)):
            for kind, keys in one.get(word, {}).items():
                there |= {(kind, key): is_there for key in keys}
    changed: Outside = {}
    for (kind, key), is_there in there.items():
        if not is_there and kind == "heroes" and _fights_elsewhere(key, encounter):
            continue
        rows = KINDS[kind]._default_manager.filter(pk=key, deleted__isnull=not is_there)
        if rows.update(deleted=None if is_there else timezone.now()):
            changed.setdefault("made" if is_there else "taken", {}).setdefault(kind, []).append(key)
    return changed


def _fights_elsewhere(hero: int, encounter: Encounter) -> bool:
    others = Combatant.objects.filter(hero=hero).exclude(encounter=encounter)
    return others.filter(encounter__deleted=None).exists()
