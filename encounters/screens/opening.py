"""What the GM sees before a fight begins: who hides, who notices whom, and the initiative."""

from dataclasses import dataclass

import rules
from encounters import labels
from encounters.labels import Name, name_of, setting_in_words
from encounters.screens.together import together
from encounters.screens.ways import check_in_words, outdated, ways


@dataclass(frozen=True, slots=True)
class Column:
    """A hiding enemy, or, with number 0, all those who do not hide."""

    number: int
    name: str
    stealth: int | None


@dataclass(frozen=True, slots=True)
class Cell:
    reason: str  # of `rules.Notice`; "" for one's own side
    passive: int | None
    stealth: int | None


@dataclass(frozen=True, slots=True)
class Observer:
    number: int
    name: Name
    side: str
    passive: int | None  # as it counts now
    way: str  # what moves it, and why
    cells: tuple[Cell, ...]
    surprised: bool
    reason: str
    choice: str  # auto | surprised | not-surprised

    @property
    def field(self) -> str:
        """What its fields' names end in."""
        return str(self.number)


@dataclass(frozen=True, slots=True)
class Fighter:
    """Somebody who may hide, and who watches."""

    number: int
    name: Name
    stealth: int | None  # result of its Stealth check, while it hides
    stealth_roll: str  # "" | plain | advantage | disadvantage
    stealth_way: str  # what moves it, and why
    passive: int | None
    perception_roll: str
    perception_way: str

    @property
    def field(self) -> str:
        """What its fields' names end in."""
        return str(self.number)


@dataclass(frozen=True, slots=True)
class Party:
    side: str
    hiding: int  # how many of it hide
    fighters: tuple[Fighter, ...]
    open: str  # those who do not hide yet though others of it do; "" when nobody
    asked: tuple[Fighter, ...]  # those of them whose Stealth bonus nobody knows

    @property
    def pressed(self) -> str:
        """What its toggle is: true | mixed | false."""
        if self.hiding == len(self.fighters):
            return "true"
        return "mixed" if self.hiding else "false"


@dataclass(frozen=True, slots=True)
class Check:
    """A slot's initiative."""

    slot: int
    name: str
    side: str
    is_hero: bool
    bonus: int | None
    by_dexterity: bool  # nobody has told a bonus: it is what Dexterity gives
    total: int | None
    asked: bool  # the total has to be told
    die: int | None
    dropped: int | None  # the other d20 of advantage or disadvantage
    scored: bool  # takes its score instead of a die
    ways: tuple[str, ...]  # advantage and disadvantage, and why
    outdated: bool  # has rolled otherwise than it would now
    all: str  # the members' numbers with commas
    roll: str  # the GM's word for all of them: auto | plain | …, "" when they differ

    @property
    def field(self) -> str:
        """What its fields' names end in."""
        return str(self.slot)


@dataclass(frozen=True, slots=True)
class SideCheck:
    """The one die of a side."""

    side: str
    dice: tuple[int, ...]  # its d20, and those rolled again; none before it is rolled


@dataclass(frozen=True, slots=True)
class Opening:
    parties: tuple[Party, ...]
    columns: tuple[Column, ...]
    observers: tuple[Observer, ...]
    surprised: tuple[Name, ...]
    harmless: str  # those who are no threat, though they have not left the fight
    equals: str  # who wins equal numbers, and by what: a code of `EQUALS`; "" where there are none
    edition: str
    checks: tuple[Check, ...]  # heroes first, in the order of entry; none where sides roll
    side_checks: tuple[SideCheck, ...]  # where each side rolls one die
    hero_rolls: str  # typed | rolled
    rollable: bool  # some total can still be rolled
    creatures_rollable: bool  # some creature's
    unrollable: tuple[str, ...]  # who has no total, and no known bonus to roll one with
    tie_rule: str  # in words, "" for the usual one


def opening(fight: rules.Fight) -> Opening:
    """The opening of a fight whose slots are made."""
    everybody = rules.watches(fight)
    watches = [w for w in everybody if any(n.stealth is not None for n in w.notices)]
    hiders = [c for c in fight.combatants if c.hiding and not c.passed_over]
    columns = tuple(Column(c.number, str(name_of(c)), c.stealth) for c in hiders)
    hidden = {column.number for column in columns}
    if hiders and any(n.enemy not in hidden for watch in watches for n in watch.notices):
        columns = (*columns, Column(0, "", None))
    equal = any(_equal(notice) for watch in watches for notice in watch.notices)
    settings, rolling = fight.settings, set(rules.unrolled(fight))
    by_side = _side_checks(fight) if settings.side_initiative else ()
    checks = () if by_side else _checks(fight)
    return Opening(
        parties=_parties(fight),
        columns=columns,
        observers=tuple(_observer(fight, watch, columns) for watch in watches) if hiders else (),
        surprised=tuple(name_of(fight.combatant(w.observer)) for w in everybody if w.surprised),
        harmless=labels.in_words(str(name_of(c)) for c in _harmless(fight)) if hiders else "",
        equals=_equals(settings) if equal else "",
        edition=settings.edition,
        checks=checks,
        side_checks=by_side,
        hero_rolls=settings.hero_rolls,
        rollable=any(not side.dice for side in by_side) if by_side else bool(rolling),
        creatures_rollable=any(c.slot in rolling and not c.is_hero for c in checks),
        unrollable=tuple(c.name for c in checks if c.total is None and c.bonus is None),
        tie_rule=""
        if settings.tie_rule == "ask"
        else setting_in_words("tie_rule", settings.tie_rule),
    )


