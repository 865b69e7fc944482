"""The GM's board: the page of a fight, and one address for each verb that changes it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

import rules
from encounters import adding, forms, labels, live, log, parts, steps, timing
from encounters.access import encounter_or_404, gm_only
from encounters.fight_pages import (
    FORMS_BESIDE_THE_BOARD,
    Refused,
    again,
    attack_page,
    edit_page,
    number_in,
)
from encounters.models import Encounter, Step
from encounters.screens import gm_board
from encounters.screens.due import passed_over
from encounters.screens.offers import offers
from encounters.sharing import players_panel
from encounters.store import load_fight

MOST_UNANSWERED = 20  # presses of which a page may ask whether they have arrived


@gzip_page
@gm_only
@require_safe
def board(request: HttpRequest, uuid: UUID) -> HttpResponse:
    encounter = encounter_or_404(uuid)
    arrived = _arrived(request, encounter)
    return _show(request, encounter, load_fight(encounter), arrived=arrived)


def _arrived(request: HttpRequest, encounter: Encounter) -> tuple[Step, ...]:
    """Of the presses for whose answers the page waits in vain, those that were taken."""
    keys = request.headers.get("Board-Unanswered", "").split()[:MOST_UNANSWERED]
    if not keys:
        return ()
    steps_taken = Step.pressed.filter(encounter=encounter, key__in=filter(None, map(_uuid, keys)))
    return tuple(steps_taken.order_by("version"))


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def act(form_class: type[forms.StepForm]) -> Callable[..., HttpResponse]:
    """The view of a verb: its form's command, taken as a step."""

    @gzip_page
    @gm_only
    @require_POST
    def verb(request: HttpRequest, uuid: UUID) -> HttpResponse:
        form = form_class(request.POST, _named(uuid))
        if not form.is_valid():
            return _refuse(request, uuid, _refused(request, _first_error(form)))
        return _take(request, uuid, form)

    return verb


