"""Nobody waits behind others for a database that does not answer."""

import threading
from collections.abc import Callable

import pytest
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from config import giving_up
from config.giving_up import GivingUp
from config.unavailable import Sessions


class Clock:
    """Shows what it is set to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def waiting(clock: Clock) -> GivingUp:
    return GivingUp(clock)


def asked(waiting: GivingUp, clock: Clock, seconds: float, *, reached: bool) -> None:
    began = waiting.begin()
    assert began is not None
    clock.now += seconds
    waiting.end(began, reached=reached)


def test_all_are_let_through_while_the_database_answers(waiting: GivingUp, clock: Clock) -> None:
    asked(waiting, clock, 5.0, reached=True)
    assert None not in [waiting.begin() for _ in range(5)]


def test_who_is_refused_at_once_keeps_nobody_from_trying(waiting: GivingUp, clock: Clock) -> None:
    asked(waiting, clock, 0.01, reached=False)
    assert None not in [waiting.begin() for _ in range(5)]


def test_behind_a_long_wait_one_tries_and_the_others_are_told(
    waiting: GivingUp, clock: Clock
) -> None:
    asked(waiting, clock, 4.0, reached=False)
    first, *others = [waiting.begin() for _ in range(5)]
    assert first is not None
    assert others == [None] * 4
    clock.now += 4.0
    waiting.end(first, reached=False)
    assert [waiting.begin() is None for _ in range(2)] == [False, True]


def test_one_answer_lets_all_through_again(waiting: GivingUp, clock: Clock) -> None:
    asked(waiting, clock, 4.0, reached=False)
    asked(waiting, clock, 0.1, reached=True)
    assert None not in [waiting.begin() for _ in range(5)]


def test_who_tries_and_never_comes_back_is_given_up(waiting: GivingUp, clock: Clock) -> None:
    asked(waiting, clock, 4.0, reached=False)
    assert waiting.begin() is not None
    clock.now += giving_up.LONGEST
    assert waiting.begin() is not None


def answering(view: Callable[[], None]) -> Callable[[], int]:
    """The middleware before a view; what it answers to the next request."""

    def respond(request: HttpRequest) -> HttpResponse:
        try:
            view()
        except OperationalError as error:  # as Django's own handler gives it to the middleware
            answer = sessions.process_exception(request, error)
            assert answer is not None
            return answer
        return HttpResponse()

    sessions = Sessions(respond)
    return lambda: sessions(RequestFactory().get("/")).status_code


def test_requests_behind_one_that_waits_in_vain_are_answered_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Sessions, "giving_up", GivingUp())
    monkeypatch.setattr(giving_up, "SLOW", 0.0)
    is_away, let_go, seen = True, threading.Event(), threading.Event()

    def view() -> None:
        if is_away:
            seen.set()
            let_go.wait(20)
            raise OperationalError("timeout expired")

    answer = answering(view)
    let_go.set()
    assert answer() == 503  # now it is known
    let_go.clear()
    seen.clear()
    tries = threading.Thread(target=answer)
    tries.start()
    assert seen.wait(20)
    assert [answer() for _ in range(3)] == [503, 503, 503]
    assert tries.is_alive()
    is_away = False
    let_go.set()
    tries.join()
    assert [answer() for _ in range(3)] == [200, 200, 200]
