"""Leaks beside the board: in headers, frames, other views, other answers, and of the link."""

from collections.abc import Callable

import pytest
from django.http import HttpRequest, HttpResponse

import rules
from encounters import error_views, live, player_views, publishing
from encounters.models import Campaign, Combatant, PlayerLink
from encounters.screens import PlayerBoard
from encounters.store import load_fight
from tests.encounters.facts_told import Leak

Fact = Callable[[PlayerLink], object]


def _fight(campaign: Campaign) -> rules.Fight:
    assert campaign.shown
    campaign.shown.campaign = campaign
    return load_fight(campaign.shown)


def in_a_header(name: str, fact: Fact) -> Leak:
    """A leak that puts a fact into a header of pages and boards."""

    def leaky(request: HttpRequest, link: PlayerLink, response: HttpResponse) -> HttpResponse:
        response[name] = f'"{fact(link)}"'
        return response

    return lambda patch: patch.setattr(player_views, "_tagged", leaky)


def in_the_page(fact: Fact, view: str | None = None) -> Leak:
    """A leak that puts a fact into an attribute on the page, or in one view of it alone."""
    honest = player_views._tagged

    def leaky(request: HttpRequest, link: PlayerLink, response: HttpResponse) -> HttpResponse:
        if view is None or request.GET.get("view") == view:
            response.content += f'<i class="w-{fact(link)}"></i>'.encode()
        return honest(request, link, response)

    return lambda patch: patch.setattr(player_views, "_tagged", leaky)


def in_frames(fact: Callable[[Campaign], object], *, language: str = "") -> Leak:
    """A leak that puts a fact into what streams send, or into the frames of one language."""
    honest = player_views.render_screen

    def leaky(campaign: Campaign, tongue: str) -> tuple[int, str]:
        rev, html = honest(campaign, tongue)
        if language in ("", tongue):
            html += f"<!-- {fact(campaign)} -->"
        return rev, html

    return lambda patch: patch.setattr(player_views, "render_screen", leaky)


def _a_frame_for_every_step(patch: pytest.MonkeyPatch) -> None:
    honest = publishing._store

    def leaky(campaign: Campaign, board: PlayerBoard) -> None:
        campaign.public_board = ""
        honest(campaign, board)

    patch.setattr(publishing, "_store", leaky)


def _the_step_as_a_frames_id(patch: pytest.MonkeyPatch) -> None:
    honest = player_views.render_screen

    def leaky(campaign: Campaign, language: str) -> tuple[int, str]:
        _, html = honest(campaign, language)
        return _fight(campaign).version, html

    patch.setattr(player_views, "render_screen", leaky)


def _how_many_links_there_are_where_none_is_found(patch: pytest.MonkeyPatch) -> None:
    honest = error_views.not_found

    def leaky(request: HttpRequest, exception: Exception) -> HttpResponse:
        response = honest(request, exception)
        response.content += str(sorted(PlayerLink.objects.values_list("pk", flat=True))).encode()
        return response

    patch.setattr("config.urls.handler404", leaky)


def _blanks(link: PlayerLink) -> str:
    return " " * sum(c.hidden for c in _fight(link.campaign).combatants)


def _rows(link: PlayerLink) -> list[int]:
    rows = Combatant.objects.filter(encounter=link.campaign.shown)
    return list(rows.values_list("pk", flat=True))


BESIDE: dict[str, Leak] = {
    "the version as etag": in_a_header("ETag", lambda link: _fight(link.campaign).version),
    "the time of the last step, in a header": in_a_header(
        "Last-Modified", lambda link: link.campaign.shown and link.campaign.shown.used
    ),
    "when the link was used, in a header": in_a_header("X-Used", lambda link: link.last_used),
    "when the link closes, in a header": in_a_header("Expires", lambda link: link.expires),
    "a blank for each hidden row": in_the_page(_blanks),
    "hit points in a class": in_the_page(
        lambda link: max((c.hp or 0 for c in _fight(link.campaign).combatants), default=0)
    ),
    "the keys of rows": in_the_page(_rows),
    "the key of the encounter": in_the_page(lambda link: link.campaign.shown_id),
    "the uuid of the encounter": in_the_page(
        lambda link: link.campaign.shown and link.campaign.shown.uuid
    ),
    "the key of the campaign": in_the_page(lambda link: link.campaign_id),
    "the uuid of the campaign": in_the_page(lambda link: link.campaign.uuid),
    "the key of the link": in_the_page(lambda link: link.pk),
    "the name of the link": in_the_page(lambda link: link.name),
    "how many watch": in_the_page(lambda link: live.watchers(link.campaign_id)),
    "how many watch by this link": in_the_page(lambda link: live.watchers_of_link(link.pk)),
    "what is seen of sides that are not there": in_the_page(
        lambda link: f"{link.campaign.hp_allies} {link.campaign.hp_others}"
    ),
    "whether creatures start hidden": in_the_page(lambda link: link.campaign.monsters_hidden),
    "heroes kept in the campaign": in_the_page(lambda link: link.campaign.heroes.count()),
    "how many there are, on a television alone": in_the_page(
        lambda link: len(_fight(link.campaign).combatants), view="tv"
    ),
    "how many there are, in a stream's overlay alone": in_the_page(
        lambda link: len(_fight(link.campaign).combatants), view="overlay"
    ),
    "how many there are, in french frames alone": in_frames(
        lambda campaign: len(_fight(campaign).combatants), language="fr"
    ),
    "the key of the campaign in frames": in_frames(lambda campaign: campaign.pk),
    "a frame for every step": _a_frame_for_every_step,
    "the step as a frame's id": _the_step_as_a_frames_id,
    "how many links there are, where none is found": _how_many_links_there_are_where_none_is_found,
}
