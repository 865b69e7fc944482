"""What is due, as a form's field says it: one text, by which it is found again."""

import rules


def written(due: rules.Due) -> str:
    """The text for a field, the same for equal dues."""
    source = "" if due.source is None else str(due.source)
    return "|".join((due.kind, str(due.dc), due.ability, due.effect, source, due.text))


def meant(who: rules.Combatant, text: str) -> rules.Due | None:
    """What is due of this combatant by that text; None when it is due no more."""
    return next((due for due in who.dues if written(due) == text), None)


def save_dice(who: rules.Combatant, due: rules.Due, settings: rules.Settings) -> str:
    """The dice of a save, as its conditions leave it: "d20+3 dis"; "" where it fails by itself."""
    ability = "death" if due.kind == "death" else due.ability
    bonus, mode = rules.save_roll(who, ability, settings)
    if mode == "fails":
        return ""
    if bonus is None:  # a hero's own, which nobody has told
        bonus = -rules.exhaustion_penalty(who, settings)
    added = f"{bonus:+d}" if bonus else ""
    return f"d20{added}{MODES[mode]}"


MODES = {"plain": "", "advantage": " adv", "disadvantage": " dis"}
