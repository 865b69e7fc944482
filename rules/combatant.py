"""Who fights, what is on them, and the slots they act in, as plain values.

Source: DRS, chapter "Combattre"; SRD 5.1 and 5.2, "Combat" and "Conditions".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.conditions import INCAPACITATING, UNAWARE

WALK = "walk"
WAYS = (WALK, "fly", "swim", "climb", "burrow")  # of moving
UNNOTICED = "unnoticed"  # the code of that effect


@dataclass(frozen=True, slots=True)
class Effect:
    """A condition, a reminder or the GM's own words on one combatant, and when it ends."""

    code: str
    # a condition of the SRD, turned | concentration | own, or what an action leaves:
    # dodging | disengaged | helping | readied; unnoticed, while somebody has not noticed it;
    # regeneration, which a creature has from the book
    level: int = 0  # of exhaustion: 1 … 6
    text: str = ""  # own words, what is held ready, or the spell concentrated on
    ends: str = ""  # by itself at the "start" or the "end" of a turn of `whose`; "" never
    turns: int = 0  # how many of those turns are still to come; 0 counts as 1
    until_round: int = 0  # ends at that turn of this round instead; 0 when turns are counted
    whose: int | None = None  # the combatant whose turns count; None for its bearer
    skips: bool = False  # put on during the turn that is on, which does not count
    counted: int = 0  # the round in which the order came by without that turn, which counted
    source: int | None = None  # the combatant whose doing it is
    hangs: bool = False  # ends with the concentration of its source
    save: str = ""  # ability of the save that ends it: str | dex | con | int | wis | cha
    dc: int = 0  # of that save
    save_at: str = "end"  # start | end of its bearer's turns, when the save is asked for
    each: str = ""  # hit points a turn, as dice or a number: "5", "1d6"
    each_type: str = ""  # of damage
    each_at: str = "start"  # start | end of its bearer's turns
    heals: bool = False  # those hit points are regained, not lost
    needs_hp: bool = False  # they are regained by who has at least 1, as a vampire's; else from 0
    stopped_by: str = ""  # damage of these types, with commas, keeps them back once: "acid,fire"
    stopped: bool = False  # such damage has been taken since they were regained last
    offered: bool = False  # they are offered to the GM instead of applied
    colour: str = ""  # of own words
    secret: bool = False  # players do not see it
    took: int = 0  # hit points that it took from the maximum, which come back with its end
    observers: tuple[int, ...] = ()  # those who have not noticed its bearer, whose Stealth is `dc`

    @property
    def key(self) -> tuple[str, str, int | None]:
        """What tells it from the other effects on its bearer."""
        return self.code, self.text, self.source


@dataclass(frozen=True, slots=True)
class Defence:
    """What halves, doubles or cancels damage of a type, or forbids a condition."""

    kind: str  # resistance | vulnerability | immunity | absorption
    type: str  # of damage, or a condition's code
    when: str = ""  # only then, by a code of the glossary; "" always


@dataclass(frozen=True, slots=True)
class Use:
    """Something that is counted: uses a day, spell slots, a recharge, legendary actions."""

    name: str
    max: int
    left: int
    kind: str = "day"  # day | slots | rest | recharge | legendary | resistance
    name_fr: str = ""
    recharges_from: int = 0  # the lowest d6 that brings it back, at the start of a turn
    spent_at: int = 0  # `turn_step` of the turn at whose end a legendary action was taken last
    in_lair: int = 0  # how many more of it there are in its lair (2024)
    at_home: bool = False  # these are counted in `max` and `left`


@dataclass(frozen=True, slots=True)
class Due:
    """What is due now of a combatant, until the GM settles it."""

    kind: str  # death | concentration | save | recharge | each
    dc: int = 0
    ability: str = ""  # of the save
    effect: str = ""  # code of the effect that it is about
    text: str = ""  # of that effect, or the name of the use
    source: int | None = None  # of that effect


DUES_LIMIT = 30  # on one combatant


def few(dues: tuple[Due, ...]) -> tuple[Due, ...]:
    """What is due, without the oldest saves of a concentration where there is too much."""
    left = list(dues)
    for due in dues:
        if len(left) > DUES_LIMIT and due.kind == "concentration":
            left.remove(due)
    return tuple(left)


def ability_modifier(score: int | None) -> int | None:
    """What this ability score adds to checks; None when it is not known."""
    return None if score is None else (score - 10) // 2