@gm_only
@require_safe
def players(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The panel beside the board: few open it, so that it is fetched when it is opened."""
    encounter = encounter_or_404(uuid)
    return render(request, "encounters/_share.html", players_panel(encounter, request))


@gm_only
@require_safe
def edit_combatant(request: HttpRequest, uuid: UUID, number: int) -> HttpResponse:
    """The page with all the facts of one combatant."""
    return edit_page(request, encounter_or_404(uuid), number)


@gm_only
@require_safe
def attack_with(request: HttpRequest, uuid: UUID, number: int) -> HttpResponse:
    """The page with the attacks of one combatant, which are made on another's turn too."""
    return attack_page(request, encounter_or_404(uuid), number)


@gm_only
@require_safe
def suggestions(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Whom a half-typed name may mean; the first is whom Enter adds."""
    encounter = encounter_or_404(uuid)
    text, side = request.GET.get("text", "")[:2_000], request.GET.get("side", "")
    table = adding.table_of(encounter, load_fight(encounter), side)
    context = {"offers": offers(text, table)}
    return render(request, "encounters/gm/_suggestions.html", context)


def _named(uuid: UUID) -> Encounter:
    """The encounter of an address, looked up once more than its address is asked of it.

    Few forms ask: the step reads the encounter itself, under its lock.
    """
    encounter = SimpleLazyObject(partial(encounter_or_404, uuid))
    encounter.__dict__["uuid"] = uuid
    return cast("Encounter", encounter)


def _take(request: HttpRequest, uuid: UUID, form: forms.StepForm) -> HttpResponse:
    """Answer a step with the board as it is now, or say why nothing has changed."""
    try:
        taken = form.take()
    except Encounter.DoesNotExist:
        raise Http404 from None
    except steps.Stale:
        return _stale(request, uuid)
    except steps.KeyTaken as taken_before:
        return _not_again(request, uuid, log.headline(taken_before.step.events))
    except rules.RuleError as error:
        accept = forms.ACCEPTED_BY.get(error.code, "")
        return _refuse(request, uuid, _refused(request, labels.refusal(error), accept))
    if request.headers.get("HX-Request") == "true":
        left = passed_over(taken.fight) if form.verb == "next-turn" else ""
        notice = _("Still due: %(what)s") % {"what": left} if left else _kept_all_the_same(taken)
        return _show(request, taken.encounter, taken.fight, notice=notice)
    return redirect(_page(uuid, _selected(request)))


def _kept_all_the_same(taken: steps.Taken) -> str:
    """What no way back takes back, "" where there is nothing."""
    sentences = [_kept_in_campaign(taken), _seen_all_the_same(taken)]
    return " ".join(sentence for sentence in sentences if sentence)


def _kept_in_campaign(taken: steps.Taken) -> str:
    if not taken.kept:
        return ""
    who = ", ".join(str(labels.name_of(c)) for c in taken.kept)
    return _("Not undone, because the campaign has changed it since: %(who)s.") % {"who": who}


def _seen_all_the_same(taken: steps.Taken) -> str:
    if not taken.hidden_again:
        return ""
    who = ", ".join(str(labels.name_of(c)) for c in taken.hidden_again)
    return _("Hidden again: %(who)s. Players may have seen it already.") % {"who": who}


def _page(uuid: UUID, selected: str) -> str:
    address = reverse("board", args=[uuid])
    return f"{address}?selected={selected}" if selected else address


def _stale(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The fresh board, and what has happened since the reader's was made."""
    encounter = encounter_or_404(uuid)
    last = encounter.steps.order_by("-version").first()
    happened = log.headline(last.events) if last else ""
    message = _("Not applied: the fight changed in the meantime. Last step: %(step)s") % {
        "step": happened
    }
    return _conflict(request, encounter, message)


def _not_again(request: HttpRequest, uuid: UUID, arrived: str) -> HttpResponse:
    """The fresh board, and what had arrived before under the key with which this was sent."""
    message = _("Not applied: what you had sent before arrived after all.")
    if arrived:
        message = _("Not applied: what you had sent before arrived after all: %(step)s") % {
            "step": arrived
        }
    return _conflict(request, encounter_or_404(uuid), message)


def _conflict(request: HttpRequest, encounter: Encounter, message: str) -> HttpResponse:
    """Why nothing was done, on the board as it is now or beside the form's own fields."""
    if request.POST.get("at") in FORMS_BESIDE_THE_BOARD:
        refused = _refused(request, message)
        return _refuse(request, encounter.uuid, refused, status=409)
    return _show(request, encounter, load_fight(encounter), notice=message, status=409)


def _refused(request: HttpRequest, message: str, accept: str = "") -> Refused:
    lists = {name: request.POST.getlist(name) for name in forms.TICKED if name in request.POST}
    typed = request.POST.dict() | lists
    return Refused(request.POST.get("at", ""), message, typed, accept, request.path)


def _refuse(request: HttpRequest, uuid: UUID, refused: Refused, status: int = 422) -> HttpResponse:
    """Why, for the place beside the form; without scripts, the page with all that was typed."""
    encounter = encounter_or_404(uuid)
    if request.headers.get("HX-Request") == "true":
        return render(request, "encounters/_refusal.html", {"refused": refused}, status=422)
    page = again(request, encounter, refused, status)
    return page or _show(request, encounter, load_fight(encounter), refused=refused, status=422)


def _show(
    request: HttpRequest,
    encounter: Encounter,
    fight: rules.Fight,
    *,
    notice: str = "",
    refused: Refused | None = None,
    arrived: Sequence[Step] = (),
    status: int = 200,
) -> HttpResponse:
    """The board: the fragment for htmx, else the whole page."""
    context = _shown(request, encounter, fight) | {"notice": notice, "refused": refused}
    if arrived:
        told = [log.headline(step.events) for step in arrived]
        context["arrived"] = " ".join(str(step.key) for step in arrived)
        context["notice"] = _("It had arrived: %(steps)s") % {
            "steps": " · ".join(filter(None, told))
        }
    if request.headers.get("HX-Request") == "true":
        return render(request, "encounters/gm/_board.html", context, status=status)
    if "players" in request.GET:
        context |= players_panel(encounter, request)
    return render(request, "encounters/gm/page.html", context, status=status)


def _shown(request: HttpRequest, encounter: Encounter, fight: rules.Fight) -> dict[str, object]:
    """What the board is made of, in a page or alone."""
    present = {str(c.number) for c in fight.combatants}
    scripted = request.headers.get("HX-Request") == "true"  # which sends the token as a header
    return {
        "shown_already": parts.shown_already(request) if scripted else frozenset(),
        "csrf_token": "" if scripted else get_token(request),  # once: each reading of it costs
        "board": gm_board(encounter, fight),
        "encounter": encounter,
        "campaign": encounter.campaign,
        "selected": ",".join(n for n in _selected(request).split(",") if n in present),
        "sides": tuple(labels.SIDES.items()),
        "surprise_choices": labels.SURPRISE,
        "rolls": labels.ROLLS,
        "initiative_rolls": labels.INITIATIVE_ROLLS,
        "is_new": not scripted and "new" in request.GET,
        "watching": live.watchers(encounter.campaign_id),
        "now": timing.now(encounter.campaign),
        "followed": _followed(encounter) if fight.state == "running" else "",
    }


def _followed(encounter: Encounter) -> str:
    """The name of the fight that players follow instead of this one, "" where it is this one."""
    campaign = encounter.campaign
    if campaign.shown_id in (None, encounter.pk) or campaign.shown is None:
        return ""
    return campaign.shown.name


def _selected(request: HttpRequest) -> str:
    """The selected combatants' numbers, with commas; "" for anything else."""
    data = request.POST if request.method == "POST" else request.GET
    numbers = data.get("selected", "").split(",")
    return ",".join(numbers) if all(number_in(n) is not None for n in numbers) else ""


def _first_error(form: forms.StepForm) -> str:
    return next(str(error) for errors in form.errors.values() for error in errors)
