"""The players' page: whoever has the link may look, and nothing else."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.views.decorators.gzip import gzip_page

from encounters import timing
from encounters.access import by_player_link
from encounters.models import Campaign, Encounter, PlayerLink
from encounters.screens import PlayerBoard, player_board, timed
from encounters.screens.published import loaded
from encounters.store import shown_fight

READINGS = 3  # of rows, at most
VIEWS = ("tv", "overlay")  # the same board for a television and for a stream's picture


@gzip_page
@by_player_link
def page(request: HttpRequest, link: PlayerLink) -> HttpResponse:
    view = request.GET.get("view", "")
    context = {
        "board": _board(link.campaign),
        "view": view if view in VIEWS else "",
        "path": request.path,
        "now": timing.now(link.campaign),
        "other": "en" if translation.get_language() == "fr" else "fr",
    }
    return _tagged(request, link, render(request, "encounters/player/page.html", context))


@gzip_page
@by_player_link
def board(request: HttpRequest, link: PlayerLink) -> HttpResponse:
    context = {"board": _board(link.campaign)}
    return _tagged(request, link, render(request, "encounters/player/_board.html", context))


def render_screen(campaign: Campaign, language: str) -> tuple[int, str]:
    """The players' board as a fragment in this language, and its `public_rev`."""
    with translation.override(language):
        context = {"board": _board(campaign)}
        return campaign.public_rev, render_to_string("encounters/player/_board.html", context)


def _board(campaign: Campaign) -> PlayerBoard:
    """What was published of the campaign, else what this version would publish of it.

    For that its rows are read, and not all at one moment: between two queries a step may take
    place, and what it did out of the players' sight would be among them. Then they are read again.
    """
    for _ in range(READINGS):
        if published := loaded(campaign.public_board):
            return published
        encounter = campaign.shown
        board = timed(player_board(campaign, shown_fight(campaign)), campaign, encounter)
        if encounter is None or _stands(encounter):
            return board
        campaign.refresh_from_db()
    return PlayerBoard(campaign.name, "waiting")


def _stands(encounter: Encounter) -> bool:
    """Whether no step has been taken since the encounter was read."""
    return Encounter.objects.filter(pk=encounter.pk, version=encounter.version).exists()


def _tagged(request: HttpRequest, link: PlayerLink, response: HttpResponse) -> HttpResponse:
    response["ETag"] = f'"{link.campaign.public_rev}-{translation.get_language()}"'
    return response