@dataclass(frozen=True, slots=True)
class Combatant:
    """One hero or creature in one fight. A number that nobody has told yet is None."""

    number: int  # 1, 2, 3 … in order of entry; never reused
    name: str
    side: str  # "heroes", "foes" or another code; sides that are not allied are enemies
    name_fr: str = ""  # French name, when it has one of its own
    ordinal: int = 0  # "Goblin 3" for the GM; 0 when there is only one
    is_hero: bool = False  # played by a player, and goes down instead of dying at 0 HP
    creature: str = ""  # code of the bestiary entry, "" without one
    hero: int | None = None  # the campaign's hero this is
    hero_level: int | None = None  # 1 … 20
    ac: int | None = None
    max_hp: int | None = None
    hp: int | None = None  # 0 … max_hp
    temp_hp: int = 0
    initiative_bonus: int | None = None  # as told; `adds_to_initiative` is what counts
    dexterity: int | None = None  # score
    passive_perception: int | None = None
    perception_roll: str = ""
    # its passive score: "" by its effects | plain | advantage (+5) | disadvantage (−5)
    stealth_bonus: int | None = None  # as told; `adds_to_stealth` is what counts
    stealth_roll: str = ""  # "" by its effects | plain | advantage | disadvantage
    initiative_roll: str = "auto"  # auto: by its effects | plain | advantage | disadvantage
    speed: int | None = None  # feet a turn, on foot
    speeds: Mapping[str, int] = field(default_factory=dict)
    # feet a turn otherwise: fly | swim | climb | burrow -> feet
    hovers: bool = False  # stays in the air though it lies or cannot move
    moving: str = ""  # how it moves now: walk or one of `speeds`; "" as `way` finds it
    hiding: bool = False  # tries to be discreet; not the same as hidden from players
    stealth: int | None = None  # result of the Dexterity (Stealth) check, while hiding
    cannot_be_surprised: bool = False
    surprise: str = "auto"  # the GM's word: auto | surprised | not-surprised
    surprised: bool = False
    lost_turn: bool = False  # its turn, if it has it, is lost to surprise
    reaction: bool = True  # still has it
    moved: float = 0  # feet, this turn; halves are of standing up
    dashes: int = 0  # each adds its speed to this turn's movement
    action_spent: bool = False
    bonus_spent: bool = False
    object_spent: bool = False  # the free object interaction
    effects: tuple[Effect, ...] = ()
    dead: bool = False  # for good: a hero by death saves or instant death, anybody by exhaustion
    stable: bool = False  # at 0 HP without dying, or knocked out and still unconscious
    death_saves: bool = False  # falls like a hero, who rolls death saves
    death_successes: int = 0  # 0 … 2
    death_failures: int = 0  # 0 … 2
    defences: tuple[Defence, ...] = ()
    saves: Mapping[str, int] = field(default_factory=dict)  # ability -> bonus of its saving throws
    uses: tuple[Use, ...] = ()
    dues: tuple[Due, ...] = ()
    has_acted: bool = False  # has begun a turn in this fight
    out: bool = False  # passed over because the GM says so
    arrives: int = 0  # the round in which it enters the fight; 0 from the beginning
    awaited: bool = False  # that round has not come yet
    rider: int | None = None  # who controls it as a mount: a combatant's number
    is_lair: bool = False  # takes lair actions on count 20, and is nobody's enemy
    owner: int | None = None  # whose lair this is; 0 nobody's, None as `Fight.owner_of` finds it
    in_lair: bool = False  # the GM has said that it fights in its lair
    hidden: bool = False  # players see no trace of it
    label: str = ""  # the name players see instead of the real one
    letter: int = 0  # 1 for "A" …: players' lettering by order of appearance; 0 before it
    notes: str = ""
    slot: int | None = None  # the slot it acts in; None before the fight is opened

    def __hash__(self) -> int:
        """By few of many fields: who asks for it has mostly the same value in hand."""
        return hash((self.number, self.name, self.hp, self.slot))

    @property
    def falls(self) -> bool:
        """Rolls death saves at 0 HP instead of dying at once."""
        return self.is_hero or self.death_saves

    @property
    def defeated(self) -> bool:
        """Dead, or a creature at 0 HP that was not knocked out and will not regenerate."""
        lives = self.hp != 0 or self.falls or self.stable or self.regenerates
        return self.dead or not lives

    @property
    def regenerates(self) -> bool:
        """Regains hit points at the start of its turns, from 0 too (SRD 5.1, 5.2, "Troll")."""
        return any(
            e.heals and e.each and e.each_at == "start" and not e.needs_hp for e in self.effects
        )

    @property
    def down(self) -> bool:
        """At 0 HP, unconscious: dying, stable, or about to regenerate."""
        return self.hp == 0 and not self.defeated

    @property
    def dying(self) -> bool:
        """At 0 HP, with death saves to make."""
        return self.down and self.falls and not self.stable

    @property
    def may_be_at_home(self) -> bool:
        """Whether the book gives it more in its lair (2024)."""
        return any(use.in_lair for use in self.uses)

    @property
    def at_home(self) -> bool:
        """Whether it has what its lair gives it now."""
        return any(use.at_home for use in self.uses)

    @property
    def passed_over(self) -> bool:
        return self.defeated or self.out or self.awaited

    @property
    def unnoticed_by(self) -> tuple[int, ...]:
        """The numbers of those who have not noticed it in this fight."""
        return next((e.observers for e in self.effects if e.code == UNNOTICED), ())

    @property
    def hides(self) -> bool:
        """Tries to be discreet, with a result."""
        return self.hiding and self.stealth is not None

    @property
    def unseen(self) -> bool:
        """Players see no trace of it: hidden, or not there yet."""
        return self.hidden or self.awaited

    def has(self, *codes: str) -> bool:
        """Whether one of these effects is on it."""
        return any(effect.code in codes for effect in self.effects)

    def level(self, code: str) -> int:
        """The level of an effect that has levels, such as exhaustion; 0 without it."""
        return next((effect.level for effect in self.effects if effect.code == code), 0)

    @property
    def incapacitated(self) -> bool:
        """Can take no action, bonus action or reaction."""
        return self.down or self.defeated or any(e.code in INCAPACITATING for e in self.effects)

    @property
    def unconscious(self) -> bool:
        """Notices nobody."""
        return self.down or self.has(*UNAWARE)

    @property
    def dexterity_modifier(self) -> int | None:
        return ability_modifier(self.dexterity)

    @property
    def adds_to_initiative(self) -> int | None:
        """The bonus that was told, else what its Dexterity gives; None when neither is known."""
        told = self.initiative_bonus
        return self.dexterity_modifier if told is None else told

    @property
    def adds_to_stealth(self) -> int | None:
        """As `adds_to_initiative`."""
        told = self.stealth_bonus
        return self.dexterity_modifier if told is None else told

    @property
    def way(self) -> str:
        """How it moves: as the GM has chosen, else in the air where that is faster, else on foot.

        Who lies does not fly unasked; who cannot walk takes the fastest of its other speeds.
        """
        if self.moving == WALK or self.moving in self.speeds:
            return self.moving
        walk = self.speed or 0
        if self.speeds.get("fly", 0) > walk and not self.has("prone"):
            return "fly"
        return WALK if walk or not self.speeds else max(self.speeds, key=lambda w: self.speeds[w])

    @property
    def can_react(self) -> bool:
        """Whether it has its reaction, and nothing keeps it from it."""
        return self.reaction and not self.kept_from_reacting

    @property
    def kept_from_reacting(self) -> str:
        """Why it takes no reaction, whether it has one or not: "" | surprised | … | turned.

        The surprised take none before their first turn has ended (DRS, Combattre / Surprise), the
        incapacitated and the turned none at all (SRD 5.1, "Turn Undead").
        """
        if self.surprised:
            return "surprised"
        return "incapacitated" if self.incapacitated else "turned" if self.has("turned") else ""

    @property
    def health(self) -> str:
        """healthy | hurt | bloodied (at or below half) | down | dead, or "" when unknown."""
        if self.dead:
            return "dead"
        if self.hp is None or self.max_hp is None:
            return ""
        if self.hp == 0:
            return "down"
        if self.hp * 2 <= self.max_hp:
            return "bloodied"
        return "healthy" if self.hp >= self.max_hp else "hurt"


