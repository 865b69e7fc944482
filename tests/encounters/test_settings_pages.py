"""The pages of settings: a campaign's, and one fight's."""

import re
from typing import Any

import pytest
from django.forms import ModelForm
from django.test import Client

import rules
from encounters import live
from encounters.models import Campaign, Encounter
from encounters.screens import player_board
from encounters.screens.player import PlayerCreature
from encounters.settings_words import HEADINGS, HINTS
from tests.encounters.playing import fight_in, fresh, page_of, press_plainly, take, text_of
from tests.factories import EncounterFactory, fight_of, hero

pytestmark = pytest.mark.django_db

HIT_POINTS = ("hp_heroes", "hp_allies", "hp_foes", "hp_others")
OF_PLAYERS = ("monsters_hidden", "show_ac", "show_initiative", "show_effects", *HIT_POINTS)
NO_RULE = (*OF_PLAYERS, "turn_seconds")  # what no rule asks about


def typed(campaign: Campaign, **changes: Any) -> dict[str, Any]:
    """What the campaign's page sends: its choices as they are, but for these."""
    values = {name: getattr(campaign, name) for name in ("name", *rules.CHOICES, *OF_PLAYERS)}
    values |= changes
    sent = {name: "on" if value is True else value for name, value in values.items()}
    return {name: value for name, value in sent.items() if value is not False}


def choose(client: Client, campaign: Campaign, **changes: Any) -> Any:
    return client.post(f"{page_of(campaign)}settings/", typed(campaign, **changes))


def chosen(answer: Any, name: str) -> str:
    """The option that stands in this select."""
    select = re.search(rf'<select name="{name}".*?</select>', answer.content.decode(), re.DOTALL)
    assert select
    found = re.search(r'<option value="([^"]*)" selected', select[0])
    return found[1] if found else ""


# A campaign


def test_every_choice_of_the_rules_stands_under_one_heading_and_says_what_it_means() -> None:
    named = [name for _, names in HEADINGS for name in names]
    assert sorted(named) == sorted([*rules.CHOICES, *NO_RULE])
    assert set(HINTS) == set(named)


def test_a_campaigns_page_shows_every_choice_with_what_it_means_in_play(
    gm_client: Client, campaign: Campaign
) -> None:
    answer = gm_client.get(f"{page_of(campaign)}settings/")
    for hint in HINTS.values():
        assert str(hint) in text_of(answer)
    page = answer.content.decode()
    for name in (*rules.CHOICES, *OF_PLAYERS):
        assert f'aria-describedby="id_{name}_helptext"' in page
        assert f'id="id_{name}_helptext"' in page
    assert (
        f'href="{page_of(campaign)}settings/"' in gm_client.get(page_of(campaign)).content.decode()
    )


@pytest.mark.parametrize("name", rules.CHOICES)
def test_every_choice_of_a_campaign_is_kept(
    name: str, gm_client: Client, campaign: Campaign
) -> None:
    for value in reversed(rules.CHOICES[name]):
        assert choose(gm_client, campaign, **{name: value}).status_code == 302
        campaign.refresh_from_db()
        assert getattr(campaign, name) == value


