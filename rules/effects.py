"""Conditions, concentration and the GM's own words on a combatant, and taking them away.

Source: DRS, "Gérer la santé" / "États"; SRD 5.1 and 5.2, "Conditions".
"""

from dataclasses import dataclass, replace

from rules.combatant import UNNOTICED, Combatant, Effect
from rules.conditions import BRINGS, IMMUNE_TO
from rules.consequences import (
    concentration_ended,
    lifted,
    over,
    speed_of,
    with_consequences,
    without,
    wording,
)
from rules.damage import AMOUNT_LIMIT
from rules.dice import greatest
from rules.fight import Event, Fight, Outcome, RuleError, names, told
from rules.surprise import BearsOnSurprise
from rules.unnoticed import found

CONDITIONS = (
    "blinded", "charmed", "deafened", "exhaustion", "frightened", "grappled", "incapacitated",
    "invisible", "paralyzed", "petrified", "poisoned", "prone", "restrained", "stunned",
    "unconscious",
)  # fmt: skip
REMINDERS = ("dodging", "disengaged", "helping", "readied")  # what actions leave behind
PUT_ON = (*CONDITIONS, "turned", "concentration", "own")
ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
DAMAGE_TYPES = (
    "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison",
    "psychic", "radiant", "slashing", "thunder",
)  # fmt: skip
COLOURS = ("", "blue", "green", "violet", "brown")  # of own words
EXHAUSTION_LIMIT = 6
TEXT_LIMIT = 80  # characters of own words
EFFECTS_LIMIT = 30  # on one combatant
DURATION_LIMIT = 9_999  # turns or rounds

__all__ = ["AddEffect", "RemoveEffect", "speed_of", "without"]


