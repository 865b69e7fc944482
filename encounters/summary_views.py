"""The GM's page of a fight that is over, and what can be done with it then."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from encounters import summary as ending
from encounters.access import encounter_or_404, gm_only
from encounters.screens.summary import summary_of
from encounters.store import load_fight


@gzip_page
@gm_only
@require_safe
def summary(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Time, experience, damage and hit points; the board instead while the fight goes on."""
    encounter = encounter_or_404(uuid)
    if encounter.state != "ended":
        return redirect("board", uuid=uuid)
    context = {
        "encounter": encounter,
        "summary": summary_of(encounter, load_fight(encounter)),
        "carried": "carried" in request.GET,
    }
    return render(request, "encounters/gm/summary.html", context)


@gm_only
@require_POST
def carry_hit_points(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Give the campaign's heroes the hit points that the fight has left them."""
    encounter = encounter_or_404(uuid)
    if encounter.state != "ended":
        return redirect("board", uuid=uuid)
    ending.carry_hit_points(encounter)
    return redirect(f"{reverse('summary', args=[uuid])}?carried=1#heroes")
