"""The only way a fight changes: one transaction from the lock to the commit, then the news.

Undo and redo put back the stored values of a step; they are steps themselves, so that history
is one line and nothing in it is deleted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

import rules
from encounters import felling, heroes, history, outside, publishing, statements, timing
from encounters.models import Encounter, Step
from encounters.store import keep, load_fight, save_fight, stored_fight
from rules.plain import FIGHT_FIELDS

WAYS_BACK = ("undo", "redo", "go-back", "previous-turn")
STORED = (
    *FIGHT_FIELDS, "slots", "version", "undo_step", "redo_step", "used", "turn_began", "seen_began",
)  # fmt: skip

# The lock of an encounter is not one of the key: rows that refer to it can be written meanwhile, by
# who holds the campaign that a step waits for. The campaign is locked, too: two fights, or a fight
# and the settings, must not publish over each other.
LOCKED = statements.Query(
    lambda: Encounter.out_of_bin().select_for_update(no_key=True).filter(uuid=UUID(int=0)),
    beside="campaign",
)

Build = Callable[[rules.Fight], rules.Command]  # dice are rolled here, once the fight is known


class Stale(Exception):
    """The page was made before the fight's latest steps, which this command must have seen."""


class KeyTaken(Exception):
    """Under this key something else has arrived before: `step`."""

    def __init__(self, step: Step) -> None:
        super().__init__(step)
        self.step = step


@dataclass(frozen=True, slots=True)
class Taken:
    """A fight after a step."""

    encounter: Encounter
    fight: rules.Fight
    repeated: bool = False  # the same key had been taken already, and nothing was done again
    hidden_again: tuple[rules.Combatant, ...] = ()  # whom players saw until this went back
    kept: tuple[rules.Combatant, ...] = ()  # heroes whom the campaign has changed since


def take_step(
    uuid: UUID,
    key: UUID,
    name: str,
    build: Build,
    *,
    asked: str = "",
    seen: int | None = None,
    made: outside.Made | None = None,
) -> Taken:
    """Change a fight by the command that `build` makes.

    `name` is the command's own in kebab-case; `made` is where `build` notes what it makes outside
    the fight, so that it can be undone. The same `key` twice has one effect; `asked` is a digest of
    what was sent with it, "" where nobody has sent it. `seen` is the version on the reader's
    screen, for a command that depends on the order. Raises `Encounter.DoesNotExist` (of one in the
    bin, too), `Stale`, `KeyTaken` or `rules.RuleError`, and then nothing has changed.
    """

    def change(encounter: Encounter, fight: rules.Fight) -> Changed:
        command = build(fight)
        outcome = command.run(fight)
        events = [{"code": event.code, **event.details} for event in outcome.events]
        step = Step(
            command=name,
            arguments=_arguments(command),
            events=events,
            outside=made.stored() if made else {},
            undo_next=encounter.undo_step,
        )
        encounter.undo_step, encounter.redo_step = encounter.version + 1, None
        return outcome.fight, step, outcome.counts

    return _step(uuid, key, asked, seen, change)


def previous_turn(uuid: UUID, key: UUID, seen: int, asked: str = "") -> Taken:
    """Take back what the step that began the current turn changed."""

    def build(fight: rules.Fight) -> rules.Command:
        changes: list[dict[str, Any]] = []
        version = fight.turn_step
        present = {slot.number for slot in fight.slots}
        while version is not None:
            step = Step.objects.get(encounter__uuid=uuid, version=version)
            changes.append(step.changes)
            facts = step.changes.get("fight", {})
            current = facts["current"][0] if "current" in facts else fight.current
            if current is None or current in present:
                break
            version = facts["turn_step"][0]
        return rules.PreviousTurn(tuple(changes))

    return take_step(uuid, key, "previous-turn", build, asked=asked, seen=seen)


def undo_step(uuid: UUID, key: UUID, seen: int, asked: str = "") -> Taken:
    """Take back the last step that stands. Raises as `take_step`; "nothing-to-undo"."""

    def change(encounter: Encounter, fight: rules.Fight) -> Changed:
        undone = _stored(encounter, encounter.undo_step, "nothing-to-undo")
        past, beside = _taken_back(encounter, fight, [undone])
        step = Step(
            command="undo",
            of=undone.of or undone.version,
            events=undone.events,
            outside=beside,
            undo_next=undone.undo_next,
            redo_next=encounter.redo_step,
        )
        encounter.undo_step, encounter.redo_step = undone.undo_next, encounter.version + 1
        return past, step, True

    return _step(uuid, key, asked, seen, change)


