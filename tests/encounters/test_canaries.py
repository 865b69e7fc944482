"""Every secret has a canary of its own, which must fly nowhere that a player can look."""

import base64
import re
from html import escape
from typing import Any
from urllib.parse import quote

import pytest
from django.conf import settings
from django.test import Client

import rules
from encounters import access, player_views
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

pytestmark = pytest.mark.django_db


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
    return {form.encode() for form in forms}


def whole_number(number: int) -> re.Pattern[bytes]:
    return re.compile(rb"(?<![0-9A-Za-z])%d(?![0-9A-Za-z])" % number)


def secret_table() -> tuple[PlayerLink, list[str], list[int]]:
    """A fight with a canary in every field that players must not see."""
    words = iter(canary(n) for n in range(1, 199))
    numbers = iter(range(54_321, 99_999, 611))
    texts: list[str] = []
    counts: list[int] = []

    def word() -> str:
        texts.append(next(words))
        return texts[-1]

    def count() -> int:
        counts.append(next(numbers))
        return counts[-1]

    def secrets() -> dict[str, Any]:
        numeric = ("ac", "temp_hp", "dexterity", "passive_perception", "stealth_bonus", "speed",
                   "stealth", "hero", "ordinal", "owner", "rider", "moved")  # fmt: skip
        held = rules.Effect("readied", text=word(), ends="start")
        spell = rules.Effect("concentration", text=word())
        cursed = rules.Effect("own", text=word(), secret=True, source=3)
        burns = rules.Effect("blinded", save="wis", dc=count(), each=str(count()), source=3)
        hidden = rules.Effect("poisoned", secret=True)
        return {
            **{name: count() for name in numeric},
            "notes": word(),
            "creature": word(),
            "effects": (held, spell, cursed, burns, hidden),
            "uses": (rules.Use(word(), 3, 2, name_fr=word()),),
            "dues": (rules.Due("save", count(), "con", "own", word()),),
            "defences": (rules.Defence("immunity", "thunder"),),
            "saves": {"con": count()},
        }

    link: PlayerLink = PlayerLinkFactory.create(
        campaign__name="The mill", campaign__reveal_on_turn=False
    )
    HeroFactory.create(campaign=link.campaign, name=word(), player=word())
    maximum = count()
    fight = fight_of(
        hero("Aria", **secrets(), max_hp=maximum),
        creature(word(), name_fr=word(), label="Hooded figure", **secrets(), max_hp=count()),
        creature(word(), name_fr=word(), label=word(), hidden=True, **secrets(), max_hp=count()),
        creature(word(), name_fr=word(), label=word(), arrives=count(), **secrets()),
    )
    encounter = EncounterFactory.create(campaign=link.campaign, name=word(), fight=fight)
    start = rules.StartFight(totals={1: 777, 2: 555, 3: 666, 4: 444})
    take(encounter, start)
    counts += [444, 555, 666, 777]
    take(encounter, rules.Damage(1, 9))
    counts.append(maximum - 9)
    other = CampaignFactory.create(name=word())
    EncounterFactory.create(campaign=other, name=word())
    texts += [str(encounter.uuid), str(link.campaign.uuid), str(link.link_id), link.token_hash]
    texts += [other_link.token for other_link in [PlayerLinkFactory.create(campaign=other)]]
    texts += [settings.SECRET_KEY, access.new_entry_path().split("/")[2]]
    texts += list(EntryLink.objects.values_list("secret_hash", flat=True))
    take(encounter, rules.NextTurn())  # the turn of the hidden one
    take(encounter, rules.TakeAction(3, "ready", cost="none", text=word()))
    take(encounter, rules.Move(3, count()))
    take(encounter, rules.ChangeSettings({"tie_rule": "roll_off"}))
    texts += ["readied", "poisoned", "roll_off", "tie_rule", "thunder"]
    return link, texts, counts


# RW-S22: no secret occurs in a page, fragment, header or cookie
def test_no_secret_leaves_by_any_address_that_a_player_can_reach(client: Client) -> None:
    link, texts, counts = secret_table()
    token = link.token
    players = [f"/j/{token}", f"/j/{token}/board", f"/j/{token.lower()}", f"/j/{token}/",
               f"/j/{token}/live", f"/j/{token}/gm", f"/j/{'0' * 26}", "/j/"]  # fmt: skip
    others = ["/", "/entry/", "/entry/x/", "/about/", "/robots.txt", "/language/", "/theme/",
              "/quick-fight/", "/nothing", "/bin/hero/1/restore/", "/admin/"]  # fmt: skip
    answers = []
    for path in players:
        for asked in ("", "?lang=en", "?lang=fr", "?selected=3&view=gm"):
            answers += [client.get(path + asked), client.head(path + asked)]
        answers += [client.generic(method, path) for method in ("POST", "PUT", "DELETE", "TRACE")]
        answers.append(client.get(path, headers={"HX-Request": "true"}))
    for path in others:
        answers += [
            client.get(path),
            client.post(path),
            client.get(path, headers={"HX-Request": "true"}),
        ]
    told = [
        b"\n".join([a.content, str(a.headers).encode(), str(a.cookies).encode()]) for a in answers
    ]
    told += [
        player_views.render_screen(link.campaign_id, tongue)[1].encode() for tongue in ("en", "fr")
    ]
    texts += ["holds an action ready", "tient une action"]
    assert sum(b"Hooded figure" in one for one in told) > 10, "the table itself is shown"
    for secret in texts:
        for form in disguises(secret):
            assert not any(form in one for one in told), secret
    for number in counts:
        assert not any(whole_number(number).search(one) for one in told), number


def test_the_search_for_secrets_would_find_one_however_it_left() -> None:
    secret = canary(5)
    for leaving in (secret, escape(secret), quote(secret), secret.encode().hex()):
        page = f"<p>{leaving}</p>".encode()
        assert any(form in page for form in disguises(secret))
    for shift in range(3):
        page = base64.b64encode(b"?" * shift + secret.encode() + b" and more")
        assert any(form in page for form in disguises(secret))
    assert whole_number(555).search(b'data-hp="555"')
    assert not whole_number(555).search(b"15553 css/base.a555.css")
