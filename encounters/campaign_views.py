"""Home, campaigns and their heroes, encounters, and the bin: plain rows behind plain forms."""

from datetime import timedelta
from uuid import UUID, uuid4

from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from bestiary.book import attribution
from encounters import adding, steps
from encounters.access import gm_only
from encounters.campaign_forms import (
    CampaignForm,
    EncounterForm,
    HeroesForm,
    HeroFormSet,
    SettingsForm,
)
from encounters.models import Campaign, Encounter, Hero
from encounters.publishing import announce_campaign, publish_campaign
from encounters.sharing import share
from rules import Join

BIN_LIFE = timedelta(days=30)
ENCOUNTER_LIMIT = 500  # in a campaign


@gm_only
@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HttpRequest) -> HttpResponse:
    """Campaigns, the fight in progress on top; a POST makes a new campaign."""
    form = CampaignForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        return redirect("campaign", uuid=form.save().uuid)
    alive = Q(encounters__deleted=None)
    campaigns = Campaign.objects.filter(deleted=None).annotate(
        hero_count=Count("heroes", filter=Q(heroes__deleted=None), distinct=True),
        encounter_count=Count("encounters", filter=alive, distinct=True),
    )
    running = Encounter.objects.filter(
        state__in=("running", "rolling"), deleted=None, campaign__deleted=None
    ).select_related("campaign")[:3]
    context = {
        "campaigns": campaigns,
        "running": running,
        "form": form,
        "bin": _in_the_bin(),
    }
    return render(request, "encounters/campaign/home.html", context, status=_status(form))


@gm_only
@require_POST
def quick_fight(request: HttpRequest) -> HttpResponse:
    """An encounter at once, in the campaign used last, with its heroes."""
    campaign = Campaign.objects.filter(deleted=None).first()
    campaign = campaign or Campaign.objects.create(name=_("My table"))
    return redirect("board", uuid=_new_encounter(campaign).uuid)