def redo_step(uuid: UUID, key: UUID, seen: int, asked: str = "") -> Taken:
    """Do again what was undone last. Raises as `take_step`; "nothing-to-redo"."""

    def change(encounter: Encounter, fight: rules.Fight) -> Changed:
        undo = _stored(encounter, encounter.redo_step, "nothing-to-redo")
        past, beside = _taken_back(encounter, fight, [undo])
        step = Step(
            command="redo",
            of=undo.of,
            events=undo.events,
            outside=beside,
            undo_next=encounter.undo_step,
        )
        encounter.undo_step, encounter.redo_step = encounter.version + 1, undo.redo_next
        return past, step, True

    return _step(uuid, key, asked, seen, change)


def stay_up(
    uuid: UUID, key: UUID, seen: int, targets: tuple[int, ...], instead: str, *, asked: str = ""
) -> Taken:
    """The hit that was the last step, but for these, whom it has felled, not falling.

    Told is only what comes of that: the hit itself has been. Raises as `take_step`;
    "has-not-fallen" where the last step has felled none of them, "no-combatant".
    """

    def change(encounter: Encounter, fight: rules.Fight) -> Changed:
        for number in targets:
            fight.combatant(number)
        hit = _stored(encounter, encounter.undo_step, "has-not-fallen")
        command = felling.hit_again(hit, targets, instead)
        if command is None or hit.version != encounter.version:
            raise rules.RuleError("has-not-fallen")
        outcome = command.run(rules.restored(fight, hit.changes, after=False))
        step = Step(
            command="stay-up",
            arguments={"targets": targets, "instead": instead},
            events=felling.what_it_changes(hit, outcome.events),
            undo_next=encounter.undo_step,
        )
        encounter.undo_step, encounter.redo_step = encounter.version + 1, None
        return outcome.fight, step, True

    return _step(uuid, key, asked, seen, change)


def go_back(uuid: UUID, key: UUID, seen: int, version: int, asked: str = "") -> Taken:
    """Put the whole fight into the state it had at this version, as one step.

    Raises as `take_step`; "no-such-choice", "nothing-to-go-back" when nothing differs.
    """

    def change(encounter: Encounter, fight: rules.Fight) -> Changed:
        if not 1 <= version <= encounter.version:
            raise rules.RuleError("no-such-choice")
        *later, there = history.steps_from(encounter, version)
        past, beside = _taken_back(encounter, fight, later)
        if not rules.difference(fight, past):
            raise rules.RuleError("nothing-to-go-back")
        event = {"code": "went-back", "to": version, "round": past.round}
        step = Step(
            command="go-back",
            arguments={"version": version},
            events=[{**event, "after": history.name_of_state(there)}],
            outside=beside,
            undo_next=encounter.undo_step,
        )
        encounter.undo_step, encounter.redo_step = encounter.version + 1, None
        return past, step, True

    return _step(uuid, key, asked, seen, change)


def _taken_back(
    encounter: Encounter, fight: rules.Fight, later: Sequence[Step]
) -> tuple[rules.Fight, outside.Outside]:
    """The fight before these steps, the last first; and what that does outside it, undone there."""
    kept: set[int] = set()
    left: dict[int, rules.Combatant] = {}
    for step in later:
        then, some = heroes.restored(fight, step.changes, encounter)
        left |= heroes.leaving(fight, then)
        kept |= some
        fight = then
    done = [step.outside for step in later]
    numbers, others = heroes.taken_back(done, left)
    return fight, outside.taken_back(done, encounter) | numbers | heroes.noted(kept | others)


def _stored(encounter: Encounter, version: int | None, otherwise: str) -> Step:
    if version is None:
        raise rules.RuleError(otherwise)
    return Step.objects.get(encounter=encounter, version=version)


