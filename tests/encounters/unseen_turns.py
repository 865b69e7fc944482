"""A fight played twice by chance: once with somebody hidden who has turns, once without.

Players must get the same, byte by byte, and as often.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from unittest import mock

from django.utils import timezone
from hypothesis import strategies as st

import rules
from encounters import adding
from encounters.models import Campaign, Encounter, PlayerLink
from tests.encounters.playing import fight_in, fresh, redo, rolled_back, take, undo
from tests.encounters.watching import frames, seen_by_players
from tests.factories import EncounterFactory, PlayerLinkFactory, creature, fight_of, hero

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
ARIA, BRAN, GOBLIN, OGRE = 1, 2, 3, 5  # Goblins 3 and 4


@dataclass(frozen=True)
class Script:
    """What happens in sight, turn by turn, and between which of those turns others act."""

    hp: tuple[int, ...]  # of those in sight
    effects: tuple[tuple[int, rules.Effect], ...]  # put on as the fight begins
    turns: tuple[tuple[rules.Command, ...], ...]  # what the GM does by hand during each
    hidden: tuple[int, ...]  # totals of those who act unseen
    anew: bool  # every round is rolled anew
    second: bool  # Bran has a second turn, the last of round 1
    temporary: tuple[int, ...] = (0,) * 4  # hit points, of those in sight
    told: str = "exact"  # what players see of hit points


def _effects() -> st.SearchStrategy[tuple[int, rules.Effect]]:
    who = st.sampled_from([ARIA, BRAN, GOBLIN, GOBLIN + 1, OGRE])
    edge = st.sampled_from(["start", "end"])
    number = st.sampled_from(["1", "3", "9", "30"])
    hurts = st.builds(
        lambda each, at, heals: rules.Effect(
            "own", text="burning", each=each, each_at=at, heals=heals
        ),
        number, edge, st.sampled_from([False, False, True]),
    )  # fmt: skip
    ends = st.builds(
        lambda code, at, whose, turns: rules.Effect(code, ends=at, whose=whose, turns=turns),
        st.sampled_from(["poisoned", "stunned", "concentration"]), edge, st.none() | who,
        st.integers(1, 2),
    )  # fmt: skip
    hangs = who.map(lambda source: rules.Effect("blinded", source=source, hangs=True))
    worn = st.just(rules.Effect("exhaustion", 4, ends="end"))
    return st.tuples(who, hurts | hurts | ends | hangs | worn)


def _by_hand() -> st.SearchStrategy[rules.Command]:
    """Of the Ogre, who has hit points enough never to be full or down.

    Not temporary ones: they do not add up, and so it matters when they came.
    """
    amount = st.integers(1, 40)
    return st.one_of(
        st.builds(rules.Damage, st.just(OGRE), amount),
        st.builds(rules.Heal, st.just(OGRE), amount),
        st.just(rules.Edit(OGRE, {"ac": 19})),
        st.just(rules.AddEffect(BRAN, rules.Effect("prone"))),
        st.just(rules.AddEffect(ARIA, rules.Effect("own", text="blessed"))),
    )


def scripts() -> st.SearchStrategy[Script]:
    return st.builds(
        Script,
        st.tuples(*[st.sampled_from([1, 10, 11, 20])] * 4),
        st.lists(_effects(), min_size=1, max_size=4).map(tuple),
        st.lists(st.lists(_by_hand(), max_size=1).map(tuple), min_size=3, max_size=7).map(tuple),
        st.sets(st.sampled_from([1, 11, 14, 18, 22, 30]), min_size=1, max_size=2).map(tuple),
        st.booleans(),
        st.booleans(),
        st.tuples(*[st.sampled_from([0, 0, 4, 13])] * 4),
        st.sampled_from(["word", "exact", "exact"]),
    )


def compare_played(script: Script) -> None:
    """Play it with and without the hidden: nothing may tell the players which it was."""
    with rolled_back(), mock.patch.object(timezone, "now", return_value=NOON):
        link = PlayerLinkFactory.create(
            campaign__reveal_on_turn=False, campaign__turn_seconds=60,
            campaign__reroll_each_round=script.anew,
            campaign__show_ac=True, campaign__show_initiative=True,
            **{f"campaign__hp_{side}": script.told for side in ("heroes", "foes", "others")},
        )  # fmt: skip
        got = []
        for hidden in (script.hidden, ()):
            with rolled_back():
                got.append(list(_played(script, hidden, link)))
        assert got[0] == got[1]


def _played(script: Script, hidden: tuple[int, ...], link: PlayerLink) -> Iterator[object]:
    """All that is sent to players, each time that they get something new; at last, the page."""
    encounter = _begun(script, hidden, link)
    last = list(frames(link.campaign_id))
    yield last
    for by_hand in script.turns:
        for _ in _steps(encounter, by_hand):
            now = list(frames(link.campaign_id))
            if now != last:
                yield now
            last = now
    yield seen_by_players(link, "en")


def _steps(encounter: Encounter, by_hand: tuple[rules.Command, ...]) -> Iterator[object]:
    """After each: all unseen turns that come, what is done by hand, and the next in sight."""
    while True:
        fight = fight_in(encounter)
        after = _next(fight).run(fight).fight
        if not all(c.hidden for c in after.members(after.current)):
            break
        yield take(encounter, _next(fight))
        yield undo(encounter)
        yield redo(encounter)
    for command in by_hand:
        yield take(encounter, command)
    yield take(encounter, _next(fight_in(encounter)))


def _next(fight: rules.Fight) -> rules.NextTurn:
    """With the same dice for those in sight, whoever is hidden: even ones, and odd for these."""
    return rules.NextTurn({slot: _die(fight, slot) for slot in rules.rolls_anew(fight)})


def _die(fight: rules.Fight, slot: int) -> int:
    if all(c.hidden for c in fight.members(slot)):
        return (6 * slot + 10 * fight.round) % 20 + 1
    return 2 * ((slot + 4 * fight.round) % 10 + 1)


def _begun(script: Script, hidden: tuple[int, ...], link: PlayerLink) -> Encounter:
    """Aria 25, Bran 20, a lair, an Ogre 15, Goblins 12, of whom a third comes with round 2."""
    temporary = script.temporary
    goblin = creature(hp=script.hp[2], max_hp=20, creature="gob", temp_hp=temporary[2])
    fight = fight_of(
        hero("Aria", hp=script.hp[0], temp_hp=temporary[0]),
        hero("Bran", hp=script.hp[1], temp_hp=temporary[1]),
        *[goblin] * 2,
        creature("Ogre", max_hp=4000, hp=2001 + script.hp[3], temp_hp=temporary[3]),
        replace(goblin, arrives=2),
        replace(adding.lair(), hidden=False),
        *[_stalker(number) for number in range(len(hidden))],
    )
    campaign = Campaign.objects.get(pk=link.campaign_id)
    encounter: Encounter = EncounterFactory.create(campaign=campaign, fight=fight)
    totals = {ARIA: 25, BRAN: 20, OGRE: 15, GOBLIN: 12}
    last = len(fight.combatants) - len(hidden)
    totals |= {last + place: total for place, total in enumerate(hidden, start=1)}
    take(encounter, rules.StartFight(totals=totals))
    while fight_in(encounter).current != ARIA:
        take(encounter, rules.NextTurn())
    for number, effect in script.effects:
        take(encounter, rules.AddEffect(number, effect))
    if script.second:
        take(encounter, rules.GiveExtraTurn(BRAN))
    return fresh(encounter)


def _stalker(number: int) -> rules.Combatant:
    """Hidden, and fast enough to begin a round that is rolled anew."""
    return creature(f"Stalker {number}", hidden=True, initiative_bonus=9)
