"""What a step keeps of the order: the places after it, and of those before what it changed."""

import rules
from tests.rules.making import started


def test_a_place_that_stays_as_it_is_is_kept_once() -> None:
    before = started("1 heroes A", "1 heroes B", "1 foes C").fight
    changes = rules.difference(before, rules.NextTurn().run(before).fight)
    kept, after = changes["slots"]
    assert [one for one in kept if isinstance(one, int)] == [1, 3]
    assert [row["number"] for row in after] == [1, 2, 3]


def test_a_step_that_was_stored_with_all_places_twice_is_undone_and_redone() -> None:
    """As earlier versions stored it."""
    before = started("1 heroes A", "1 heroes B", "1 foes C").fight
    after = rules.NextTurn().run(before).fight
    changes = rules.difference(before, after)
    changes["slots"] = [rules.slots_to_plain(fight.slots) for fight in (before, after)]
    assert rules.restored(after, changes, after=False) == before
    assert rules.restored(before, changes, after=True) == after
