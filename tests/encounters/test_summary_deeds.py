"""What is done when a fight is over: hit points carried back, a reset, a second encounter."""

from typing import Any

import pytest
from django.test import Client

import rules
from encounters import campaign_views
from encounters.duplicating import at_the_start
from encounters.models import Encounter, Hero
from tests.encounters.ended import ARIA, BRAN, ended, fought
from tests.encounters.playing import (
    fight_in,
    fresh,
    page_of,
    press,
    press_plainly,
    pressed,
    redo,
    take,
    text_of,
    undo,
)
from tests.factories import EncounterFactory, HeroFactory, creature, hero

pytestmark = pytest.mark.django_db


@pytest.fixture
def over() -> Encounter:
    return ended()


def kept() -> dict[str, int | None]:
    return {one.name: one.hp for one in Hero.objects.all()}


def carry(client: Client, encounter: Encounter) -> Any:
    return client.post(f"/e/{encounter.uuid}/carry-hit-points/", follow=True)


def end(encounter: Encounter, *commands: rules.Command) -> None:
    for command in (*commands, rules.EndFight()):
        take(encounter, command)


# Hit points carried back


def test_heroes_keep_the_hit_points_of_the_fight_when_the_gm_wants_it(
    gm_client: Client, over: Encounter
) -> None:
    assert kept() == {"Aria": None, "Bran": None}
    said = text_of(carry(gm_client, over))
    assert "now have the hit points that this fight has left them" in said
    assert kept() == {"Aria": 14, "Bran": 19}
    assert "Carry hit points back" not in said


def test_the_page_says_so_when_there_is_nothing_to_carry(
    gm_client: Client, over: Encounter
) -> None:
    carry(gm_client, over)
    said = text_of(gm_client.get(f"/e/{over.uuid}/summary/"))
    assert "have these hit points already" in said


def test_heroes_without_hit_points_are_not_said_to_have_them(
    gm_client: Client, over: Encounter
) -> None:
    carry(gm_client, over)
    Hero.objects.update(hp=None, max_hp=None)
    said = text_of(gm_client.get(f"/e/{over.uuid}/summary/"))
    assert "maximum not known" in said
    assert "have these hit points already" not in said


def test_a_hero_who_is_healed_is_unhurt_in_the_campaign_again(gm_client: Client) -> None:
    encounter = fought(hp=3)
    end(encounter)
    carry(gm_client, encounter)
    assert kept() == {"Aria": None, "Bran": None}


def test_a_hero_who_is_down_stays_down(gm_client: Client) -> None:
    encounter = fought()
    end(encounter, rules.Damage(ARIA, 20))
    carry(gm_client, encounter)
    assert kept()["Aria"] == 0


def test_more_hit_points_than_the_campaign_knows_are_unhurt(gm_client: Client) -> None:
    encounter = fought()
    Hero.objects.filter(name="Aria").update(max_hp=15)  # since the fight has begun
    end(encounter, rules.Damage(ARIA, 2))
    carry(gm_client, encounter)
    assert kept()["Aria"] is None


def test_where_a_number_is_not_known_nothing_is_carried(gm_client: Client) -> None:
    encounter = fought()
    Hero.objects.filter(name="Aria").update(max_hp=None)
    end(encounter, rules.Damage(ARIA, 2), rules.Damage(BRAN, 2))
    assert "maximum not known" in text_of(carry(gm_client, encounter))
    assert kept() == {"Aria": None, "Bran": 18}


def test_only_the_campaigns_own_heroes_are_touched(gm_client: Client, over: Encounter) -> None:
    gm_client.post(f"/bin/hero/{Hero.objects.get(name='Bran').pk}/throw-away/")
    strangers = HeroFactory.create(name="Cleo")
    pressed(gm_client, over, "reopen-fight")
    end(over, rules.Join((hero("Cleo", hero=strangers.pk, hp=5), hero("Dain", hp=1))))
    carry(gm_client, over)
    assert kept() == {"Aria": 14, "Bran": None, "Cleo": None}


def test_the_next_fight_begins_with_them(gm_client: Client, over: Encounter) -> None:
    carry(gm_client, over)
    gm_client.post(f"{page_of(over.campaign)}encounters/")
    following = Encounter.objects.exclude(pk=over.pk).get()
    assert [(c.hp, c.max_hp) for c in fight_in(following).combatants] == [(14, 20), (19, 20)]


# Reset


def reset(client: Client, encounter: Encounter) -> Any:
    """The button of the summary, as it is sent."""
    start = client.get(f"/e/{encounter.uuid}/summary/").context["summary"].start
    return press_plainly(client, encounter, "go-back", version=start)


def test_a_reset_is_one_step_to_the_preparation_and_undone_by_one(
    gm_client: Client, over: Encounter
) -> None:
    before = fight_in(over)
    assert reset(gm_client, over)["Location"] == f"/e/{over.uuid}/"
    fight = fight_in(over)
    assert (fight.state, fight.round, fight.version) == ("preparing", 0, before.version + 1)
    assert {(c.hp, c.slot) for c in fight.combatants} == {(20, None), (7, None)}
    undo(over)
    assert fight_in(over).combatants == before.combatants
    assert fight_in(over).state == "ended"


