"""The bin: what was thrown away comes back for 30 days, then it is gone."""

from datetime import timedelta
from functools import partial
from urllib.parse import urlsplit, urlunsplit

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from bestiary.models import Creature
from encounters import live
from encounters.access import gm_only
from encounters.models import Binnable, Campaign, Encounter, Hero
from encounters.publishing import announce_campaign, publish_campaign

LIFE = timedelta(days=30)
LONGEST = 2_000  # characters of an address

KINDS: dict[str, type[Campaign] | type[Encounter] | type[Hero]] = {
    "campaign": Campaign,
    "encounter": Encounter,
    "hero": Hero,
}


@gm_only
@require_POST
def throw_away(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    address = _telling(back(request), kind, pk)
    _move(kind, pk, into=True)
    return HttpResponseRedirect(address)


@gm_only
@require_POST
def restore(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    _move(kind, pk, into=False)
    return HttpResponseRedirect(back(request))


def just_thrown(request: HttpRequest) -> tuple[str, Binnable] | None:
    """What the page before has thrown away, as its address says, to be told with an *Undo*."""
    kind, _dot, pk = request.GET.get("thrown", "").partition(".")
    model = KINDS.get(kind)
    if model is None or not (pk.isascii() and pk.isdigit() and len(pk) < 18):
        return None
    row = model.objects.filter(pk=pk).exclude(deleted=None).first()
    return (kind, row) if row else None


def _telling(address: str, kind: str, pk: int) -> str:
    parts = urlsplit(address)
    return urlunsplit(parts._replace(query=f"thrown={kind}.{pk}"))


def in_the_bin() -> list[tuple[str, Binnable]]:
    """What can still be restored, with its kind."""
    return [
        (kind, row) for kind, model in KINDS.items() for row in model.objects.exclude(deleted=None)
    ]


def empty_old_bin() -> None:
    """Delete for good what has lain in the bin for 30 days."""
    for model in (*KINDS.values(), Creature):
        model._default_manager.filter(deleted__lt=timezone.now() - LIFE).delete()


def back(request: HttpRequest) -> str:
    """Where a form's `next` leads, as long as it is a path of ours; else home."""
    wanted = request.POST.get("next", "")
    safe = wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
    return wanted if safe and len(wanted) <= LONGEST else "/"


@transaction.atomic
def _move(kind: str, pk: int, *, into: bool) -> None:
    model = KINDS.get(kind)
    row = model.objects.filter(pk=pk).first() if model else None
    if row is None:
        raise Http404
    row.deleted = timezone.now() if into else None
    row.save(update_fields=["deleted"])
    campaign = row if isinstance(row, Campaign) else row.campaign
    publish_campaign(campaign)
    transaction.on_commit(lambda: announce_campaign(campaign))
    if into and campaign is row:  # its links open nothing now, nor do pages that are open on them
        for link in campaign.links.values_list("pk", flat=True):
            transaction.on_commit(partial(live.close_link, link))
