"""Whole fights, drawn as text in fights/; drawing.py tells how to read them."""

from pathlib import Path

import pytest

from tests.rules import drawing
from tests.rules.reading import lines

FIGHTS = sorted((Path(__file__).parent / "fights").glob("*.fight"))


@pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.stem)
def test_a_fight_goes_as_drawn(path: Path) -> None:
    drawing.play(path)


def test_a_fight_that_goes_otherwise_shows_both_boards(tmp_path: Path) -> None:
    path = tmp_path / "wrong.fight"
    path.write_text("+ 1 heroes Lia dex+3 hp20\n> begin #1=10\n  round 1\n  > 14 Lia 20/20\n")
    with pytest.raises(AssertionError) as shown:
        drawing.play(path)
    assert "wrong.fight:2  begin #1=10" in str(shown.value)
    assert "!!  > 14 Lia 20/20  | > 13 Lia 20/20" in str(shown.value)


def test_a_drawing_without_the_refusal_that_comes_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "refused.fight"
    path.write_text("+ 1 heroes Lia hp20\n> next\n")
    with pytest.raises(AssertionError, match="refused fight-is-preparing"):
        drawing.play(path)


def test_every_file_draws_a_board() -> None:
    assert len(FIGHTS) >= 5
    for path in FIGHTS:
        assert any(line.expected for line in lines(path.read_text(encoding="utf-8")))