def test_a_reset_leads_to_where_the_fight_was_opened_last(gm_client: Client) -> None:
    encounter = fought()
    end(encounter)
    reset(gm_client, encounter)
    take(encounter, rules.Join((creature("Ogre"),)))
    take(encounter, rules.OpenFight())
    take(encounter, rules.Damage(ARIA, 2))
    take(encounter, rules.StartFight(accept_empty=True))
    end(encounter)
    reset(gm_client, encounter)
    assert [c.name for c in fight_in(encounter).combatants][-1] == "Ogre"
    assert fight_in(encounter).combatant(ARIA).hp == 20


def test_opening_undone_and_done_again_is_still_the_opening(gm_client: Client) -> None:
    encounter = fought()
    undo(encounter)
    redo(encounter)
    end(encounter)
    reset(gm_client, encounter)
    assert fight_in(encounter).state == "preparing"


# Duplicate


def duplicate(client: Client, encounter: Encounter) -> Encounter:
    there = set(Encounter.objects.values_list("pk", flat=True))
    answer = client.post(f"/e/{encounter.uuid}/duplicate/")
    copy = Encounter.objects.exclude(pk__in=there).get()
    assert answer["Location"] == f"/e/{copy.uuid}/?new"
    return fresh(copy)


def test_a_copy_has_everybody_as_they_were_before_the_fight(
    gm_client: Client, over: Encounter
) -> None:
    copy = duplicate(gm_client, over)
    assert (copy.name, copy.campaign, copy.state) == (
        "At the ford (copy)",
        over.campaign,
        "preparing",
    )
    people = [(str(c.name), c.ordinal, c.hp) for c in fight_in(copy).combatants]
    assert people == [
        ("Aria", 0, 20), ("Bran", 0, 20), ("Goblin", 1, 7), ("Goblin", 2, 7), ("Dog", 0, 7),
    ]  # fmt: skip
    assert fresh(over).state == "ended"


def test_a_copy_keeps_riders_owners_alliances_and_its_own_rules(gm_client: Client) -> None:
    encounter = EncounterFactory.create()
    people = (hero("Aria"), creature("Ogre"), creature("Horse", side="heroes"))
    take(encounter, rules.Join(people))
    take(encounter, rules.Leave((2,)))
    take(encounter, rules.Join((creature("Troll"), creature("Lair", is_lair=True))))
    take(encounter, rules.Edit(5, {"owner": 4}))
    take(encounter, rules.Mount(3, 1))
    take(encounter, rules.Ally("foes", "heroes", True))
    take(encounter, rules.ChangeSettings({"tie_rule": "roll_off"}))
    before, after = fight_in(encounter), fight_in(duplicate(gm_client, encounter))
    assert after.combatants == before.combatants
    assert (after.allied, after.overrides) == (before.allied, before.overrides)
    assert (after.last_number, after.ordinals_given, after.letters_given) == (
        before.last_number, before.ordinals_given, before.letters_given,
    )  # fmt: skip


def test_people_who_join_a_copy_get_numbers_of_their_own(
    gm_client: Client, over: Encounter
) -> None:
    copy = duplicate(gm_client, over)
    take(copy, rules.Join((creature(),)))
    newcomer = fight_in(copy).combatants[-1]
    assert (newcomer.number, newcomer.ordinal) == (6, 3)


def test_a_copy_is_played_reset_and_undone_like_any_other(
    gm_client: Client, over: Encounter
) -> None:
    copy = duplicate(gm_client, over)
    take(copy, rules.StartFight(accept_empty=True))
    end(copy)
    reset(gm_client, copy)
    assert fight_in(copy).state == "preparing"
    assert fight_in(duplicate(gm_client, copy)).combatants == fight_in(copy).combatants
    press(gm_client, copy, "go-back", version=1)
    for _ in range(5):
        if fresh(copy).undo_step:
            undo(copy)
    assert at_the_start(fresh(copy)) == fight_in(copy)


def test_an_encounter_without_anybody_has_a_copy_too(gm_client: Client) -> None:
    copy = duplicate(gm_client, EncounterFactory.create())
    assert fight_in(copy).combatants == ()


def test_a_long_name_is_cut_so_that_the_copy_says_what_it_is(gm_client: Client) -> None:
    gm_client.cookies["qv_language"] = "en"
    copy = duplicate(gm_client, EncounterFactory.create(name="N" * 80))
    assert copy.name == "N" * 73 + " (copy)"


def test_campaign_list_and_rename_page_offer_a_copy(gm_client: Client, over: Encounter) -> None:
    for path in (page_of(over.campaign), f"/e/{over.uuid}/rename/", f"/e/{over.uuid}/summary/"):
        assert f'action="/e/{over.uuid}/duplicate/"' in gm_client.get(path).content.decode(), path


def test_a_full_campaign_takes_no_copy(
    gm_client: Client, over: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign_views, "ENCOUNTER_LIMIT", 1)
    answer = gm_client.post(f"/e/{over.uuid}/duplicate/")
    assert answer.status_code == 422
    assert "at most 1 encounters" in text_of(answer)
    assert Encounter.objects.count() == 1


def test_what_the_players_follow_stays_the_fight_that_was_begun(
    gm_client: Client, over: Encounter
) -> None:
    duplicate(gm_client, over)
    assert fresh(over).campaign.shown == over
