"""The players' links of a campaign: made, renamed, given a new address, revoked, and printed."""

from functools import partial
from uuid import UUID

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from encounters import live
from encounters.access import campaign_or_404, gm_only
from encounters.campaign_views import campaign_page
from encounters.link_forms import LinkForm
from encounters.models import PlayerLink
from encounters.sharing import share, shares

LINK_LIMIT = 50  # of a campaign


@gm_only
@require_POST
def new_link(request: HttpRequest, uuid: UUID) -> HttpResponse:
    campaign = campaign_or_404(uuid)
    form = LinkForm(request.POST, instance=PlayerLink(campaign=campaign))
    if campaign.links.count() >= LINK_LIMIT:
        message = _("A campaign has at most %(limit)s links.") % {"limit": LINK_LIMIT}
        form.add_error("name", message)
    if not form.is_valid():
        return campaign_page(request, campaign, 422, new_link=form)
    form.save()
    return _to_links(uuid)


@gm_only
@require_POST
def change_link(request: HttpRequest, uuid: UUID, pk: int) -> HttpResponse:
    """Its name, and how long it lives without use."""
    link = _link(uuid, pk)
    form = LinkForm(request.POST, instance=link)
    if not form.is_valid():
        return campaign_page(request, link.campaign, 422, refused_link=form)
    form.save()
    return _to_links(uuid)


@gm_only
@require_POST
def rotate_link(request: HttpRequest, uuid: UUID, pk: int) -> HttpResponse:
    """A new address, never used yet; whoever has the old one sees nothing more."""
    with transaction.atomic():
        _link(uuid, pk).renew()
        transaction.on_commit(partial(live.close_link, pk))
    return _to_links(uuid)


@gm_only
@require_POST
def revoke_link(request: HttpRequest, uuid: UUID, pk: int) -> HttpResponse:
    """No more such link; whoever has it sees nothing more."""
    with transaction.atomic():
        _link(uuid, pk).delete()
        transaction.on_commit(partial(live.close_link, pk))
    return _to_links(uuid)


@gm_only
@require_safe
def code(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The table code as it is now: the panel beside a board asks for it when it is opened."""
    campaign = campaign_or_404(uuid)
    context = {"campaign": campaign, "shares": shares(campaign, request), "refreshed": True}
    return render(request, "encounters/_code.html", context)


@gm_only
@require_safe
def card(request: HttpRequest, uuid: UUID, pk: int) -> HttpResponse:
    """The link on a card to print; 404 for one that leads nowhere."""
    link = _link(uuid, pk)
    if not link.is_open:
        raise Http404
    context = {"campaign": link.campaign, "share": share(link, request)}
    return render(request, "encounters/campaign/card.html", context)


def _link(uuid: UUID, pk: int) -> PlayerLink:
    links = PlayerLink.objects.select_related("campaign")
    return get_object_or_404(links, pk=pk, campaign__uuid=uuid, campaign__deleted=None)


def _to_links(uuid: UUID) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('campaign', args=[uuid])}#links")