def _arguments(command: rules.Command) -> dict[str, Any]:
    return {} if isinstance(command, rules.PreviousTurn) else asdict(command)  # type: ignore[call-overload]


Changed = tuple[rules.Fight, Step, bool]  # and whether it is a step even where nothing differs
Change = Callable[[Encounter, rules.Fight], Changed]


def _step(uuid: UUID, key: UUID, asked: str, seen: int | None, change: Change) -> Taken:
    """A step, or what a step with the same key has led to: that is looked up on failure alone."""
    try:
        with transaction.atomic():
            return _changed(_locked(uuid), Step(key=key, asked=asked), seen, change)
    except (Stale, rules.RuleError, IntegrityError):
        with transaction.atomic():
            encounter = _locked(uuid)
            before = Step.pressed.filter(encounter=encounter, key=key).first()
            if before is None:
                raise
            if asked and before.asked not in ("", asked):
                raise KeyTaken(before) from None
            return Taken(encounter, load_fight(encounter), repeated=True)


def _locked(uuid: UUID) -> Encounter:
    """Raises `Encounter.DoesNotExist`."""
    stored = Encounter._meta.get_field("uuid").get_db_prep_value(uuid, connection)
    encounter = LOCKED.first(stored)
    if encounter is None:
        raise Encounter.DoesNotExist
    return encounter


def _changed(encounter: Encounter, press: Step, seen: int | None, change: Change) -> Taken:
    written = stored_fight(encounter)
    rows = heroes.rows_of(encounter, written)
    before = heroes.shown(written, rows)
    if seen is not None and seen != encounter.version:
        raise Stale
    stored = {name: getattr(encounter, name) for name in STORED}
    after, step, counts = change(encounter, before)
    if "changed" in step.outside:
        rows = {}  # they are read anew
    rows = rows or heroes.rows_of(encounter, after)
    after, numbers = heroes.told(before, after, rows, back=step.command in WAYS_BACK)
    step.outside |= numbers
    changes = rules.difference(before, after)
    if not changes and not counts:
        encounter.refresh_from_db(fields=["undo_step", "redo_step"])
        press.encounter, press.command = encounter, step.command
        press.save(force_insert=True)
        return Taken(encounter, before)
    step.encounter, step.key, step.asked = encounter, press.key, press.asked
    step.version, step.changes = encounter.version + 1, changes
    with statements.sent_together():
        after = _write(encounter, stored, step, written, after)
    transaction.on_commit(partial(keep, encounter, after))
    transaction.on_commit(partial(publishing.announce, encounter))
    again = _hidden_again(before, after) if step.command in WAYS_BACK else ()
    others = step.outside.get("kept", {}).get("heroes", ())
    kept = {c.hero: c for c in (*before.combatants, *after.combatants) if c.hero in others}
    return Taken(encounter, after, hidden_again=again, kept=tuple(kept.values()))


def _hidden_again(before: rules.Fight, after: rules.Fight) -> tuple[rules.Combatant, ...]:
    seen = {c.number for c in before.combatants if not c.unseen}
    return tuple(c for c in after.combatants if c.unseen and c.number in seen)


def _goes_on_alone(encounter: Encounter) -> bool:
    """Whether players are shown another fight, which is over: they follow what is played on."""
    if encounter.campaign.shown_id == encounter.pk:
        return False
    shown = encounter.campaign.shown
    return shown is None or shown.state != "running" or shown.deleted is not None


def _write(
    encounter: Encounter,
    stored: Mapping[str, object],
    step: Step,
    before: rules.Fight,
    after: rules.Fight,
) -> rules.Fight:
    """Store a step and what it leads to, and return that: the fight at its new version."""
    statements.insert(step)  # refused where this key or version is there already
    save_fight(encounter, before, after)
    timing.note_turns(encounter, before, after)
    encounter.version += 1
    encounter.used = timezone.now()
    if after.state == "running" and (before.state != "running" or _goes_on_alone(encounter)):
        encounter.campaign.shown = encounter
        statements.update(encounter.campaign, {"shown": encounter.pk})
    new = {name: value for name in STORED if (value := getattr(encounter, name)) != stored[name]}
    statements.update(encounter, new)
    after = replace(after, version=encounter.version)
    publishing.publish(encounter.campaign, encounter, after)
    return after
