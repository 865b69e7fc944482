"""What players see is kept as text, and read from it as it was."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from encounters.screens import PlayerBoard
from encounters.screens.published import dumped, loaded
from tests.encounters.playing import examples

BOARD = PlayerBoard("The mill", "waiting")


@given(board=st.from_type(PlayerBoard))
@examples(15)
def test_any_board_is_read_as_it_was_written(board: PlayerBoard) -> None:
    assert loaded(dumped(board)) == board


def test_a_line_break_or_a_null_in_a_name_breaks_no_line() -> None:
    board = replace(BOARD, campaign="The\nmill\0\u2028")
    assert loaded(dumped(board)) == board
    assert "\0" not in dumped(board)  # which PostgreSQL could not keep


@pytest.mark.parametrize("other", ["", "of another version", dumped(BOARD).replace('["', '["0')])
def test_what_another_version_wrote_is_not_taken_for_a_board(other: str) -> None:
    assert loaded(other) is None
