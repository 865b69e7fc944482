"""What is true of each combatant at any moment: each truth by its name."""

import rules
from rules import Combatant as Person
from tests.rules import book


def hit_points_lie_between_0_and_the_maximum(c: Person) -> bool:
    return c.hp is None or 0 <= c.hp <= (c.max_hp or 0)


def temporary_hit_points_are_never_below_0(c: Person) -> bool:
    return c.temp_hp >= 0


def nobody_has_walked_less_than_nothing(c: Person) -> bool:
    return c.moved >= 0 and c.dashes >= 0


def the_dead_have_no_hit_points(c: Person) -> bool:
    return not c.dead or not c.hp


def the_dead_are_not_stable(c: Person) -> bool:
    return not (c.dead and c.stable)


def the_stable_lie_at_0_or_sleep(c: Person) -> bool:
    return not c.stable or c.hp == 0 or bool(c.hp and c.has("unconscious"))


def fewer_than_three_death_saves_are_made(c: Person) -> bool:
    return 0 <= c.death_successes <= 2


def fewer_than_three_death_saves_have_failed(c: Person) -> bool:
    return 0 <= c.death_failures <= 2


def only_the_dying_have_counts_of_death_saves(c: Person) -> bool:
    return c.dying or not (c.death_successes or c.death_failures)


def only_the_dying_who_roll_are_asked_for_death_saves(c: Person) -> bool:
    return (c.dying and c.falls) or all(due.kind != "death" for due in c.dues)


def exhaustion_of_6_kills(c: Person) -> bool:
    return c.level("exhaustion") < 6 or c.dead


def an_effect_from_one_source_is_there_once(c: Person) -> bool:
    return len({effect.key for effect in c.effects}) == len(c.effects)


def effects_are_those_that_there_are(c: Person) -> bool:
    return all(e.code in (*rules.PUT_ON, *rules.REMINDERS, "unnoticed") for e in c.effects)


def exhaustion_alone_has_levels(c: Person) -> bool:
    return all((1 <= e.level <= 6) == (e.code == "exhaustion") for e in c.effects)


def no_effect_has_fewer_than_0_turns_to_come(c: Person) -> bool:
    return all(effect.turns >= 0 for effect in c.effects)


def nobody_concentrates_twice(c: Person) -> bool:
    return sum(effect.code == "concentration" for effect in c.effects) <= 1


def the_incapacitated_do_not_concentrate(c: Person) -> bool:
    return not (book.is_incapacitated(c) and c.has("concentration"))


def the_incapacitated_hold_nothing_ready(c: Person) -> bool:
    return not (book.is_incapacitated(c) and c.has("readied"))


def the_incapacitated_do_not_dodge(c: Person) -> bool:
    return not (book.is_incapacitated(c) and c.has("dodging"))


def what_is_counted_has_names_of_its_own(c: Person) -> bool:
    return len({use.name for use in c.uses}) == len(c.uses)


def what_is_left_lies_between_0_and_all(c: Person) -> bool:
    return all(0 <= use.left <= use.max for use in c.uses)


def recharges_are_asked_of_what_is_counted(c: Person) -> bool:
    used = [use.name for use in c.uses]
    return all(due.kind != "recharge" or due.text in used for due in c.dues)


def saves_for_concentration_are_asked_while_it_lasts(c: Person) -> bool:
    return c.has("concentration") or all(due.kind != "concentration" for due in c.dues)


def what_is_due_of_an_effect_is_so_while_it_is_there(c: Person) -> bool:
    keys = {effect.key for effect in c.effects}
    about = [due for due in c.dues if due.kind in ("save", "each")]
    return all((due.effect, due.text, due.source) in keys for due in about)


def not_too_much_is_due(c: Person) -> bool:
    return len(c.dues) <= 30


def a_hero_is_no_lair(c: Person) -> bool:
    return not (c.is_hero and c.is_lair)


def who_is_awaited_has_a_round_to_come_in(c: Person) -> bool:
    return not c.awaited or c.arrives > 0


def the_defeated_are_passed_over(c: Person) -> bool:
    return not (c.dead or c.out) or c.passed_over
