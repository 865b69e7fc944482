"""Leaks of all kinds, switched on one by one: the twins find each of them."""

import pytest

from tests.encounters.leaks import LEAKS
from tests.encounters.twins import pair
from tests.encounters.watching import TellsApart, compare

pytestmark = pytest.mark.django_db

MOST = 160  # pairs to try, as in the usual size; most leaks are found by one of the first


def test_there_are_leaks_enough_to_try() -> None:
    assert len(LEAKS) >= 100


def look_at_twins() -> None:
    for number in range(MOST):
        compare(pair(number))


# RW-S22: each kind of leak would be found
@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[name](monkeypatch)
    with pytest.raises(TellsApart):
        look_at_twins()
