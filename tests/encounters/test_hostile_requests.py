"""Whatever anybody sends to any address, nothing breaks, and what is refused changes nothing."""

from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client

from encounters.models import Encounter, Hero
from tests.encounters.addresses import addresses
from tests.encounters.playing import fight_in, ogre_fight, text_of

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"
BODIES: Mapping[str, tuple[str, bytes]] = {
    "UTF-7": (f"{FORM}; charset=utf-7", b"next=+AC8-&text=+2AA-"),
    "Latin-1": (f"{FORM}; charset=latin-1", b"name=\xe9&next=%E9"),
    "an unknown charset": (f'{FORM}; charset="no such; thing"', b"name=x"),
    "bytes of no charset": (FORM, b"name=\xff\xfe%ff&text=%00&next=%ED%A0%80"),
    "a long number": (FORM, b"key=" + b"9" * 400 + b"&seen=" + b"9" * 5_000 + b"&target=1e400"),
    "parts without a boundary": ("multipart/form-data", b"--x\r\n\r\n"),
    "a boundary of no letters": ("multipart/form-data; boundary=\xe9", b"--x\r\n\r\n"),
    "a long boundary": ("multipart/form-data; boundary=" + "x" * 400, b"--x\r\n\r\n"),
    "broken parts": ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: ;;"\r\n\r\n'),
    "text": ("text/plain", b"next=x"),
    "JSON": ("application/json", b'{"next": NaN, "text": "\\ud800"}'),
    "no type": ("", b"\xff"),
}
NOWHERE = (
    "x", "é", "?", "", "//evil.example", "https://evil.example/", "/\\evil.example", "javascript:1",
    "http://[", "/[", "\x00", "/a\r\nSet-Cookie: x=1", "/" + "a" * 5_000, " //evil.example",
)  # fmt: skip


def targets() -> tuple[Encounter, dict[str, str]]:
    """A fight, and all addresses with what is in them being its own."""
    encounter = ogre_fight()
    hero = Hero.objects.create(campaign=encounter.campaign, name="Cleo")
    values = {
        "uuid": encounter.uuid, "pk": hero.pk, "number": 1, "kind": "hero", "token": "A" * 26,
        "secret": "A" * 26,
    }  # fmt: skip
    found = addresses(values)
    for name, path in found.items():
        if path.startswith("/c/"):
            found[name] = path.replace(str(encounter.uuid), str(encounter.campaign.uuid))
    return encounter, found


@pytest.mark.parametrize("whose", ["anybody's", "the GM's", "the GM's own page's"])
def test_no_body_breaks_any_address(whose: str, gm_client: Client) -> None:
    client = gm_client if "GM" in whose else Client(SERVER_NAME="127.0.0.1")
    client.handler.enforce_csrf_checks = whose == "the GM's"
    client.raise_request_exception = False
    encounter, paths = targets()
    before, counted = fight_in(encounter), Hero.objects.count()
    for sent, (kind, body) in BODIES.items():
        for name, path in paths.items():
            answer = client.generic("POST", path, body, kind)
            assert answer.status_code < 500, (name, sent)
            if "charset" in kind and answer.status_code == 400:
                assert "nothing has changed" in text_of(answer), (name, sent)
    assert (fight_in(encounter), Hero.objects.count()) == (before, counted)


@pytest.mark.parametrize("wanted", NOWHERE)
def test_no_form_leads_away_or_breaks(wanted: str, gm_client: Client, client: Client) -> None:
    _, paths = targets()
    hero = Hero.objects.get()
    for name in ("theme", "players-see", "throw-away", "restore", "set_language"):
        sent = {"next": wanted, "theme": "dark", "language": "fr"}
        for some in (gm_client, client) if name in ("theme", "set_language") else (gm_client,):
            answer = some.post(paths[name], sent)
            assert answer.status_code in (302, 204, 422), name
            if answer.status_code == 302:
                leads = urljoin("https://table.example/", answer["Location"].replace("\\", "/"))
                assert urlsplit(leads)[:2] == ("https", "table.example"), name
    hero.refresh_from_db()
    assert hero.deleted is None


def test_what_cannot_be_read_is_said_in_the_readers_language(client: Client) -> None:
    kind, body = BODIES["UTF-7"]
    for language, said in (("en", "nothing has changed"), ("fr", "rien n’a changé")):
        client.cookies["qv_language"] = language
        answer = client.generic("POST", "/theme/", body, kind)
        assert (answer.status_code, said in text_of(answer)) == (400, True)
