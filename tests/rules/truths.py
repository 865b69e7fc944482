"""What is true of a fight at any moment, whatever has happened in it."""

import rules


def everybody_has_a_place_once_the_fight_is_opened(fight: rules.Fight) -> None:
    slots = [slot.number for slot in fight.slots]
    homes = {c.slot for c in fight.combatants if c.slot is not None}
    assert len(slots) == len(set(slots))
    assert {slot.extra_of or slot.number for slot in fight.slots} == homes
    if fight.state == "preparing":
        assert slots == []
    else:
        assert all(c.slot is not None for c in fight.combatants)


def places_stand_as_their_kind_says(fight: rules.Fight) -> None:
    totals = {slot.number: slot.total for slot in fight.slots}
    members = fight.by_slot()
    by_number = {c.number: c for c in fight.combatants}
    for slot in fight.slots:
        assert len({c.side for c in members[slot.number]}) == 1, "a place of two sides"
        if slot.by == "mount":
            (mount,) = members[slot.number]
            assert mount.rider is not None
            rider = by_number[mount.rider]
            assert rider.slot is not None
            assert slot.total == totals[rider.slot], "a mount has its rider's total"
    second = [slot.extra_of for slot in fight.slots if slot.extra_of is not None]
    assert len(second) == len(set(second))
    assert not second or fight.round <= 1, "second turns are for round 1"


def before_the_fight_begins_the_order_is_the_sorted_one(fight: rules.Fight) -> None:
    by_total = [s for s in fight.slots if not s.moved and s.by != "mount"]
    keys = [
        (s.total is None, -(s.total or 0), s.number in fight.lairs)  # without a total: last
        for s in by_total
    ]
    assert fight.state != "rolling" or keys == sorted(keys)


def the_turn_is_a_place_of_the_order(fight: rules.Fight) -> None:
    begun = fight.state in ("running", "ended")
    assert fight.current is None or fight.current in {slot.number for slot in fight.slots}
    assert begun or fight.current is None
    assert fight.round >= 1 if begun else fight.round == 0


def numbers_and_bounds_are_kept(fight: rules.Fight) -> None:
    entered = [c.number for c in fight.combatants]
    assert entered == sorted(set(entered))
    assert all(number <= fight.last_number for number in entered)
    for c in fight.combatants:
        assert c.hp is None or 0 <= c.hp <= (c.max_hp or 0)
        assert c.temp_hp >= 0
        assert min(c.moved, c.dashes) >= 0
        left = rules.means(c, fight)
        assert not (left.lost_to and (left.action or left.bonus or left.object))
        assert not (left.lost_to == "incapacitated" and left.reaction)


def effects_are_those_that_there_are(fight: rules.Fight) -> None:
    there = {c.number: c for c in fight.combatants}
    for c in fight.combatants:
        if not c.effects:
            continue
        keys = [effect.key for effect in c.effects]
        assert len(keys) == len(set(keys))
        for effect in c.effects:
            assert effect.code in (*rules.PUT_ON, *rules.REMINDERS)
            assert (1 <= effect.level <= 6) == (effect.code == "exhaustion")
            assert effect.whose is None or effect.whose in there, "nobody's turns count"
            assert not effect.hangs or there[effect.source or 0].has("concentration")
            if effect.code == "grappled" and effect.source in there:
                assert not there[effect.source].incapacitated, "held by one who holds nobody"
        codes = [code for code, _, _ in keys]
        assert codes.count("concentration") <= (0 if c.incapacitated else 1)
        assert not (c.incapacitated and "readied" in codes)
        if "dodging" in codes:
            assert not c.incapacitated
            assert rules.speed_of(c, fight.settings) != 0


def the_dying_the_stable_and_the_dead_are_told_apart(fight: rules.Fight) -> None:
    for c in fight.combatants:
        assert not c.dead or not c.hp, "dead with hit points"
        knocked_out = c.hp and c.has("unconscious")
        assert not c.stable or not c.dead
        assert not c.stable or c.hp == 0 or knocked_out, "stable, and awake"
        assert 0 <= c.death_successes <= 2
        assert 0 <= c.death_failures <= 2
        assert c.dying or not (c.death_successes or c.death_failures), "counts of the living"


def nothing_is_due_of_what_is_not_there(fight: rules.Fight) -> None:
    for c in fight.combatants:
        used = [use.name for use in c.uses]
        assert len(used) == len(set(used))
        assert all(0 <= use.left <= use.max for use in c.uses)
        for due in c.dues:
            if due.kind == "death":
                assert c.dying
                assert c.falls
            elif due.kind == "recharge":
                assert due.text in used
            elif due.kind == "concentration":
                assert c.has("concentration")
            else:
                assert rules.effect_of(c, due).key == (due.effect, due.text, due.source)


def what_players_see_is_lettered_and_no_two_alike(fight: rules.Fight) -> None:
    shown = [c for c in fight.combatants if not (c.unseen or c.is_hero)]
    assert all(c.letter for c in shown)
    lettered = [(rules.shown_name(c), c.letter) for c in fight.combatants if c.letter]
    assert len(lettered) == len(set(lettered))
    named = [(c.name, c.ordinal) for c in fight.combatants if not c.is_hero]
    assert len(named) == len(set(named)), "two creatures of one name and number"


TRUTHS = (
    everybody_has_a_place_once_the_fight_is_opened,
    places_stand_as_their_kind_says,
    before_the_fight_begins_the_order_is_the_sorted_one,
    the_turn_is_a_place_of_the_order,
    numbers_and_bounds_are_kept,
    effects_are_those_that_there_are,
    the_dying_the_stable_and_the_dead_are_told_apart,
    nothing_is_due_of_what_is_not_there,
    what_players_see_is_lettered_and_no_two_alike,
)
