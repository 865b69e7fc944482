"""Looking at an earlier state of a fight, and going back to it in one step that can be undone."""

import random
import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule, run_state_machine_as_test
from pytest_django import DjangoCaptureOnCommitCallbacks

import rules
from encounters import history, live, steps
from encounters.models import Encounter
from encounters.screens.past import PastBoard
from tests.encounters.playing import (
    back,
    examples,
    fight_in,
    fresh,
    press,
    press_plainly,
    redo,
    take,
    text_of,
    undo,
    versions,
)
from tests.encounters.test_undo_always import Table, state_of
from tests.factories import EncounterFactory, PlayerLinkFactory, creature, hero

pytestmark = pytest.mark.django_db


def go_back(encounter: Encounter, version: int, **options: Any) -> steps.Taken:
    key, seen = options.get("key") or uuid4(), fresh(encounter).version
    return steps.go_back(encounter.uuid, key, options.get("seen", seen), version)


def looked_at(client: Client, encounter: Encounter, version: int) -> PastBoard:
    answer = client.get(f"/e/{encounter.uuid}/at/{version}/")
    assert answer.status_code == 200
    board: PastBoard = answer.context["board"]
    return board


class Chronicle:
    """A fight in which much happens, and the state after each of its steps."""

    def __init__(self) -> None:
        self.encounter: Encounter = EncounterFactory.create()
        self.states: list[rules.Fight] = [fight_in(self.encounter)]  # by version
        goblins = [creature(creature="srd-5.1/goblin", hidden=True, notes="sly")] * 2
        self.take(rules.Join((hero("Aria"), hero("Bran"), *goblins, creature("Ogre", max_hp=59))))
        self.take(rules.OpenFight())
        self.take(rules.StartFight(totals={1: 20, 2: 15, 3: 15, 5: 10}))
        self.take(rules.Damage(5, 9))
        self.take(rules.NextTurn())
        self.then(undo)
        self.then(redo)
        self.take(rules.BreakTie((3, 2)))
        self.take(rules.Leave((4,)))
        self.take(rules.Damage(1, 50))
        self.then(back)
        self.take(rules.Join((hero("Cleo"),)))
        for _ in range(4):
            self.take(rules.NextTurn())
        self.then(undo)
        self.take(rules.EndFight())

    def take(self, command: rules.Command) -> None:
        take(self.encounter, command)
        self._note()

    def then(self, change: Any) -> None:
        change(self.encounter)
        self._note()

    def _note(self) -> None:
        self.states.append(fight_in(self.encounter))
        assert self.states[-1].version == len(self.states) - 1

    @property
    def last(self) -> int:
        return len(self.states) - 1


# Looking


def test_every_earlier_state_is_shown_as_it_was(gm_client: Client) -> None:
    told = Chronicle()
    for version in range(1, told.last + 1):
        board, was = looked_at(gm_client, told.encounter, version), told.states[version]
        assert (board.state, board.round) == (was.state, was.round)
        shown = {past.row.number: (past.row.hp, past.row.hidden) for past in board.rows}
        assert shown == {c.number: (c.hp, c.hidden) for c in was.combatants}
        acting = {past.row.slot for past in board.rows if past.row.acting}
        assert acting == ({was.current} if was.state == "running" else set())
        totals = [past.row.total for past in board.rows if past.row.leads and past.row.total]
        assert totals == [str(slot.total) for slot in was.slots if slot.total is not None]


def test_an_earlier_state_tells_turn_step_and_what_came_next(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(3, 7))
    take(running, rules.NextTurn())
    page = gm_client.get(f"/e/{running.uuid}/at/2/")
    said = text_of(page)
    assert "Step 2 of 3" in said
    assert "7 damage to Ogre" in said
    assert "Round 1" in said
    assert re.search(r"Aria has the turn", said)
    assert "What happened next: Turn: Bran" in said
    links = re.findall(rf'href="/e/{running.uuid}/at/(\d+)/"', page.content.decode())
    assert sorted(set(links)) == ["1", "3"]


def test_an_earlier_state_tells_what_has_become_of_everybody(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(3, 7))
    take(running, rules.GiveTemporary(3, 4))
    take(running, rules.Leave((2,)))
    take(running, rules.Join((hero("Cleo"),)))
    board = looked_at(gm_client, running, 1)
    assert [(past.hp_now, past.left) for past in board.rows] == [
        ("", False), ("", True), ("52/59 +4", False),
    ]  # fmt: skip
    assert board.entered == "Cleo"


def test_an_earlier_state_shows_the_marks_of_then(gm_client: Client, running: Encounter) -> None:
    take(running, rules.AddEffect(3, "exhaustion", 2))
    take(running, rules.RemoveEffect(3, "exhaustion"))
    said = [text_of(gm_client.get(f"/e/{running.uuid}/at/{version}/")) for version in (1, 2, 3)]
    assert ["exhaustion 2" in one for one in said] == [False, True, False]


