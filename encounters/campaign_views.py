"""Home, campaigns with their heroes and encounters: plain rows behind plain forms."""

from collections.abc import Callable
from functools import partial
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bestiary.book import attribution
from encounters import adding, steps
from encounters.access import campaign_or_404, encounter_or_404, gm_only, other_browsers
from encounters.bin_views import back, in_the_bin, just_thrown
from encounters.campaign_forms import (
    CampaignForm,
    EncounterForm,
    HeroesForm,
    HeroForm,
    HeroFormSet,
)
from encounters.duplicating import duplicate
from encounters.link_forms import LinkForm, forms_of
from encounters.models import Campaign, Encounter, Hero
from encounters.sharing import open_link, shares
from rules import COMBATANT_LIMIT, Join

ENCOUNTER_LIMIT = 500  # in a campaign


@gm_only
@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HttpRequest) -> HttpResponse:
    """Campaigns, the fight in progress on top; a POST makes a new campaign."""
    form = CampaignForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        made = form.save()
        open_link(made)
        return redirect("campaign", uuid=made.uuid)
    context = {
        "campaigns": _campaigns(),
        "running": _going_on()[:3],
        "form": form,
        "bin": in_the_bin(),
        "thrown": just_thrown(request),
        "others": other_browsers(request).count(),
    }
    return render(request, "encounters/campaign/home.html", context, status=_status(form))


def _campaigns() -> QuerySet[Campaign]:
    """With how many heroes and encounters each has."""
    alive = Q(encounters__deleted=None)
    campaigns = Campaign.objects.filter(deleted=None).defer("public_board")
    return campaigns.annotate(
        hero_count=Count("heroes", filter=Q(heroes__deleted=None), distinct=True),
        encounter_count=Count("encounters", filter=alive, distinct=True),
    )


def _going_on() -> QuerySet[Encounter]:
    going_on = Encounter.out_of_bin().filter(state__in=("running", "rolling"))
    return going_on.select_related("campaign")


@gm_only
@require_POST
def quick_fight(request: HttpRequest) -> HttpResponse:
    """An encounter at once, in the campaign used last, with its heroes."""
    campaign = Campaign.objects.filter(deleted=None).first()
    if campaign is None:
        campaign = Campaign.objects.create(name=_("My table"))
        open_link(campaign)
    return _in_new_encounter(request, campaign, partial(_new_encounter, campaign))


