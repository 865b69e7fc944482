"""What is true at any moment of how all in a fight stand together: each truth by its name."""

import rules
from rules import Fight
from tests.rules import book


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
