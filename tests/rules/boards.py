"""The board of a fight as drawings show it; drawing.py tells how to read it."""

from itertools import zip_longest

import rules


def board(fight: rules.Fight) -> tuple[str, ...]:
    open_ties = {number for tie in rules.ties(fight) if tie.open for number in tie.slots}
    drawn = [f"round {fight.round}" + (" ended" if fight.state == "ended" else "")]
    for place in fight.slots:
        own = fight.members(place.number)
        total = "" if place.total is None else str(place.total)
        words = (
            ">" if place.number == fight.current else "",
            total or "?",
            "tie" if place.number in open_ties else "",
            "waits" if place.waiting is not None else "",
            "second" if place.extra_of is not None else "",
            own[0].name,
            ", ".join(_state(c, fight) for c in own),
        )
        drawn.append(" ".join(word for word in words if word))
    return tuple(drawn)


def _state(c: rules.Combatant, fight: rules.Fight) -> str:
    marks = {
        "-": not c.reaction,
        "surprised": c.surprised,
        "dead": c.dead,
        "defeated": c.defeated and not c.dead,
        "down": c.down,
        "stable": c.stable,
        f"{c.death_successes}:{c.death_failures}": c.death_successes or c.death_failures,
        "out": c.out,
        "hidden": c.hidden,
        "awaited": c.awaited,
    }
    words = [
        *(word for word, true in marks.items() if true),
        *(_effect(effect, c, fight) for effect in c.effects),
        *(f"{use.name} {use.left}/{use.max}" for use in c.uses if use.left < use.max),
        *(_due(due) for due in c.dues),
    ]
    temporary = f"+{c.temp_hp}" if c.temp_hp else ""
    hit_points = "?" if c.hp is None else f"{c.hp}/{c.max_hp}{temporary}"
    return " ".join([hit_points, *words])


def _effect(effect: rules.Effect, bearer: rules.Combatant, fight: rules.Fight) -> str:
    """`stunned(end Lia 1)`: what it is, and what is left of it."""
    own = effect.text if effect.code == "own" else effect.code
    left = [f"save {effect.save}{effect.dc}"] if effect.save else []
    left += [_named(fight, number) for number in effect.observers]
    if effect.ends and effect.code not in rules.REMINDERS:
        whose = [] if effect.whose in (None, bearer.number) else [_named(fight, effect.whose)]
        count = f"round {effect.until_round}" if effect.until_round else str(max(1, effect.turns))
        left.append(" ".join([effect.ends, *whose, count]))
    return f"{own}({', '.join(left)})" if left else own


def _named(fight: rules.Fight, number: int | None) -> str:
    own = next(c for c in fight.combatants if c.number == number)
    alike = [c for c in fight.combatants if c.name == own.name]
    return own.name if len(alike) == 1 else f"#{number}"


def _due(due: rules.Due) -> str:
    if due.kind == "concentration":
        return f"!con{due.dc}"
    about = due.text if due.effect in ("", "own") else due.effect
    return f"!{due.kind}:{about}" if about else f"!{due.kind}"


def side_by_side(expected: tuple[str, ...], actual: tuple[str, ...]) -> str:
    width = max(len(line) for line in ("expected", *expected)) + 2
    rows = [f"    {'expected':{width}}| actual"]
    for left, right in zip_longest(expected, actual, fillvalue=""):
        rows.append(f"{'  ' if left == right else '!!'}  {left:{width}}| {right}")
    return "\n".join(rows)
