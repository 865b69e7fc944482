"""What players get of a campaign, byte by byte, and two fights compared by it."""

from collections.abc import Iterator
from random import Random
from unittest import mock

from django.test import Client
from django.utils import timezone

from encounters import limiter, live, player_views, publishing
from encounters.live.frames import Event
from encounters.models import Campaign, Encounter, PlayerLink
from tests.encounters.playing import fight_in, rolled_back
from tests.encounters.twin_rows import NOON, handed_out, stored
from tests.encounters.twins import Pair

VIEWS = ("", "tv", "overlay", "gm")  # the last is none
LANGUAGES = ("en", "fr")
Seen = Iterator[tuple[str, object]]  # what was asked for, and all that came


class TellsApart(AssertionError):
    """Players can tell two fights apart that must look the same."""


def seen_by_players(link: PlayerLink, language: str) -> dict[str, object]:
    """Every byte that players get of a campaign: pages, fragments, headers and frames."""
    asked = [f"?lang={language}", f"/board?lang={language}"]
    return dict([*answers(link, asked), *frames(link.campaign_id)])


def frames(campaign: int) -> Seen:
    """What the streams of a campaign send of it as it is, in each language."""
    for language in LANGUAGES:
        rev, html = player_views.render_screen(Campaign.objects.get(pk=campaign), language)
        yield language, Event.of("board", html, rev).plain


def answers(link: PlayerLink, paths: list[str], method: str = "GET") -> Seen:
    """What is answered under a link: status, headers, cookies and body."""
    client = Client(SERVER_NAME="127.0.0.1")
    for path in paths:
        answer = client.generic(method, f"/j/{link.token}{path}")
        headers = sorted(answer.headers.items())
        yield path, (answer.status_code, headers, str(answer.cookies), answer.content)


def compare(pair: Pair) -> None:
    """Show players both twins: nothing may tell one from the other."""
    with rolled_back(), mock.patch.object(timezone, "now", return_value=NOON):
        one, other = pair.twins
        first = stored(one, "The mill")
        publish(first)
        public = (first.campaign.public_rev, first.campaign.public_board)
        second = stored(other, "The mill", public)
        publish(second)
        told_apart(pair, *(frames(e.campaign_id) for e in (first, second)))
        Campaign.objects.update(public_board="")  # where only another version has published
        told_apart(pair, *(_visited(pair, encounter) for encounter in (first, second)))


def publish(encounter: Encounter) -> None:
    """As a step does, of which players are to see nothing new."""
    publishing.publish(encounter.campaign, encounter, fight_in(encounter))


def _visited(pair: Pair, encounter: Encounter) -> Seen:
    """The page and the board as a player asks for them, and sometimes what is beside them."""
    chance = Random(pair.number)
    link = handed_out(encounter, encounter.pk)
    view, language = chance.choice(VIEWS), chance.choice(LANGUAGES)
    shown = f"lang={language}&view={view}"
    limiter.misses._of.clear()  # of wrong addresses tried by those before
    crowd = mock.Mock(return_value=encounter.pk % 99)
    with mock.patch.multiple(live, watchers=crowd, watchers_of_link=crowd):
        yield from answers(link, [f"?{shown}", f"/board?{shown}"])
        if chance.random() < 0.2:
            yield from answers(link, ["/gm", "/", "0"])
            yield from answers(link, [f"?{shown}"], chance.choice(["HEAD", "POST"]))
    link.delete()


def told_apart(pair: Pair, one: Seen, other: Seen) -> None:
    """Raise TellsApart at the first difference."""
    for (asked, first), (_, second) in zip(list(one), other, strict=True):
        if first != second:
            raise TellsApart(f"twins {pair.number}, {asked!r}: {_difference(first, second)}")


def _difference(one: object, other: object) -> str:
    parts = [str(value).replace("\\n", "\n").split("\n") for value in (one, other)]
    return next((f"{a!r} != {b!r}" for a, b in zip(*parts, strict=False) if a != b), "length")
