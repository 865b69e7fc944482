"""What players see, changed during a fight from the panel beside the board."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

import rules
from encounters import live
from encounters.campaign_forms import PlayersSeeForm
from encounters.models import Campaign, Encounter
from tests.encounters.playing import HTMX, fresh, page_of, take, text_of
from tests.factories import PlayerLinkFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The campaigns whose players were told that something changed."""
    found: list[int] = []
    monkeypatch.setattr(live, "announce", lambda campaign, *_: found.append(campaign))
    return found


def panel_of(client: Client, fight: Encounter) -> dict[str, str]:
    """What the panel's form on the board's page would send as it stands."""
    page = client.get(f"/e/{fight.uuid}/players/").content.decode()
    form = re.search(r'<form id="players-see".*?</form>', page, re.DOTALL)
    assert form
    sent: dict[str, str] = {}
    for tag in re.findall(r"<input[^>]*>", form[0]):
        given = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if given["type"] != "checkbox" or "checked" in tag:
            sent[given["name"]] = given.get("value", "on")
    for name, options in re.findall(r'<select name="(\w+)"(.*?)</select>', form[0], re.DOTALL):
        chosen = re.search(r'value="(\w+)" selected', options)
        assert chosen
        sent[name] = chosen[1]
    return sent


def choose(client: Client, fight: Encounter, *, scripts: bool = True, **changes: Any) -> Any:
    """Change these in the panel as it is now; None unticks."""
    sent = panel_of(client, fight) | changes
    sent = {name: value for name, value in sent.items() if value is not None}
    address = f"{page_of(fight.campaign)}players-see/"
    return client.post(address, sent, headers=HTMX if scripts else {})


def phone(fight: Encounter) -> str:
    """What a player reads."""
    link = PlayerLinkFactory.create(campaign=fight.campaign)
    client = Client(SERVER_NAME="127.0.0.1")
    return text_of(client.get(f"/j/{link.token}/board?lang=en"))


def test_every_choice_of_what_players_see_is_kept_and_told_at_once(
    gm_client: Client, running: Encounter, told: list[int]
) -> None:
    for name in PlayersSeeForm.base_fields:
        before = getattr(fresh(running).campaign, name)
        to = "exact" if name.startswith("hp_") else None if before else "on"
        changes: dict[str, Any] = {name: to}
        answer = choose(gm_client, running, **changes)
        assert answer.status_code == 200
        assert "Saved. Players see the change now." in text_of(answer)
        assert getattr(fresh(running).campaign, name) == (to if to == "exact" else not before)
    assert told == [running.campaign.pk] * len(PlayersSeeForm.base_fields)


def test_numbers_armour_and_initiative_come_and_go_on_the_phones(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.SetHidden((3,), False))
    take(running, rules.Damage(3, 52))
    assert not re.search(r"\b(7|59|12)\b", phone(running))
    choose(gm_client, running, hp_foes="exact")
    assert re.search(r"\b7\b.*\b59\b", phone(running))
    assert not re.search(r"\b12\b", phone(running))
    choose(gm_client, running, hp_foes="nothing", show_initiative="on")
    assert re.search(r"\b12\b", phone(running))
    assert not re.search(r"\b(7|59)\b|bloodied", phone(running))


def test_a_change_that_players_see_raises_their_page_once(
    gm_client: Client, running: Encounter
) -> None:
    rev = fresh(running).campaign.public_rev
    choose(gm_client, running, hp_heroes="exact")
    assert fresh(running).campaign.public_rev == rev + 1
    choose(gm_client, running, hp_others="exact")  # nobody is there
    assert fresh(running).campaign.public_rev == rev + 1


def test_with_scripts_the_answer_is_the_form_as_it_is_now(
    gm_client: Client, running: Encounter
) -> None:
    answer = choose(gm_client, running, hp_foes="nothing")
    page = answer.content.decode()
    assert page.strip().startswith('<form id="players-see"')
    assert '<option value="nothing" selected>' in page
    sent = panel_of(gm_client, running)
    assert (sent["hp_foes"], sent["initial-hp_foes"]) == ("nothing", "nothing")


def test_without_scripts_the_board_comes_back_with_the_panel_open(
    gm_client: Client, running: Encounter
) -> None:
    answer = choose(gm_client, running, scripts=False, show_ac="on")
    assert answer["Location"] == f"/e/{running.uuid}/?players#share"
    closed, back = (
        gm_client.get(path).content.decode() for path in (f"/e/{running.uuid}/", answer["Location"])
    )
    assert '<details class="share" id="share">' in closed
    assert '<details class="share" id="share" open>' in back
    assert fresh(running).campaign.show_ac


def test_a_panel_that_is_behind_changes_only_what_was_changed_in_it(
    gm_client: Client, running: Encounter
) -> None:
    behind = panel_of(gm_client, running)
    choose(gm_client, running, hp_foes="nothing", show_effects=None)
    take(running, rules.NextTurn())
    rev = fresh(running).campaign.public_rev
    answer = gm_client.post(
        f"{page_of(running.campaign)}players-see/", behind | {"show_ac": "on"}, headers=HTMX
    )
    campaign = fresh(running).campaign
    assert (campaign.show_ac, campaign.hp_foes, campaign.show_effects) == (True, "nothing", False)
    assert '<option value="nothing" selected>' in answer.content.decode()
    assert campaign.public_rev == rev + 1


@pytest.mark.parametrize("scripts", [True, False])
def test_a_choice_that_does_not_exist_changes_nothing(
    scripts: bool, gm_client: Client, running: Encounter, told: list[int]
) -> None:
    before = Campaign.objects.values().get()
    answer = choose(gm_client, running, scripts=scripts, hp_foes="everything", show_ac="on")
    assert answer.status_code == 422
    assert "everything is not one of the available choices" in text_of(answer)
    assert Campaign.objects.values().get() == before
    assert told == []


def test_what_players_see_of_a_campaign_in_the_bin_is_not_changed(
    gm_client: Client, running: Encounter
) -> None:
    Campaign.objects.update(deleted=timezone.now())
    address = f"{page_of(running.campaign)}players-see/"
    assert gm_client.post(address, {}, headers=HTMX).status_code == 404


def test_the_panel_opens_without_scripts_and_is_fetched_by_them(
    gm_client: Client, running: Encounter
) -> None:
    page = gm_client.get(f"/e/{running.uuid}/").content.decode()
    assert 'id="players-see"' not in page
    assert 'href="?players#share"' in page
    panel = gm_client.get(f"/e/{running.uuid}/players/").content.decode()
    whole = gm_client.get(f"/e/{running.uuid}/?players").content.decode()
    for shown in (panel, whole):
        assert 'id="players-see"' in shown
    assert '<details class="share" id="share" open>' in whole


def test_a_fight_that_reveals_otherwise_says_so_beside_the_choice(
    gm_client: Client, running: Encounter
) -> None:
    said = "Own setting of this fight"
    assert said not in text_of(gm_client.get(f"/e/{running.uuid}/?players"))
    take(running, rules.ChangeSettings({"reveal_on_turn": False}))
    assert said in text_of(gm_client.get(f"/e/{running.uuid}/?players"))