def test_looking_changes_nothing_and_offers_nothing_but_going_back(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(3, 7))
    before = fight_in(running)
    page = gm_client.get(f"/e/{running.uuid}/at/1/").content.decode()
    forms = re.findall(rf'action="/e/{running.uuid}/([^"]*)"', page)
    assert forms == ["go-back/"]
    assert (fight_in(running), versions(running)) == (before, [1, 2])


def test_the_present_offers_no_way_back_to_itself(gm_client: Client, running: Encounter) -> None:
    page = gm_client.get(f"/e/{running.uuid}/at/1/").content.decode()
    assert "go-back/" not in page
    assert "This is how the fight stands now." in page


@pytest.mark.parametrize("version", ["0", "2", "99", "9" * 30, "-1", "x", ""])
def test_a_version_that_never_was_is_404(
    version: str, gm_client: Client, running: Encounter
) -> None:
    assert gm_client.get(f"/e/{running.uuid}/at/{version}/").status_code == 404


def test_an_encounter_that_is_gone_has_no_past(gm_client: Client, running: Encounter) -> None:
    gone = EncounterFactory.create(deleted=running.created, version=1)
    for uuid in (uuid4(), gone.uuid):
        for path in ("log/", "at/1/"):
            assert gm_client.get(f"/e/{uuid}/{path}").status_code == 404


# Going back


def test_going_back_brings_every_state_again_and_undo_what_was_left() -> None:
    told = Chronicle()
    left = state_of(told.states[-1])
    random.Random(5).shuffle(order := list(range(1, told.last)))
    for version in order:
        if state_of(told.states[version]) == left:
            continue
        taken = go_back(told.encounter, version)
        assert state_of(taken.fight) == state_of(told.states[version])
        assert state_of(fight_in(told.encounter)) == state_of(told.states[version])
        undo(told.encounter)
        assert state_of(fight_in(told.encounter)) == left
        redo(told.encounter)
        assert state_of(fight_in(told.encounter)) == state_of(told.states[version])
        undo(told.encounter)


def test_states_before_a_way_back_are_found_again_across_it() -> None:
    told = Chronicle()
    told.then(lambda encounter: go_back(encounter, 4))
    told.take(rules.Damage(5, 3))
    told.then(lambda encounter: go_back(encounter, 12))
    told.then(undo)
    for version in (2, 4, 12, told.last - 3, told.last - 1):
        if state_of(told.states[version]) != state_of(fight_in(told.encounter)):
            assert state_of(go_back(told.encounter, version).fight) == state_of(
                told.states[version]
            )


def test_going_back_is_one_step_and_undo_goes_on_behind_it(running: Encounter) -> None:
    for _ in range(3):
        take(running, rules.Damage(3, 5))
    go_back(running, 2)
    assert (versions(running), fight_in(running).combatant(3).hp) == ([1, 2, 3, 4, 5], 54)
    undo(running)
    assert fight_in(running).combatant(3).hp == 44
    undo(running)
    assert fight_in(running).combatant(3).hp == 49


def test_going_back_ends_what_could_be_redone(running: Encounter) -> None:
    take(running, rules.Damage(3, 5))
    take(running, rules.Damage(3, 5))
    undo(running)
    go_back(running, 1)
    with pytest.raises(rules.RuleError, match="nothing-to-redo"):
        redo(running)


def test_the_fight_goes_on_from_where_it_went_back_to(running: Encounter) -> None:
    for _ in range(4):
        take(running, rules.NextTurn())
    go_back(running, 2)
    assert fight_in(running).current == 2
    assert back(running).fight.current == 1
    undo(running)
    assert take(running, rules.NextTurn()).fight.current == 3


def test_the_same_way_back_sent_twice_is_gone_once(running: Encounter) -> None:
    take(running, rules.Damage(3, 5))
    key = uuid4()
    for _ in range(2):
        steps.go_back(running.uuid, key, 2, 1)
    assert versions(running) == [1, 2, 3]


def test_an_old_page_goes_nowhere(gm_client: Client, running: Encounter) -> None:
    take(running, rules.Damage(3, 5))
    take(running, rules.NextTurn())
    answer = press_plainly(gm_client, running, "go-back", version=1, seen=2)
    assert answer.status_code == 409
    assert "Last: Turn: Bran" in text_of(answer)
    assert versions(running) == [1, 2, 3]


def test_going_back_to_what_is_now_is_refused_with_a_sentence(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(3, 5))
    undo(running)
    for version in (1, 3):
        answer = press_plainly(gm_client, running, "go-back", version=version, at="undo")
        assert answer.status_code == 422
        assert "The fight already stands as it stood then" in text_of(answer)
    assert versions(running) == [1, 2, 3]


@pytest.mark.parametrize("version", ["", "0", "-1", "4", "x", "9" * 30])
def test_a_way_back_to_nowhere_is_refused(
    version: str, gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(3, 5))
    answer = press(gm_client, running, "go-back", version=version)
    assert answer.status_code == 422
    assert versions(running) == [1, 2]


