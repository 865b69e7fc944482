"""The rows of a twin, and of all that is around it: each under a key by chance."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import UUID

import rules
from encounters.models import Campaign, Combatant, Encounter, Hero, PlayerLink, Step, secret_hash
from rules.plain import FIGHT_FIELDS, combatant_to_plain
from tests.encounters.twins import Told

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
KEYS = 10**8  # of rows, at most
HANDED_OUT = UUID(int=7)  # the link that players have: both twins', one after the other


def stored(told: Told, name: str, public: tuple[int, str] = (0, "")) -> Encounter:
    """The encounter in rows, as the one that the players of this campaign follow.

    `public` is what the campaign keeps of what they have seen: its rev and its board.
    """
    chance = Random(told.seed)
    keys = iter(chance.sample(range(1, KEYS), 40))
    kept = {"public_rev": public[0], "public_board": public[1]}
    campaign = _campaign(name, keys, chance, **kept, **told.campaign)
    facts = {name: getattr(told.fight, name) for name in FIGHT_FIELDS}
    encounter = Encounter(
        pk=next(keys),
        uuid=_uuid(chance),
        campaign=campaign,
        name=chance.choice(["Ambush", "The lich returns"]),
        version=told.fight.version,
        slots=rules.slots_to_plain(told.fight.slots),
        used=_once(chance),
        created=_once(chance),
        turn_began=_once(chance),
        seen_began=NOON if told.until else _once(chance),
        **facts,
    )
    campaign.shown_id = encounter.pk
    other = _campaign("Another table", keys, chance)
    heroes = [
        Hero(pk=next(keys), campaign=chance.choice([campaign, other]), name="Secret hero", hp=7)
        for _ in range(chance.randrange(3))
    ]
    Campaign.objects.bulk_create([campaign, other])
    Encounter.objects.bulk_create(
        [encounter, Encounter(pk=next(keys), uuid=_uuid(chance), campaign=other, name="Elsewhere")]
    )
    Hero.objects.bulk_create(heroes)
    _store_links([_link(c, chance, next(keys)) for c in (campaign, other)])
    _store_parts(encounter, told, chance)
    return encounter


def _campaign(name: str, keys: Iterator[int], chance: Random, **columns: object) -> Campaign:
    made = {"uuid": _uuid(chance), "created": _once(chance), "used": _once(chance)}
    return Campaign(pk=next(keys), name=name, **made, **columns)


def _store_parts(encounter: Encounter, told: Told, chance: Random) -> None:
    """Those who fight, and steps of which none began a turn."""
    key = chance.randrange(KEYS)
    Combatant.objects.bulk_create(
        Combatant(pk=key + index, encounter=encounter, **combatant_to_plain(c))
        for index, c in enumerate(told.fight.combatants)
    )
    Step.objects.bulk_create(
        Step(encounter=encounter, version=n, key=_uuid(chance), command="damage")
        for n in range(chance.randrange(3))
    )


def handed_out(encounter: Encounter, seed: int) -> PlayerLink:
    """The link that players have, made for this campaign; what it is called and how long it
    lives are not theirs to know.
    """
    chance = Random(seed)
    link = _link(encounter.campaign, chance, chance.randrange(KEYS), HANDED_OUT)
    _store_links([link])
    return link


def _link(campaign: Campaign, chance: Random, key: int, link_id: UUID | None = None) -> PlayerLink:
    link = PlayerLink(
        pk=key,
        campaign=campaign,
        link_id=link_id or _uuid(chance),
        name=chance.choice(["", "Table", "A secret guest"]),
        created=NOON - timedelta(hours=chance.randrange(20)),
        last_used=chance.choice([None, NOON - timedelta(minutes=chance.randrange(999))]),
        days=chance.choice(PlayerLink.Life.values),
    )
    link.token_hash = secret_hash(link.token)
    return link


def _store_links(links: list[PlayerLink]) -> None:
    PlayerLink.objects.bulk_create(links)


def _uuid(chance: Random) -> UUID:
    return UUID(int=chance.getrandbits(128))


def _once(chance: Random) -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=chance.randrange(99_999))
