"""Charts: the amounts, where the bars stand, and the same as a table."""

import pytest

from encounters.screens.charts import ABOVE, PLOT, Chart, Dose, Who, chart

PEOPLE = {None: Who("Unknown", ""), 1: Who("Aria", "heroes"), 2: Who("Ogre", "foes")}


def drawn(*doses: Dose, last: int = 2) -> Chart:
    return chart(doses, PEOPLE, last)


BOTH = drawn(Dose(1, 1, 6), Dose(1, 2, 2), Dose(2, 1, 4), Dose(1, 1, 2))


def test_the_longest_bar_fills_the_width_and_the_others_their_share() -> None:
    assert [(bar.who.name, bar.amount) for bar in BOTH.bars] == [("Aria", 10), ("Ogre", 4)]
    assert [(p.round, p.amount, p.x, p.width, p.odd) for p in BOTH.bars[0].parts] == [
        (1, 8, "0.00%", "80.00%", False),
        (2, 2, "80.00%", "20.00%", True),
    ]
    assert [p.width for p in BOTH.bars[1].parts] == ["40.00%"]


def test_columns_are_stacked_by_side_from_the_ground_up() -> None:
    first, second = BOTH.columns
    assert [(b.side, b.amount) for b in first.blocks] == [("heroes", 8), ("foes", 4)]
    below, above = first.blocks
    assert below.y + below.height == ABOVE + PLOT
    assert above.y + above.height < below.y  # a gap between them
    assert above.y == ABOVE  # the highest column fills the plot
    assert [(b.side, b.amount) for b in second.blocks] == [("heroes", 2)]
    assert second.blocks[0].height == round(PLOT / 6)


def test_the_table_has_each_round_and_its_sum() -> None:
    assert [(line.who.name, line.amounts, line.total) for line in BOTH.lines] == [
        ("Aria", (8, 2), 10),
        ("Ogre", (4, 0), 4),
    ]
    assert (BOTH.rounds, BOTH.sums, BOTH.total) == ((1, 2), (12, 2), 14)


def test_the_one_whom_nobody_knows_comes_last() -> None:
    made = drawn(Dose(None, 1, 90), Dose(2, 1, 1))
    assert [bar.who.name for bar in made.bars] == ["Ogre", "Unknown"]
    assert made.sides == ("foes", "")


def test_the_smallest_amount_is_still_seen() -> None:
    made = drawn(Dose(1, 1, 99_999), Dose(2, 2, 1))
    assert made.columns[1].blocks[0].height >= 2


@pytest.mark.parametrize(
    ("last", "labelled"),
    [
        (3, [1, 2, 3]),
        (10, list(range(1, 11))),
        (11, [2, 4, 6, 8, 10]),
        (34, [4, 8, 12, 16, 20, 24, 28, 32]),
        (500, list(range(50, 501, 50))),
    ],
)
def test_there_are_never_more_rounds_written_than_a_phone_has_room_for(
    last: int, labelled: list[int]
) -> None:
    made = drawn(Dose(1, 1, 5), last=last)
    assert [column.round for column in made.columns if column.labelled] == labelled
    assert made.with_amounts == (last <= 10)
    assert float(made.columns[-1].x[:-1]) + float(made.columns[-1].width[:-1]) <= 100


def test_a_single_round_is_no_wall() -> None:
    assert drawn(Dose(1, 1, 5), last=1).columns[0].width == "11.67%"


def test_the_peak_is_the_first_of_the_highest() -> None:
    assert drawn(Dose(1, 2, 5), Dose(1, 3, 5), last=4).peak.round == 2


def test_nothing_makes_an_empty_chart() -> None:
    made = drawn()
    assert (made.bars, made.lines, made.total, made.sums) == ((), (), 0, (0, 0))
