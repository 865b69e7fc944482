"""Refusals of every verb: a sentence beside the form, and nothing changed for anybody."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

import rules
from encounters.forms import VERBS
from encounters.forms.base import TargetsForm
from encounters.models import Encounter
from tests.encounters.playing import fight_in, fresh, press, press_plainly, pressed, take
from tests.encounters.uses import ARIA, BRAN, CLEO, DAIN, GOBLIN, LAIR, OGRE, USES, WOLF, table
from tests.sizes import FULL

pytestmark = pytest.mark.django_db

TARGETED = sorted(verb.verb for verb in VERBS if issubclass(verb, TargetsForm))
HUNDREDS = ",".join(str(number) for number in range(1_000, 1_200))
GONE = "This combatant has left the fight."
NO_CHOICE = "Select a valid choice"
NO_CONDITION = "This condition does not exist."
NO_NUMBER = "Enter a whole number."


def refused(
    client: Client, encounter: Encounter, verb: str, *, plainly: bool = True, **fields: Any
) -> str:
    """The sentence, after seeing that a page with scripts and one without get the same refusal."""
    before, version = fight_in(encounter), fresh(encounter).version
    answer = press(client, encounter, verb, **fields)
    assert answer.status_code == 422
    sentence = answer.content.decode().strip()
    if plainly:
        plain = press_plainly(client, encounter, verb, at="strip", selected=BRAN, **fields)
        assert plain.status_code == 422
        assert beside_in(plain.content.decode()) == [sentence]
    assert (fight_in(encounter), fresh(encounter).version) == (before, version)
    return unescape(sentence)


def beside_in(page: str) -> list[str]:
    """What stands beside the forms of a page."""
    return [text.strip() for text in re.findall(r'<p class="refusal"[^>]*>([^<]+)', page)]


NOBODY = ["", ",", "3,x", "3,", "x", "-3", "3.5", "0", "99,3", "²", HUNDREDS, "9" * 999]


@pytest.mark.parametrize("verb", TARGETED)
def test_targets_that_are_nobody_are_refused(verb: str, gm_client: Client) -> None:
    encounter = table(USES[verb].state)
    for target in NOBODY if FULL or verb == "damage" else ["x", "99,3"]:  # all read them alike
        fields = {**USES[verb].fields, "target": target}
        assert refused(gm_client, encounter, verb, plainly=target == "x", **fields), target


ONE_ALONE = {"edit", "set-roll", "set-owner", "set-passive", "mount", "give-extra-turn",
             "remove-extra-turn", "wait", "come-back", "set-total", "reorder", "give-turn",
             "remove-effect", "spend-use", "set-use", "remove-use"}  # fmt: skip


@pytest.mark.parametrize("verb", [v for v in TARGETED if v not in ONE_ALONE])
def test_somebody_who_has_left_between_two_others_stops_it_for_all(
    verb: str, gm_client: Client
) -> None:
    encounter = table(USES[verb].state)
    take(encounter, rules.Leave((WOLF,)))
    first = str(USES[verb].fields["target"]).split(",")[0]
    target = f"{first},{WOLF},{OGRE}"
    fields = {**USES[verb].fields, "target": target}
    assert refused(gm_client, encounter, verb, plainly=False, **fields) == GONE


@pytest.mark.parametrize("verb", TARGETED)
def test_two_hundred_targets_are_read(verb: str, gm_client: Client) -> None:
    encounter = table(USES[verb].state)
    first = str(USES[verb].fields["target"]).split(",")[0]
    same = ",".join([first, *[str(USES[verb].fields["target"])] * 90])
    pressed(gm_client, encounter, verb, **{**USES[verb].fields, "target": same})


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "level 0": ("add-effect", {"target": 3, "effect": "exhaustion", "level": "0"}, "than or equal"),
    "level 7": ("add-effect", {"target": 3, "effect": "exhaustion", "level": "7"}, "than or equal"),
    "a word for a level": ("add-effect", {"target": 3, "effect": "exhaustion", "level": "x"},
                           NO_NUMBER),
    "no condition of ours": ("add-effect", {"target": 3, "effect": "cursed"}, NO_CONDITION),
    "a reminder put on by hand": ("add-effect", {"target": 3, "effect": "readied"}, NO_CONDITION),
    "what nobody has on": ("remove-effect", {"target": "3,6", "effect": "prone"}, "already over"),
    "no effect of ours": ("remove-effect", {"target": 3, "effect": "cursed"}, NO_CONDITION),
    "no action of ours": ("take-action", {"target": 3, "action": "gloat"}, NO_CHOICE),
    "an action of the other edition": ("take-action", {"target": 3, "action": "study"},
                                       "not exist in this edition"),
    "no cost of ours": ("take-action", {"target": 3, "action": "dash", "cost": "gold"}, NO_CHOICE),
    "a second action": ("take-action", {"target": BRAN, "action": "dash"}, "No action left"),
    "too much to hold ready": ("take-action", {"target": 3, "action": "ready", "text": "x" * 201},
                               "at most 200 characters"),
    "no tick of ours": ("set-spent", {"target": 3, "tick": "gold-spent"}, NO_CHOICE),
    "half a tick": ("set-spent", {"target": 3, "tick": "action"}, NO_CHOICE),
    "no distance": ("move", {"target": 3, "distance": ""}, "Type a distance"),
    "a minus alone": ("move", {"target": 3, "distance": "-"}, NO_NUMBER),
    "metres in English": ("move", {"target": 3, "distance": "4,5"}, NO_NUMBER),
    "a distance without end": ("move", {"target": 3, "distance": "1e9"}, NO_NUMBER),
    "far too far": ("move", {"target": 3, "distance": "1000000000"}, "less than or equal"),
    "far too far in the end": ("move", {"target": 3, "distance": "99999", "by": "1000000"},
                               "less than or equal"),
    "whoever stands": ("stand-up", {"target": CLEO}, "already over"),
    "nothing held ready": ("release-readied", {"target": CLEO}, "already over"),
    "part of nothing": ("split", {"target": OGRE}, "not all"),
    "the whole group": ("split", {"target": "3,4,5"}, "not all"),
    "two groups": ("split", {"target": "3,6"}, "one group to split"),
    "two sides as one": ("merge", {"target": "1,6"}, "two sides cannot"),
    "one alone": ("merge", {"target": OGRE}, "of several to merge"),
    "a lair among them": ("merge", {"target": f"{OGRE},{LAIR}"}, "of several to merge"),
    "its own rider": ("mount", {"target": WOLF, "rider": WOLF}, "cannot be a rider"),
    "a rider of another side": ("mount", {"target": WOLF, "rider": ARIA}, "two sides cannot"),
    "a rider who left": ("mount", {"target": WOLF, "rider": 99}, GONE),
    "a rider who is a word": ("mount", {"target": WOLF, "rider": "x"}, NO_NUMBER),
    "whoever waits": ("wait", {"target": DAIN}, "delayed already"),
    "whoever does not wait": ("come-back", {"target": OGRE}, "is not delayed"),
    "a slot that is gone": ("reorder", {"target": WOLF, "before": "99"}, "place in the order"),
    "no way to go": ("reorder", {"target": WOLF, "move": "left"}, NO_CHOICE),
    "a word for a place": ("reorder", {"target": WOLF, "before": "x"}, NO_NUMBER),
    "no side of ours": ("change-side", {"target": 3, "side": "us"}, NO_CHOICE),
    "a side with itself": ("ally", {"one": "foes", "other": "foes"}, "Choose two sides"),
    "no other side": ("ally", {"one": "foes", "other": "us"}, NO_CHOICE),
    "an owner who left": ("set-owner", {"target": LAIR, "owner": "99"}, GONE),
    "no roll of ours": ("set-roll", {"target": 3, "what": "stealth_roll", "roll": "luck"},
                        "choice does not exist"),
    "no check of ours": ("set-roll", {"target": 3, "what": "hp", "roll": "9"}, NO_CHOICE),
    "no edition of ours": ("change-settings", {"edition": "1987"}, NO_CHOICE),
    "no yes and no no": ("change-settings", {"reveal_on_turn": "maybe"}, NO_CHOICE),
    "no such arrival": ("join", {"text": "goblin", "arrives": "1000"}, "less than or equal"),
    "an arrival in the past": ("join", {"text": "goblin", "arrives": "-1"}, "greater than"),
    "a tie that is gone": ("roll-off", {"total": "25"}, "already gone"),
    "a version to come": ("go-back", {"version": "999"}, "choice does not exist"),
    "no version": ("go-back", {"version": ""}, "choice does not exist"),
    "damage to somebody unknown": ("damage", {"target": f"{OGRE},{ARIA},99", "amount": "5"}, GONE),
}  # fmt: skip


def test_what_cannot_be_is_refused_with_its_reason(gm_client: Client) -> None:
    encounter = table("begun")
    seen: set[str] = set()  # verbs whose page without scripts was looked at
    for why, (verb, fields, reason) in REFUSED.items():
        said = refused(gm_client, encounter, verb, plainly=FULL or verb not in seen, **fields)
        assert reason in said, why
        seen.add(verb)


def test_of_several_those_act_who_can(gm_client: Client) -> None:
    encounter = table("begun")
    bran_has_acted = fight_in(encounter).combatant(BRAN).action_spent
    answer = press(gm_client, encounter, "take-action", target=f"{GOBLIN},{BRAN}", action="dash")
    assert (answer.status_code, bran_has_acted) == (200, True)
    assert fight_in(encounter).combatant(GOBLIN).dashes == 1
    assert fight_in(encounter).combatant(BRAN).dashes == 0


def test_a_roll_off_of_a_tie_that_was_settled_meanwhile_is_refused(gm_client: Client) -> None:
    encounter = table("begun")
    take(encounter, rules.RollInitiative(totals={OGRE: 13}))
    assert "already gone" in refused(gm_client, encounter, "roll-off", total=12)
    assert "already gone" in refused(gm_client, encounter, "break-tie", first=OGRE)


def test_a_second_turn_is_for_round_one_and_only_once(gm_client: Client) -> None:
    encounter = table("begun")
    assert press(gm_client, encounter, "give-extra-turn", target=ARIA).status_code == 200
    assert "already" in refused(gm_client, encounter, "give-extra-turn", target=ARIA)
    take(encounter, rules.OverrideSurprise(CLEO, "surprised"))
    assert "is surprised" in refused(gm_client, encounter, "give-extra-turn", target=CLEO)
    while fight_in(encounter).round == 1:
        take(encounter, rules.NextTurn())
    assert "only in round 1" in refused(gm_client, encounter, "give-extra-turn", target=OGRE)


def test_a_blow_to_several_of_whom_one_has_no_hit_points_hurts_nobody(gm_client: Client) -> None:
    encounter = table("begun")
    take(encounter, rules.Edit(CLEO, {"hp": None, "max_hp": None}))
    fields: dict[str, Any] = {"target": f"{GOBLIN},{CLEO},{OGRE}", "amount": "2"}
    for verb in ("damage", "heal", "give-temporary"):
        assert "hit points of Cleo" in refused(gm_client, encounter, verb, **fields)


@pytest.mark.parametrize(
    ("typed", "feet"), [("4,5", 15), ("1.5", 5), ("9", 30), ("−3", -10), ("0", 0)]
)
def test_movement_typed_in_french_is_in_metres(typed: str, feet: int, gm_client: Client) -> None:
    encounter = table("begun")
    take(encounter, rules.Move(OGRE, 10))
    gm_client.cookies["qv_language"] = "fr"
    pressed(gm_client, encounter, "move", target=OGRE, distance=typed)
    assert fight_in(encounter).combatant(OGRE).moved == 10 + feet


def test_movement_that_is_none_is_refused_in_french(gm_client: Client) -> None:
    encounter = table("begun")
    gm_client.cookies["qv_language"] = "fr"
    for typed in ("-", "1e9", "9999999", "NaN", "4,5,6", "quatre", "Infinity"):
        assert refused(gm_client, encounter, "move", target=OGRE, distance=typed), typed