def test_going_back_without_scripts_leads_to_the_board(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(3, 5))
    page = gm_client.get(f"/e/{running.uuid}/at/1/").content.decode()
    start = page.index(f'action="/e/{running.uuid}/go-back/"')
    sent = dict(
        re.findall(r'name="(\w+)" value="([^"]*)"', page[start : page.index("</form>", start)])
    )
    answer: Any = gm_client.post(f"/e/{running.uuid}/go-back/", sent)
    assert (answer.status_code, answer["Location"]) == (302, f"/e/{running.uuid}/")
    assert fight_in(running).combatant(3).hp == 59


# Its name


def last_line(client: Client, encounter: Encounter) -> str:
    [first, *_] = client.get(f"/e/{encounter.uuid}/log/").context["page"]
    return str(first.text)


def test_a_way_back_is_named_by_where_it_leads(gm_client: Client, running: Encounter) -> None:
    take(running, rules.Damage(3, 7))
    take(running, rules.NextTurn())
    undone = press(gm_client, running, "go-back", version=2)
    said = "Back to round 1, after “7 damage to Ogre”"
    assert last_line(gm_client, running) == said
    assert undone.context["board"].undo == said  # type: ignore[attr-defined]
    assert press(gm_client, running, "undo").context["board"].redo == said  # type: ignore[attr-defined]
    assert last_line(gm_client, running) == f"Undone: {said}"


def test_a_way_back_to_a_turn_is_named_by_whose_it_is(
    gm_client: Client, running: Encounter
) -> None:
    for _ in range(4):
        take(running, rules.NextTurn())
    go_back(running, 4)
    assert last_line(gm_client, running) == "Back to round 2, after “Turn: Aria”"


def test_a_way_back_to_an_undo_is_named_by_the_step_that_stood_then(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(3, 7))
    take(running, rules.NextTurn())
    undo(running)
    take(running, rules.Damage(1, 3))
    go_back(running, 4)
    assert last_line(gm_client, running) == "Back to round 1, after “7 damage to Ogre”"


def test_a_way_back_to_a_way_back_says_where_that_led(
    gm_client: Client, running: Encounter
) -> None:
    take(running, rules.Damage(3, 7))
    take(running, rules.NextTurn())
    go_back(running, 2)
    take(running, rules.Damage(1, 3))
    go_back(running, 4)
    assert last_line(gm_client, running) == "Back to round 1, after “7 damage to Ogre”"


def test_a_way_back_to_before_the_fight_says_so(gm_client: Client) -> None:
    told = Chronicle()
    go_back(told.encounter, 1)
    assert last_line(gm_client, told.encounter).startswith("Back to before the fight, after “Aria")


def test_a_way_back_to_nobody_says_so(gm_client: Client) -> None:
    encounter: Encounter = EncounterFactory.create()
    take(encounter, rules.Join((hero("Aria"),)))
    undo(encounter)
    take(encounter, rules.Join((hero("Bran"),)))
    go_back(encounter, 2)
    assert last_line(gm_client, encounter) == "Back to before anybody was there"
    assert "Nobody was there." in text_of(gm_client.get(f"/e/{encounter.uuid}/at/4/"))


# The players


def test_the_players_page_follows_back(
    client: Client,
    running: Encounter,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    link = PlayerLinkFactory.create(campaign=running.campaign)
    take(running, rules.NextTurn())
    told: list[int] = []
    monkeypatch.setattr(live, "announce", lambda campaign, uuid, version: told.append(version))
    rev = fresh(running).campaign.public_rev
    with django_capture_on_commit_callbacks(execute=True):
        go_back(running, 1)
    assert told == [3]
    assert fresh(running).campaign.public_rev == rev + 1
    assert re.search(r"now Aria", text_of(client.get(f"/j/{link.token}")), re.IGNORECASE)


def test_a_hidden_creature_is_hidden_again_from_players(client: Client) -> None:
    told = Chronicle()
    link = PlayerLinkFactory.create(campaign=told.encounter.campaign)
    undo(told.encounter)  # the end of the fight
    assert "goblin" in client.get(f"/j/{link.token}").content.decode().lower()
    go_back(told.encounter, 4)
    assert "goblin" not in client.get(f"/j/{link.token}").content.decode().lower()


# Always


class Chronicler(Table):
    """The same table, with ways back; it keeps every state that ever was."""

    def __init__(self) -> None:
        super().__init__()
        self.states: dict[int, rules.Fight] = {}

    @rule(index=st.integers(0, 60))
    def go_back(self, index: int) -> None:
        version = index % fresh(self.encounter).version + 1
        before, was = self.now, self.states[version]
        went = self.taken(lambda: go_back(self.encounter, version))
        assert went == (was != before)
        assert self.now == was

    def taken(self, change: Callable[[], Any]) -> bool:
        taken = super().taken(change)
        self.write_down()
        return taken

    @invariant()
    def write_down(self) -> None:
        self.states[fresh(self.encounter).version] = state_of(fight_in(self.encounter))

    def all_the_way_back_and_forth(self) -> None:
        fight = fight_in(self.encounter)
        for step in history.steps_from(self.encounter, 1):
            assert state_of(fight) == self.states[step.version]
            fight = history.taken_back(fight, [step])
        super().all_the_way_back_and_forth()


def test_every_state_of_any_fight_is_found_again() -> None:
    run_state_machine_as_test(Chronicler, settings=examples(12, steps=15))
