"""Names of any letters: what nobody can see is none, and none disturbs what stands beside it."""

from typing import Any

import pytest
from django.test import Client

import rules
from encounters.campaign_forms import SettingsForm
from encounters.labels import Name
from encounters.models import Encounter
from encounters.names import written
from tests.encounters.playing import fight_in, press, pressed, take
from tests.factories import (
    CampaignFactory,
    EncounterFactory,
    HeroFactory,
    PlayerLinkFactory,
    creature,
    fight_of,
    hero,
)

pytestmark = pytest.mark.django_db

UNSEEN = ["\u200b", "\u200d\ufeff", "\u0301", "\u2060\u3164", "\u202e"]
HEBREW, APART = "\u05d2\u05d5\u05dc\u05dd", "\u2068\u05d2\u05d5\u05dc\u05dd\u2069"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Aria", "Aria"),
        ("Zoé", "Zoé"),
        ("Zoe\u0301", "Zoe\u0301"),
        ("Z\u0300\u0301\u0302\u0303\u0304\u0305oe", "Z\u0300\u0301\u0302oe"),
        (HEBREW, APART),
        (f"Lia {HEBREW}", f"\u2068Lia {HEBREW}\u2069"),
        ("\u202eairA", "airA"),
        (f"{HEBREW}\u2069\u202e", APART),
    ],
)
def test_a_name_disturbs_nothing_beside_it(typed: str, shown: str) -> None:
    assert written(typed) == shown


def test_the_number_of_a_name_that_runs_leftward_stands_behind_it() -> None:
    name = Name(HEBREW, HEBREW, "3")
    assert (str(name), name.typed) == (f"{APART} 3", HEBREW)


def test_names_that_run_leftward_stand_apart_on_all_pages_and_are_edited_as_typed(
    gm_client: Client, client: Client
) -> None:
    link = PlayerLinkFactory.create()
    encounter = EncounterFactory.create(
        campaign=link.campaign,
        fight=fight_of(hero("Aria"), creature(HEBREW), creature(HEBREW)),
    )
    take(encounter, rules.StartFight(totals={1: 20, 2: 10, 3: 5}))
    take(encounter, rules.Damage(2, 3))
    board = gm_client.get(f"/e/{encounter.uuid}/").content.decode()
    log = gm_client.get(f"/e/{encounter.uuid}/log/").content.decode()
    players = client.get(f"/j/{link.token}").content.decode()
    for page, number in ((board, " 1"), (log, " 1"), (players, " A")):
        assert f"{APART}{number}" in page
        assert HEBREW not in page.replace(APART, "")
    edit = gm_client.get(f"/e/{encounter.uuid}/combatant/2/").content.decode()
    assert f'value="{HEBREW}"' in edit


@pytest.mark.parametrize("unseen", UNSEEN)
def test_a_name_that_nobody_can_see_is_none(unseen: str, gm_client: Client) -> None:
    campaign = CampaignFactory.create(name="Greyford")
    encounter = EncounterFactory.create(campaign=campaign, fight=fight_of(creature("Ogre")))
    sent = {"name": unseen}
    table = {
        "form-TOTAL_FORMS": 1,
        "form-INITIAL_FORMS": 1,
        "form-0-id": HeroFactory.create(campaign=campaign, name="Aria").pk,
        "form-0-name": unseen,
    }
    attempts: list[tuple[str, dict[str, Any]]] = [
        ("/", sent),
        (f"/c/{campaign.uuid}/", table),
        (f"/c/{campaign.uuid}/heroes/", {"names": unseen}),
        (f"/e/{encounter.uuid}/rename/", sent),
    ]
    for address, values in attempts:
        assert gm_client.post(address, values).status_code == 422, address
    assert "name" in SettingsForm(sent, instance=campaign).errors
    edit = {"target": 1, "side": "foes", "initiative_roll": "auto", **sent}
    assert press(gm_client, encounter, "edit", **edit).status_code == 422
    assert press(gm_client, encounter, "join", text=unseen).status_code == 422
    count = {"target": 1, "name": unseen, "max": 2, "kind": "day"}
    assert press(gm_client, encounter, "add-use", **count).status_code == 422
    pressed(gm_client, encounter, "set-label", target=1, label=unseen)
    [ogre] = fight_in(encounter).combatants
    assert (ogre.name, ogre.label) == ("Ogre", "")
    assert list(campaign.heroes.values_list("name")) == [("Aria",)]


def test_pasted_lines_are_heroes_each(gm_client: Client) -> None:
    campaign = CampaignFactory.create()
    gm_client.post(f"/c/{campaign.uuid}/heroes/", {"names": "Dain\r\nElia; Faye,\u200b"})
    assert [one.name for one in campaign.heroes.all()] == ["Dain", "Elia", "Faye"]


def test_a_new_encounter_has_the_focus_in_its_add_field_until_something_is_done(
    gm_client: Client,
) -> None:
    campaign = CampaignFactory.create()
    address = gm_client.post(f"/c/{campaign.uuid}/encounters/")["Location"]
    assert "autofocus" in gm_client.get(address).content.decode()
    encounter = Encounter.objects.get()
    assert "autofocus" not in press(gm_client, encounter, "join", text="Aria").content.decode()
    assert "autofocus" not in gm_client.get(f"/e/{encounter.uuid}/").content.decode()