@dataclass(frozen=True, slots=True)
class AddEffect(BearsOnSurprise):
    """Put an effect on a combatant, in place of the same one from the same source.

    A duration in `rounds` is over at the start of a turn of those who act now, that many rounds
    later; a turn that is on never counts. One that hangs on a concentration begins it, if its
    source has none. Unconscious includes prone.

    Raises `RuleError`: "no-such-effect", "level-out-of-range", "duration-out-of-range",
    "dc-out-of-range", "no-such-choice", "name-too-long", "words-missing", "is-immune",
    "no-combatant", "too-many-effects", "amount-out-of-range" for the hit points of a turn, and
    those of dice.
    """

    target: int
    effect: Effect
    rounds: int = 0  # instead of turns
    anyway: bool = False  # though it is immune

    def change(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        who = fight.combatant(self.target)
        _check(self.effect, fight, self.rounds)
        code = self.effect.code
        if not self.anyway and immune(who, code):
            raise RuleError("is-immune", who=names([who]), effect=code)
        effect = _timed(self.effect, fight, self.target, self.rounds)
        before = self._concentrating(fight, effect)
        put = _put_on(before.fight, self.target, effect, anyway=self.anyway)
        source = [] if effect.source in (None, self.target) else [effect.source]
        _check_room(fight, put, [self.target, *source])
        after = with_consequences(put, [self.target, *source])
        details = _told(effect, fight, self.target, self.rounds)
        event = Event("effect-added", {"who": names([who]), **details})
        died = [Event("died", {"who": names([who])})] if put.combatant(self.target).dead else []
        told = [] if who.dead else died
        return Outcome(after.fight, (*before.events, event, *told, *after.events))

    def _concentrating(self, fight: Fight, effect: Effect) -> Outcome:
        """An earlier concentration has ended; or the one it hangs on has begun, to end with it."""
        source = self.effect.source
        if self.effect.code == "concentration":
            return concentration_ended(fight, self.target)
        if not self.effect.hangs or source is None or fight.combatant(source).has("concentration"):
            return Outcome(fight)
        held = Effect(
            "concentration",
            text=effect.text,
            ends=effect.ends,
            turns=effect.turns,
            until_round=effect.until_round,
            whose=effect.whose if effect.whose or not effect.ends else self.target,
            skips=effect.skips,
            secret=effect.secret,
        )
        caster = fight.combatant(source)
        event = Event("effect-added", {"who": names([caster]), **_told(held, fight, source)})
        return Outcome(fight.with_combatant(source, effects=(*caster.effects, held)), (event,))


def _told(effect: Effect, fight: Fight, bearer: int, rounds: int = 0) -> dict[str, object]:
    """An effect for the event that tells of it: how long it lasts, and whose doing it is."""
    details: dict[str, object] = {"effect": effect.code, "level": effect.level}
    if rounds:
        details["rounds"] = rounds
    elif effect.ends:
        details |= {"ends": effect.ends, "turns": max(1, effect.turns)}
        if effect.whose not in (None, bearer):
            details["whose"] = names([fight.combatant(effect.whose)])
    if effect.source not in (None, bearer):
        details["source"] = names([fight.combatant(effect.source)])
    return details | wording(effect)


def immune(who: Combatant, code: str) -> bool:
    """Whether a condition cannot be put on it, under no further condition."""
    if any(code in IMMUNE_TO.get(effect.code, ()) for effect in who.effects):
        return True
    return any(d.kind == "immunity" and d.type == code and not d.when for d in who.defences)


def _check(effect: Effect, fight: Fight, rounds: int) -> None:
    if effect.code not in PUT_ON:
        raise RuleError("no-such-effect")
    leveled = effect.code == "exhaustion"
    if not (1 <= effect.level <= EXHAUSTION_LIMIT if leveled else effect.level == 0):
        raise RuleError("level-out-of-range", limit=EXHAUSTION_LIMIT)
    if effect.code == "own" and not effect.text.strip():
        raise RuleError("words-missing")
    if len(effect.text) > TEXT_LIMIT:
        raise RuleError("name-too-long", limit=TEXT_LIMIT)
    _check_end(effect, rounds)
    if effect.each and not 0 <= greatest(effect.each) <= AMOUNT_LIMIT:
        raise RuleError("amount-out-of-range", limit=AMOUNT_LIMIT)
    for number in (effect.source, effect.whose):
        if number is not None:
            fight.combatant(number)
    if effect.hangs and effect.source is None:
        raise RuleError("no-such-choice")


def _check_room(before: Fight, after: Fight, numbers: list[int]) -> None:
    for number in numbers:
        room = max(EFFECTS_LIMIT, _counted(before.combatant(number)))
        if _counted(after.combatant(number)) > room:
            raise RuleError("too-many-effects", limit=EFFECTS_LIMIT)


def _counted(who: Combatant) -> int:
    return sum(effect.code != UNNOTICED for effect in who.effects)


def _check_end(effect: Effect, rounds: int) -> None:
    if not (0 <= effect.turns <= DURATION_LIMIT and 0 <= rounds <= DURATION_LIMIT):
        raise RuleError("duration-out-of-range", limit=DURATION_LIMIT)
    if effect.save and not 1 <= effect.dc <= 99:
        raise RuleError("dc-out-of-range")
    known = (
        effect.ends in ("", "start", "end")
        and effect.save in ("", *ABILITIES)
        and effect.save_at in ("start", "end")
        and effect.each_at in ("start", "end")
        and effect.each_type in ("", *DAMAGE_TYPES)
        and effect.colour in COLOURS
    )
    if not known:
        raise RuleError("no-such-choice")


def _timed(effect: Effect, fight: Fight, bearer: int, rounds: int) -> Effect:
    """The effect with the turn that ends it: one that is on does not count."""
    acting = [c.number for c in fight.members(fight.current)]
    if rounds:
        whose = effect.whose if effect.whose in acting else next(iter(acting), bearer)
        until = max(fight.round, 1) + rounds
        return replace(effect, ends="start", turns=0, whose=whose, until_round=until)
    own = bearer if effect.whose is None else effect.whose
    return replace(effect, skips=effect.ends == "end" and own in acting)


def _put_on(fight: Fight, number: int, effect: Effect, *, anyway: bool) -> Fight:
    was = fight.combatant(number)
    added = [effect, *_brought(effect, was, fight.settings.edition, anyway=anyway)]
    alike = tuple(e for e in was.effects if any(_replaced(e, new) for new in added))
    fight = lifted(fight, number, alike).with_combatant(number, stable=was.stable)
    who = fight.combatant(number)
    if effect.code == "unconscious" and not who.has("prone"):
        added.append(Effect("prone", secret=effect.secret))
    fight = fight.with_combatant(number, effects=(*who.effects, *added))
    if effect.level < EXHAUSTION_LIMIT:
        return fight
    return fight.with_combatant(number, hp=None if who.hp is None else 0, dead=True)


def _brought(effect: Effect, who: Combatant, edition: str, *, anyway: bool) -> list[Effect]:
    """The conditions that come with one, for as long; not those to which its bearer is immune."""
    codes = BRINGS.get((effect.code, edition), ())
    alone = replace(effect, text="", save="", dc=0, each="", each_type="", heals=False)
    return [replace(alone, code=code) for code in codes if anyway or not immune(who, code)]


def _replaced(old: Effect, new: Effect) -> bool:
    """Exhaustion has one level, whoever it is from; concentration has one spell."""
    if new.code in ("exhaustion", "concentration"):
        return old.code == new.code
    return old.key == new.key


@dataclass(frozen=True, slots=True)
class RemoveEffect(BearsOnSurprise):
    """Take an effect from a combatant: from all its sources, or, if it is told, from this one.

    The end of a concentration, or of a spell held ready, ends what hangs on it. Raises
    `RuleError("effect-is-gone")`.
    """

    target: int
    code: str
    text: str | None = None  # only the one with these words
    source: int | None = None  # only the one from this combatant

    def change(self, fight: Fight) -> Outcome:
        fight.require("preparing", "rolling", "running")
        who = fight.combatant(self.target)
        if self.code == UNNOTICED and self.source in who.unnoticed_by:
            return self._noticed(fight, who)
        ended = tuple(e for e in who.effects if self._meant(e))
        if not ended:
            raise RuleError("effect-is-gone")
        return over(fight, self.target, ended, by_hand=True)

    def _noticed(self, fight: Fight, who: Combatant) -> Outcome:
        """One of those who had not noticed it has done so now."""
        by = names(c for c in fight.combatants if c.number == self.source)
        facts = {"who": names([who]), "effect": UNNOTICED, "source": by}
        return told(found(fight, self.target, self.source), "effect-ended", **facts)

    def _meant(self, effect: Effect) -> bool:
        return (
            effect.code == self.code
            and self.text in (None, effect.text)
            and self.source in (None, effect.source)
        )
