"""The panel of the turn that is on, as the GM reads and presses it."""

import re
from dataclasses import replace

import pytest
from django.test import Client

import rules
from encounters import adding
from encounters.models import Encounter
from tests.encounters.playing import fight_in, press, pressed, take, text_of, undo
from tests.factories import EncounterFactory, PlayerLinkFactory, creature, fight_of, hero

pytestmark = pytest.mark.django_db


def begun(*combatants: rules.Combatant) -> Encounter:
    """Those of a fight that has begun, the first of them first."""
    firsts = {c.name: n for n, c in reversed(list(enumerate(combatants, 1))) if not c.is_lair}
    totals = {n: 20 - n for n in firsts.values()}
    return EncounterFactory.create(fight=rules.StartFight(totals).run(fight_of(*combatants)).fight)


def panel(client: Client, encounter: Encounter) -> str:
    """The words of the turn panel."""
    answer = client.get(f"/e/{encounter.uuid}/")
    found = re.search(rb'<details class="turn.*?<details class="log"', answer.content, re.S)
    assert found
    answer.content = found[0]
    return text_of(answer)


def test_a_giant_eagle_flies_24_metres_and_walks_3(gm_client: Client) -> None:
    eagle = creature("Giant Eagle", speed=10, speeds={"fly": 80})
    encounter = begun(eagle, hero("Lia"))
    gm_client.cookies["qv_language"] = "fr"
    said = panel(gm_client, encounter)
    assert "Déplacement 0 / 24 m" in said
    assert "Marche 3 m Vol 24 m" in said, "each way is a button"
    pressed(gm_client, encounter, "choose-speed", target=1, way="walk")
    assert "Déplacement 0 / 3 m" in panel(gm_client, encounter)
    undo(encounter)
    assert fight_in(encounter).combatant(1).way == "fly"


def test_of_a_group_those_who_fly_do(gm_client: Client) -> None:
    bat = creature("Bat", creature="bat", speed=5, speeds={"fly": 5})
    encounter = begun(bat, bat, hero("Lia"))
    page = gm_client.get(f"/e/{encounter.uuid}/").content.decode()
    form = re.search(r'id="doers-move".*?</form>', page, re.S)
    assert form
    assert re.findall(r'name="way" value="(\w+)"', form[0]) == ["walk", "fly"]
    pressed(gm_client, encounter, "choose-speed", target="1,2", way="fly")
    assert [fight_in(encounter).combatant(n).way for n in (1, 2)] == ["fly", "fly"]
    assert "Fly 0 /5 ft" in panel(gm_client, encounter)


def test_a_lairs_turn_shows_a_lair(gm_client: Client) -> None:
    legend = (rules.Use("Legendary actions", 3, 3, "legendary"),)
    dragon = creature("Dragon", uses=legend, max_hp=178)
    encounter = begun(dragon, hero("Lia"), replace(adding.lair(), hidden=False))
    take(encounter, rules.GiveTurn(3))
    said = panel(gm_client, encounter)
    assert "Lair action of Dragon, on initiative count 20." in said
    for box in ("Movement", "Bonus", "Reaction", "AC", "Passive Perception", "Actions in combat"):
        assert box not in said, box
    [row] = re.findall(
        rb'<li id="c3".*?</li>', gm_client.get(f"/e/{encounter.uuid}/").content, re.S
    )
    for figure in (b"Hit points", b"Armor Class", b"reaction", b"<rect"):
        assert figure not in row, figure


def test_when_the_last_foe_is_down_the_end_is_offered(gm_client: Client) -> None:
    encounter = begun(hero("Lia"), creature("Ogre"), creature("Wolf", arrives=3))
    offer = "No enemy is left standing."
    pressed(gm_client, encounter, "damage", target=2, amount="99")
    assert offer not in text_of(gm_client.get(f"/e/{encounter.uuid}/")), "a wolf is still to come"
    pressed(gm_client, encounter, "leave", target=3)
    assert offer in text_of(gm_client.get(f"/e/{encounter.uuid}/"))
    pressed(gm_client, encounter, "revive", target=2)
    assert offer not in text_of(gm_client.get(f"/e/{encounter.uuid}/"))


def test_heroes_alone_or_all_down_are_offered_no_end(gm_client: Client) -> None:
    encounter = begun(hero("Lia"), hero("Bran"))
    assert "No enemy is left" not in text_of(gm_client.get(f"/e/{encounter.uuid}/"))


def test_players_get_a_card_of_the_end(gm_client: Client, client: Client) -> None:
    link = PlayerLinkFactory.create()
    people = fight_of(hero("Lia"), creature("Ogre", hidden=True))
    encounter = EncounterFactory.create(campaign=link.campaign, fight=people)
    take(encounter, rules.StartFight({1: 20, 2: 3}))
    take(encounter, rules.EndFight())
    page = text_of(client.get(f"/j/{link.token}?lang=en"))
    assert "The fight is over The next one will appear here by itself." in page
    assert "Ogre" not in page


def test_the_next_turn_says_what_is_still_due(gm_client: Client) -> None:
    encounter = begun(hero("Lia", max_hp=9, hp=9), creature("Ogre"))
    take(encounter, rules.AddEffect(1, rules.Effect("concentration", text="Bless")))
    take(encounter, rules.Damage(1, 4))
    answer = press(gm_client, encounter, "next-turn")
    assert "Still due: Lia: Concentration on Bless, DC 10" in text_of(answer)
    settle = {"target": 1, "due": "concentration|10|con|concentration||", "result": "made"}
    pressed(gm_client, encounter, "settle", **settle)
    assert "Still due" not in text_of(press(gm_client, encounter, "next-turn"))


def test_the_last_roll_goes_with_its_turn(gm_client: Client) -> None:
    encounter = begun(hero("Lia"), creature("Ogre"))
    rolled = b'<span class="faint">1d1+40</span>'
    assert rolled in press(gm_client, encounter, "roll-dice", dice="1d1+40").content
    assert rolled not in press(gm_client, encounter, "next-turn").content
    undo(encounter)
    assert rolled in gm_client.get(f"/e/{encounter.uuid}/").content
