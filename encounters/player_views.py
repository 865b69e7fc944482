"""The players' page: whoever has the link may look, and nothing else."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.views.decorators.gzip import gzip_page

from encounters import timing
from encounters.access import by_player_link
from encounters.models import Campaign, PlayerLink
from encounters.screens import PlayerBoard, player_board, timed
from encounters.screens.published import digest_of, remember, remembered
from encounters.store import shown_fight

READINGS = 3  # at most: what another version has published is never found
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
    """What was published of the campaign, whose row may be read again for it.

    Its rows are not read at one moment: between two queries a step may take place, and what it did
    out of the players' sight would be among them. What was published says whether it was so.
    """
    for more in reversed(range(READINGS)):
        if published := remembered(campaign.public_hash):
            return published
        board = _read(campaign)
        if not (campaign.public_hash and more):
            break
        if digest_of(board) == campaign.public_hash:
            remember(campaign.public_hash, board)
            break
        campaign.refresh_from_db()
    return board


def _read(campaign: Campaign) -> PlayerBoard:
    return timed(player_board(campaign, shown_fight(campaign)), campaign, campaign.shown)


def _tagged(request: HttpRequest, link: PlayerLink, response: HttpResponse) -> HttpResponse:
    response["ETag"] = f'"{link.campaign.public_rev}-{translation.get_language()}"'
    return response