@gm_only
@require_http_methods(["GET", "HEAD", "POST"])
def campaign(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Heroes, encounters, settings and the players' link; a POST saves the heroes' table."""
    shown = _campaign(uuid)
    heroes = HeroFormSet(request.POST or None, queryset=shown.heroes.filter(deleted=None))
    if request.method == "POST" and heroes.is_valid():
        heroes.save()
        return redirect("campaign", uuid=uuid)
    return _campaign_page(request, shown, heroes=heroes)


@gm_only
@require_POST
def add_heroes(request: HttpRequest, uuid: UUID) -> HttpResponse:
    shown = _campaign(uuid)
    form = HeroesForm(request.POST)
    if not form.is_valid():
        return _campaign_page(request, shown, add=form)
    Hero.objects.bulk_create(Hero(campaign=shown, name=n) for n in form.cleaned_data["names"])
    return redirect("campaign", uuid=uuid)


@gm_only
@require_POST
def change_settings(request: HttpRequest, uuid: UUID) -> HttpResponse:
    shown = _campaign(uuid)
    form = SettingsForm(request.POST, instance=shown)
    if not form.is_valid():
        return _campaign_page(request, _campaign(uuid), settings=form)
    form.save()
    publish_campaign(shown)
    announce_campaign(shown)
    return redirect("campaign", uuid=uuid)


@gm_only
@require_POST
def new_encounter(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """An encounter with the campaign's heroes already in."""
    shown = _campaign(uuid)
    if shown.encounters.filter(deleted=None).count() >= ENCOUNTER_LIMIT:
        message = _("A campaign holds at most %(limit)s encounters.") % {"limit": ENCOUNTER_LIMIT}
        return _campaign_page(request, shown, refused=message)
    return redirect("board", uuid=_new_encounter(shown).uuid)


@gm_only
@require_http_methods(["GET", "HEAD", "POST"])
def rename_encounter(request: HttpRequest, uuid: UUID) -> HttpResponse:
    encounter = get_object_or_404(Encounter, uuid=uuid, deleted=None)
    form = EncounterForm(request.POST or None, instance=encounter)
    if request.method == "POST" and form.is_valid():
        form.save()
        return redirect("board", uuid=uuid)
    context = {"form": form, "encounter": encounter}
    return render(request, "encounters/campaign/rename.html", context, status=_status(form))


# The bin: what was thrown away comes back for 30 days

BINNED: dict[str, type[Campaign] | type[Encounter] | type[Hero]] = {
    "campaign": Campaign,
    "encounter": Encounter,
    "hero": Hero,
}


@gm_only
@require_POST
def throw_away(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    _set_deleted(kind, pk, bin_it=True)
    return redirect(_back(request))


@gm_only
@require_POST
def restore(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    _set_deleted(kind, pk, bin_it=False)
    return redirect("home")


def empty_old_bin() -> None:
    """Delete for good what has lain in the bin for 30 days."""
    for model in BINNED.values():
        model.objects.filter(deleted__lt=timezone.now() - BIN_LIFE).delete()


def _set_deleted(kind: str, pk: int, *, bin_it: bool) -> None:
    if kind not in BINNED:
        raise Http404
    row = get_object_or_404(BINNED[kind], pk=pk)
    row.deleted = timezone.now() if bin_it else None
    row.save(update_fields=["deleted"])
    if isinstance(row, Encounter):
        publish_campaign(row.campaign)
        announce_campaign(row.campaign)


def _in_the_bin() -> list[tuple[str, Campaign | Encounter | Hero]]:
    return [
        (kind, row) for kind, model in BINNED.items() for row in model.objects.exclude(deleted=None)
    ]


def _back(request: HttpRequest) -> str:
    wanted = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(wanted, allowed_hosts={request.get_host()})
    return wanted if safe else "/"


def _campaign(uuid: UUID) -> Campaign:
    return get_object_or_404(Campaign, uuid=uuid, deleted=None)


def _campaign_page(
    request: HttpRequest,
    shown: Campaign,
    *,
    heroes: "HeroFormSet | None" = None,  # type: ignore[valid-type]
    add: HeroesForm | None = None,
    settings: SettingsForm | None = None,
    refused: str = "",
) -> HttpResponse:
    context = {
        "campaign": shown,
        "heroes": heroes or HeroFormSet(queryset=shown.heroes.filter(deleted=None)),
        "add": add or HeroesForm(),
        "settings": settings or SettingsForm(instance=shown),
        "encounters": shown.encounters.filter(deleted=None),
        "share": share(shown, request),
        "refused": refused,
    }
    failed = any(form is not None and form.errors for form in (add, settings)) or refused
    failed = failed or (heroes is not None and heroes.is_bound)  # type: ignore[attr-defined]
    return render(
        request, "encounters/campaign/page.html", context, status=422 if failed else 200
    )


def _new_encounter(shown: Campaign) -> Encounter:
    number = shown.encounters.count() + 1
    name = _("Encounter %(number)s") % {"number": number}
    encounter = Encounter.objects.create(campaign=shown, name=name)
    Campaign.objects.filter(pk=shown.pk).update(used=timezone.now())
    heroes = tuple(adding.from_hero(hero) for hero in shown.heroes.filter(deleted=None))
    if heroes:
        steps.take_step(encounter.uuid, uuid4(), "join", lambda _fight: Join(heroes))
    return encounter


def _status(form: CampaignForm | EncounterForm) -> int:
    return 422 if form.is_bound and form.errors else 200


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """What this is, and whose facts it holds."""
    lines = attribution()
    changes = lines["changes_fr" if get_language() == "fr" else "changes_en"]
    context = {"attribution": [lines["srd_5_1"], lines["srd_5_2"], changes]}
    return render(request, "encounters/about.html", context)


@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Light, dark, or as the system says; kept in this browser for a year."""
    response = redirect(_back(request))
    theme = request.POST.get("theme", "")
    if theme in ("light", "dark"):
        response.set_cookie("qv_theme", theme, max_age=365 * 24 * 3600, samesite="Lax", httponly=True)
    else:
        response.delete_cookie("qv_theme")
    return response
