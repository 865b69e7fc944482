"""How a campaign plays, and what one of its fights plays otherwise."""

from uuid import UUID

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from encounters.access import campaign_or_404, encounter_or_404, gm_only
from encounters.bin_views import back
from encounters.campaign_forms import PlayersSeeForm, SettingsForm
from encounters.fight_pages import settings_page
from encounters.labels import setting_in_words
from encounters.models import Campaign, Encounter
from encounters.publishing import announce_campaign, publish_campaign
from encounters.settings_words import sections


@gm_only
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_settings(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The campaign's name and all its choices; a POST saves them."""
    campaign = campaign_or_404(uuid)
    form = SettingsForm(request.POST or None, instance=campaign)
    if request.method == "POST" and form.is_valid():
        _save(form, campaign)
        return redirect(f"{reverse('settings', args=[uuid])}?saved=1")
    context = {
        "form": form,
        "sections": sections(form),
        "campaign": Campaign.objects.get(pk=campaign.pk),  # by the name that is saved
        "saved": "saved" in request.GET,
    } | _fights_concerned(campaign)
    status = 422 if form.is_bound else 200
    return render(request, "encounters/campaign/settings.html", context, status=status)


@gm_only
@require_POST
def players_see(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """What players see, changed beside the board: the answer is the form as it is now."""
    campaign = campaign_or_404(uuid)
    form = PlayersSeeForm(request.POST, instance=campaign)
    saved = form.is_valid()
    if saved:
        _save(form, campaign)
        form = PlayersSeeForm(instance=campaign)
    if saved and request.headers.get("HX-Request") != "true":
        return HttpResponseRedirect(back(request))
    context = {"campaign": campaign, "players_see": form, "saved": saved, "next": back(request)}
    status = 200 if saved else 422
    return render(request, "encounters/campaign/_players_see.html", context, status=status)


def _save(form: SettingsForm | PlayersSeeForm, campaign: Campaign) -> None:
    with transaction.atomic():
        form.save()
        campaign.refresh_from_db()
        publish_campaign(campaign)
    announce_campaign(campaign)


def _fights_concerned(campaign: Campaign) -> dict[str, object]:
    """Which fights go on, and which ones play otherwise than their campaign."""
    fights = list(campaign.encounters.filter(deleted=None).exclude(state="ended"))
    return {
        "going_on": [fight for fight in fights if fight.state != "preparing"],
        "otherwise": [(fight, _in_words(fight)) for fight in fights if fight.overrides],
    }


def _in_words(fight: Encounter) -> list[str]:
    """What this fight plays otherwise than its campaign: "ties: ask"."""
    return [setting_in_words(name, value) for name, value in fight.overrides.items()]


@gm_only
@require_safe
def fight_settings(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """What this fight alone plays otherwise, and which sides are allied."""
    return settings_page(request, encounter_or_404(uuid))