def test_settings_are_told_to_the_players(
    gm_client: Client, running: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    monkeypatch.setattr(live, "announce", lambda campaign, *_: told.append(campaign))
    rev = fresh(running).campaign.public_rev
    answer = choose(gm_client, running.campaign, name="At the mill", reveal_on_turn=False)
    assert answer.status_code == 302
    campaign = fresh(running).campaign
    assert (campaign.name, campaign.monsters_hidden, campaign.reveal_on_turn) == (
        "At the mill", True, False,
    )  # fmt: skip
    assert (campaign.public_rev, told) == (rev + 1, [campaign.pk])


def test_players_see_conditions_as_the_campaign_says(
    gm_client: Client, running: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(running, rules.AddEffect(1, rules.Effect("prone")))
    campaign = fresh(running).campaign
    told: list[int] = []
    monkeypatch.setattr(live, "announce", lambda campaign, *_: told.append(campaign))
    choose(gm_client, campaign, show_effects=False)
    assert fresh(running).campaign.public_rev == campaign.public_rev + 1
    assert told == [campaign.pk]
    assert not any(one.effects for one in board_of(running))
    choose(gm_client, campaign, show_effects=True)
    assert [e.code for one in board_of(running) for e in one.effects] == ["prone"]


def board_of(encounter: Encounter) -> list[PlayerCreature]:
    """Everybody whom players see in the order."""
    board = player_board(fresh(encounter).campaign, fight_in(encounter))
    slots = [*([board.now] if board.now else []), *board.coming, *board.later]
    return [one for slot in slots for one in slot.members]


def test_saved_settings_say_in_which_fights_they_hold_from_the_next_roll_on(
    gm_client: Client, running: Encounter
) -> None:
    campaign = running.campaign
    EncounterFactory.create(campaign=campaign, name="Later", fight=fight_of(hero()))
    take(running, rules.ChangeSettings({"tie_rule": "dexterity", "group_initiative": False}))
    page = f"{page_of(campaign)}settings/"
    assert "next roll" not in text_of(gm_client.get(page))
    answer = gm_client.get(choose(gm_client, campaign, edition="2024")["Location"])
    said = text_of(answer)
    assert f"from the next roll on: {running.name}" in said
    assert "Later" not in said
    otherwise = "ties: higher Dexterity first, then ask · one die for identical creatures: no"
    assert f"Fights with settings of their own {running.name} {otherwise}" in said


def test_settings_saved_while_nothing_goes_on_speak_of_no_fight(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.EndFight())
    said = text_of(gm_client.get(choose(gm_client, running.campaign)["Location"]))
    assert "Saved." in said
    assert "next roll" not in said
    assert "otherwise" not in said.split("Name")[0]


def test_settings_that_cannot_be_say_why_and_change_nothing(
    gm_client: Client, campaign: Campaign
) -> None:
    before = Campaign.objects.filter(pk=campaign.pk).values().get()
    for wrong in (
        {"name": "N" * 500},
        {"name": "Mill", "tie_rule": "?"},
        {"name": "A", "edition": ""},
    ):
        answer = choose(gm_client, campaign, **wrong, group_stealth="one_die")
        assert answer.status_code == 422
        assert f'value="{wrong["name"]}"' in answer.content.decode()
        assert chosen(answer, "group_stealth") == "one_die"
        assert answer.content.decode().count('class="refusal"') == 1
    assert Campaign.objects.filter(pk=campaign.pk).values().get() == before


def test_new_settings_do_not_take_back_what_players_saw_in_the_same_moment(
    gm_client: Client, running: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another window takes a turn between the reading of the campaign and its saving."""
    honest = ModelForm.is_valid

    def late(form: Any) -> bool:
        take(running, rules.NextTurn())
        return honest(form)

    monkeypatch.setattr(ModelForm, "is_valid", late)
    rev = fresh(running).campaign.public_rev
    choose(gm_client, running.campaign, name="At the mill")
    campaign = fresh(running).campaign
    assert (campaign.name, campaign.public_rev) == ("At the mill", rev + 2)


# One fight


def test_a_fights_page_says_what_the_campaign_plays(gm_client: Client, running: Encounter) -> None:
    Campaign.objects.filter(pk=running.campaign.pk).update(tie_rule="heroes_first")
    take(running, rules.ChangeSettings({"hero_rolls": "rolled", "group_initiative": False}))
    answer = gm_client.get(f"/e/{running.uuid}/settings/")
    said = text_of(answer)
    assert "as in the campaign: heroes before creatures, else ask" in said
    assert "as in the campaign: yes yes no" in said
    shown = {name: chosen(answer, name) for name in rules.CHOICES}
    own = {"hero_rolls": "rolled", "group_initiative": "False"}
    assert shown == dict.fromkeys(rules.CHOICES, "") | own


def test_a_fight_plays_otherwise_and_as_its_campaign_again(
    gm_client: Client, running: Encounter
) -> None:
    none = dict.fromkeys(rules.CHOICES, "")
    sent = {**none, "edition": "2024", "side_initiative": "True", "at": "change-settings"}
    answer = press_plainly(gm_client, running, "change-settings", **sent)
    assert answer["Location"] == f"/e/{running.uuid}/"
    assert fight_in(running).overrides == {"edition": "2024", "side_initiative": True}
    said = text_of(gm_client.get(answer["Location"]))
    assert "from the next roll on: edition: 5e, 2024 (SRD 5.2) · one die for each side: yes" in said
    press_plainly(gm_client, running, "change-settings", **none, at="change-settings")
    assert fight_in(running).overrides == {}


def test_a_choice_that_does_not_exist_comes_back_with_all_that_was_chosen(
    gm_client: Client, running: Encounter
) -> None:
    sent = {"edition": "1974", "tie_rule": "roll_off", "at": "change-settings"}
    answer = press_plainly(gm_client, running, "change-settings", **sent)
    assert answer.status_code == 422
    assert "1974 is not one of the available choices" in text_of(answer)
    assert chosen(answer, "tie_rule") == "roll_off"
    assert fight_in(running).overrides == {}


def test_settings_from_an_old_page_come_back_with_what_happened_since(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(3, 7))
    sent = {"tie_rule": "roll_off", "at": "change-settings", "seen": 1}
    answer = press_plainly(gm_client, running, "change-settings", **sent)
    assert answer.status_code == 409
    assert "Last step: 7 damage to Ogre" in text_of(answer)
    assert chosen(answer, "tie_rule") == "roll_off"
    assert f'name="seen" value="{fresh(running).version}"' in answer.content.decode()


def test_two_sides_are_allied_and_parted_by_one_button(
    gm_client: Client, running: Encounter
) -> None:
    page = f"/e/{running.uuid}/settings/"
    assert "Foes · Heroes enemies Make them allies" in text_of(gm_client.get(page))
    pair = {"one": "foes", "other": "heroes", "at": "ally"}
    assert press_plainly(gm_client, running, "ally", **pair, allied="1").status_code == 302
    assert "Foes · Heroes allied Make them enemies" in text_of(gm_client.get(page))
    press_plainly(gm_client, running, "ally", **pair)
    assert "Foes · Heroes enemies" in text_of(gm_client.get(page))


def test_an_alliance_that_cannot_be_is_refused_on_its_page(
    gm_client: Client, running: Encounter
) -> None:
    answer = press_plainly(gm_client, running, "ally", one="foes", other="foes", at="ally")
    assert answer.status_code == 422
    assert "Settings of this fight" in text_of(answer)
    assert "Choose two sides." in text_of(answer)
