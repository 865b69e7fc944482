"""The commands of drawings about people, their order and their turns; drawing.py tells of all."""

from collections.abc import Callable

import rules
from tests.rules.reading import combatants

Words = tuple[str, ...]
Verb = Callable[[rules.Fight, Words], rules.Command]


def members(fight: rules.Fight, word: str) -> list[rules.Combatant]:
    if word.startswith("#"):
        return [fight.combatant(int(word[1:]))]
    found = [c for c in fight.combatants if word in (c.creature, c.name)]
    assert found, f"who is {word}?"
    return found


def one(fight: rules.Fight, word: str) -> int:
    return members(fight, word)[0].number


def slot(fight: rules.Fight, word: str) -> int:
    number = members(fight, word)[0].slot
    assert number is not None, f"{word} has no place in the order"
    return number


def all_of(fight: rules.Fight, words: Words) -> tuple[int, ...]:
    return tuple(c.number for word in words for c in members(fight, word))


def slot_values(fight: rules.Fight, words: Words) -> dict[int, int]:
    pairs = (word.rsplit("=", 1) for word in words if "=" in word)
    return {slot(fight, who): int(value) for who, value in pairs}


def dice_values(fight: rules.Fight, words: Words) -> dict[int, int | tuple[int, ...]]:
    """`gob=15` or `gob=15,6`: the d20s of a place."""
    pairs = (word.rsplit("=", 1) for word in words if "=" in word)
    return {slot(fight, who): tuple(map(int, dice.split(","))) for who, dice in pairs}


def side_dice(words: Words) -> dict[str, tuple[int, ...]]:
    pairs = (word.split("=") for word in words)
    return {side: tuple(map(int, dice.split(","))) for side, dice in pairs}


def mount(fight: rules.Fight, words: Words) -> rules.Mount:
    """`mount Horse Lia`: who is ridden, and by whom; nobody: it goes on its own."""
    return rules.Mount(one(fight, words[0]), one(fight, words[1]) if words[1:] else None)


def take_action(fight: rules.Fight, words: Words) -> rules.TakeAction:
    who, action, *rest = words
    cost = rest[0] if rest and rest[0] in rules.COSTS else "action"
    text = " ".join(word for word in rest if word not in (*rules.COSTS, "spell"))
    return rules.TakeAction(one(fight, who), action, cost, text, spell="spell" in rest)


def join(fight: rules.Fight, words: Words) -> rules.Join:
    dice = tuple(int(word[4:]) for word in words if word.startswith("d20="))
    return rules.Join(combatants(tuple(w for w in words if not w.startswith("d20="))), dice)


def hide(fight: rules.Fight, words: Words) -> rules.Hide:
    pairs = [word.split("=") for word in words]
    return rules.Hide({c.number: int(s) for who, s in pairs for c in members(fight, who)})


def roll_off(fight: rules.Fight, words: Words) -> rules.RollOff:
    """`rolloff 15 12 12 4 17`: the total, then the dice as they fall, in the order of the tie."""
    total, *falling = (int(word) for word in words)
    dice = rules.roll_off(rules.contenders(fight, total), lambda: falling.pop(0))
    assert not falling, "dice are left over"
    return rules.RollOff(total, dice)


def begin(fight: rules.Fight, words: Words) -> rules.StartFight:
    """Straight from the preparation, the dice are for the places that opening it will make."""
    opened = rules.OpenFight().run(fight).fight if fight.state == "preparing" else fight
    return rules.StartFight(dice_values(opened, words), accept_empty="empty" in words)


ORDER: dict[str, Verb] = {
    "join": join,
    "leave": lambda fight, words: rules.Leave(all_of(fight, words)),
    "surprise": lambda fight, words: rules.OpenFight(),
    "hide": hide,
    "show": lambda fight, words: rules.StopHiding(all_of(fight, words)),
    "word": lambda fight, words: rules.OverrideSurprise(one(fight, words[0]), words[1]),
    "roll": lambda fight, words: rules.RollInitiative(dice_values(fight, words)),
    "sides": lambda fight, words: rules.RollInitiative(sides=side_dice(words)),
    "total": lambda fight, words: rules.RollInitiative(totals=slot_values(fight, words)),
    "tie": lambda fight, words: rules.BreakTie(tuple(slot(fight, w) for w in words)),
    "rolloff": roll_off,
    "move": lambda fight, words: rules.Reorder(
        slot(fight, words[0]), slot(fight, words[2]) if words[1] == "before" else None
    ),
    "begin": begin,
    "next": lambda fight, words: rules.NextTurn(dice_values(fight, words)),
    "turn": lambda fight, words: rules.GiveTurn(slot(fight, words[0])),
    "spend": lambda fight, words: rules.SetReaction(one(fight, words[0]), False),
    "return": lambda fight, words: rules.SetReaction(one(fight, words[0]), True),
    "out": lambda fight, words: rules.SetOut(one(fight, words[0]), True),
    "in": lambda fight, words: rules.SetOut(one(fight, words[0]), False),
    "rename": lambda fight, words: rules.Edit(one(fight, words[0]), {"name": words[1]}),
    "ally": lambda fight, words: rules.Ally(words[0], words[1], True),
    "part": lambda fight, words: rules.Ally(words[0], words[1], False),
    "side": lambda fight, words: rules.ChangeSide(all_of(fight, words[1:]), words[0]),
    "split": lambda fight, words: rules.Split(all_of(fight, words)),
    "merge": lambda fight, words: rules.Merge(all_of(fight, words)),
    "mount": mount,
    "extra": lambda fight, words: rules.GiveExtraTurn(one(fight, words[0])),
    "no-extra": lambda fight, words: rules.RemoveExtraTurn(one(fight, words[0])),
    "wait": lambda fight, words: rules.Wait(slot(fight, words[0])),
    "back": lambda fight, words: rules.ComeBack(slot(fight, words[0])),
    "do": take_action,
    "walk": lambda fight, words: rules.Move(one(fight, words[0]), int(words[1])),
    "stand": lambda fight, words: rules.StandUp(one(fight, words[0])),
    "release": lambda fight, words: rules.ReleaseReadied(one(fight, words[0])),
    "end": lambda fight, words: rules.EndFight(),
    "reopen": lambda fight, words: rules.ReopenFight(),
}
