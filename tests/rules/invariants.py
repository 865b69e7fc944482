"""What is true of a fight at any moment, whatever has happened in it: each truth by its name.

Those of one combatant are about its own fields; those of the fight are about how all stand
together. A truth that is broken is told by its name.
"""

import rules
from rules import Combatant as Person
from rules import Fight
from tests.rules import book
from tests.rules.boards import board

# Of one combatant


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


# Of the fight


def places_have_numbers_of_their_own(fight: Fight) -> bool:
    return len({slot.number for slot in fight.slots}) == len(fight.slots)


def everybody_has_a_place_once_the_fight_is_opened(fight: Fight) -> bool:
    places = {slot.number for slot in fight.slots}
    return fight.state == "preparing" or all(c.slot in places for c in fight.combatants)


def nobody_stands_in_order_before_it_is_opened(fight: Fight) -> bool:
    return fight.state != "preparing" or not fight.slots


def somebody_stands_in_every_place(fight: Fight) -> bool:
    homes = {c.slot for c in fight.combatants}
    return all((slot.extra_of or slot.number) in homes for slot in fight.slots)


def those_of_one_place_are_of_one_side(fight: Fight) -> bool:
    pairs = {(c.slot, c.side) for c in fight.combatants if c.slot is not None}
    return len(pairs) == len({slot for slot, _ in pairs})


def a_mount_has_its_riders_total(fight: Fight) -> bool:
    totals = {slot.number: slot.total for slot in fight.slots}
    homes = {c.number: c.slot for c in fight.combatants}
    return all(
        totals[slot.number] == totals[homes[c.rider or 0] or 0]
        for slot in fight.slots
        if slot.by == "mount"
        for c in fight.members(slot.number)
    )


def a_mount_is_alone_in_its_place(fight: Fight) -> bool:
    return all(len(fight.members(s.number)) == 1 for s in fight.slots if s.by == "mount")


def second_turns_are_for_round_1(fight: Fight) -> bool:
    return fight.round <= 1 or all(slot.extra_of is None for slot in fight.slots)


def nobody_has_two_second_turns(fight: Fight) -> bool:
    second = [slot.extra_of for slot in fight.slots if slot.extra_of is not None]
    return len(second) == len(set(second))


def a_second_turn_is_of_a_place_that_there_is(fight: Fight) -> bool:
    places = {None, *(slot.number for slot in fight.slots)}
    return all(slot.extra_of in places for slot in fight.slots)


def a_lair_that_was_told_nothing_else_acts_on_20(fight: Fight) -> bool:
    return all(slot.total == 20 for slot in fight.slots if slot.by == "lair")


def before_the_fight_begins_the_order_is_the_sorted_one(fight: Fight) -> bool:
    by_hand = {slot.number for slot in fight.slots if slot.moved}
    return fight.state != "rolling" or book.is_sorted(fight, by_hand)


def before_the_fight_begins_equals_stand_by_entry(fight: Fight) -> bool:
    by_hand = {slot.number for slot in fight.slots if slot.moved}
    return fight.state != "rolling" or book.equals_stand_right(fight, by_hand)


def the_turn_is_a_place_of_the_order(fight: Fight) -> bool:
    return fight.current is None or fight.current in {slot.number for slot in fight.slots}


def nobody_has_the_turn_before_it_begins(fight: Fight) -> bool:
    return fight.current is None or fight.state in ("running", "ended")


def rounds_are_counted_from_its_beginning(fight: Fight) -> bool:
    return (fight.round >= 1) == (fight.state in ("running", "ended"))


def nobody_has_acted_in_a_round_to_come(fight: Fight) -> bool:
    return all(slot.acted_round <= fight.round for slot in fight.slots)


def whoever_has_the_turn_has_acted(fight: Fight) -> bool:
    return all(s.acted_round == fight.round for s in fight.slots if s.number == fight.current)


def whoever_waits_has_not_the_turn(fight: Fight) -> bool:
    return all(s.waiting is None for s in fight.slots if s.number == fight.current)