@dataclass(frozen=True, slots=True)
class Slot:
    """What acts together in the order: a group of identical creatures, or one combatant."""

    number: int  # that of its first member, or one that no combatant has
    total: int | None = None  # of the Dexterity check; None before it is known
    by: str = ""
    # where the total is from: "" not known | typed | rolled | advantage | disadvantage | score
    # | side | mount | extra | lair
    die: int | None = None  # the d20 in the total; None when the total was typed
    dropped: int | None = None  # the other d20, of advantage or disadvantage
    modifier: int = 0  # what was added to the die
    tie_dice: tuple[int, ...] = ()  # its d20s in roll-offs
    settled: str = ""
    # how its place among equal totals was decided: "" | by-hand | by-players | by-dice | by-rule
    moved: bool = False  # the GM has dragged it to its place
    acted_round: int = 0  # the last round in which its turn began or its place came by
    joined_round: int = 0  # the round in which it came to a running fight
    waiting: int | None = None  # while it waits: the last round in which it has acted
    given_up: int = 0  # the round in which it has given up a turn that had begun, to wait
    extra_of: int | None = None  # the slot that acts here a second time, in round 1
    split_from: int | None = None  # the slot that its members have left
    parted: bool = False  # by the roll alone: they go back when both roll again, and alike
    merged: bool = False  # the GM has put its members together: one modifier for all

    def __hash__(self) -> int:
        """By few of many fields, as a combatant's."""
        return hash((self.number, self.total, self.acted_round))