def _parties(fight: rules.Fight) -> tuple[Party, ...]:
    there = [c for c in fight.combatants if not (c.passed_over or c.is_lair)]
    return tuple(
        _party(side, [c for c in there if c.side == side], fight)
        for side in dict.fromkeys(c.side for c in there)
    )


def _party(side: str, own: list[rules.Combatant], fight: rules.Fight) -> Party:
    hiding = sum(c.hides for c in own)
    rest = [c for c in own if hiding and not c.hides]
    unknown = [c for c in rest if c.adds_to_stealth is None]
    return Party(
        side,
        hiding,
        tuple(_fighter(c, fight.settings) for c in own),
        open=labels.in_words(str(name_of(c)) for c in rest if c not in unknown),
        asked=tuple(_fighter(c, fight.settings) for c in unknown),
    )


def _harmless(fight: rules.Fight) -> list[rules.Combatant]:
    return [c for c in fight.combatants if c.unconscious and not (c.passed_over or c.is_lair)]


def _equals(settings: rules.Settings) -> str:
    winner = "observer" if settings.equal_is_noticed else "hider"
    return winner if settings.stealth_tie == "edition" else f"{winner}-set"


def _equal(notice: rules.Notice) -> bool:
    compared = notice.reason in ("noticed", "missed")
    return compared and notice.passive == notice.stealth


def _fighter(c: rules.Combatant, settings: rules.Settings) -> Fighter:
    tired = rules.exhaustion_penalty(c, settings)
    return Fighter(
        number=c.number,
        name=name_of(c),
        stealth=c.stealth if c.hiding else None,
        stealth_roll=c.stealth_roll,
        stealth_way=check_in_words(rules.stealth_mode(c, settings), tired),
        passive=rules.passive(c, settings),
        perception_roll=c.perception_roll,
        perception_way=check_in_words(rules.perception_mode(c, settings), tired),
    )


def _observer(fight: rules.Fight, watch: rules.Watch, columns: tuple[Column, ...]) -> Observer:
    observer = fight.combatant(watch.observer)
    by_enemy = {notice.enemy: notice for notice in watch.notices}
    hidden = {column.number for column in columns}
    others = [n for n in watch.notices if n.enemy not in hidden]
    plain = [n for n in others if n.noticed] or others
    settings = fight.settings
    way = check_in_words(
        rules.perception_mode(observer, settings), rules.exhaustion_penalty(observer, settings)
    )
    cells = [by_enemy.get(column.number) for column in columns if column.number]
    if columns and columns[-1].number == 0:
        cells.append(plain[0] if plain else None)
    return Observer(
        number=observer.number,
        name=name_of(observer),
        side=observer.side,
        passive=rules.passive(observer, settings),
        way=way,
        cells=tuple(_cell(notice) for notice in cells),
        surprised=watch.surprised,
        reason=watch.reason,
        choice=observer.surprise,
    )


def _cell(notice: rules.Notice | None) -> Cell:
    if notice is None:
        return Cell("", None, None)
    return Cell(notice.reason, notice.passive, notice.stealth)


def _checks(fight: rules.Fight) -> tuple[Check, ...]:
    """Who is asked for a total, or rolls: neither mounts nor lairs, nor anybody's second turn."""
    members = fight.by_slot()
    asked = [s for s in fight.slots if s.by not in rules.GIVEN]
    checks = [
        _check(fight, slot, members[slot.number])
        for slot in sorted(asked, key=lambda slot: slot.number)
    ]
    return tuple(sorted(checks, key=lambda check: not check.is_hero))


def _check(fight: rules.Fight, slot: rules.Slot, members: list[rules.Combatant]) -> Check:
    first, settings = rules.standing(members)[0], fight.settings
    bonus = rules.initiative_bonus(fight, slot.number)
    words = {c.initiative_roll for c in members}
    typed = first.is_hero and settings.hero_rolls == "typed"
    return Check(
        slot=slot.number,
        name=together(members),
        side=first.side,
        is_hero=first.is_hero,
        bonus=bonus,
        by_dexterity=bonus is not None and first.initiative_bonus is None,
        total=slot.total,
        asked=slot.total is None and (typed or bonus is None),
        die=slot.die,
        dropped=slot.dropped,
        scored=slot.by == "score" or (slot.total is None and settings.scores and not first.is_hero),
        ways=ways(fight, members),
        outdated=outdated(fight, slot, members),
        all=",".join(str(c.number) for c in members),
        roll=words.pop() if len(words) == 1 else "",
    )


def _side_checks(fight: rules.Fight) -> tuple[SideCheck, ...]:
    members = fight.by_slot()
    dice: dict[str, tuple[int, ...]] = {c.side: () for c in fight.combatants if not c.is_lair}
    for slot in fight.slots:
        if slot.by == "side" and slot.die is not None:
            dice[members[slot.number][0].side] = (slot.die, *slot.tie_dice)
    return tuple(SideCheck(side, thrown) for side, thrown in dice.items())