def nobody_waits_since_a_round_to_come(fight: Fight) -> bool:
    return all((slot.waiting or 0) <= fight.round for slot in fight.slots)


def nobody_has_joined_in_a_round_to_come(fight: Fight) -> bool:
    return all(slot.joined_round <= fight.round for slot in fight.slots)


def people_stand_in_order_of_entry(fight: Fight) -> bool:
    entered = [c.number for c in fight.combatants]
    return entered == sorted(set(entered))


def no_number_is_higher_than_the_last_given(fight: Fight) -> bool:
    return all(c.number <= fight.last_number for c in fight.combatants)


def who_is_surprised_is_what_the_book_finds(fight: Fight) -> bool:
    if fight.state != "rolling" or any(c.has("petrified") for c in fight.combatants):
        return True
    return {c.number for c in fight.combatants if c.surprised} == book.surprised(fight)


def of_2024_nobody_is_surprised_once_it_runs(fight: Fight) -> bool:
    new = fight.state == "running" and fight.settings.edition == fight.table.edition == "2024"
    return not new or bool(fight.overrides) or not any(c.surprised for c in fight.combatants)


def whoever_has_lost_its_turn_has_no_means(fight: Fight) -> bool:
    lost = [c for c in fight.combatants if c.surprised or (c.lost_turn and c.slot == fight.current)]
    left = [rules.means(c, fight) for c in lost]
    return not any(m.action or m.bonus or m.object or m.speed for m in left)


def the_incapacitated_have_no_means(fight: Fight) -> bool:
    left = [rules.means(c, fight) for c in fight.combatants if book.is_incapacitated(c)]
    return not any(m.action or m.bonus or m.object or m.reaction for m in left)


def effects_count_turns_of_those_who_are_there(fight: Fight) -> bool:
    there = {None, *(c.number for c in fight.combatants)}
    return all(effect.whose in there for c in fight.combatants for effect in c.effects)


def whoever_dodges_can_move(fight: Fight) -> bool:
    dodging = [c for c in fight.combatants if c.has("dodging")]
    return all(rules.speed_of(c, fight.settings) != 0 for c in dodging)


def what_hangs_on_a_concentration_ends_with_it(fight: Fight) -> bool:
    there = {c.number: c for c in fight.combatants}
    hung = [effect for c in fight.combatants for effect in c.effects if effect.hangs]
    return all(there[effect.source or 0].has("concentration") for effect in hung)


def nobody_is_held_by_one_who_holds_nobody(fight: Fight) -> bool:
    there = {c.number: c for c in fight.combatants}
    held = [e.source for c in fight.combatants for e in c.effects if e.code == "grappled"]
    return not any(book.is_incapacitated(there[n]) for n in held if n in there)


def whom_players_see_has_a_letter(fight: Fight) -> bool:
    return all(c.letter for c in fight.combatants if not (c.unseen or c.is_hero))


def no_two_letters_are_alike(fight: Fight) -> bool:
    lettered = [(rules.shown_name(c), c.letter) for c in fight.combatants if c.letter]
    return len(lettered) == len(set(lettered))


def no_two_creatures_have_one_name_and_number(fight: Fight) -> bool:
    named = [(c.name, c.ordinal) for c in fight.combatants if not c.is_hero]
    return len(named) == len(set(named))


def sides_that_are_allied_are_two(fight: Fight) -> bool:
    return all(len(set(pair)) == 2 for pair in fight.allied)


EVERY = [
    value for value in list(globals().values()) if getattr(value, "__module__", "") == __name__
]
OF_ONE = [truth for truth in EVERY if "c" in truth.__annotations__]
OF_FIGHT = [truth for truth in EVERY if "fight" in truth.__annotations__]


def check(fight: Fight) -> None:
    """Raises `AssertionError` with the name of what is not true."""
    for c in fight.combatants:
        check_one(c)
    check_all(fight)


def check_one(c: Person) -> None:
    for truth in OF_ONE:
        assert truth(c), f"{truth.__name__}: {c.name}"


def check_all(fight: Fight) -> None:
    for truth in OF_FIGHT:
        assert truth(fight), "\n".join((truth.__name__, *board(fight)))
