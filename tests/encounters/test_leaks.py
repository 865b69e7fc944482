"""Leaks of all kinds, switched on one by one: the twins find each of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.encounters.leaks import LEAKS
from tests.encounters.playing import examples
from tests.encounters.watching import Twins, compare, twins
from tests.sizes import cases

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:Generating overly large repr"),  # of fights, when they fail
]


def test_there_are_leaks_enough_to_try() -> None:
    assert len(LEAKS) >= 74


# RW-S22: each kind of leak would be found
@pytest.mark.parametrize("name", cases(*list(LEAKS)[::2], full=list(LEAKS)[1::2]))
def test_a_leak_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    @examples(500)
    @given(pair=twins(), language=st.sampled_from(["en", "fr"]))
    def look(pair: Twins, language: str) -> None:
        compare(pair, language)

    LEAKS[name](monkeypatch)
    with pytest.raises(AssertionError):
        look()
