"""Fights in which every secret has a canary of its own, and the forms in which one might leave."""

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from random import Random
from typing import Any
from urllib.parse import quote

from django.conf import settings

import rules
from encounters import access
from encounters.models import EntryLink, PlayerLink
from tests.encounters.playing import take
from tests.factories import (
    CampaignFactory,
    EncounterFactory,
    HeroFactory,
    PlayerLinkFactory,
    creature,
    fight_of,
    hero,
)

NUMERIC = ("ac", "temp_hp", "dexterity", "passive_perception", "stealth_bonus", "speed", "stealth",
           "hero", "hero_level", "ordinal", "owner", "rider", "moved",
           "initiative_bonus")  # fmt: skip
WORDS = ["readied", "poisoned", "roll_off", "tie_rule", "thunder", "readied action",
         "tient une action"]  # fmt: skip
SHORTEST = 7  # letters of what is looked for: fewer stand anywhere by chance
SEEN: list[dict[str, Any]] = [
    {},
    {"hp_heroes": "nothing", "hp_foes": "nothing"},
    {"show_effects": False, "hp_allies": "exact", "hp_others": "exact"},
]  # what players are let see; none of it a number of those who are there


@dataclass
class Table:
    """A campaign that players follow, and all that they must never get."""

    link: PlayerLink
    texts: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    _words: Iterator[int] = field(default_factory=lambda: iter(range(1, 999)))
    _counts: Iterator[int] = field(default_factory=lambda: iter(range(54_321, 99_999, 211)))

    def word(self) -> str:
        self.texts.append(canary(next(self._words)))
        return self.texts[-1]

    def count(self) -> int:
        self.numbers.append(next(self._counts))
        return self.numbers[-1]

    def is_told_in(self, answers: list[bytes]) -> list[str | int]:
        """The secrets that these hold."""
        all_of_it = b"\n".join(answers)
        texts = [s for s in self.texts if any(form in all_of_it for form in disguises(s))]
        found = set(_NUMBER.findall(all_of_it))
        return [*texts, *(n for n in self.numbers if b"%d" % n in found)]


def canary(number: int) -> str:
    return f"canary-{number}<&\"'éQ7{number * 7919}>"


def disguises(secret: str) -> set[bytes]:
    """The forms in which a secret might leave."""
    raw = secret.encode()
    forms = {secret, escape(secret), quote(secret), quote(secret, safe=""), raw.hex()}
    forms.add(secret.encode("unicode_escape").decode())
    for shift in range(3):
        packed = base64.b64encode(b"x" * shift + raw + b"x" * (-(shift + len(raw)) % 3))
        forms.add(packed[4:-4].decode())
    return {form.encode() for form in forms if len(form) >= SHORTEST}


_NUMBER = re.compile(rb"(?<![0-9A-Za-z])[0-9]+(?![0-9A-Za-z])")


def whole_number(number: int) -> re.Pattern[bytes]:
    return re.compile(rb"(?<![0-9A-Za-z])%d(?![0-9A-Za-z])" % number)


def secret_table(chance: Random) -> Table:
    """A fight with a canary in every field that players must not see."""
    seen = chance.choice(SEEN)
    campaign = CampaignFactory.create(name="The mill", reveal_on_turn=False, **seen)
    table = Table(PlayerLinkFactory.create(campaign=campaign, name="canary"))
    _around(table)
    fighters = [
        hero("Aria", **_secrets(table), max_hp=table.count()),
        _stranger(table, label="Hooded figure"),
        _stranger(table, label=table.word(), hidden=True),
        _stranger(table, label=table.word(), arrives=table.count()),
        *[_somebody(table, chance) for _ in range(chance.randrange(4))],
    ]
    name, fight = table.word(), fight_of(*fighters)
    encounter = EncounterFactory.create(campaign=campaign, name=name, fight=fight)
    table.texts.append(str(encounter.uuid))
    totals = {1: 777, 2: 555, 3: 666}
    totals |= {n: 444 - n for n in range(4, len(fighters) + 1)}
    take(encounter, rules.StartFight(totals=totals))
    table.numbers += totals.values()
    take(encounter, rules.Damage(1, 9))
    take(encounter, rules.NextTurn())  # the turn of the hidden one
    take(encounter, rules.TakeAction(3, "ready", cost="none", text=table.word()))
    take(encounter, rules.Move(3, table.count()))
    take(encounter, rules.ChangeSettings({"tie_rule": "roll_off"}))
    if chance.random() < 0.2:
        take(encounter, rules.EndFight())
    return table


def _secrets(table: Table) -> dict[str, Any]:
    held = rules.Effect("readied", text=table.word(), ends="start")
    spell = rules.Effect("concentration", text=table.word())
    cursed = rules.Effect("own", text=table.word(), secret=True, source=3)
    burns = rules.Effect("blinded", save="wis", dc=table.count(), each=str(table.count()), source=3)
    hidden = rules.Effect("poisoned", secret=True)
    return {
        **{name: table.count() for name in NUMERIC},
        "notes": table.word(),
        "creature": table.word(),
        "effects": (held, spell, cursed, burns, hidden),
        "uses": (rules.Use(table.word(), 3, 2, name_fr=table.word()),),
        "dues": (rules.Due("save", table.count(), "con", "own", table.word()),),
        "defences": (rules.Defence("immunity", "thunder"),),
        "saves": {"con": table.count()},
        "speeds": {"burrow": table.count()},
        "moving": "burrow",
    }


def _stranger(table: Table, **facts: Any) -> rules.Combatant:
    """A creature whose name nobody knows."""
    own = {"name_fr": table.word(), "max_hp": table.count(), **_secrets(table)}
    return creature(table.word(), **own, **facts)


def _somebody(table: Table, chance: Random) -> rules.Combatant:
    side = chance.choice(["heroes", "foes"])
    if chance.random() < 0.5:
        return _stranger(table, side=side, label="Rider")
    out_of_sight: dict[str, Any] = chance.choice([{"hidden": True}, {"arrives": 40}])
    return _stranger(table, side=side, label=table.word(), **out_of_sight)


def _around(table: Table) -> None:
    """What else is stored, of this campaign and of another table."""
    campaign = table.link.campaign
    HeroFactory.create(campaign=campaign, name=table.word(), player=table.word())
    campaign.own_words = [{"text": table.word(), "colour": "blue"}]
    campaign.save()
    other = CampaignFactory.create(name=table.word())
    EncounterFactory.create(campaign=other, name=table.word())
    table.texts += [str(campaign.uuid), str(table.link.link_id), table.link.token_hash]
    table.texts += [
        PlayerLinkFactory.create(campaign=each, name=table.word()).token
        for each in (other, campaign)
    ]
    table.texts += [settings.SECRET_KEY, access.new_entry_path().split("/")[2], *WORDS]
    table.texts += list(EntryLink.objects.values_list("secret_hash", flat=True))