@gm_only
@require_http_methods(["GET", "HEAD", "POST"])
def campaign(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Heroes, encounters and the players' link; a POST saves the heroes' table."""
    shown = campaign_or_404(uuid)
    heroes = HeroFormSet(request.POST or None, queryset=shown.heroes.filter(deleted=None))
    if request.method == "POST" and heroes.is_valid():
        heroes.save()
        return redirect("campaign", uuid=uuid)
    return campaign_page(request, shown, 422 if heroes.is_bound else 200, heroes=heroes)


@gm_only
@require_POST
def change_hero(request: HttpRequest, uuid: UUID, pk: int) -> HttpResponse:
    """A row of the heroes' table, which saves itself: what is refused, what empty cells mean."""
    hero = get_object_or_404(campaign_or_404(uuid).heroes.filter(deleted=None), pk=pk)
    form = HeroForm(request.POST, instance=hero, prefix=request.POST.get("prefix", "")[:20])
    refused = {name: errors[0] for name, errors in form.errors.items()}
    if not refused:
        form.save()
    now = HeroForm(instance=hero)
    shown = {n: f.widget.attrs.get("placeholder", "") for n, f in now.fields.items()}
    answer = {"refused": refused, "shown": {} if refused else shown}
    return JsonResponse(answer, status=422 if refused else 200)


@gm_only
@require_POST
def add_heroes(request: HttpRequest, uuid: UUID) -> HttpResponse:
    shown = campaign_or_404(uuid)
    form = HeroesForm(request.POST, shown)
    if not form.is_valid():
        return campaign_page(request, shown, 422, add=form)
    Hero.objects.bulk_create(Hero(campaign=shown, name=n) for n in form.cleaned_data["names"])
    return redirect("campaign", uuid=uuid)


@gm_only
@require_POST
def new_encounter(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """An encounter with the campaign's heroes already in."""
    shown = campaign_or_404(uuid)
    return _in_new_encounter(request, shown, partial(_new_encounter, shown))


@gm_only
@require_POST
def duplicate_encounter(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Another encounter with the people of this one as they were before it was opened."""
    encounter = encounter_or_404(uuid)
    return _in_new_encounter(request, encounter.campaign, partial(duplicate, encounter))


def _in_new_encounter(
    request: HttpRequest, shown: Campaign, make: Callable[[], Encounter]
) -> HttpResponse:
    if shown.encounters.filter(deleted=None).count() >= ENCOUNTER_LIMIT:
        message = _("A campaign holds at most %(limit)s encounters.") % {"limit": ENCOUNTER_LIMIT}
        return campaign_page(request, shown, 422, refused=message)
    made = make()
    Campaign.objects.filter(pk=shown.pk).update(used=timezone.now())
    return redirect(f"{reverse('board', args=[made.uuid])}?new")


@gm_only
@require_http_methods(["GET", "HEAD", "POST"])
def rename_encounter(request: HttpRequest, uuid: UUID) -> HttpResponse:
    encounter = encounter_or_404(uuid)
    form = EncounterForm(request.POST or None, instance=encounter)
    if request.method == "POST" and form.is_valid():
        form.save()
        return redirect("board", uuid=uuid)
    context = {"form": form, "encounter": encounter}
    return render(request, "encounters/campaign/rename.html", context, status=_status(form))


def campaign_page(
    request: HttpRequest,
    shown: Campaign,
    status: int,
    *,
    refused_link: LinkForm | None = None,
    **given: object,
) -> HttpResponse:
    """The campaign's page; its forms are empty where none is given with what was typed."""
    handed_out = shares(shown, request)
    link_forms = forms_of(shown.links.all(), refused_link)
    context = {
        "campaign": shown,
        "heroes": HeroFormSet(queryset=shown.heroes.filter(deleted=None)),
        "add": HeroesForm(None, shown),
        "encounters": shown.encounters.filter(deleted=None),
        "shares": handed_out,
        "links": [(link, link_forms[link.pk]) for link in handed_out.links],
        "new_link": LinkForm(),
        "thrown": just_thrown(request),
    } | given
    return render(request, "encounters/campaign/page.html", context, status=status)


@transaction.atomic
def _new_encounter(shown: Campaign) -> Encounter:
    number = shown.encounters.count() + 1
    name = _("Encounter %(number)s") % {"number": number}
    encounter = Encounter.objects.create(campaign=shown, name=name)
    present = shown.heroes.filter(deleted=None)[:COMBATANT_LIMIT]
    heroes = tuple(adding.from_hero(hero) for hero in present)
    if heroes:
        steps.take_step(encounter.uuid, uuid4(), "join", lambda _fight: Join(heroes))
    return encounter


def _status(form: CampaignForm | EncounterForm) -> int:
    return 422 if form.is_bound and form.errors else 200


@gm_only
@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """What this is, and whose facts it holds."""
    lines = attribution()
    changes = lines["changes_fr" if get_language() == "fr" else "changes_en"]
    # The attributions are worded by the licensor, in English.
    context = {"attributions": [lines["srd_5_1"], lines["srd_5_2"]], "changes": changes}
    return render(request, "encounters/about.html", context)


@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Light, dark, or as the system says; kept in this browser for a year."""
    response = HttpResponseRedirect(back(request))
    theme = request.POST.get("theme", "")
    if theme in ("light", "dark"):
        response.set_cookie(
            "qv_theme",
            theme,
            max_age=365 * 24 * 3600,
            samesite="Lax",
            httponly=True,
            secure=settings.LANGUAGE_COOKIE_SECURE,
        )
    else:
        response.delete_cookie("qv_theme")
    return response
